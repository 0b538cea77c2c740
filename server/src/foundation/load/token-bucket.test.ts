import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('without a burst, each waits for the interval since the one before, and time that passed is not saved up', () => {
  const bucket = new TokenBucket({ perSecond: 10 })
  expect([bucket.take(0), bucket.take(0), bucket.take(50), bucket.take(1000), bucket.take(1000)]).toEqual([
    0, 100, 150, 0, 100,
  ])
})

test('a burst happens at once, and one that cannot wait counts for nothing', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 2 })
  expect([bucket.take(0), bucket.take(0), bucket.take(0, { waitMs: 99 }), bucket.take(0, { waitMs: 100 })]).toEqual([
    0,
    0,
    null,
    100,
  ])
})

test('a fraction costs a fraction, and a charge counts for more', () => {
  const bucket = new TokenBucket({ perSecond: 10 })
  expect([bucket.take(0, { cost: 0.5 }), bucket.take(0, { cost: 0.5 }), bucket.take(0)]).toEqual([0, 0, 100])
  bucket.charge(2)
  expect(bucket.take(0)).toBe(400)
})
