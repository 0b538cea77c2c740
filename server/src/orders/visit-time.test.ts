// The time of a visit keeps the zone in which the owner named it.

import { expect, test } from 'vitest'
import { isPast, localTime, readVisit, visitTimeText } from './visit-time.ts'

test.each([
  ['2026-11-21T10:00:00Z', 0, '2026-11-21T10:00:00Z'],
  ['2026-11-21T10:00:00+01:00', 60, '2026-11-21T10:00:00+01:00'],
  ['2026-11-21T23:30-05:30', -330, '2026-11-21T23:30:00-05:30'],
])('%s is %i minutes east, and is said again as %s', (at, offset, text) => {
  const visit = readVisit({ at, place: ' At the shelter ' })
  expect(visit).toMatchObject({ offset, place: 'At the shelter' })
  expect(visit && visitTimeText(visit)).toBe(text)
  expect(visit && localTime(visit).toISOString().slice(0, 16)).toBe(text.slice(0, 16))
})

test.each(['', 'tomorrow', '2026-11-21', '2026-13-21T10:00:00Z', '2026-11-21T10:00:00', '2026-11-21T10:00:00+15:00'])(
  '%s is no time',
  (at) => {
    expect(readVisit({ at, place: '' })).toBeUndefined()
  },
)

test.each(['a\nb', 'x'.repeat(201)])('%j is no place', (place) => {
  expect(readVisit({ at: '2026-11-21T10:00:00Z', place })).toBeUndefined()
})

test.each([
  ['2031-05-03T14:30:00+02:00', false],
  ['2031-05-03T12:26:00Z', false],
  ['2031-05-03T12:24:00Z', true],
  ['2031-05-03T13:30:00+02:00', true],
])('%s is in the past of 12:30 UTC: %s', (at, expected) => {
  const visit = readVisit({ at, place: '' })
  expect(visit && isPast(visit, Date.parse('2031-05-03T12:30:00Z'))).toBe(expected)
})
