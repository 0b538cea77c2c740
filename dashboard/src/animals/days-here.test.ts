import { expect, test } from 'vitest'
import { daysHere } from './days-here.ts'

const now = Date.parse('2026-11-17T12:00:00Z')
const createdAt = '2026-11-17T02:00:00Z'

test.each([
  ['2026-11-17T02:00:00Z', 0],
  ['2026-11-16T12:00:00Z', 1],
  ['2026-07-19T12:00:00Z', 121],
  ['2026-11-17T12:05:00Z', 0],
])('an animal that came at %s has been here for %i days', (createdAt, days) => {
  expect(daysHere({ createdAt, status: 'pending', profile: { inCareSince: null } }, now)).toBe(days)
})

test.each([
  ['2024-05-03', 928],
  ['2026-11-16', 1],
  ['2026-11-17', 0],
  ['2026-11-19', 0],
])('an animal that was added today and is in care since %s has been here for %i days', (inCareSince, days) => {
  expect(daysHere({ createdAt, status: 'available', profile: { inCareSince } }, now)).toBe(days)
})

test('an animal that has left is not here', () => {
  expect(daysHere({ createdAt, status: 'sold', profile: { inCareSince: '2024-05-03' } }, now)).toBeUndefined()
})
