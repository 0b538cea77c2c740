// When a domain is looked at next: a visible list. Records arrive within minutes,
// or after somebody has slept and asked a colleague: look often at first, then
// settle, and never stop without saying so.
//
// The list is never slower than the schedule of any hosting product that publishes
// one, at any moment (cadence.test.ts has them). Whoever watches sees each change
// within seconds, whatever the age.

import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../../foundation/time.ts'

/** By the time since somebody asked: Add domain, Verify or Re-verify. */
export const checkIntervals: readonly { until: number; every: number }[] = [
  { until: 2 * MINUTE, every: 5 * SECOND },
  { until: 10 * MINUTE, every: 15 * SECOND },
  { until: HOUR, every: 30 * SECOND },
  // A minute more than three days: what is mended at the very end of them is still seen within a minute.
  { until: 72 * HOUR + MINUTE, every: MINUTE },
  { until: 7 * DAY, every: 15 * MINUTE },
]
const LATER = HOUR

export const WATCHED = 2 * SECOND
const LIVE = HOUR
const DEGRADED = 5 * MINUTE
/** Two looks that find a live name elsewhere must be this far apart to be believed. */
export const DRIFT_APART = 10 * MINUTE
/** Nobody waits for it; looked at all the same, so that a record that came late is noticed. */
const DORMANT = 7 * DAY
/** Nothing can happen before the plan changes, and whoever changes it says so. */
const PAUSED = HOUR

export type Waiting = {
  id: string
  askedAt: Instant
  watchedUntil: Instant | null
  state: 'waiting' | 'live' | 'suspected' | 'degraded' | 'dormant' | 'paused'
  /** When the cause ends by itself, if that is known. */
  until: Instant | null
}

/** A cause that ends at a known time is looked at just then, and never later than the list says. */
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

/** Up to a tenth, always the same for a domain: so many domains spread over the hour, and none is looked at later. */
function earlier(id: string): number {
  let sum = 0x811c9dc5
  for (const character of id) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193) >>> 0
  return (sum % 1000) / 10_000
}
