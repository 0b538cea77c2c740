// Crash safety of certificate work: workers that die at each step and at random ones, slow
// workers that continue after others have finished, and hostnames that change hands in the
// meantime. Guarantees, each checked by one function, which has negative controls of its
// own:
// - the certificate is issued;
// - at most two orders were placed for it, and two are never open at once;
// - nothing of an older claim is stored.

import { HOUR } from '../../src/foundation/time.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateWork } from '../../src/certificates/jobs.io.ts'
import { Crash, openEnvironment, type CertificatesEnvironment } from './environment.ts'
import { issuanceSteps } from './issuance-steps.ts'

let environment: CertificatesEnvironment
let count = 0
const newName = () => `crash-${++count}.name-${count}.example`

const ROOM = { perWindow: 1_000_000, forRenewals: 1000, perRegisteredDomain: 1_000_000, perName: 1_000_000 }

beforeAll(async () => {
  environment = await openEnvironment({ allowance: ROOM })
})
afterAll(() => environment.close())

type Life = {
  /** Orders at the authority since the claim that counts, and how many of these a crash may have cost. */
  placed: number
  mayHaveLost: number
  activeMax: number
  isServed: boolean
  /** Whether the served certificate is of an order placed for an older claim. */
  isOlder: boolean
}

function faultsOf({ placed, mayHaveLost, activeMax, isServed, isOlder }: Life): string[] {
  return [
    ...(isServed ? [] : ['there is no certificate in the end']),
    ...(placed <= 1 + mayHaveLost ? [] : [`${placed} orders were placed`]),
    ...(activeMax <= 1 ? [] : [`${activeMax} orders were open at once`]),
    ...(isOlder ? ['a certificate of an older claim was stored'] : []),
  ]
}

test.each([
  [{ placed: 3, mayHaveLost: 1 }, '3 orders were placed'],
  [{ activeMax: 2 }, '2 orders were open at once'],
  [{ isServed: false }, 'there is no certificate in the end'],
  [{ isOlder: true }, 'a certificate of an older claim was stored'],
])('the check reports a history with %o (negative control)', (broken, fault) => {
  const good = { placed: 1, mayHaveLost: 0, activeMax: 1, isServed: true, isOlder: false }
  expect(faultsOf(good)).toEqual([])
  expect(faultsOf({ ...good, ...broken })).toEqual([fault])
})

/** Throws at the step with this number, counted from here. */
const crashAt = (number: number) => {
  let seen = 0
  const steps: string[] = []
  environment.world.onStep = (name) => {
    steps.push(name)
    if (++seen === number) throw new Crash(name)
  }
  return steps
}

const attempt = async (hostname: string): Promise<number | void> => {
  try {
    return await environment.work(hostname)
  } catch (error) {
    if (error instanceof Crash) return undefined
    throw error
  }
}

const stepsOfLife = async (): Promise<string[]> => {
  const hostname = newName()
  await environment.request(hostname)
  const steps = crashAt(Number.POSITIVE_INFINITY)
  await environment.settle(hostname)
  environment.world.onStep = () => {}
  return steps
}

describe('a worker that dies', () => {
  test('can die at each of these steps', async () => {
    await stepsOfLife()
    const steps = await stepsOfLife()
    expect([...new Set(steps)]).toEqual(issuanceSteps)
  })

  test('once at each step is followed by one that continues the same order and obtains the certificate', async () => {
    const steps = await stepsOfLife()
    const costs: Record<string, number> = {}
    for (let number = 1; number <= steps.length; number++) {
      const hostname = newName()
      await environment.request(hostname)
      crashAt(number)
      await attempt(hostname)
      environment.world.onStep = () => {}
      const { active } = await environment.counts(hostname)
      await environment.settle(hostname)
      const placed = environment.primary.ordersOf(hostname).length
      const name = steps[number - 1] ?? ''
      costs[name] = Math.max(costs[name] ?? 0, placed)
      const isServed = (await environment.servable(hostname)) !== undefined
      const mayHaveLost = 1
      expect(faultsOf({ placed, mayHaveLost, activeMax: active, isServed, isOlder: false })).toEqual([])
    }
    // Only between requesting the order, or being about to, and storing its URL.
    expect(Object.entries(costs).filter(([, placed]) => placed > 1)).toEqual([['order_asked', 2]])
  })

  test('twice while it places the order has failed the attempt, which is retried like any other', async () => {
    const hostname = newName()
    await environment.request(hostname)
    for (const _ of [1, 2]) {
      environment.world.onStep = (name) => {
        if (name === 'order_asked') throw new Crash(name)
      }
      await attempt(hostname)
    }
    environment.world.onStep = () => {}
    expect(await environment.work(hostname)).toBeCloseTo(60, 0)
    expect(environment.primary.ordersOf(hostname)).toHaveLength(2)
    expect(await environment.state(hostname)).toMatchObject({ state: 'blocked', cause: { code: 'ca.malformed' } })
  })
})

type Action =
  | { kind: 'crash'; at: number }
  | { kind: 'work' }
  | { kind: 'claim' }
  | { kind: 'drop' }
  | { kind: 'retry' }
  | { kind: 'slow'; at: number }

const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('crash' as const), at: fc.integer({ min: 1, max: 24 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slow' as const), at: fc.integer({ min: 1, max: 24 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'work' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'claim' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'drop' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'retry' as const }) },
)

async function live(hostname: string, list: readonly Action[]): Promise<Life> {
  let generation = 1n
  let client = 1
  /** The current claim: how many orders the authority knew before it, and how many of its own workers crashed. */
  let claim = { from: 0, lost: 0 }
  let activeMax = 0
  let isDropped = false
  const suspended: (() => Promise<unknown>)[] = []
  const ordersNow = () => environment.primary.ordersOf(hostname).length
  const take = async () => {
    await environment.request(hostname, { generation: ++generation, client: `client ${++client} of ${hostname}` })
    claim = { from: ordersNow(), lost: 0 }
    isDropped = false
  }
  await take()

  for (const action of list) {
    if (action.kind === 'claim') await take()
    if (action.kind === 'drop') {
      await environment.drop(hostname)
      isDropped = true
    }
    if (action.kind === 'retry') await environment.retry(hostname)
    if (action.kind === 'work') await attempt(hostname)
    if (action.kind === 'crash') {
      const steps = crashAt(action.at)
      await attempt(hostname)
      // A worker that had stored the intent may have died before or after it requested the order.
      if (steps.at(-1) === 'order_asked' || steps.at(-1) === 'intent_stored') claim.lost++
    }
    if (action.kind === 'slow') suspended.push(await begunAndStopped(hostname, action.at, () => claim.lost++))
    environment.world.onStep = () => {}
    activeMax = Math.max(activeMax, (await environment.counts(hostname)).active)
    environment.clock.now += 1000
  }
  if (isDropped) await take()
  for (let round = 0; round < 20 && !(await environment.servable(hostname, generation)); round++) {
    await environment.settle(hostname, HOUR)
    environment.clock.now += HOUR
  }
  // The slow workers continue now, when everything is finished.
  for (const resume of suspended) await resume()
  activeMax = Math.max(activeMax, (await environment.counts(hostname)).active)

  const served = await environment.servable(hostname, generation)
  const chains = environment.primary.ordersOf(hostname).map(({ chainPem }) => chainPem?.trim())
  const servedOrder = chains.indexOf(served?.chain.trim())
  return {
    placed: ordersNow() - claim.from,
    mayHaveLost: claim.lost,
    activeMax,
    isServed: served !== undefined,
    isOlder: served !== undefined && servedOrder < claim.from,
  }
}

/** A worker that stops at a step while its claim ends. Returns the function that lets it continue. */
async function begunAndStopped(hostname: string, at: number, onLost: () => void): Promise<() => Promise<unknown>> {
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let seen = 0
  const onStep = (name: string): Promise<void> | void => {
    if (++seen !== at) return undefined
    // Until it continues, it cannot be distinguished from one that died here.
    if (name === 'order_asked' || name === 'intent_stored') onLost()
    reached.resolve()
    return gate.promise
  }
  const working = Promise.resolve(
    certificateWork({ ...environment.deps(), onStep }).work(await environment.claim(hostname)),
  )
  await Promise.race([reached.promise, working])
  return () => {
    gate.resolve()
    return working
  }
}

test('random histories with crashes, slow workers, removals and changes of hands keep every guarantee', async () => {
  const runs = Number(process.env['CERTIFICATE_LIVES'] ?? 60)
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { maxLength: 10 }), async (list) => {
      expect(faultsOf(await live(newName(), list))).toEqual([])
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

test('of eight workers with the same hostname at once, one places the order', async () => {
  const hostname = newName()
  await environment.request(hostname)
  const dues = []
  for (let worker = 0; worker < 8; worker++) dues.push(await environment.claim(hostname))
  await Promise.all(dues.map((due) => certificateWork(environment.deps()).work(due)))
  await environment.settle(hostname)
  expect(environment.primary.ordersOf(hostname)).toHaveLength(1)
  expect(await environment.counts(hostname)).toEqual({ active: 0, total: 1 })
})
