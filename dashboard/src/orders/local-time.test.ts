import { expect, test } from 'vitest'
import { isPast, localInput, timeOfInput } from './local-time.ts'

test('A time survives the field that shows it, to the minute', () => {
  for (const iso of ['2026-11-21T11:00:00.000Z', '2026-03-29T01:30:00.000Z', '2027-01-01T00:00:00.000Z'])
    expect(new Date(timeOfInput(localInput(new Date(iso))) ?? '').toISOString()).toBe(iso)
})

test('The zone of the device is part of it', () => {
  expect(timeOfInput('2026-11-21T11:00')).toMatch(/^2026-11-21T11:00:00[+-]\d{2}:\d{2}$/)
})

test.each(['', '2026-11-21', '2026-11-21T', 'soon', '2026-13-41T11:00'])('"%s" is no time', (value) => {
  expect(timeOfInput(value)).toBeUndefined()
})

test('A visit may begin now, and not an hour ago', () => {
  const now = Date.parse('2031-05-03T12:30:40Z')
  const times = [
    '2031-05-03T12:30:00+00:00',
    '2031-05-03T14:30:00+02:00',
    '2031-05-03T11:30:00Z',
    '2031-05-03T12:30:00+02:00',
  ]
  expect(times.map((time) => isPast(time, now))).toEqual([false, false, true, true])
})
