// Open event streams cost almost nothing: one event is read once however many streams carry it, what happens
// charges no watcher, and a few accounts that open streams without end get those that they may have, and delay no
// one else. A stream ends with the right to watch.

import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../../server/src/plans/plans.io.ts'
import { recordAudit } from '../../../server/src/projects/project-queries.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import { openEvents, type EventStream } from '../../harness/event-stream.ts'
import { exchange } from '../../harness/http.ts'
import { joinProject, newPerson, type Person } from '../../harness/people.ts'
import { quantile } from '../../harness/quantile.ts'
import { inParallel } from '../clients.ts'
import type { Figures } from '../../experiments/claims.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { DASHBOARD_ORIGIN, startProcesses } from '../processes.ts'
import { statementsOf } from '../statements.ts'

const tiers = {
  small: {
    streams: 100,
    renames: 20,
    attackers: 4,
    attempts: 80,
    calmRequests: 10,
    notifiedMs: 10_000,
    delayMs: 10_000,
  },
  large: {
    streams: 2000,
    renames: 400,
    attackers: 10,
    attempts: 2500,
    calmRequests: 200,
    notifiedMs: 1000,
    delayMs: 50,
  },
}
const STREAMS_PER_ACCOUNT = 10
const STATEMENTS_MAX = 5

export const safetyLine: SafetyLine = {
  title: 'Open event streams cost almost nothing, and few accounts cannot open many',
  sizes: { small: '100 streams, 4 accounts that open more', large: '2,000 streams, 10 accounts that open more' },
  guards: [{ name: 'shared-feeds', instead: 'a poll per stream', isQuick: false }],
  run,
}

async function run(options: SafetyRun): Promise<void> {
  await watching(options)
  await hoarding(options)
}

type Watcher = Pick<Person, 'account' | 'cookie'>
type StreamOf = Watcher & { stream: EventStream | undefined }

/** One event, and then many, in a project that is watched by many. */
async function watching({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { streams: count, renames, notifiedMs } = tiers[tier]
  const { appUrl } = await createDatabase()
  const seam = without === 'shared-feeds' ? 'poll-per-stream' : undefined
  // In this process, where its statements can be counted.
  // The quota does not begin again meanwhile.
  const env = { DATABASE_URL: appUrl, RATE_LIMIT_WINDOW_SECONDS: '3600' }
  const processes = await startProcesses({ count: 1, tier: 'small', env, seam })
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const origin = processes.origins[0] ?? ''
  const streams: EventStream[] = []
  try {
    const owner = await newWatcher(database)
    const project = await newProject(database, 'willow', owner)
    await setPlan({ inProject: inProjectOf(database) }, project, 'enterprise', 'operator')
    const watchers = await inParallel(2, count / STREAMS_PER_ACCOUNT, () => newWatcher(database, project))
    const watcherOf = (n: number) => watchers[n % watchers.length] ?? owner
    streams.push(...(await inParallel(16, count, (n) => openedStream(origin, 'willow', watcherOf(n)))))
    const open = streams.filter(({ status }) => status === 200).length
    must(open === count, `${open} of ${count} streams were opened: ${streams.at(-1)?.text()}`)
    while (!streams.every((stream) => /^(: still here|event: changed)$/m.test(stream.text()))) await pause(50)

    const { answer, statements } = await statementsOf(async () => {
      const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
      await inProjectOf(database)(project, (db) =>
        recordAudit(db, project, { actor: 'visitor', action: 'order_placed', subject: '1' }),
      )
      await Promise.all(streams.map((stream) => toldOf('order_placed', stream)))
      const { user, system } = process.cpuUsage(cpu)
      return { ms: Math.round(performance.now() - startedAt), cpuMs: Math.round((user + system) / 1000) }
    })
    // Those before it wrote the event, and notified the process.
    const reads = statements.slice(statements.indexOf('notify') + 1)
    const { ms, cpuMs } = answer
    report({ 'streams notified of an event': open, statements: reads.length, 'ms until the last one': ms })
    report({ 'of the processor, with the clients': `${cpuMs} ms` })
    must(reads.length <= STATEMENTS_MAX, `${open} streams cost ${reads.length} statements for one event`)

    const before = await remaining(origin, watcherOf(0))
    for (let n = 0; n < renames; n++) await rename(origin, owner, `Willow ${n}`)
    await Promise.all(streams.map((stream) => toldOf('project_renamed', stream)))
    const charged = before - 1 - (await remaining(origin, watcherOf(0)))
    report({ renames, 'charged to a watcher': charged })
    must(charged === 0, `${renames} renames charged a watcher ${charged} requests`)
    must(ms <= notifiedMs, `the last stream was notified after ${ms} ms`)
    const streamOf = (n: number): StreamOf => ({ ...watcherOf(n), stream: streams[n] })
    report(await endings(origin, owner, [streamOf(0), streamOf(1)], notifiedMs))
  } finally {
    for (const stream of streams) stream.close()
    await processes.stop()
    await database.close()
  }
}

/** One watcher signs out, and another is no longer a member. */
async function endings(
  origin: string,
  owner: Watcher,
  [one, other]: readonly [StreamOf, StreamOf],
  mostMs: number,
): Promise<Figures> {
  const ways: readonly [what: string, stream: EventStream | undefined, by: Watcher, path: string][] = [
    ['session', one.stream, one, '/session'],
    ['membership', other.stream, owner, `/projects/willow/members/${other.account}`],
  ]
  const figures: Record<string, number> = {}
  for (const [what, stream, by, path] of ways) {
    const headers = { Cookie: by.cookie, Origin: DASHBOARD_ORIGIN }
    const { status, text } = await exchange(origin, { method: 'DELETE', path: `/platform/v1${path}`, headers })
    if (status !== 204) throw new Error(`the ${what} did not end: ${status} ${text}`)
    const startedAt = performance.now()
    await stream?.ended
    const ms = Math.round(performance.now() - startedAt)
    must(ms <= mostMs, `a stream ended ${ms} ms after the ${what}`)
    figures[`ms from the end of a ${what} to that of its stream`] = ms
  }
  return figures
}

/** Accounts that open streams as fast as they can, each in a project of its own, while another person works. */
async function hoarding({ tier, createDatabase, report }: SafetyRun): Promise<void> {
  const { attackers: count, attempts, calmRequests, delayMs } = tiers[tier]
  const { appUrl } = await createDatabase()
  const processes = await startProcesses({ count: 1, tier, env: { DATABASE_URL: appUrl }, seam: undefined })
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const origin = processes.origins[0] ?? ''
  const streams: EventStream[] = []
  try {
    const other = await newWatcher(database)
    const attackers = await inParallel(2, count, async (n) => {
      const attacker = await newWatcher(database)
      await newProject(database, `hoard-${n}`, attacker)
      return attacker
    })
    const calm = await timesOf(origin, other, calmRequests, async () => pause(200))
    const busy = await timesOf(origin, other, 1, async () => {
      const opened = await inParallel(16, attempts, async (n) => {
        const attacker = attackers[n % count] ?? other
        return openedStream(origin, `hoard-${n % count}`, attacker)
      })
      streams.push(...opened)
    })
    const open = streams.filter(({ status }) => status === 200).length
    const refused = streams.filter((one) => one.status === 429 && one.text().includes('open event streams')).length
    // Of the same share of requests, as a busy machine delays some of them anyway.
    const delay = Math.max(0, quantile(busy, 0.95) - quantile(calm, 0.95))
    report({ attempts, open, 'others’ delay, p95, ms': Math.round(delay), 'others’ requests': busy.length })
    const most = count * STREAMS_PER_ACCOUNT
    must(open === most, `${count} accounts have ${open} open streams instead of ${most}`)
    must(refused === attempts - most, `${refused} of ${attempts - most} attempts were refused for the right reason`)
    must(delay < delayMs, `meanwhile others waited ${Math.round(delay)} ms longer`)
  } finally {
    for (const stream of streams) stream.close()
    await processes.stop()
    await database.close()
  }
}

/** A viewer of the project, if one is given. */
async function newWatcher(database: Database, project?: ProjectId): Promise<Watcher> {
  const watcher = await newPerson(database)
  if (project !== undefined) await joinProject(database, project, watcher.account, 'viewer')
  return watcher
}

const newProject = (database: Database, slug: string, { account }: Watcher): Promise<ProjectId> =>
  createProject(database, { slug, name: slug, owner: account })

const openedStream = (origin: string, slug: string, { cookie }: Watcher) =>
  openEvents(origin, `/platform/v1/watch?topics=project:${slug}`, { Cookie: cookie })

/** Until the stream has sent an event with this action. */
async function toldOf(action: string, stream: EventStream): Promise<void> {
  for (let event = await stream.next(); event; event = await stream.next()) {
    if (event.data.includes(`"${action}"`)) return
  }
  must(false, `a stream ended without ${action}: ${stream.text()}`)
}

async function rename(origin: string, { cookie }: Watcher, name: string): Promise<void> {
  const { status, text } = await exchange(origin, {
    method: 'PATCH',
    path: '/platform/v1/projects/willow',
    body: JSON.stringify({ name }),
    headers: { Cookie: cookie, Origin: DASHBOARD_ORIGIN, 'Content-Type': 'application/json' },
  })
  if (status !== 200) throw new Error(`not renamed: ${status} ${text}`)
}

const own = (origin: string, { cookie }: Watcher) =>
  exchange(origin, { path: '/platform/v1/account', headers: { Cookie: cookie } })

/** How many requests the account may still send; asking is one of them. */
async function remaining(origin: string, watcher: Watcher): Promise<number> {
  const { headers } = await own(origin, watcher)
  const [, left] = /;r=(\d+)/.exec(String(headers['ratelimit'])) ?? []
  if (left === undefined) throw new Error('the response shows no quota')
  return Number(left)
}

/** The times of requests of this person, one after the other, while something else happens. */
async function timesOf(
  origin: string,
  watcher: Watcher,
  least: number,
  meanwhile: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = []
  const state = { isOver: false }
  const over = meanwhile().finally(() => (state.isOver = true))
  while (!state.isOver || times.length < least) {
    const startedAt = performance.now()
    const { status } = await own(origin, watcher)
    times.push(performance.now() - startedAt)
    must(status === 200, `another person got ${status}`)
    await pause(10)
  }
  await over
  return times
}
