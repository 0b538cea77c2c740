import { expect, test } from 'vitest'
import { FreshCache } from './cache.ts'

function clocked() {
  const clock = { now: 0 }
  const cache = new FreshCache<string>({ holdMs: 800, countMax: 2, now: () => clock.now })
  const reads: string[] = []
  const read = (value: string | undefined) => async () => {
    reads.push(value ?? 'nothing')
    return value
  }
  return { clock, cache, reads, read }
}

test('a value is cached, and read again once it is too old', async () => {
  const { clock, cache, reads, read } = clocked()
  expect(await cache.get('a', read('first'))).toBe('first')
  clock.now = 799
  expect(await cache.get('a', read('second'))).toBe('first')
  clock.now = 800
  expect(await cache.get('a', read('third'))).toBe('third')
  expect(reads).toEqual(['first', 'third'])
})

test('the age counts from the start of the read, not from its end', async () => {
  const { clock, cache, read } = clocked()
  const slow = Promise.withResolvers<string>()
  const first = cache.get('a', () => slow.promise)
  clock.now = 700
  slow.resolve('old')
  expect(await first).toBe('old')
  clock.now = 801
  expect(await cache.get('a', read('new'))).toBe('new')
})

test('concurrent calls share one read', async () => {
  const { cache, reads, read } = clocked()
  expect(await Promise.all([cache.get('a', read('x')), cache.get('a', read('y'))])).toEqual(['x', 'x'])
  expect(reads).toEqual(['x'])
})

test('a key forgotten during its read is not cached', async () => {
  const { cache, read } = clocked()
  const slow = Promise.withResolvers<string>()
  const pending = cache.get('a', () => slow.promise)
  cache.forget('a')
  slow.resolve('stale')
  expect(await pending).toBe('stale')
  expect(await cache.get('a', read('fresh'))).toBe('fresh')
})

test('a revalidated value is as fresh as if it had been read then', async () => {
  const { clock, cache, reads, read } = clocked()
  await cache.get('a', read('first'))
  clock.now = 500
  cache.confirm(400)
  clock.now = 1199
  expect([cache.peek('a'), await cache.get('a', read('second'))]).toEqual(['first', 'first'])
  clock.now = 1200
  expect(cache.peek('a')).toBe(undefined)
  expect(await cache.get('a', read('third'))).toBe('third')
  expect(reads).toEqual(['first', 'third'])
})

test('a late revalidation of an earlier moment does not shorten the lifetime of a value', async () => {
  const { clock, cache, read } = clocked()
  await cache.get('a', read('first'))
  cache.confirm(400)
  cache.confirm(100)
  clock.now = 1199
  expect(cache.peek('a')).toBe('first')
})

test('peek returns a cached value, and nothing that is still being read', async () => {
  const { cache, read } = clocked()
  const slow = Promise.withResolvers<string>()
  const pending = cache.get('a', () => slow.promise)
  expect(cache.peek('a')).toBe(undefined)
  slow.resolve('there')
  await pending
  expect(cache.peek('a')).toBe('there')
  await cache.get('b', read(undefined))
  expect(cache.peek('b')).toBe(undefined)
})

test('neither a missing value nor a failure is cached', async () => {
  const { cache, read } = clocked()
  expect(await cache.get('a', read(undefined))).toBe(undefined)
  expect(await cache.get('a', read('there'))).toBe('there')
  await expect(cache.get('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await cache.get('b', read('up'))).toBe('up')
})

test('the oldest read is evicted first', async () => {
  const { cache, read } = clocked()
  await cache.get('a', read('1'))
  await cache.get('b', read('2'))
  await cache.get('c', read('3'))
  expect([cache.has('a'), cache.has('b'), cache.has('c')]).toEqual([false, true, true])
})

test('a value has its own time to live where that is shorter, counted from the start of its read', async () => {
  let now = 0
  const cache = new FreshCache<number>({ holdMs: 800, holdMsOf: (ms) => ms, countMax: 2, now: () => now })
  for (const [key, ms] of [
    ['short', 300],
    ['long', 9000],
  ] as const) {
    cache.put(key, ms)
  }
  now = 299
  expect([cache.peek('short'), cache.peek('long')]).toEqual([300, 9000])
  now = 300
  expect([cache.peek('short'), cache.peek('long')]).toEqual([undefined, 9000])
  now = 800
  expect(cache.peek('long')).toBe(undefined)
})

test('a value that was put there is cached like one that was read', async () => {
  const { clock, cache, reads, read } = clocked()
  cache.put('a', 'given')
  expect([cache.peek('a'), await cache.get('a', read('first'))]).toEqual(['given', 'given'])
  clock.now = 800
  expect(await cache.get('a', read('first'))).toBe('first')
  expect(reads).toEqual(['first'])
})
