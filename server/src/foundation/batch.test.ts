import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batched, type Batching } from './batch.ts'

type Ask = { id: number; group: string; weight: number }
type Batch = { asks: readonly Ask[]; finish(): void; fail(error: Error): void }

class Guilty extends Error {}

/** What arrives in this turn of the event loop has been looked at; whatever was promised has been passed on. */
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve())))

/** Merged calls that end when the test says so, and remember what they were called with. */
function held(options: Partial<Batching<Ask, string>> = {}) {
  const batches: Batch[] = []
  const call = batched<Ask, string>({
    together: (asks) =>
      new Promise((resolve, reject) => {
        batches.push({ asks, finish: () => resolve(asks.map(({ id }) => `answer ${id}`)), fail: reject })
      }),
    isBlamed: (error) => error instanceof Guilty,
    groupOf: ({ group }) => group,
    weightOf: ({ weight }) => weight,
    weightMax: 100,
    lanes: 1,
    ...options,
  })
  let next = 0
  const ask = (group = 'a', weight = 1) => call({ id: next++, group, weight })
  const idsOf = (batch: Batch | undefined) => batch?.asks.map(({ id }) => id)
  const groupsOf = (batch: Batch | undefined) => batch?.asks.map(({ group }) => group).join('')
  return { ask, call, batches, idsOf, groupsOf }
}

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('merging', () => {
  test('calls of one turn of the event loop become one', async () => {
    const { ask, batches, idsOf } = held()
    const answers = times(5, () => ask())
    // Later in the same turn, from elsewhere.
    await Promise.resolve()
    answers.push(ask())
    expect(batches).toEqual([])
    await turn()
    expect(batches.map(idsOf)).toEqual([[0, 1, 2, 3, 4, 5]])
    batches[0]?.finish()
    expect(await Promise.all(answers)).toEqual(times(6, (id) => `answer ${id}`))
    expect(batches).toHaveLength(1)
  })

  test('a call that comes alone waits for nobody', async () => {
    const { ask, batches } = held({ lanes: 2 })
    void ask()
    await turn()
    void ask()
    await turn()
    expect(batches.map(({ asks }) => asks.length)).toEqual([1, 1])
  })

  test('what arrives while all lanes are busy is merged, and goes when one is free', async () => {
    const { ask, batches, idsOf } = held({ lanes: 2 })
    const answers: Promise<string>[] = []
    for (let round = 0; round < 6; round++) {
      answers.push(ask())
      await turn()
    }
    expect(batches.map(idsOf)).toEqual([[0], [1]])
    batches[1]?.finish()
    await turn()
    expect(batches.map(idsOf)).toEqual([[0], [1], [2, 3, 4, 5]])
    expect(await answers[1]).toBe('answer 1')
    batches[2]?.finish()
    batches[0]?.finish()
    expect(await Promise.all(answers)).toEqual(times(6, (id) => `answer ${id}`))
  })

  test('no more merged calls are under way than there are lanes', async () => {
    const { ask, batches } = held({ lanes: 3, weightMax: 1 })
    for (let index = 0; index < 10; index++) void ask()
    await turn()
    await turn()
    expect(batches).toHaveLength(3)
    batches[0]?.finish()
    await turn()
    await turn()
    expect(batches).toHaveLength(4)
  })

  test('outcomes go to whom they belong, whichever merged call ends first', async () => {
    const { ask, batches } = held({ lanes: 3, weightMax: 2 })
    const answers = times(6, () => ask())
    await turn()
    await turn()
    for (const batch of batches.toReversed()) batch.finish()
    expect(await Promise.all(answers)).toEqual(times(6, (id) => `answer ${id}`))
  })

  test('a call can be made from the outcome of another', async () => {
    const { ask, batches } = held()
    const second = ask().then(() => ask())
    await turn()
    batches[0]?.finish()
    await turn()
    batches[1]?.finish()
    expect(await second).toBe('answer 1')
  })

  test('two mergings know nothing of each other', async () => {
    const [one, other] = [held(), held()]
    void one.ask()
    await turn()
    void other.ask()
    await turn()
    expect([one.batches.length, other.batches.length]).toEqual([1, 1])
  })
})

describe('the weight of what is merged', () => {
  test('is bounded', async () => {
    const { ask, batches, idsOf } = held({ weightMax: 10 })
    for (const weight of [4, 4, 4, 10, 1, 9, 1]) void ask('a', weight)
    for (let round = 0; round < 6; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    expect(batches.map(idsOf)).toEqual([[0, 1], [2], [3], [4, 5], [6]])
  })

  test('does not keep a call out that is too heavy by itself: it goes alone', async () => {
    const { ask, batches, idsOf } = held({ weightMax: 10 })
    for (const weight of [1, 99, 1, 99, 99]) void ask('a', weight)
    for (let round = 0; round < 6; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    expect(batches.map(idsOf)).toEqual([[0], [1], [2], [3], [4]])
  })

  test('lets nobody past a call that does not fit any more: it is first next time', async () => {
    const { ask, batches, groupsOf } = held({ weightMax: 10 })
    for (const [group, weight] of [
      ['a', 6],
      ['b', 8],
      ['c', 1],
    ] as const)
      void ask(group, weight)
    await turn()
    batches[0]?.finish()
    await turn()
    expect(batches.map(groupsOf)).toEqual(['a', 'bc'])
  })
})

describe('groups take turns', () => {
  test('within a merged call, so each has its share of it', async () => {
    const { ask, batches, groupsOf } = held({ weightMax: 6 })
    for (const group of 'aaaaaaaabbc') void ask(group)
    await turn()
    batches[0]?.finish()
    await turn()
    expect(batches.map(groupsOf)).toEqual(['abcaba', 'aaaaa'])
  })

  test.each([1, 2, 4])(
    'with %d lanes one with 1,000 waiting calls delays the single call of another by one merged call a lane',
    async (lanes) => {
      const { ask, batches, groupsOf } = held({ lanes, weightMax: 10 })
      for (let index = 0; index < 1000; index++) void ask('a')
      await turn()
      await turn()
      expect(batches).toHaveLength(lanes)
      const single = ask('b')
      await turn()
      expect(batches).toHaveLength(lanes)
      // Just one of those under way has to end.
      batches[0]?.finish()
      await turn()
      expect(groupsOf(batches[lanes])).toBe('abaaaaaaaa')
      batches[lanes]?.finish()
      expect(await single).toBe('answer 1000')
    },
  )

  test('and one that asks for the heaviest does not delay another for longer', async () => {
    const { ask, batches, groupsOf } = held({ lanes: 2, weightMax: 10 })
    for (let index = 0; index < 1000; index++) void ask('a', 10)
    await turn()
    const single = ask('b')
    batches[0]?.finish()
    await turn()
    // It comes first to whom it is the turn of; the light one fits no more, so it is first in the next.
    expect(batches.map(groupsOf)).toEqual(['a', 'a', 'a'])
    batches[1]?.finish()
    await turn()
    expect(groupsOf(batches[3])).toBe('b')
    batches[3]?.finish()
    expect(await single).toBe('answer 1000')
  })

  test('with calls of one group in the order in which they came', async () => {
    const { ask, batches } = held({ weightMax: 7 })
    for (let index = 0; index < 60; index++) void ask('abc'[index % 3])
    for (let round = 0; round < 12; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    const done = batches.flatMap(({ asks }) => asks)
    expect(done).toHaveLength(60)
    for (const group of 'abc') {
      const ids = done.filter((ask) => ask.group === group).map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }
  })
})

describe('a failure', () => {
  const settledOf = async (answers: Promise<string>[]) =>
    (await Promise.allSettled(answers)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))

  test('that one of the calls may be to blame for is tried again one by one, and only the guilty one fails', async () => {
    const { ask, batches, idsOf } = held()
    const answers = times(4, () => ask())
    await turn()
    batches[0]?.fail(new Guilty('one of them'))
    await turn()
    expect(batches.map(idsOf)).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]])
    batches[3]?.fail(new Guilty('it'))
    for (const batch of batches.slice(1)) batch.finish()
    expect(await settledOf(answers)).toEqual(['answer 0', 'answer 1', 'Error: it', 'answer 3'])
    expect(batches).toHaveLength(5)
  })

  test('of a single call is its own, and is not tried again', async () => {
    const { ask, batches } = held()
    const answers = [ask()]
    await turn()
    batches[0]?.fail(new Guilty('it'))
    expect(await settledOf(answers)).toEqual(['Error: it'])
    expect(batches).toHaveLength(1)
  })

  test('that nobody is to blame for is everybody’s, and nothing is tried again', async () => {
    const { ask, batches } = held()
    const answers = times(4, () => ask())
    await turn()
    batches[0]?.fail(new Error('who knows what was done'))
    expect(await settledOf(answers)).toEqual(times(4, () => 'Error: who knows what was done'))
    await turn()
    expect(batches).toHaveLength(1)
  })

  test('of a call that was tried again alone is its own, whatever it is', async () => {
    const { ask, batches } = held()
    const answers = times(3, () => ask())
    await turn()
    batches[0]?.fail(new Guilty('one of them'))
    await turn()
    batches[1]?.finish()
    batches[2]?.fail(new Error('gone'))
    batches[3]?.finish()
    expect(await settledOf(answers)).toEqual(['answer 0', 'Error: gone', 'answer 2'])
    expect(batches).toHaveLength(4)
  })

  test('frees its lane', async () => {
    const { ask, batches, idsOf } = held()
    const first = ask()
    await turn()
    const second = ask()
    batches[0]?.fail(new Error('gone'))
    expect(await settledOf([first])).toEqual(['Error: gone'])
    await turn()
    expect(batches.map(idsOf)).toEqual([[0], [1]])
    batches[1]?.finish()
    expect(await second).toBe('answer 1')
  })

  test('that is thrown and not promised is a failure all the same', async () => {
    const { ask } = held({
      together: () => {
        throw new Error('at once')
      },
    })
    expect(await settledOf([ask(), ask()])).toEqual(['Error: at once', 'Error: at once'])
    expect(await settledOf([ask()])).toEqual(['Error: at once'])
  })
})

describe('whatever arrives, whenever, and whatever fails', () => {
  type Arrival = { group: number; weight: number; isGuilty: boolean; pause: 0 | 1 | 2 }
  const arrivals = fc.array(
    fc.record<Arrival>({
      group: fc.nat({ max: 3 }),
      weight: fc.integer({ min: 1, max: 12 }),
      isGuilty: fc.nat({ max: 9 }).map((x) => x === 0),
      pause: fc.constantFrom(0, 0, 0, 1, 2),
    }),
    { minLength: 1, maxLength: 60 },
  )
  const endings = fc.infiniteStream(
    fc.record({ turns: fc.nat({ max: 3 }), isOutage: fc.nat({ max: 9 }).map((x) => x === 0) }),
  )

  test('every call settles once with its own outcome, and nothing is done twice', async () => {
    let calls = 0
    await fc.assert(
      fc.asyncProperty(arrivals, endings, fc.integer({ min: 1, max: 4 }), async (arriving, ending, lanes) => {
        const weightMax = 10
        /** How often the work of each was done, and how often it was begun. */
        const done = arriving.map(() => 0)
        const begun = arriving.map(() => 0)
        const blamed = new Set<number>()
        let underWay = 0
        const together = async (asks: readonly Ask[]): Promise<string[]> => {
          const isRetry = asks.length === 1 && blamed.has(asks[0]?.id ?? -1)
          if (!isRetry) underWay += 1
          expect(underWay).toBeLessThanOrEqual(lanes)
          const weight = asks.reduce((sum, ask) => sum + ask.weight, 0)
          expect(asks.length === 1 || weight <= weightMax).toBe(true)
          for (const { id } of asks) {
            begun[id] = (begun[id] ?? 0) + 1
            // Only what certainly was not done is begun again, and alone.
            expect(begun[id] === 1 || (isRetry && begun[id] === 2)).toBe(true)
          }
          const { turns, isOutage } = ending.next().value
          for (let index = 0; index < turns; index++) await turn()
          if (!isRetry) setImmediate(() => (underWay -= 1))
          if (isOutage) throw new Error(`outage of ${asks.map(({ id }) => id).join()}`)
          if (asks.some(({ id }) => arriving[id]?.isGuilty)) {
            if (asks.length > 1) for (const { id } of asks) blamed.add(id)
            throw new Guilty(asks.map(({ id }) => id).join())
          }
          for (const { id } of asks) done[id] = (done[id] ?? 0) + 1
          return asks.map(({ id }) => `answer ${id}`)
        }
        const call = batched<Ask, string>({
          together,
          isBlamed: (error) => error instanceof Guilty,
          groupOf: ({ group }) => group,
          weightOf: ({ weight }) => weight,
          weightMax,
          lanes,
        })
        const settled = arriving.map(() => 0)
        const outcomes: Promise<string>[] = []
        for (const [id, { group, weight, pause }] of arriving.entries()) {
          for (let index = 0; index < pause; index++) await turn()
          const outcome = call({ id, group: String(group), weight })
          const count = () => void (settled[id] = (settled[id] ?? 0) + 1)
          void outcome.then(count, count)
          outcomes.push(outcome)
        }
        for (const [id, outcome] of (await Promise.allSettled(outcomes)).entries()) {
          calls += 1
          const { isGuilty } = arriving[id] ?? { isGuilty: false }
          if (outcome.status === 'fulfilled') {
            expect([outcome.value, isGuilty, done[id]]).toEqual([`answer ${id}`, false, 1])
          } else {
            const { message } = outcome.reason as Error
            expect(done[id]).toBe(0)
            if (outcome.reason instanceof Guilty) expect([message, isGuilty]).toEqual([String(id), true])
            else expect(message.slice('outage of '.length).split(',')).toContain(String(id))
          }
        }
        await turn()
        expect(settled).toEqual(arriving.map(() => 1))
      }),
      { numRuns: 300 },
    )
    expect(calls).toBeGreaterThan(1000)
  })
})
