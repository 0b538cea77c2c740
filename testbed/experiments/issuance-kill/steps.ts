// Each named step of issuance, twice. Once the worker is killed exactly there, and another one
// continues. Once it only hangs there while the domain moves to another owner and another worker
// obtains the new owner's certificate; then it continues as if nothing had happened.

import { comes, type IssuanceEnvironment } from './environment.ts'
import type { Sabotage } from './worker.ts'
import type { Worker } from './workers.ts'

export type StepOutcome = {
  hostname: string
  /** The step at which a worker was killed or hung; null if that was at random. */
  step: string | null
  /** Orders that the authority created since the domain belongs to its present owner. */
  placed: number
  /** How many kills left it unknown whether an order was placed. */
  mayHaveLost: number
  isServed: boolean
  /** Certificates of an earlier owner that were stored after the domain was no longer theirs, or are still served. */
  older: number
}

export type Watched = { lives: StepOutcome[]; activeMax: number }

const PATIENCE_MS = 60_000

/** The names of all steps, in the order in which a worker takes them. */
export async function stepNames(environment: IssuanceEnvironment): Promise<string[]> {
  const hostname = 'undisturbed.killed.test'
  const worker = await environment.worker()
  await environment.request(hostname)
  worker.tell({ kind: 'begin' })
  await worker.hears((said) => said.kind === 'step' && said.name === 'window_asked')
  await worker.kill()
  return [...new Set(worker.said.flatMap((said) => (said.kind === 'step' ? [said.name] : [])))]
}

export async function killAtEach(
  environment: IssuanceEnvironment,
  steps: readonly string[],
  sabotage: Sabotage | null = null,
): Promise<Watched> {
  const watched: Watched = { lives: [], activeMax: 0 }
  const next = standby(environment, sabotage)
  let worker = await next()
  for (const [number, step] of steps.entries()) {
    const hostname = `${sabotage ?? 'killed'}-${number}.killed.test`
    await hangingAt(environment, worker, hostname, step)
    const lost = (await environment.intended()).has(hostname)
    await worker.kill()
    await environment.endClaims(worker.claims())
    // The worker that continues with this domain is killed at the next step.
    worker = await next()
    const isServed = await served(environment, hostname, 1n, watched)
    const placed = environment.placed(hostname)
    watched.lives.push({ hostname, step, placed, mayHaveLost: lost ? 1 : 0, isServed, older: 0 })
  }
  await next.end(worker)
  return watched
}

export async function overtakeAtEach(
  environment: IssuanceEnvironment,
  steps: readonly string[],
  sabotage: Sabotage | null = null,
): Promise<Watched> {
  const watched: Watched = { lives: [], activeMax: 0 }
  const next = standby(environment, sabotage)
  let worker = await next()
  for (const [number, step] of steps.entries()) {
    const hostname = `${sabotage ?? 'overtaken'}-${number}.killed.test`
    await hangingAt(environment, worker, hostname, step)
    const before = new Set((await environment.stored(hostname)).map(({ serial }) => serial))
    const placedBefore = environment.placed(hostname)
    await environment.request(hostname, 2n)
    const other = await next()
    const isServed = await served(environment, hostname, 2n, watched)
    const received = worker.said.length
    worker.tell({ kind: 'go on' })
    await worker.hears((said, index) => index >= received && said.kind === 'worked' && said.hostname === hostname)
    watched.activeMax = Math.max(watched.activeMax, await environment.active())
    const isStill = isServed && (await environment.isServed(hostname, 2n))
    await worker.kill()
    worker = other
    const placed = environment.placed(hostname) - placedBefore
    const older = await olderOf(environment, hostname, 2n, before)
    watched.lives.push({ hostname, step, placed, mayHaveLost: 0, isServed: isStill, older })
  }
  await next.end(worker)
  return watched
}

/** Certificates of an earlier owner that are new since the domain moved, or that are not marked as kept. */
export async function olderOf(
  environment: IssuanceEnvironment,
  hostname: string,
  generation: bigint,
  before: ReadonlySet<string>,
): Promise<number> {
  const rows = await environment.stored(hostname)
  return rows.filter((row) => row.generation < generation && (!before.has(row.serial) || !row.isKept)).length
}

async function hangingAt(
  environment: IssuanceEnvironment,
  worker: Worker,
  hostname: string,
  name: string,
): Promise<void> {
  worker.tell({ kind: 'hang', at: { hostname, name } })
  await environment.request(hostname)
  await worker.hears((said) => said.kind === 'reached')
}

/** Waits until it is served or the timeout is over; counts open orders in the meantime. */
export const served = (
  environment: IssuanceEnvironment,
  hostname: string,
  generation: bigint,
  watched: Watched,
): Promise<boolean> =>
  comes(async () => {
    watched.activeMax = Math.max(watched.activeMax, await environment.active())
    return environment.isServed(hostname, generation)
  }, PATIENCE_MS)

/**
 * Returns a worker that begins now; the next one is started in the meantime, since starting
 * takes longer than working.
 */
function standby(environment: IssuanceEnvironment, sabotage: Sabotage | null) {
  let waiting = environment.worker(sabotage)
  const next = async (): Promise<Worker> => {
    const worker = await waiting
    worker.tell({ kind: 'begin' })
    waiting = environment.worker(sabotage)
    return worker
  }
  const end = async (last: Worker) => {
    await Promise.all([last.kill(), (await waiting).kill()])
  }
  return Object.assign(next, { end })
}
