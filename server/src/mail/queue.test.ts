import { expect, test } from 'vitest'
import { secondsToDigest } from './queue.io.ts'

test.each([
  ['hourly', '2026-11-16T15:00:00Z', 3600],
  ['hourly', '2026-11-16T15:59:30Z', 30],
  ['daily', '2026-11-16T05:59:00Z', 60],
  ['daily', '2026-11-16T06:00:00Z', 24 * 3600],
  ['daily', '2026-11-16T15:30:00Z', 14.5 * 3600],
] as const)('a digest that is sent %s leaves, at %s, after %d s', (pace, now, seconds) => {
  expect(secondsToDigest(pace, new Date(now))).toBe(seconds)
})
