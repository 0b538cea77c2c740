// The renewal time of a certificate, for suggestions of every kind.

import { DAY, HOUR } from '../foundation/time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextRenewalInfoAt, renewAt, shareOf } from './renewal.ts'

const notBefore = Date.UTC(2027, 0, 1)
const lifeOf = (days: number, hostname = 'shop.example') => ({
  hostname,
  serial: 'ab12',
  notBefore,
  notAfter: notBefore + days * DAY,
})
const leftOf = (days: number, hostname: string) =>
  (notBefore + days * DAY - renewAt(lifeOf(days, hostname), null)) / DAY

test.each([
  [90, 30, 37.5],
  [45, 15, 18.75],
  [6, 3, 3.5],
])('a certificate of %i days is renewed with between %f and %f days left, evenly spread', (days, least, most) => {
  const left = Array.from({ length: 1000 }, (_, index) => leftOf(days, `shop-${index}.example`)).toSorted(
    (a, b) => a - b,
  )
  expect(left[0]).toBeGreaterThanOrEqual(least)
  expect(left.at(-1)).toBeLessThanOrEqual(most)
  expect(((left[500] ?? 0) - least) / (most - least)).toBeCloseTo(0.5, 1)
})

test('a certificate is renewed in time and not endlessly, whatever an authority suggests', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.tuple(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: -1e15, max: 1e15 }))),
      (days, window) => {
        const life = lifeOf(days)
        const at = renewAt(life, window && { start: window[0], end: window[1] })
        expect(at).toBeLessThanOrEqual(renewAt(life, null))
        expect(at).toBeGreaterThanOrEqual(notBefore + Math.min(DAY, (days * DAY) / 10) - 1)
        expect(life.notAfter - at).toBeGreaterThanOrEqual((days * DAY * 0.99) / 3)
      },
    ),
  )
})

test('a suggested window is used, with a different moment for each hostname', () => {
  const window = { start: notBefore + 20 * DAY, end: notBefore + 22 * DAY }
  const moments = Array.from({ length: 100 }, (_, index) => renewAt(lifeOf(90, `shop-${index}.example`), window))
  expect(new Set(moments).size).toBe(100)
  for (const at of moments) expect(at >= window.start && at <= window.end).toBe(true)
})

test('the suggestion is fetched every six to twelve hours, or as the authority requests within bounds', () => {
  for (const hostname of ['a.example', 'b.example', 'c.example']) {
    const wait = nextRenewalInfoAt({ hostname }, null, notBefore) - notBefore
    expect(wait >= 6 * HOUR && wait <= 12 * HOUR).toBe(true)
  }
  expect(nextRenewalInfoAt({ hostname: 'a' }, 2 * HOUR, 0)).toBe(2 * HOUR)
  expect(nextRenewalInfoAt({ hostname: 'a' }, 1, 0)).toBe(HOUR)
  expect(nextRenewalInfoAt({ hostname: 'a' }, 90 * DAY, 0)).toBe(DAY)
})

test('shares are between 0 and 1', () => {
  for (let index = 0; index < 1000; index++) expect(shareOf(String(index))).toBeLessThan(1)
})
