import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batched, type Batching } from './batch.ts'

type Item = { id: number; group: string; weight: number }
type Batch = { items: readonly Item[]; finish(): void; fail(error: Error): void }

class Guilty extends Error {}

/**
 * Waits until the calls of this turn of the event loop have been taken and settled promises have
 * been passed on.
 */
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve())))

/** Batches that end when the test ends them, and record their inputs. */
function controlled(options: Partial<Batching<Item, string>> = {}) {
  const batches: Batch[] = []
  const call = batched<Item, string>({
    together: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, finish: () => resolve(items.map(({ id }) => `answer ${id}`)), fail: reject })
      }),
    isBlamed: (error) => error instanceof Guilty,
    groupOf: ({ group }) => group,
    weightOf: ({ weight }) => weight,
    weightMax: 100,
    lanes: 1,
    ...options,
  })
  let next = 0
  const submit = (group = 'a', weight = 1) => call({ id: next++, group, weight })
  const idsOf = (batch: Batch | undefined) => batch?.items.map(({ id }) => id)
  const groupsOf = (batch: Batch | undefined) => batch?.items.map(({ group }) => group).join('')
  return { submit, call, batches, idsOf, groupsOf }
}

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('batching', () => {
  test('combines calls of one turn of the event loop into one batch', async () => {
    const { submit, batches, idsOf } = controlled()
    const answers = times(5, () => submit())
    // Later in the same turn, from another caller.
    await Promise.resolve()
    answers.push(submit())
    expect(batches).toEqual([])
    await turn()
    expect(batches.map(idsOf)).toEqual([[0, 1, 2, 3, 4, 5]])
    batches[0]?.finish()
    expect(await Promise.all(answers)).toEqual(times(6, (id) => `answer ${id}`))
    expect(batches).toHaveLength(1)
  })

  test('does not delay a single call', async () => {
    const { submit, batches } = controlled({ lanes: 2 })
    void submit()
    await turn()
    void submit()
    await turn()
    expect(batches.map(({ items }) => items.length)).toEqual([1, 1])
  })

  test('combines calls that arrive while all lanes are busy, and starts them when a lane is free', async () => {
    const { submit, batches, idsOf } = controlled({ lanes: 2 })
    const answers: Promise<string>[] = []
    for (let round = 0; round < 6; round++) {
      answers.push(submit())
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

  test('never has more batches in flight than there are lanes', async () => {
    const { submit, batches } = controlled({ lanes: 3, weightMax: 1 })
    for (let index = 0; index < 10; index++) void submit()
    await turn()
    await turn()
    expect(batches).toHaveLength(3)
    batches[0]?.finish()
    await turn()
    await turn()
    expect(batches).toHaveLength(4)
  })

  test('returns each result to its own call, whichever batch ends first', async () => {
    const { submit, batches } = controlled({ lanes: 3, weightMax: 2 })
    const answers = times(6, () => submit())
    await turn()
    await turn()
    for (const batch of batches.toReversed()) batch.finish()
    expect(await Promise.all(answers)).toEqual(times(6, (id) => `answer ${id}`))
  })

  test('accepts a call made from the result of another', async () => {
    const { submit, batches } = controlled()
    const second = submit().then(() => submit())
    await turn()
    batches[0]?.finish()
    await turn()
    batches[1]?.finish()
    expect(await second).toBe('answer 1')
  })

  test('is independent of another batcher', async () => {
    const [one, other] = [controlled(), controlled()]
    void one.submit()
    await turn()
    void other.submit()
    await turn()
    expect([one.batches.length, other.batches.length]).toEqual([1, 1])
  })
})

describe('the weight of a batch', () => {
  test('is bounded', async () => {
    const { submit, batches, idsOf } = controlled({ weightMax: 10 })
    for (const weight of [4, 4, 4, 10, 1, 9, 1]) void submit('a', weight)
    for (let round = 0; round < 6; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    expect(batches.map(idsOf)).toEqual([[0, 1], [2], [3], [4, 5], [6]])
  })

  test('does not exclude a call that exceeds the limit on its own: it becomes a batch of one', async () => {
    const { submit, batches, idsOf } = controlled({ weightMax: 10 })
    for (const weight of [1, 99, 1, 99, 99]) void submit('a', weight)
    for (let round = 0; round < 6; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    expect(batches.map(idsOf)).toEqual([[0], [1], [2], [3], [4]])
  })

  test('lets no call overtake one that no longer fits: that one is first in the next batch', async () => {
    const { submit, batches, groupsOf } = controlled({ weightMax: 10 })
    for (const [group, weight] of [
      ['a', 6],
      ['b', 8],
      ['c', 1],
    ] as const)
      void submit(group, weight)
    await turn()
    batches[0]?.finish()
    await turn()
    expect(batches.map(groupsOf)).toEqual(['a', 'bc'])
  })
})

describe('a group', () => {
  test('takes turns with the others within a batch, so each has its share of it', async () => {
    const { submit, batches, groupsOf } = controlled({ weightMax: 6 })
    for (const group of 'aaaaaaaabbc') void submit(group)
    await turn()
    batches[0]?.finish()
    await turn()
    expect(batches.map(groupsOf)).toEqual(['abcaba', 'aaaaa'])
  })

  test.each([1, 2, 4])(
    'with 1,000 waiting calls delays the single call of another group by one batch per lane (%d lanes)',
    async (lanes) => {
      const { submit, batches, groupsOf } = controlled({ lanes, weightMax: 10 })
      for (let index = 0; index < 1000; index++) void submit('a')
      await turn()
      await turn()
      expect(batches).toHaveLength(lanes)
      const single = submit('b')
      await turn()
      expect(batches).toHaveLength(lanes)
      // Only one of those in flight has to end.
      batches[0]?.finish()
      await turn()
      expect(groupsOf(batches[lanes])).toBe('abaaaaaaaa')
      batches[lanes]?.finish()
      expect(await single).toBe('answer 1000')
    },
  )

  test('with the heaviest calls does not delay another group for longer', async () => {
    const { submit, batches, groupsOf } = controlled({ lanes: 2, weightMax: 10 })
    for (let index = 0; index < 1000; index++) void submit('a', 10)
    await turn()
    const single = submit('b')
    batches[0]?.finish()
    await turn()
    // The group whose turn it is comes first; the light call no longer fits, so it is first in the
    // next batch.
    expect(batches.map(groupsOf)).toEqual(['a', 'a', 'a'])
    batches[1]?.finish()
    await turn()
    expect(groupsOf(batches[3])).toBe('b')
    batches[3]?.finish()
    expect(await single).toBe('answer 1000')
  })

  test('keeps its calls in the order in which they were made', async () => {
    const { submit, batches } = controlled({ weightMax: 7 })
    for (let index = 0; index < 60; index++) void submit('abc'[index % 3])
    for (let round = 0; round < 12; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    const done = batches.flatMap(({ items }) => items)
    expect(done).toHaveLength(60)
    for (const group of 'abc') {
      const ids = done.filter((item) => item.group === group).map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }
  })
})

describe('a group that is kept apart', () => {
  test('that has more calls than all others has a batch of its own for them', async () => {
    const { submit, batches, groupsOf } = controlled({ keepsApart: true, weightMax: 6 })
    for (const group of 'aaaaaaaabbc') void submit(group)
    for (let round = 0; round < 3; round++) {
      await turn()
      batches.at(-1)?.finish()
    }
    expect(batches.map(groupsOf)).toEqual(['abcab', 'aaaaaa'])
  })

  test.each([
    [2, 1],
    [4, 1],
    [2, 10],
  ])('with 1,000 waiting calls delays no call of another one (%d lanes, calls of weight %d)', async (lanes, weight) => {
    const { submit, batches, groupsOf } = controlled({ keepsApart: true, lanes, weightMax: 10 })
    for (let index = 0; index < 1000; index++) void submit('a', weight)
    await turn()
    await turn()
    expect(batches).toHaveLength(1)
    const single = submit('b')
    await turn()
    expect(groupsOf(batches[1])).toBe('b')
    batches[1]?.finish()
    expect(await single).toBe('answer 1000')
    await turn()
    expect(batches).toHaveLength(2)
    batches[0]?.finish()
    await turn()
    expect(batches).toHaveLength(3)
  })
})

describe('a failure', () => {
  const settledOf = async (answers: Promise<string>[]) =>
    (await Promise.allSettled(answers)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))

  test('that one call may have caused is retried call by call, and only the faulty one fails', async () => {
    const { submit, batches, idsOf } = controlled()
    const answers = times(4, () => submit())
    await turn()
    batches[0]?.fail(new Guilty('one of them'))
    await turn()
    expect(batches.map(idsOf)).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]])
    batches[3]?.fail(new Guilty('it'))
    for (const batch of batches.slice(1)) batch.finish()
    expect(await settledOf(answers)).toEqual(['answer 0', 'answer 1', 'Error: it', 'answer 3'])
    expect(batches).toHaveLength(5)
  })

  test('of a single call is its own, and is not retried', async () => {
    const { submit, batches } = controlled()
    const answers = [submit()]
    await turn()
    batches[0]?.fail(new Guilty('it'))
    expect(await settledOf(answers)).toEqual(['Error: it'])
    expect(batches).toHaveLength(1)
  })

  test('that no call caused fails the whole batch, and nothing is retried', async () => {
    const { submit, batches } = controlled()
    const answers = times(4, () => submit())
    await turn()
    batches[0]?.fail(new Error('who knows what was done'))
    expect(await settledOf(answers)).toEqual(times(4, () => 'Error: who knows what was done'))
    await turn()
    expect(batches).toHaveLength(1)
  })

  test('of a call that was retried alone is its own, whatever it is', async () => {
    const { submit, batches } = controlled()
    const answers = times(3, () => submit())
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
    const { submit, batches, idsOf } = controlled()
    const first = submit()
    await turn()
    const second = submit()
    batches[0]?.fail(new Error('gone'))
    expect(await settledOf([first])).toEqual(['Error: gone'])
    await turn()
    expect(batches.map(idsOf)).toEqual([[0], [1]])
    batches[1]?.finish()
    expect(await second).toBe('answer 1')
  })

  test('that is thrown synchronously counts like a rejected promise', async () => {
    const { submit } = controlled({
      together: () => {
        throw new Error('at once')
      },
    })
    expect(await settledOf([submit(), submit()])).toEqual(['Error: at once', 'Error: at once'])
    expect(await settledOf([submit()])).toEqual(['Error: at once'])
  })
})

describe('a batcher under random arrivals and failures', () => {
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

  test('settles every call once with its own result, and does nothing twice', async () => {
    let calls = 0
    await fc.assert(
      fc.asyncProperty(arrivals, endings, fc.integer({ min: 1, max: 4 }), async (arriving, ending, lanes) => {
        const weightMax = 10
        /** Counts per call: how often its work was done, and how often it was started. */
        const done = arriving.map(() => 0)
        const begun = arriving.map(() => 0)
        const blamed = new Set<number>()
        let underWay = 0
        const together = async (items: readonly Item[]): Promise<string[]> => {
          const isRetry = items.length === 1 && blamed.has(items[0]?.id ?? -1)
          if (!isRetry) underWay += 1
          expect(underWay).toBeLessThanOrEqual(lanes)
          const weight = items.reduce((sum, item) => sum + item.weight, 0)
          expect(items.length === 1 || weight <= weightMax).toBe(true)
          for (const { id } of items) {
            begun[id] = (begun[id] ?? 0) + 1
            // Only work that certainly was not done is started again, on its own.
            expect(begun[id] === 1 || (isRetry && begun[id] === 2)).toBe(true)
          }
          const { turns, isOutage } = ending.next().value
          for (let index = 0; index < turns; index++) await turn()
          if (!isRetry) setImmediate(() => (underWay -= 1))
          if (isOutage) throw new Error(`outage of ${items.map(({ id }) => id).join()}`)
          if (items.some(({ id }) => arriving[id]?.isGuilty)) {
            if (items.length > 1) for (const { id } of items) blamed.add(id)
            throw new Guilty(items.map(({ id }) => id).join())
          }
          for (const { id } of items) done[id] = (done[id] ?? 0) + 1
          return items.map(({ id }) => `answer ${id}`)
        }
        const call = batched<Item, string>({
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
