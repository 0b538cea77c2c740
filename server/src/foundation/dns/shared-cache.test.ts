import { expect, test } from 'vitest'
import { sharedCache } from './shared-cache.ts'

const clock = { at: 0 }
const remembering = (sizeMax = 10) => sharedCache<string>({ sizeMax, now: () => clock.at })

test('an entry is cached for its time to live, and at most five minutes', async () => {
  const memory = remembering()
  const learn = (value: string, seconds: number) => memory.learn('test', async () => ({ value, seconds }))
  expect(await learn('one', 60)).toBe('one')
  expect(await learn('two', 86_400)).toBe('one')
  clock.at += 60_000
  expect(await learn('three', 86_400)).toBe('three')
  clock.at += 299_999
  expect(memory.recall('test')).toBe('three')
  clock.at += 1
  expect(memory.recall('test')).toBeNull()
})

test('concurrent calls share one query', async () => {
  const memory = remembering()
  let reads = 0
  const read = async () => ({ value: String((reads += 1)), seconds: 1 })
  expect(await Promise.all([memory.learn('test', read), memory.learn('test', read)])).toEqual(['1', '1'])
})

test('a missing value, or a failure, is queried again', async () => {
  const memory = remembering()
  expect(await memory.learn('test', async () => null)).toBeNull()
  await expect(memory.learn('test', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await memory.learn('test', async () => ({ value: 'here', seconds: 1 }))).toBe('here')
})

test('the oldest entry is evicted when there is no room', () => {
  const memory = remembering(2)
  for (const key of ['a', 'b', 'c']) memory.keep(key, { value: key, seconds: 60 })
  expect(['a', 'b', 'c'].map((key) => memory.recall(key))).toEqual([null, 'b', 'c'])
})
