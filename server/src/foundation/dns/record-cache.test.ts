import { expect, test } from 'vitest'
import { recordCache } from './record-cache.ts'

const clock = { at: 0 }
const records = (countMax = 10) => recordCache<string>({ countMax, now: () => clock.at })

test('an entry is cached for its time to live, and at most five minutes', async () => {
  const memory = records()
  const learn = (value: string, seconds: number) => memory.get('test', async () => ({ value, seconds }))
  expect(await learn('one', 60)).toMatchObject({ value: 'one' })
  expect(await learn('two', 86_400)).toMatchObject({ value: 'one' })
  clock.at += 60_000
  expect(await learn('three', 86_400)).toMatchObject({ value: 'three' })
  clock.at += 299_999
  expect(memory.peek('test')).toMatchObject({ value: 'three' })
  clock.at += 1
  expect(memory.peek('test')).toBeUndefined()
})

test('concurrent calls share one query, whatever the time to live will be', async () => {
  const memory = records()
  const slow = Promise.withResolvers<{ value: string; seconds: number }>()
  const first = memory.get('test', () => slow.promise)
  clock.at += 3000
  const second = memory.get('test', () => Promise.reject(new Error('asked twice')))
  slow.resolve({ value: 'one', seconds: 1 })
  expect(await Promise.all([first, second])).toEqual([await slow.promise, await slow.promise])
})

test('the oldest entry is evicted when there is no room', () => {
  const memory = records(2)
  for (const key of ['a', 'b', 'c']) memory.put(key, { value: key, seconds: 60 })
  expect(['a', 'b', 'c'].map((key) => memory.peek(key)?.value)).toEqual([undefined, 'b', 'c'])
})
