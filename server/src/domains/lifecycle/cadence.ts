// The check schedule: when a domain is checked next. Records arrive within minutes, or after
// the owner has slept and consulted a colleague: checks are frequent at first, then settle, and
// never stop without the status showing it.
//
// The schedule is never slower than that of any hosting product that publishes one, at any
// moment (`cadence.test.ts` lists them). A page that watches a domain shows each change within
// seconds, whatever its age.

import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../../foundation/time.ts'

/** By the time since the last request of a member: Add domain, Verify or Re-verify. */
export const checkIntervals: readonly { until: number; every: number }[] = [
  { until: 2 * MINUTE, every: 5 * SECOND },
  { until: 10 * MINUTE, every: 15 * SECOND },
  { until: HOUR, every: 30 * SECOND },
  // A minute more than three days: a record that is fixed at the very end of them is still detected within a minute.
  { until: 72 * HOUR + MINUTE, every: MINUTE },
  { until: 7 * DAY, every: 15 * MINUTE },
]
const LATER = HOUR

export const WATCHED = 2 * SECOND
const LIVE = HOUR
const DEGRADED = 5 * MINUTE
/** Two checks that find a live hostname pointing elsewhere must be this far apart to be believed. */
export const DRIFT_APART = 10 * MINUTE
/** No page waits for it; checked all the same, so that a late record is detected. */
const DORMANT = 7 * DAY
/** Nothing can happen before the plan changes, and that change starts a check. */
const PAUSED = HOUR

export type Waiting = {
  id: string
  askedAt: Instant
  watchedUntil: Instant | null
  state: 'waiting' | 'live' | 'suspected' | 'degraded' | 'dormant' | 'paused'
  /** When the cause ends without action, if that is known. */
  until: Instant | null
}

/** A cause that ends at a known time is checked at that time, and never later than the schedule. */
export function nextCheck(waiting: Waiting, now: Instant): Instant {
  const { watchedUntil, until } = waiting
  const regular = now + (watchedUntil !== null && watchedUntil > now ? WATCHED : interval(waiting, now))
  return until !== null && until > now ? Math.min(regular, until) : regular
}

function interval({ id, askedAt, state }: Waiting, now: Instant): number {
  if (state === 'live') return Math.round(LIVE * (1 - earlier(id)))
  if (state === 'suspected') return DRIFT_APART
  if (state === 'degraded') return DEGRADED
  if (state === 'dormant') return DORMANT
  if (state === 'paused') return PAUSED
  return checkIntervals.find(({ until }) => now - askedAt < until)?.every ?? LATER
}

/**
 * Up to a tenth of the interval, constant per domain: checks of many domains spread over the hour, and none is later.
 */
function earlier(id: string): number {
  let sum = 0x811c9dc5
  for (const character of id) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193) >>> 0
  return (sum % 1000) / 10_000
}
