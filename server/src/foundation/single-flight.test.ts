import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

function gates() {
  const begun: PromiseWithResolvers<number>[] = []
  const work = () => {
    const gate = Promise.withResolvers<number>()
    begun.push(gate)
    return gate.promise
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { begun, work, turn }
}

test('alone, the second begins when the first has ended, also when that failed', async () => {
  const { begun, work, turn } = gates()
  const { alone } = createSingleFlight()
  const first = alone('a', work)
  const second = alone('a', work)
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  expect(begun).toHaveLength(2)
  begun[1]?.resolve(2)
  expect(await second).toBe(2)
})

test('names do not wait for each other', async () => {
  const { begun, work, turn } = gates()
  const { alone } = createSingleFlight()
  void alone('a', work)
  void alone('b', work)
  await turn()
  expect(begun).toHaveLength(2)
})

test('a crowd that comes while one is under way shares one more, which began after all of them asked', async () => {
  const { begun, work, turn } = gates()
  const { together } = createSingleFlight()
  const first = together('a', work)
  await turn()
  const crowd = Array.from({ length: 50 }, () => together('a', work))
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  expect(await first).toBe(1)
  await turn()
  expect(begun).toHaveLength(2)
  const late = together('a', work)
  begun[1]?.resolve(2)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([2]))
  await turn()
  begun[2]?.resolve(3)
  expect(await late).toBe(3)
  expect(begun).toHaveLength(3)
})

test('who fails together is told so together, and the next crowd begins anew', async () => {
  const { begun, work, turn } = gates()
  const { together } = createSingleFlight()
  const crowd = [together('a', work), together('a', work)]
  await turn()
  begun[0]?.reject(new Error('lost'))
  for (const one of crowd) await expect(one).rejects.toThrow('lost')
  const again = together('a', work)
  await turn()
  begun[1]?.resolve(2)
  expect(await again).toBe(2)
})
