// A domain worker, in a process of its own. It checks as `petstore work` does, with two
// differences: DNS is scripted by the test, and each check is recorded before it begins and
// after it ended, with its fencing token.
//
// `hang` makes its first check wait for a message of its parent before DNS answers. `broken`
// (negative control) claims without an effective lease, and writes without checking its claim.

import { randomBytes } from 'node:crypto'
import { domainWork } from '../../../server/src/domains/jobs.io.ts'
import { checkDomain, type DomainDeps } from '../../../server/src/domains/check.io.ts'
import { evidenceOf, letsEncrypt } from '../../evidence/evidence.ts'
import { runTimers, type Timer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { defaultRules } from '../../../server/src/plans/limits.ts'
import { inProjectOf, inProjectsOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import type { Orders, SweeperReport } from './environment.ts'
import { createSharedCalls } from '../../../server/src/foundation/load/shared-calls.ts'

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders
const { url, records, isHanging, isBroken, leaseSeconds } = orders
const database = openDatabase({ url, poolMax: 8, onError: () => {} })

/** After its parent has disconnected there is no receiver. */
const send = (message: SweeperReport) => void (process.connected && process.send?.(message))

const released = Promise.withResolvers<void>()
let hasHung = false

const observe: DomainDeps['observe'] = async ({ hostname }, { now }) => {
  if (isHanging && !hasHung) {
    hasHung = true
    send({ kind: 'looking' })
    await released.promise
  }
  const takes = 5 + ((now + hostname.length * 7919) % 60)
  await new Promise((resolve) => setTimeout(resolve, takes))
  const own = records.map((record) => record.replaceAll('HOST', hostname))
  return evidenceOf({ hostname, records: own, at: now, checked: own })
}

const deps: DomainDeps = {
  database,
  inProject: inProjectOf(database),
  inProjects: inProjectsOf(database),
  sharedCalls: createSharedCalls(),
  now: Date.now,
  newId,
  randomBytes,
  observe,
  platform: { host: 'petstore.example', addresses: ['192.0.2.10'], formerAddresses: [], authorities: [letsEncrypt] },
  plans: defaultRules,
}

// With the end of its lease, by the claim itself: no other worker may begin before that. The
// negative control only assumes that it has one.
const began = statement<never, [id: string, fence: bigint, worker: number, believedSeconds: number | null]>(
  'sweeper-look-began',
  `insert into sweeper_looks (id, fence, worker, began_at, leased_until)
   select $1, $2, $3, clock_timestamp(),
     coalesce(clock_timestamp() + make_interval(secs => $4),
       (select claimed_until from due_directory where kind = 'domain' and id = $1 and fence = $2))`,
)
const ended = statement<never, [id: string, fence: bigint, worker: number]>(
  'sweeper-look-ended',
  `update sweeper_looks set ended_at = clock_timestamp() where id = $1 and fence = $2 and worker = $3`,
)

const real = domainWork(deps)
const work = async (due: Timer): Promise<void> => {
  await database.run(began, due.id, due.fence, process.pid, isBroken ? leaseSeconds : null)
  if (isBroken) {
    await checkDomain(deps, {
      project: due.project as ProjectId,
      id: due.id,
      isAsked: false,
      actor: 'x',
      due: null,
      typed: null,
    })
  } else await real.work(due)
  await database.run(ended, due.id, due.fence, process.pid)
  send({ kind: 'looked', id: due.id })
}

const worker = runTimers({
  run: database.run,
  kinds: { domain: { work, claimSeconds: isBroken ? 0.001 : leaseSeconds } },
  atOnce: 32,
  pauseMs: 20,
  onError: (error) => send({ kind: 'failed', why: String(error) }),
})

process.on('message', () => released.resolve())
process.on(
  'disconnect',
  () =>
    void worker
      .stop()
      .then(() => database.close())
      .then(() => process.exit(0)),
)
send({ kind: 'ready' })
