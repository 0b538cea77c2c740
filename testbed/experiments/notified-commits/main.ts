// Commits that cause events against commits that cause none, in turn in one run, so that other load on the machine
// affects both alike. The negative control notifies inside of the transaction, where commits wait for each other.
//
//   npm run experiment -- notified-commits --help

import { openDatabase, statement, type Database, type Db } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { AUDIT_CHANNEL, recordAudit } from '../../../server/src/projects/project-queries.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'

const RATIO_MIN = 0.8

type Way = (db: Db, project: ProjectId) => Promise<unknown>

const silentRow = statement<never, [project: ProjectId]>(
  'measure-silent-audit',
  `insert into audit (project_id, actor, action, subject, detail)
   values ($1, 'operator', 'key_created', 'subject', '{}')`,
)
const event = { actor: 'operator', action: 'key_created', subject: 'subject' } as const

const silent: Way = (db, project) => db(silentRow, project)
const notifying: Way = (db, project) => recordAudit(db, project, event)
/** What is not a transaction of the pool itself has no moment after its commit. */
const notifyingInside: Way = (db, project) => recordAudit((one, ...values) => db(one, ...values), project, event)

const flags = readFlags('notified-commits')
await using postgres = await startTemporaryPostgres()
const { appUrl } = await postgres.createDatabase()
const connections = Number(flags.connections)
const database = openDatabase({ url: appUrl, poolMax: connections + 1, onError: () => {} })
let heard = 0
const end = await database.listen(AUDIT_CHANNEL, () => void (heard += 1))
const projects = await Promise.all(
  Array.from({ length: connections }, (_, number) => createProject(database, { slug: `shop-${number}`, name: 'Shop' })),
)
const counts = { silent: 0, notifying: 0 }
for (let round = 0; round < Number(flags.rounds); round += 1) {
  counts.silent += await commitsOf(silent)
  counts.notifying += await commitsOf(flags.inside ? notifyingInside : notifying)
}
await end()
await database.close()
const ratio = counts.notifying / counts.silent
const isEnough = ratio >= RATIO_MIN && heard > 0
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...counts, heard, ratio })}\n`
    : `${counts.silent} commits without events, ${counts.notifying} with events (${heard} notifications): ${ratio.toFixed(2)} times as many\n`,
)
process.exitCode = isEnough ? 0 : 1

/** In one second, by all connections. */
async function commitsOf(way: Way): Promise<number> {
  const until = performance.now() + 1000
  const each = projects.map(async (project) => {
    let count = 0
    for (; performance.now() < until; count += 1)
      await inProjectOf(database satisfies Database)(project, (db) => way(db, project))
    return count
  })
  return (await Promise.all(each)).reduce((sum, count) => sum + count, 0)
}
