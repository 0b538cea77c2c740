// Random kills: domains are added one after the other, some of them move to another owner, and
// two workers are killed and restarted at random all the while. Afterwards every domain must
// have the certificate of its last owner.

import { comes, type IssuanceEnvironment } from './environment.ts'
import { olderOf, type StepOutcome, type Watched } from './steps.ts'
import type { Worker } from './workers.ts'

export type Chaos = Watched & { seconds: number; kills: number; interrupted: number; errors: string[] }

const WORKERS = 2
/** An attempt that was interrupted twice at the wrong moment waits for a minute. */
const PATIENCE_MS = 150_000

type Name = {
  hostname: string
  generation: bigint
  /** Orders and certificates from before it moved to another owner. */
  placedBefore: number
  storedBefore: ReadonlySet<string>
  /** Attempts to place an order whose worker died or lost PostgreSQL, so that their outcome is unknown. */
  lost: Set<string>
}

export async function harass(
  environment: IssuanceEnvironment,
  { seconds, domains }: { seconds: number; domains: number },
): Promise<Chaos> {
  const names: Name[] = []
  const state = { activeMax: 0, kills: 0, interrupted: 0, isOver: false, errors: [] as string[] }
  const begin = async (): Promise<Worker> => {
    const worker = await environment.worker()
    worker.tell({ kind: 'begin' })
    return worker
  }
  const workers = await Promise.all(Array.from({ length: WORKERS }, begin))
  const end = Date.now() + seconds * 1000

  const killing = async (): Promise<void> => {
    while (Date.now() < end || (state.interrupted === 0 && !(await areDone(environment, names)))) {
      await pause(Math.random() * 1000)
      const index = Math.floor(Math.random() * WORKERS)
      const victim = workers[index]
      if (!victim) continue
      // Most of them in the middle of work; an idle worker is killed all the same.
      await comes(async () => victim.claims().length > 0, 2000)
      // The first kill comes at once: all of the work can be done sooner than a pause ends.
      if (state.interrupted > 0) await pause(Math.random() * 400)
      await victim.kill()
      noteErrors(victim, names, state.errors)
      const claims = victim.claims()
      noteLost(names, await environment.intended(), workers)
      state.kills++
      state.interrupted += claims.length
      await environment.endClaims(claims)
      workers[index] = await begin()
    }
  }
  const coming = async (): Promise<void> => {
    for (let number = 0; number < domains; number++) {
      // Some come in a batch, as when a shop adds many.
      if (number % 5 === 0) await pause(Math.max(0, ((seconds * 1000) / domains) * 5 * Math.random() * 1.6))
      const hostname = `chaos-${number}.killed.test`
      names.push({ hostname, generation: 1n, placedBefore: 0, storedBefore: new Set(), lost: new Set() })
      await environment.request(hostname)
      if (number % 4 === 3) await changeHands(environment, names[Math.floor(Math.random() * names.length)])
    }
  }
  const watching = async (): Promise<void> => {
    while (!state.isOver) {
      state.activeMax = Math.max(state.activeMax, await environment.active())
      await pause(50)
    }
  }
  const watched = watching()
  try {
    await Promise.all([killing(), coming()])
    await comes(() => areDone(environment, names), PATIENCE_MS)
  } finally {
    state.isOver = true
    await watched
  }
  for (const worker of workers) {
    await worker.kill()
    noteErrors(worker, names, state.errors)
  }
  const lives = []
  for (const name of names) lives.push(await lifeOf(environment, name))
  const { activeMax, kills, interrupted, errors } = state
  return { seconds, kills, interrupted, errors, lives, activeMax }
}

/** Attempts of a live worker are not lost, and each of the others counts once. */
function noteLost(names: readonly Name[], intended: ReadonlyMap<string, string>, workers: readonly Worker[]): void {
  const claimed = new Set(
    workers.filter((worker) => worker.isAlive()).flatMap((worker) => worker.claims().map(({ hostname }) => hostname)),
  )
  for (const { hostname, lost } of names) {
    const attempt = intended.get(hostname)
    if (attempt !== undefined && !claimed.has(hostname)) lost.add(attempt)
  }
}

async function changeHands(environment: IssuanceEnvironment, name: Name | undefined): Promise<void> {
  if (!name) return
  // An order that is being placed at this moment belongs to the earlier owner, whenever it is counted.
  const inFlight = await environment.request(name.hostname, name.generation + 1n)
  // Only now: until here the earlier owner's certificate may be stored, and counts as theirs.
  name.storedBefore = new Set((await environment.stored(name.hostname)).map(({ serial }) => serial))
  name.generation += 1n
  name.placedBefore = environment.placed(name.hostname)
  name.lost = new Set(inFlight === undefined ? [] : [inFlight])
}

const isDone = (environment: IssuanceEnvironment, { hostname, generation }: Name) =>
  environment.isServed(hostname, generation)

const areDone = async (environment: IssuanceEnvironment, names: readonly Name[]) =>
  (await Promise.all(names.map((name) => isDone(environment, name)))).every(Boolean)

const lifeOf = async (environment: IssuanceEnvironment, name: Name): Promise<StepOutcome> => ({
  hostname: name.hostname,
  step: null,
  placed: environment.placed(name.hostname) - name.placedBefore,
  // After an attempt that failed, another order is placed.
  mayHaveLost: name.lost.size + (await environment.failures(name.hostname, name.generation)),
  isServed: await isDone(environment, name),
  older: await olderOf(environment, name.hostname, name.generation, name.storedBefore),
})

function noteErrors({ said, pid }: Worker, names: readonly Name[], errors: string[]): void {
  for (const [index, report] of said.entries()) {
    if (report.kind === 'failed') errors.push(report.why)
    if (report.kind === 'threw') names.find(({ hostname }) => hostname === report.hostname)?.lost.add(`${pid} ${index}`)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
