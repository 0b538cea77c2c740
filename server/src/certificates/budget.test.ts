// The rate limit budget of an authority: never exceeded, and never used by one client alone.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SECOND } from '../foundation/time.ts'
import {
  defaultAllowance,
  firstSlot,
  longWindow,
  paced,
  reservedShortageOf,
  scopesOf,
  shortageOf,
  shortWindow,
  slotOf,
} from './budget.ts'
import type { Allowance, Used, Window } from './budget.ts'

const none: Used = { all: 0, fresh: 0, client: 0, registered: 0, name: 0 }

/** Counts as the store does. */
function ledger(allowance: Allowance, hasReserve = true) {
  const uses: { scope: string; slot: number }[] = []
  const sum = (scope: string, window: Window, now: number) =>
    uses.filter((use) => use.scope === scope && use.slot >= firstSlot(window, now)).length
  return (client: string, hostname: string, isRenewal: boolean, now: number): boolean => {
    const used: Used = {
      all: sum('all', shortWindow, now),
      fresh: sum('fresh', shortWindow, now),
      client: sum(`client ${client}`, shortWindow, now),
      registered: sum(`registered ${hostname}`, longWindow, now),
      name: sum(`name ${hostname}`, longWindow, now),
    }
    if (shortageOf(allowance, used, isRenewal || !hasReserve) !== null) return false
    const scopes = scopesOf({ hostname, client, registered: hostname, isRenewal })
    for (const { scope, window } of scopes) uses.push({ scope, slot: slotOf(window, now) })
    return true
  }
}

const small: Allowance = { perWindow: 24, forRenewals: 12, perRegisteredDomain: 40, perName: 40 }

test('in any three hours no more orders are placed than allowed, whichever clients request them and when', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(4), fc.boolean(), fc.nat(20 * 60 * SECOND)), { maxLength: 200 }),
      (requests) => {
        const may = ledger(small)
        let now = Date.UTC(2027, 0, 1)
        const placed: { at: number; isRenewal: boolean }[] = []
        for (const [index, [client, isRenewal, pause]] of requests.entries()) {
          now += pause
          if (may(`client ${client}`, `name-${index}.example`, isRenewal, now)) placed.push({ at: now, isRenewal })
        }
        for (const { at } of placed) {
          const window = placed.filter((other) => other.at > at - shortWindow.length && other.at <= at)
          expect(window.length).toBeLessThanOrEqual(small.perWindow)
          const fresh = window.filter(({ isRenewal }) => !isRenewal).length
          expect(fresh).toBeLessThanOrEqual(small.perWindow - small.forRenewals)
        }
      },
    ),
    { numRuns: 200 },
  )
})

describe('one client that requests everything', () => {
  const greedy = (hasReserve: boolean) => {
    const may = ledger(defaultAllowance, hasReserve)
    const got = Array.from({ length: 5000 }, (_, index) => may('greedy', `n${index}.example`, false, 0)).filter(Boolean)
    return { may, got: got.length }
  }

  test('gets half of the budget for new names, and leaves the rest to others and to renewals', () => {
    const { may, got } = greedy(true)
    expect(got).toBe(60)
    expect(may('another', 'other.example', false, 0)).toBe(true)
    const renewals = Array.from({ length: 500 }, (_, index) => may('x', `r${index}.example`, true, 0)).filter(Boolean)
    expect(renewals).toHaveLength(240 - 61)
  })

  test('gets everything if nothing is reserved (negative control)', () => {
    const { may, got } = greedy(false)
    expect(got).toBe(240)
    expect(may('another', 'other.example', false, 0)).toBe(false)
  })
})

test.each<[keyof Used, Partial<Used>, boolean]>([
  ['all', { all: 240 }, true],
  ['all', { all: 240 }, false],
  ['fresh', { all: 120, fresh: 120 }, false],
  ['client', { fresh: 60, client: 60 }, false],
  ['registered', { registered: 40 }, false],
  ['name', { name: 4 }, false],
])('%s is used up with %o', (shortage, used, isRenewal) => {
  expect(shortageOf(defaultAllowance, { ...none, ...used }, isRenewal)).toBe(shortage)
})

test('names with a reserve get two more orders of every window, and no more', () => {
  const usedUp = { ...none, all: 240, fresh: 120, client: 99, registered: 40 }
  expect(shortageOf(defaultAllowance, usedUp, false)).toBe('all')
  expect(reservedShortageOf(defaultAllowance, usedUp, false)).toBeNull()
  const both = (used: Partial<Used>) => reservedShortageOf(defaultAllowance, { ...usedUp, ...used }, false)
  expect([both({ all: 242 }), both({ fresh: 122 }), both({ registered: 42 })]).toEqual(['all', 'fresh', 'registered'])
})

test('renewals are not counted against a client, a domain or a name', () => {
  const used = { ...none, all: 239, fresh: 120, client: 120, registered: 99, name: 99 }
  expect(shortageOf(defaultAllowance, used, true)).toBeNull()
})

test('a client begins twenty attempts at once and then two per second; another client begins at once', () => {
  let freeAt: number | null = null
  const starts = Array.from({ length: 5000 }, () => {
    const next = paced(freeAt, 0)
    freeAt = next.freeAt
    return next.at
  })
  expect(starts.filter((at) => at === 0)).toHaveLength(21)
  expect(starts.at(-1)).toBe(((5000 - 21) * SECOND) / 2)
  expect(paced(null, 0).at).toBe(0)
  expect(paced(0, 1000).at).toBe(1000)
})
