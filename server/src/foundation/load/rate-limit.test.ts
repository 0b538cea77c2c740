import { expect, test } from 'vitest'
import { moreThanQuota, tooMany } from './rate-limit.io.ts'

test('a refusal says what there was too much of, and when to retry, in its message and in Retry-After', () => {
  expect(tooMany('attempts', 7)).toMatchObject({
    code: 'rate_limited',
    status: 429,
    message: 'Too many attempts. Retry in 7 s.',
    headers: { 'Retry-After': '7' },
  })
})

test('a refusal for a published quota states its figures', () => {
  const quota = { name: 'key', points: 600, windowSeconds: 60 }
  expect(moreThanQuota('requests', { quota, isOver: true, resetSeconds: 12 })).toMatchObject({
    code: 'rate_limited',
    message: 'More than 600 requests in 60 s for this key. Retry in 12 s.',
    headers: { 'Retry-After': '12' },
  })
})
