// Startup checks reject an unsuitable database before a process starts: PostgreSQL must be new enough and must not lose
// what it acknowledged, the database user must be the right one, and the schema must be one that this release works with.
// They are repeated every minute: after a failover, the same address may lead to a server with other settings.

import type { Finding } from '../finding.ts'
import { MINUTE, type Clock } from '../time.ts'
import { judgeServer, judgeFitness, type ConnectionNeeds, type Fitness } from './judge-server.ts'
import { schemaTrouble } from './migrate.io.ts'
import { observeServer } from './observe-server.io.ts'
import { openDatabase, statement, type Database, type DatabaseOptions } from './postgres.io.ts'

/** What is wrong with PostgreSQL, and what an operator does about it. */
export class UnfitDatabase extends Error {
  override name = 'UnfitDatabase'

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ sentence, remedy }) => `${sentence} ${remedy}`).join('\n'))
  }
}

/**
 * Opens the database for a process of the release `version`, or throws an error with the reasons why the process may not
 * start. Unless `isProduction`, an unsafe configuration is reported, and the process starts. Another clock and a shorter
 * period are only in tests.
 */
export async function openFitDatabase(
  options: DatabaseOptions,
  { version, needs, isProduction }: { version: string; needs: ConnectionNeeds; isProduction: boolean },
  { everyMs = MINUTE, now = Date.now }: { everyMs?: number | undefined; now?: Clock | undefined } = {},
): Promise<Database> {
  const { onError } = options
  const database = openDatabase(options)
  const server = async () => judgeAtStart(await observeServer({ ...options, now }), needs)
  try {
    const unfit = judgeFitness(await observeFitness(database, version))
    const findings = await server()
    const refused = [...unfit, ...findings.filter((finding) => isProduction && isError(finding))]
    if (refused.length > 0) throw new UnfitDatabase(refused)
    for (const finding of findings) onError(new UnfitDatabase([finding]))
  } catch (error) {
    await database.close()
    throw error
  }
  let isFit = true
  const repeat = async () => {
    const errors = [...judgeFitness(await observeRights(database)), ...(await server())].filter(isError)
    isFit = !isProduction || errors.every(({ check }) => varying.has(check))
    for (const finding of errors) onError(new UnfitDatabase([finding]))
  }
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void repeat()
      .catch(onError)
      .finally(() => (isRunning = false))
  }, everyMs)
  timer.unref()
  return {
    ...database,
    isFit: () => isFit,
    async close() {
      clearInterval(timer)
      await database.close()
    },
  }
}

const isError = ({ severity }: Finding) => severity === 'error'

/** Connections and clocks: no reason to end the service of a process that runs. */
const varying: ReadonlySet<number> = new Set([5, 9])

/** A process starts where `doctor` already asks for more connections. */
const judgeAtStart = (
  { dataMayBeLost, ...facts }: Awaited<ReturnType<typeof observeServer>>,
  needs: ConnectionNeeds,
): readonly Finding[] => judgeServer(dataMayBeLost ? { ...facts, durability: {} } : facts, needs, 1)

const ownRights = statement<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean; versionNumber: number }, []>(
  'own-rights',
  `select rolsuper as "isSuper", rolbypassrls as "canBypass",
     exists (select from pg_class where relnamespace = 'public'::regnamespace and relowner = pg_roles.oid) as "ownsTables",
     current_setting('server_version_num')::integer as "versionNumber"
   from pg_roles
   where rolname = current_user`,
)

async function observeRights(database: Database): Promise<Fitness> {
  const [row] = await database.transaction({}, (db) => db(ownRights))
  return { versionNumber: row?.versionNumber ?? 0, rights: row, schemaTrouble: undefined }
}

/** Row-level security is the second layer of isolation around every project; a role that can bypass it is unfit. */
export const observeFitness = async (database: Database, version: string): Promise<Fitness> => ({
  ...(await observeRights(database)),
  schemaTrouble: await schemaTrouble(database, version),
})
