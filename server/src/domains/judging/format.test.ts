// Tests of times, durations and lists as advice shows them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOf, duration, listed, timeOfDay } from './format.ts'

const at = (text: string) => Date.parse(`${text}Z`)

test.each([
  ['2026-11-15T14:20:00', '2026-11-15T09:00:00', '14:20 UTC'],
  ['2026-11-15T14:19:00.001', '2026-11-15T09:00:00', '14:20 UTC'],
  ['2026-11-16T14:20:00', '2026-11-15T09:00:00', '16 November, 14:20 UTC'],
  ['2026-11-15T23:59:30', '2026-11-15T23:59:00', '16 November, 00:00 UTC'],
  ['2027-01-01T00:05:00', '2026-12-31T23:50:00', '1 January, 00:05 UTC'],
])('%s, read at %s, is shown as "%s"', (time, now, words) => {
  expect(timeOfDay(at(time), at(now))).toBe(words)
})

test('a time of day is never earlier than the actual time, and less than a minute later', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_399_999 }), (ms) => {
      const midnight = at('2026-11-15T00:00:00')
      const words = timeOfDay(midnight + ms, midnight)
      const isTomorrow = words === '16 November, 00:00 UTC'
      const shown = isTomorrow ? 86_400_000 : at(`2026-11-15T${words.slice(0, 5)}:00`) - midnight
      expect(shown - ms).toBeGreaterThanOrEqual(0)
      expect(shown - ms).toBeLessThan(60_000)
    }),
  )
})

test.each([
  [0, 'about 1 minute'],
  [60, 'about 1 minute'],
  [300, 'about 5 minutes'],
  [5400, 'about 90 minutes'],
  [7200, 'about 2 hours'],
  [86_400, 'about 24 hours'],
  [172_800, 'about 2 days'],
])('%i seconds are shown as %s', (seconds, words) => {
  expect(duration(seconds * 1000)).toBe(words)
})

test('a date includes its year', () => {
  expect(dateOf(at('2026-02-03T23:00:00'))).toBe('3 February 2026')
})

test('a list reads as part of a sentence, and stays short', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listed(items))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
  expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more')
})
