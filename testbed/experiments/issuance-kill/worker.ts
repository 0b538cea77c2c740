// A certificate worker, in a process of its own: it works as `petstore work` does, and reports
// its claims and steps. On command it hangs at a step, reports that, and stays there until it is
// killed or continued.
//
// Two kinds of sabotage, for the negative control. `forgetful` keeps its progress in memory
// only: the worker that continues starts from the beginning. `unfenced` trusts for ever what it
// read before it hung, and never checks whether its claim still holds.

import { AsyncLocalStorage } from 'node:async_hooks'
import { certificateDepsOf, certificateKinds } from '../../../server/src/program/certificates.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { contextOf } from '../../../server/src/program/context.ts'
import { runTimers, type TimerWork, type Worker } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { openDatabase, statement, type Database, type Db } from '../../../server/src/foundation/postgres/postgres.io.ts'

export type Sabotage = 'forgetful' | 'unfenced'
export type WorkerReport =
  | { kind: 'ready' }
  | { kind: 'claimed'; hostname: string; fence: string }
  | { kind: 'step' | 'reached'; hostname: string; name: string }
  | { kind: 'worked' | 'threw'; hostname: string }
  | { kind: 'failed'; why: string }
export type Heard = { kind: 'begin' } | { kind: 'hang'; at: { hostname: string; name: string } } | { kind: 'go on' }

export type Orders = { settings: Record<string, string>; sabotage: Sabotage | null }

const { settings, sabotage } = JSON.parse(process.argv[2] ?? '{}') as Orders
const config = parseConfig(settings)
const opened = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 8, onError: () => {} })
const hostnames = new AsyncLocalStorage<string>()
const isBelieving = { now: false }

/** After its parent has disconnected there is no receiver. */
const send = (message: WorkerReport) => void (process.connected && process.send?.(message))

const goesOn = Promise.withResolvers<void>()
let hangAt: { hostname: string; name: string } | null = null
let working: Worker | null = null

const onStep = (name: string): Promise<void> | void => {
  const hostname = hostnames.getStore() ?? ''
  send({ kind: 'step', hostname, name })
  if (hangAt?.hostname !== hostname || hangAt.name !== name) return undefined
  hangAt = null
  // It claims nothing else: a worker that hangs leaves the rest to others.
  void working?.stop()
  send({ kind: 'reached', hostname, name })
  isBelieving.now = sabotage === 'unfenced'
  return goesOn.promise
}

const memories = ['lock-desired-certificate', 'find-desired-certificate', 'find-certificate-order']
/** The statements that would reveal that it is too late. */
const claims = ['lock-timer', 'save-certificate-order', 'save-desired-certificate', 'postpone-timer']

function believing(db: Db): Db {
  return async (asked, ...values) => {
    const key = `${asked.name} ${String(values[0])}`
    const known = cachedRows.get(key) ?? cachedRows.get(key.replace('lock-', 'find-'))
    if (isBelieving.now && known) return structuredCloneOf(known) as never
    if (isBelieving.now && claims.includes(asked.name)) return [{ id: 'believed' }] as never
    const rows = await db(asked, ...values)
    if (memories.includes(asked.name)) cachedRows.set(key, structuredCloneOf(rows))
    return rows
  }
}
const cachedRows = new Map<string, unknown[]>()
const structuredCloneOf = (rows: readonly unknown[]) => rows.map((row) => ({ ...(row as object) }))

const database: Database =
  sabotage === 'unfenced'
    ? {
        ...opened,
        run: believing(opened.run),
        transaction: (set, work) => opened.transaction(set, (db) => work(believing(db))),
      }
    : opened

const forget = statement<never, [hostname: string]>(
  'kill-forget',
  `update certificate_orders
   set state = 'wanted', sealed_key = null, order_url = null, placements = 0, placed_at = null, next_at = now()
   where hostname = $1 and ended_at is null and state not in ('wanted', 'failed')`,
)

const deps = certificateDepsOf(contextOf(config, database), onStep)
if (!deps) throw new Error('there are keys, so there are certificates')
const kinds = certificateKinds(deps)
const real = kinds['certificate']
if (!real) throw new Error('certificates are worked on')

/** Hostnames whose progress this process has in memory. */
const known = new Set<string>()

const certificate: TimerWork = {
  ...real,
  async work(due) {
    send({ kind: 'claimed', hostname: due.id, fence: String(due.fence) })
    if (sabotage === 'forgetful' && !known.has(due.id)) await opened.run(forget, due.id)
    known.add(due.id)
    try {
      return await hostnames.run(due.id, () => real.work(due))
    } catch (error) {
      send({ kind: 'threw', hostname: due.id })
      throw error
    } finally {
      send({ kind: 'worked', hostname: due.id })
    }
  },
}

process.on('message', (message: Heard) => {
  if (message.kind === 'go on') return goesOn.resolve()
  if (message.kind === 'hang') return void (hangAt = message.at)
  const { run } = opened
  const onError = (error: Error) => send({ kind: 'failed', why: `${error.stack} ${String(error.cause)}` })
  working = runTimers({ run, kinds: { ...kinds, certificate }, atOnce: 16, pauseMs: 20, onError })
})
process.on('disconnect', () => process.exit(0))
send({ kind: 'ready' })
