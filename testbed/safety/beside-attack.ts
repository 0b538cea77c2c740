// Measures a neighbour during an attack by one account, and in the large tier also before it, in one run: the duration of its
// tasks, and the response times of `/livez` and of its home page. One process serves everything, as `petstore start` does.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../harness/quantile.ts'
import { startMailRelay, type TestRelay } from '../harness/mail-relay.ts'
import { startWorkerProcess } from '../harness/worker-process.ts'
import { must, type Guard, type SafetyRun, type Tier } from './line.ts'
import { common, startForked, type ForkedService } from './processes.ts'
import type { QuietErrand, QuietKind, QuietOutcome } from './quiet-load.ts'
import { tasksOf, type TaskName, type Tasks } from './tenant-tasks.ts'
import { openTenants, type Tenants } from './tenants.ts'

export type AttackScene = Tenants & { tier: Tier; service: ForkedService; relay: TestRelay }

/** Continues until it is released. */
export type Attack = {
  release: () => Promise<void> | void
  /** A measurement next to an attack that has ended shows nothing. */
  isActive: () => Promise<boolean> | boolean
}

export const together = (attacks: readonly Attack[]): Attack => ({
  release: async () => void (await Promise.all(attacks.map(async (one) => one.release()))),
  isActive: async () => (await Promise.all(attacks.map(async (one) => one.isActive()))).every(Boolean),
})

const REPEAT_PAUSE_MS = 50

/** Repeats the work until it is released. A request that is rejected is sent again after the pause. */
export function repeated(work: () => Promise<void>): Attack {
  const state = { isOver: false }
  const loop = (async () => {
    while (!state.isOver)
      await work()
        .catch(() => {})
        .then(() => pause(REPEAT_PAUSE_MS))
  })()
  return {
    isActive: () => !state.isOver,
    release: async () => {
      state.isOver = true
      await loop
    },
  }
}

type Measured = { tasks: Partial<Record<TaskName, number>>; livezMs: number; homeMs: number; failures: string[] }

const tiers = { small: { rounds: 1, probeSeconds: 1 }, large: { rounds: 5, probeSeconds: 20 } }
/** Longer than any task takes on a slow machine, and shorter than the attack lasts. */
const TASK_SECONDS = 120
/** Six imports at once share two cores, so one alone is faster by more than three times. */
const usualBars = { livezMs: 100, homeMs: 250, homeTimes: 3, times: { publish: 3, import: 6, mail: 3 } }
type Bars = typeof usualBars
/** On a busy machine the attack itself takes seconds of the processor. */
const SILENCE_MS = 20_000
/** Longer than any silence that is allowed. */
const BLOCK_MS = 24_000
const PLATFORM_HOST = 'petstore.test:3080'

export type Besides = {
  wanted: readonly TaskName[]
  attack: (scene: AttackScene) => Promise<Attack>
  /** Additional settings of the service. */
  env?: Record<string, string>
  /** In the large tier, where they differ from the usual ones. */
  bars?: Partial<Bars>
}

/** The negative control of every measurement next to an attack. */
export const eventLoop: Guard = {
  name: 'event-loop',
  instead: 'an event loop that is occupied for 24 seconds',
  isQuick: false,
}

export async function besideAttack(run: SafetyRun, { wanted, attack, env: more = {}, bars }: Besides): Promise<void> {
  const { appUrl } = await run.createDatabase()
  await using stack = new AsyncDisposableStack()
  const relay = stack.adopt(await startMailRelay(), (one) => one.stop())
  const env = {
    ...common,
    TRUSTED_PROXIES: '',
    DATABASE_POOL_MAX: '10',
    DATABASE_URL: appUrl,
    PLATFORM_HOST,
    EDGE_PORT: '0',
    CONTROL_PORT: '0',
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    RATE_LIMIT_PER_VISITOR: '1000000',
    ...more,
  }
  // In the small tier a slow machine must not be taken for an overload.
  const admission = run.tier === 'large' ? 'usual-admission' : undefined
  const service = stack.adopt(await startForked(env, admission, () => {}, 'start'), (one) => one.stop())
  const tenants = stack.adopt(await openTenants(env, service.port), (one) => one.close())
  const probe = await startWorkerProcess<QuietErrand, QuietOutcome[]>(join(import.meta.dirname, 'quiet-load.ts'), [])
  stack.defer(() => probe.stop())
  const scene: AttackScene = { ...tenants, tier: run.tier, service, relay }
  const tasks = await tasksOf(scene, service, relay)
  const { rounds, probeSeconds: seconds } = tiers[run.tier]
  const kinds = probes(scene)
  const measure = async (blockMs = 0): Promise<Measured> => {
    const probed = probe.send({ seconds, kinds })
    if (blockMs > 0) service.block(blockMs)
    const found = await measureTasks(tasks, wanted, rounds)
    const [livez, home] = await probed
    return { ...found, livezMs: livez?.p99Ms ?? Infinity, homeMs: home?.p99Ms ?? Infinity }
  }
  // Only the large tier compares times. The first round is slower than all others.
  if (run.tier === 'large') await measureTasks(tasks, wanted, 1)
  const quiet = run.tier === 'large' ? await measure() : undefined
  const active = stack.adopt(await attack(scene), (one) => one.release())
  const during = await measure(run.without === eventLoop.name ? BLOCK_MS : 0)
  const isActive = await active.isActive()
  report(run, quiet, during)
  judge(quiet, during, { ...usualBars, ...bars })
  must(isActive, 'the attack had ended before the neighbour was served')
}

/** The neighbour's visitors have an address of their own, and so does the monitoring that requests `/livez`. */
const probes = ({ neighbour, service }: AttackScene): QuietKind[] => [
  { name: 'livez', perSecond: 20, origin: `http://127.0.0.1:${service.port}`, requests: [{ path: '/livez' }] },
  {
    name: 'home',
    perSecond: 10,
    origin: `http://127.0.0.1:${service.sitePort}`,
    requests: [{ path: '/', headers: { Host: `${neighbour.slugs[0]}.${PLATFORM_HOST}` } }],
  },
]

async function measureTasks(
  tasks: Tasks,
  wanted: readonly TaskName[],
  rounds: number,
): Promise<Pick<Measured, 'tasks' | 'failures'>> {
  const times: Partial<Record<TaskName, number>> = {}
  const failures: string[] = []
  for (const name of wanted) {
    const measured: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      const failure = await withinTime(tasks[name]())
      if (failure !== undefined) failures.push(`${name}: ${failure}`)
      measured.push(performance.now() - startedAt)
    }
    times[name] = Math.round(quantile(measured, 0.5))
  }
  return { tasks: times, failures }
}

async function withinTime(task: Promise<void>): Promise<string | undefined> {
  const done = new AbortController()
  const late = pause(TASK_SECONDS * 1000, `not finished after ${TASK_SECONDS} s`, { signal: done.signal })
  late.catch(() => {})
  try {
    return await Promise.race([task, late]).then((text) => text ?? undefined)
  } catch (error) {
    return (error as Error).message
  } finally {
    done.abort()
  }
}

function report({ report: add }: SafetyRun, quiet: Measured | undefined, during: Measured): void {
  const change = (before: number | undefined, now: number) => (quiet ? `${before} → ${now}` : now)
  for (const [name, ms] of Object.entries(during.tasks))
    add({ [`${name}, ms`]: change(quiet?.tasks[name as TaskName], ms) })
  add({
    'livez p99, ms': change(quiet?.livezMs, during.livezMs),
    'home p99, ms': change(quiet?.homeMs, during.homeMs),
  })
}

/**
 * The small tier, which has measured nothing before, judges only what no slow machine can cause: a task that fails or never
 * ends, and a silence.
 */
function judge(quiet: Measured | undefined, during: Measured, bars: Bars): void {
  if (quiet) must(quiet.failures.length === 0, `before the attack: ${quiet.failures.join('; ')}`)
  must(during.failures.length === 0, `during the attack: ${during.failures.join('; ')}`)
  const homeMost = quiet ? Math.max(bars.homeMs, bars.homeTimes * quiet.homeMs) : SILENCE_MS
  // What the neighbour's own work causes without an attack is none of the attack.
  const livezMost = quiet ? Math.max(bars.livezMs, quiet.livezMs) : SILENCE_MS
  must(during.livezMs <= livezMost, `/livez took ${during.livezMs} ms (p99); at most ${livezMost} are allowed`)
  must(during.homeMs <= homeMost, `the home page took ${during.homeMs} ms (p99); at most ${homeMost} are allowed`)
  if (!quiet) return
  for (const name of ['publish', 'import', 'mail'] as const) {
    const [before, after] = [quiet.tasks[name] ?? 0, during.tasks[name] ?? 0]
    must(after <= bars.times[name] * before, `${name} took ${after} ms instead of ${before}`)
  }
}
