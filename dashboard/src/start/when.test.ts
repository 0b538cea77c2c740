import { expect, test } from 'vitest'
import { sinceOf } from './when.ts'

const at = '2026-11-15T10:00:00Z'

test.each([
  ['2026-11-15T09:59:00Z', undefined],
  ['2026-11-15T10:00:59Z', undefined],
  ['2026-11-15T10:01:00Z', { value: 1, unit: 'minute' }],
  ['2026-11-15T10:59:59Z', { value: 59, unit: 'minute' }],
  ['2026-11-15T12:30:00Z', { value: 2, unit: 'hour' }],
  ['2026-11-16T09:59:00Z', { value: 23, unit: 'hour' }],
  ['2026-11-18T11:00:00Z', { value: 3, unit: 'day' }],
])('at %s it is %j ago', (now, since) => {
  expect(sinceOf(at, Date.parse(now))).toEqual(since)
})
