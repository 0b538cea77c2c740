// Compares our check schedule with published ones: no product detects a fixed record sooner, at
// any moment. Checks run on a virtual clock; the wait is the worst case, for a record fixed
// just after a check.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../foundation/time.ts'
import { checkIntervals, nextCheck, type Waiting } from './cadence.ts'

const waiting: Waiting = {
  id: 'dom_000000000000000000000001',
  askedAt: 0,
  watchedUntil: null,
  state: 'waiting',
  until: null,
}

/** Times of checks from 0 to the end, each after the one before. */
function looksBy(next: (now: number) => number | null, end: number): number[] {
  const moments = [0]
  for (let now: number | null = 0; now !== null && now <= end;) {
    now = next(now)
    if (now !== null) moments.push(now)
  }
  return moments
}

/** The whole gap that contains the moment: the longest wait for an owner who fixes the record about then. */
function waitAt(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  const [before, after] = [moments[low - 1], moments[low]]
  return before === undefined || after === undefined ? Number.POSITIVE_INFINITY : after - before
}

const intervals =
  (list: readonly number[], last: number, end: number) =>
  (moments: number[] = [0]) => {
    for (const interval of [...list, ...Array<number>(Math.ceil(end / last)).fill(last)]) {
      const at = (moments.at(-1) ?? 0) + interval
      if (at > end) break
      moments.push(at)
    }
    return moments
  }

const cloudflare = Array.from({ length: 75 }, (_, attempt) =>
  Math.min(Math.floor(60 * (attempt < 10 ? 1.05 : 1.15) ** attempt) * SECOND, 4 * HOUR),
)

/** As published; after a product gives up, the wait is not compared. */
const published: Readonly<Record<string, readonly number[]>> = {
  'Cloudflare for SaaS': intervals(cloudflare, 4 * HOUR, 7 * DAY)(),
  certmagic: intervals(
    [1, 2, 2, 5, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 60, 60, 60, 120, 120, 180, 180].map(
      (minutes) => minutes * MINUTE,
    ),
    6 * HOUR,
    30 * DAY,
  )(),
  Netlify: [
    ...intervals([], 10 * MINUTE, DAY)(),
    ...intervals([], HOUR, 3 * DAY)()
      .map((at) => at)
      .filter((at) => at > DAY),
  ],
  'customdomain.ai': intervals([], MINUTE, 72 * HOUR)(),
  "Let's Encrypt's sample": intervals([MINUTE, 10 * MINUTE, 100 * MINUTE], DAY, 30 * DAY)(),
}

/** The table of the design, at its own moments: verifies the schedules above. */
test('the published schedules match the table of the design', () => {
  const at = (name: string, moment: number) => waitAt(published[name] ?? [], moment)
  expect(at('Cloudflare for SaaS', 5 * MINUTE)).toBeLessThanOrEqual(72 * SECOND)
  expect(at('certmagic', 5 * MINUTE)).toBe(2 * MINUTE)
  expect(at('certmagic', 30 * MINUTE)).toBe(10 * MINUTE)
  expect(at('certmagic', HOUR)).toBe(20 * MINUTE)
  expect(at('certmagic', 4 * HOUR)).toBe(30 * MINUTE)
  expect(at('Netlify', 4 * HOUR)).toBe(10 * MINUTE)
  expect(at('Netlify', 72 * HOUR)).toBe(HOUR)
  expect(at('customdomain.ai', 72 * HOUR)).toBe(MINUTE)
  expect(at("Let's Encrypt's sample", HOUR)).toBe(100 * MINUTE)
})

const END = 30 * DAY
const ours = looksBy((now) => nextCheck(waiting, now), END)

/** From five seconds to thirty days, dense at first; with every boundary and its neighbours. */
const moments = [
  ...Array.from({ length: 20_000 }, (_, index) => 5 * SECOND * (END / (5 * SECOND)) ** (index / 19_999)),
  ...[...checkIntervals.map(({ until }) => until), ...Object.values(published).flat()].flatMap((at) => [
    at - 1,
    at,
    at + 1,
  ]),
].filter((at) => at >= 5 * SECOND && at <= END)

/** The moments at which a schedule is slower than another one. */
const slower = (schedule: readonly number[], other: readonly number[]) =>
  moments.filter((at) => waitAt(schedule, at) > waitAt(other, at))

test.each(Object.entries(published))('our schedule detects a fixed record no later than that of %s', (_, other) => {
  expect(slower(ours, other)).toEqual([])
})

test('a schedule that settles too early is reported as slower (negative control)', () => {
  const lazy = looksBy((now) => now + (now < 10 * MINUTE ? 15 * SECOND : 2 * MINUTE), END)
  expect(slower(lazy, published['customdomain.ai'] ?? []).length).toBeGreaterThan(1000)
})

test('a watched domain is checked every two seconds at any age', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * DAY }), fc.constantFrom('waiting', 'live', 'dormant'), (now, state) => {
      expect(nextCheck({ ...waiting, state, watchedUntil: now + 1 }, now)).toBe(now + 2 * SECOND)
    }),
  )
})

test('a cause that ends at a known time is checked at that time, and never later than scheduled', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 * DAY }), fc.integer({ min: -DAY, max: 3 * DAY }), (now, ahead) => {
      const until = now + ahead
      const regular = nextCheck(waiting, now)
      const at = nextCheck({ ...waiting, until }, now)
      expect(at).toBe(ahead > 0 && until < regular ? until : regular)
      expect(at).toBeGreaterThan(now)
    }),
  )
})

test('live domains are checked hourly, spread over a tenth of the hour, each at a constant interval', () => {
  const distances = Array.from({ length: 2000 }, (_, number) => {
    const id = `dom_${number.toString(16).padStart(24, '0')}`
    return nextCheck({ ...waiting, id, state: 'live' }, 1000) - 1000
  })
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(54 * MINUTE)
  expect(Math.max(...distances)).toBeLessThanOrEqual(60 * MINUTE)
  expect(new Set(distances).size).toBeGreaterThan(500)
})

test('the schedule makes the intended number of checks', () => {
  const within = (end: number) => ours.filter((at) => at > 0 && at <= end).length
  expect([HOUR, DAY, 72 * HOUR].map(within)).toEqual([156, 1536, 4416])
  expect(within(END)).toBeLessThan(5400)
})
