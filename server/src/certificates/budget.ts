// Divides the authority's rate limit between clients, before an order is placed. An authority
// counts orders per account, so one client could use up the budget of all; hence, in this
// order:
//
//   - never more than the limit in a window (80 % of what the authority grants);
//   - half of it is for renewals alone, which may use all of it;
//   - of the rest no client may use more than what is left for the others: the second client
//     that requests everything gets half, the third a quarter, and a new client always one;
//   - not too many for one registrable domain, nor for one name;
//   - the names that everything else depends on have a reserve of two, which no other name can use.
//
// And each client's attempts begin at a pace of their own, so that a client that presses
// Re-verify on five thousand names delays only itself.

import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../foundation/time.ts'

export type Allowance = {
  /** Orders of the account in a window of three hours. */
  perWindow: number
  /** Of these, the part that only renewals may use. */
  forRenewals: number
  perRegisteredDomain: number
  perName: number
}

/** What may be ordered: the allowance, and the names that have a reserve of orders of their own. */
export type Budget = {
  allowance: Allowance
  isReserved?: ((hostname: string) => boolean) | undefined
}

/** Four fifths of what Let's Encrypt grants. */
export const defaultAllowance: Allowance = { perWindow: 240, forRenewals: 120, perRegisteredDomain: 40, perName: 4 }

export type Window = { length: number; slot: number }
/** Uses are counted in slots; a window is all slots that it overlaps, so it never counts too few. */
export const shortWindow: Window = { length: 3 * HOUR, slot: 5 * MINUTE }
export const longWindow: Window = { length: 7 * DAY, slot: 3 * HOUR }

export const slotOf = ({ slot }: Window, at: Instant): Instant => Math.floor(at / slot) * slot
/** The first slot that the window ending now overlaps. */
export const firstSlot = (window: Window, now: Instant): Instant => slotOf(window, now - window.length)

/** Uses within the windows, by scope. */
export type Used = {
  /** Of the account: all orders, and those that were not renewals. */
  all: number
  fresh: number
  client: number
  registered: number
  name: number
}

export type BudgetRequest = { hostname: string; client: string; registered: string; isRenewal: boolean }

/** Null if it may be ordered; otherwise the scope that is used up. */
export function shortageOf(allowance: Allowance, used: Used, isRenewal: boolean): keyof Used | null {
  if (used.all >= allowance.perWindow) return 'all'
  // Renewals keep sites up, and authorities do not count them against a name.
  if (isRenewal) return null
  const pool = allowance.perWindow - allowance.forRenewals
  if (used.fresh >= pool) return 'fresh'
  if (used.client >= pool - used.fresh) return 'client'
  if (used.registered >= allowance.perRegisteredDomain) return 'registered'
  return used.name >= allowance.perName ? 'name' : null
}

/** Of every window; the authority grants more than our limits, by at least this. */
const RESERVE = 2

/** For the names that have a reserve: they do not compete with the other names of their client. */
export const reservedShortageOf = (allowance: Allowance, used: Used, isRenewal: boolean): keyof Used | null =>
  shortageOf(
    {
      ...allowance,
      perWindow: allowance.perWindow + RESERVE,
      perRegisteredDomain: allowance.perRegisteredDomain + RESERVE,
    },
    { ...used, client: 0 },
    isRenewal,
  )

/** The scopes in which a use is counted. */
export const scopesOf = ({
  hostname,
  client,
  registered,
  isRenewal,
}: BudgetRequest): { scope: string; window: Window }[] => [
  { scope: 'all', window: shortWindow },
  ...(isRenewal
    ? []
    : [
        { scope: 'fresh', window: shortWindow },
        { scope: `client ${client}`, window: shortWindow },
        { scope: `registered ${registered}`, window: longWindow },
        { scope: `name ${hostname}`, window: longWindow },
      ]),
]

/**
 * When to try again; spread by name, so that deferred orders do not all come at once. A renewal that has time gives
 * way to those that have not.
 */
export function laterBy(shortage: keyof Used, share: number, hasTime: boolean): number {
  const isLong = shortage === 'registered' || shortage === 'name'
  if (isLong) return HOUR + share * HOUR
  return hasTime ? 15 * MINUTE + share * 105 * MINUTE : MINUTE + share * 4 * MINUTE
}

/** A client begins this many attempts at once, and then two per second. */
export const PACE = SECOND / 2
const BURST = 20

/** When an attempt of a client may begin whose earlier attempts are scheduled up to `freeAt`, and the new `freeAt`. */
export function paced(freeAt: Instant | null, now: Instant): { at: Instant; freeAt: Instant } {
  const free = Math.max(freeAt ?? now, now)
  return { at: Math.max(now, free - BURST * PACE), freeAt: free + PACE }
}
