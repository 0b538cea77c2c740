// Thousands of hostile answers: every class of the hostile responder, each with many mutations,
// each through a full check in another process. Counts what must never happen:
//
// - a check crashes, or takes longer than 5 seconds;
// - a domain is verified although no message proved it (an independent parser of the messages
//   that were sent decides), or for a project that no record names;
// - stored or shown text is not escaped, or not bounded;
// - a packet to a reserved address;
//
// and measures memory after a warm-up, and how long the event loop was blocked during a single
// check.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { seeded } from '../../internet/hostile-mutant.ts'
import { provenBy } from '../../internet/hostile-truth.ts'
import { hostileClasses, sentMessages, type SentPacket } from '../../internet/hostile.ts'
import type { World } from '../../internet/world.ts'
import type {
  HostileControl,
  HostileJob,
  Health,
  HostileOrder,
  HostileReply,
  HostileObservation,
  WorkerOrders,
} from './worker.ts'
import { childEnv } from '../../harness/child-env.ts'
import { spreadOf } from '../../harness/quantile.ts'

export const LOOK_MS_MAX = 5000
/** A timer is late on a busy machine. */
const TIMER_MS = 250
export const GROWTH_MB_MAX = 20
export const DELAY_MS_MAX = 50
/** The memory of a process settles only after this many checks. */
const SETTLED = 10_000
/** Slower classes never answer at all, and cannot keep the process busy. */
const SILENT_MS = 1000

export type HostileOptions = {
  seed: number
  mutations: number
  classes?: readonly string[]
  atOnce?: number
  control?: HostileControl | null
  onProgress?: (done: number, of: number) => void
}

export type HostileFinding = { what: string; hostname: string; detail: string }

export type HostileReport = {
  seed: number
  classes: number
  looks: number
  /** Correctly verified checks: without any, the run would prove nothing. */
  verified: number
  crashes: number
  tooLong: number
  falselyVerified: number
  unescaped: number
  reserved: readonly string[]
  /** Blocked connections to addresses that do not exist in the test internet. */
  elsewhere: number
  worstMs: number
  p50Ms: number
  /** Growth of the process, and of its live heap, since a quarter of the checks. */
  growthMb: number
  heldMb: number
  /** During a single check, the worst class; and with all in parallel, which is mostly our own load. */
  delayMs: number
  delayClass: string
  crowdDelayMs: number
  seconds: number
  /** The first of each kind and class. */
  findings: readonly HostileFinding[]
}

const truth = {
  target: 'happy-paws.petstore.test',
  token: 'petstore-verify=h0st1leh0st1leh0st1le',
  address: '127.0.80.1',
}
/** A stranger who claims a domain whose records name another project. */
const stranger = { target: 'mallory.petstore.test', token: 'petstore-verify=ma110ryma110ryma110ry' }

export async function runHostile(world: World, options: HostileOptions): Promise<HostileReport> {
  const { seed, mutations, classes = Object.keys(hostileClasses), atOnce = 64, control = null } = options
  const startedAt = performance.now()
  world.hostile.tell(truth)
  const truths = recordTruths()
  const worker = await startWorker(world, control)
  const tally = tallyOf(truths.told)
  try {
    const looks = jobsOf(classes, seed, mutations)
    const warm = Math.ceil(looks.length / 4)
    const onObservation = (seen: HostileObservation) => {
      tally.add(seen)
      options.onProgress?.(tally.count(), looks.length)
    }
    const before = await worker.carryOut({ looks: looks.slice(0, warm), atOnce, weighsMemory: true }, onObservation)
    const after = await worker.carryOut({ looks: looks.slice(warm), atOnce, weighsMemory: true }, onObservation)
    const alone = await worstDelay(worker, tally, seed)
    return {
      seed,
      classes: classes.length,
      ...tally.figures(),
      ...alone,
      reserved: after.reserved,
      elsewhere: after.elsewhere,
      growthMb: megabytes(after.rss - before.rss),
      heldMb: megabytes(after.held - before.held),
      crowdDelayMs: Math.round(Math.max(before.delayMs, after.delayMs)),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    }
  } finally {
    truths.stop()
    await worker.stop()
  }
}

/** This many classes, in an order that depends on the seed alone. */
export function drawClasses(seed: number, count: number): string[] {
  const random = seeded(`classes ${seed}`)
  const drawn = Object.keys(hostileClasses).map((name) => ({ name, order: random() }))
  return drawn
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ name }) => name)
}

/** Broken guarantees; empty if there are none. */
export function brokenIn(report: HostileReport): string[] {
  const broken: readonly [string, boolean][] = [
    ['crashes', report.crashes > 0],
    ['too long', report.tooLong > 0],
    ['falsely verified', report.falselyVerified > 0],
    ['nothing verified', report.verified === 0],
    ['not escaped or bounded', report.unescaped > 0],
    ['reserved addresses', report.reserved.length > 0],
    ['memory', report.heldMb >= GROWTH_MB_MAX || (report.looks >= SETTLED && report.growthMb >= GROWTH_MB_MAX)],
    ['event loop', report.delayMs >= DELAY_MS_MAX],
    ['event loop not measured', report.delayClass === ''],
  ]
  return broken.flatMap(([name, isBroken]) => (isBroken ? [name] : []))
}

const hostnameOf = (name: string, seed: number, mutation: number): string =>
  // The zone itself is honest three times out of four: otherwise many checks would end at the first query.
  `m${seed}-${mutation}.${name}.${mutation % 16 > 11 ? 'rude' : 'hostile'}.test`

const classIn = (hostname: string): string => hostname.split('.')[1] ?? ''

/** Each class in turn, so that the slow ones are spread; every fifth check is requested by a stranger. */
const jobsOf = (classes: readonly string[], seed: number, mutations: number): HostileJob[] =>
  Array.from({ length: mutations }, (_, mutation) => mutation).flatMap((mutation) =>
    classes.map((name) => ({
      hostname: hostnameOf(name, seed, mutation),
      ...(mutation % 5 === 4 ? stranger : { target: truth.target, token: truth.token }),
    })),
  )

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

type TrueMessages = ReadonlySet<string>

function recordTruths(): { told: TrueMessages; stop: () => unknown } {
  const trueMessages = new Set<string>()
  const listen = (message: unknown) => {
    const { question, bytes } = message as SentPacket
    const proof = provenBy(bytes, question, truth)
    if (proof) trueMessages.add(`${proof} ${question.name.replace(/^_petstore\./, '')}`)
  }
  sentMessages.subscribe(listen)
  return { told: trueMessages, stop: () => sentMessages.unsubscribe(listen) }
}

function tallyOf(trueMessages: TrueMessages) {
  const seen: Pick<HostileObservation, 'hostname' | 'ms'>[] = []
  const counts = { verified: 0, crashes: 0, tooLong: 0, falselyVerified: 0, unescaped: 0 }
  const findings = new Map<string, HostileFinding>()
  const find = (what: keyof typeof counts, { hostname }: HostileObservation, detail: string) => {
    counts[what] += 1
    const key = `${what} ${classIn(hostname)}`
    if (what !== 'verified' && !findings.has(key)) findings.set(key, { what, hostname, detail })
  }
  return {
    count: () => seen.length,
    /** Those that answer at all; on a machine that is too busy to decide, the three fastest. */
    settledSoon: () => {
      const soonest = seen.filter(isUnchanged).toSorted((one, other) => one.ms - other.ms)
      const names = (looks: typeof seen) => new Set(looks.map(({ hostname }) => classIn(hostname)))
      const soon = names(soonest.filter(({ ms }) => ms < SILENT_MS))
      return soon.size > 0 ? [...soon] : [...names(soonest)].slice(0, 3)
    },
    add(look: HostileObservation) {
      seen.push({ hostname: look.hostname, ms: look.ms })
      const { ms, crash, ownership, faults } = look
      if (crash !== null) find('crashes', look, crash)
      if (ms > LOOK_MS_MAX + TIMER_MS) find('tooLong', look, `${Math.round(ms)} ms`)
      if (faults.length > 0) find('unescaped', look, faults.slice(0, 3).join('; '))
      if (ownership === 'proven')
        find(isTrue(look, trueMessages) ? 'verified' : 'falselyVerified', look, `by ${look.proof}`)
    },
    figures() {
      const { worst, p50 } = spreadOf(seen.map(({ ms }) => ms))
      return {
        looks: seen.length,
        ...counts,
        worstMs: worst,
        p50Ms: p50,
        findings: [...findings.values()],
      }
    },
  }
}

const isUnchanged = ({ hostname }: Pick<HostileObservation, 'hostname'>): boolean => /^m\d+-0\./.test(hostname)

/** A lie that was not mutated is never true, whatever it contains. */
function isTrue({ hostname, token, proof }: HostileObservation, trueMessages: TrueMessages): boolean {
  const mayBeBelieved = !isUnchanged({ hostname }) || hostileClasses[classIn(hostname)]?.mayBeBelieved === true
  return mayBeBelieved && token === truth.token && trueMessages.has(`${proof} ${hostname}`)
}

/** Each class that answers at all, alone. A busy machine causes delays too: a real one happens again. */
async function worstDelay(worker: Worker, tally: ReturnType<typeof tallyOf>, seed: number) {
  let worst = { delayMs: 0, delayClass: '' }
  for (const name of tally.settledSoon()) {
    const order = { looks: jobsOf([name], seed, 1), atOnce: 1 }
    let delayMs = Infinity
    for (let round = 0; round < 4 && delayMs >= DELAY_MS_MAX / 2; round += 1) {
      delayMs = Math.min(delayMs, (await worker.carryOut(order, () => {})).delayMs)
    }
    if (delayMs > worst.delayMs) worst = { delayMs: Math.round(delayMs * 10) / 10, delayClass: name }
  }
  return worst
}

type Worker = Awaited<ReturnType<typeof startWorker>>

async function startWorker(world: World, control: HostileControl | null) {
  const { newNonce: _, ...probing } = world.web.probing
  const orders: WorkerOrders = { dns: world.dns, probing, address: truth.address, control }
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [JSON.stringify(orders)], {
    env: childEnv,
    execArgv: ['--expose-gc'],
  })
  await once(child, 'message')
  return {
    carryOut: (order: HostileOrder, onObservation: (seen: HostileObservation) => void) =>
      carriedOut(child, order, onObservation),
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function carriedOut(
  child: ChildProcess,
  order: HostileOrder,
  onObservation: (seen: HostileObservation) => void,
): Promise<Health> {
  const { promise, resolve, reject } = Promise.withResolvers<Health>()
  const receive = (reply: HostileReply) => {
    if (reply.kind === 'seen') onObservation(reply.seen)
    if (reply.kind === 'done') resolve(reply.health)
  }
  const ended = () => reject(new Error('the worker ended before it was done'))
  child.on('message', receive)
  child.on('exit', ended)
  child.send(order)
  return promise.finally(() => {
    child.off('message', receive)
    child.off('exit', ended)
  })
}
