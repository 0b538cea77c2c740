// The pace of uploads, without any.

import { expect, test } from 'vitest'
import { isTooSlow, markedAt, type Mark, type Pace } from './arrival-pace.ts'

const pace: Pace = { bytesPerSecond: 8000, windowMs: 15_000, totalMs: 300_000 }

/** The second at which it is ended; undefined if it never is. `sent` says how much each second brings. */
function endOf(sent: (second: number) => number, seconds = 299): number | undefined {
  let marks: Mark[] = [{ at: 0, bytes: 0 }]
  let bytes = 0
  for (let second = 1; second <= seconds; second += 1) {
    bytes += sent(second)
    const now = { at: second * 1000, bytes }
    if (isTooSlow(0, marks, now, pace)) return second
    marks = markedAt(marks, now, pace)
    expect(marks.length).toBeLessThanOrEqual(17)
  }
  return undefined
}

test('8 kB per second are enough for almost five minutes, and a byte less is not', () => {
  expect(endOf(() => 8000)).toBeUndefined()
  expect(endOf(() => 7999)).toBe(15)
})

test('however fast it is, it ends after five minutes', () => {
  expect(endOf(() => 1_000_000, 400)).toBe(300)
})

test('a pause is made up for within the window, and one that is as long as the window is not', () => {
  expect(endOf((second) => (second % 14 === 0 ? 14 * 8600 : 0))).toBeUndefined()
  expect(endOf((second) => (second <= 20 ? 1_000_000 : 0))).toBe(35)
})

test('what arrived before the window does not count', () => {
  expect(endOf((second) => (second === 1 ? 19_000_000 : 10))).toBe(16)
})
