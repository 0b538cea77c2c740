import { expect, test } from 'vitest'
import { createSharedCalls } from './shared-calls.ts'

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

test('serialised, the second call starts when the first has ended, even if that one failed', async () => {
  const { begun, work, turn } = gates()
  const { serialised } = createSharedCalls()
  const first = serialised('a', work)
  const second = serialised('a', work)
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  expect(begun).toHaveLength(2)
  begun[1]?.resolve(2)
  expect(await second).toBe(2)
})

test('calls for different keys do not wait for each other', async () => {
  const { begun, work, turn } = gates()
  const { serialised } = createSharedCalls()
  void serialised('a', work)
  void serialised('b', work)
  await turn()
  expect(begun).toHaveLength(2)
})

test('concurrent calls during one in flight share the next one, which starts after all of them were made', async () => {
  const { begun, work, turn } = gates()
  const { coalesced } = createSharedCalls()
  const first = coalesced('a', work)
  await turn()
  const crowd = Array.from({ length: 50 }, () => coalesced('a', work))
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  expect(await first).toBe(1)
  await turn()
  expect(begun).toHaveLength(2)
  const late = coalesced('a', work)
  begun[1]?.resolve(2)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([2]))
  await turn()
  begun[2]?.resolve(3)
  expect(await late).toBe(3)
  expect(begun).toHaveLength(3)
})

test('coalesced calls fail together, and the next ones start again', async () => {
  const { begun, work, turn } = gates()
  const { coalesced } = createSharedCalls()
  const crowd = [coalesced('a', work), coalesced('a', work)]
  await turn()
  begun[0]?.reject(new Error('lost'))
  for (const one of crowd) await expect(one).rejects.toThrow('lost')
  const again = coalesced('a', work)
  await turn()
  begun[1]?.resolve(2)
  expect(await again).toBe(2)
})

test('calls that join one in flight share it, and the next one after its end starts again', async () => {
  const { begun, work, turn } = gates()
  const { joined, settled } = createSharedCalls()
  const crowd = Array.from({ length: 50 }, () => joined('a', work))
  const other = joined('b', work)
  expect(begun).toHaveLength(2)
  begun[0]?.resolve(1)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([1]))
  const again = joined('a', work)
  expect(begun).toHaveLength(3)
  let isSettled = false
  const over = settled().then(() => (isSettled = true))
  begun[1]?.reject(new Error('lost'))
  await expect(other).rejects.toThrow('lost')
  await turn()
  expect(isSettled).toBe(false)
  begun[2]?.resolve(3)
  expect(await again).toBe(3)
  await over
})
