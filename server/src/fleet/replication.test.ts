// Tests of following the host table by number: the buffer in memory, the decision to resynchronise,
// and the confirmations of edges.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mustResync } from './audience.ts'
import { confirmationsOf, isEverywhere, isSettled } from './confirmations.ts'
import { createRecent } from './change-buffer.ts'
import type { Route } from './protocol.ts'

const change = (seq: number): Route => ({ seq, hostname: `h${seq}.example.com`, kind: 'gone', generation: '1' })

describe('the change buffer', () => {
  test('returns exactly the changes after a number, or undefined', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 20 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 10 }),
        (batches, sizeMax, first, count) => {
          const recent = createRecent(sizeMax, first)
          const all: number[] = []
          let seq = first
          for (const batch of batches) {
            const routes = batch.map((step) => change((seq += step)))
            recent.take(routes)
            all.push(...routes.map((route) => route.seq))
          }
          for (let after = first - 1; after <= seq + 1; after++) {
            const found = recent.after(after, count)?.map((route) => route.seq)
            if (found) expect(found).toEqual(all.filter((one) => one > after).slice(0, count))
          }
          // The promised number is always there, and not many more.
          expect(recent.after(all.at(-sizeMax - 1) ?? first, count)).toBeDefined()
          expect(recent.after(first - 1, count)).toBeUndefined()
        },
      ),
    )
  })

  test('contains the promised number of changes, and at most twice as many', () => {
    const recent = createRecent(100, 0)
    for (let seq = 1; seq <= 10_000; seq++) recent.take([change(seq)])
    expect(recent.after(9900, 1000)).toHaveLength(100)
    expect(recent.after(9799, 1000)).toBeUndefined()
  })

  test('restarts when the table does', () => {
    const recent = createRecent(100, 0)
    recent.take([change(1), change(2)])
    recent.restart(1)
    expect(recent.after(0, 10)).toBeUndefined()
    expect(recent.after(1, 10)).toEqual([])
  })
})

describe('an edge', () => {
  const clock = { head: 100, forgotten: 40 }
  test.each([
    ['that has nothing', 0, 0, false],
    ['that was away for too long', 39, 0, true],
    ['that has every change up to the last deleted record', 40, 0, false],
    ['that has everything', 100, 0, false],
    ['that has changes which never happened', 101, 0, true],
    ['that has such changes and started later', 101, 200, true],
    ['that is still reading the table for the first time', 3, 90, false],
    ['that started too long ago', 3, 39, true],
  ])('%s (after %d, begun %d) must resynchronise: %s', (_, after, begun, isSo) => {
    expect(mustResync(after, begun, clock)).toBe(isSo)
  })
})

describe('a change', () => {
  const at = new Date('2027-01-01T00:00:00Z')
  const edge = (name: string, acknowledged: bigint, isConnected = true) => ({
    name,
    acknowledged,
    acknowledgedAt: acknowledged === 0n ? null : at,
    isConnected,
  })

  test('is confirmed by each edge that has reached its number', () => {
    expect(confirmationsOf([edge('a', 5n), edge('b', 4n), edge('c', 0n, false)], 5)).toEqual([
      { edge: 'a', isConnected: true, confirmedAt: at },
      { edge: 'b', isConnected: true, confirmedAt: null },
      { edge: 'c', isConnected: false, confirmedAt: null },
    ])
  })

  test.each([
    ['no edge', [], true, false],
    ['all connected edges', [edge('a', 5n), edge('b', 9n)], true, true],
    ['one edge but not by one that lags', [edge('a', 5n), edge('b', 4n)], false, false],
    ['one edge but not by a disconnected one', [edge('a', 5n), edge('b', 4n, false)], true, true],
    ['a disconnected edge only', [edge('a', 5n, false)], true, false],
  ])('confirmed by %s is settled and everywhere as expected', (_, edges, settled, everywhere) => {
    expect(isSettled(confirmationsOf(edges, 5))).toBe(settled)
    expect(isEverywhere(confirmationsOf(edges, 5))).toBe(everywhere)
  })
})
