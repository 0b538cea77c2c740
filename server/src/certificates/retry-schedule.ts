// The retry schedule of failed certificate orders. Attempts are scarce, because an authority
// counts them and refuses clients that fail too often.
//
//   - Authorities and hostnames that do not respond: by the list of retry delays.
//   - A failure that only a change of the owner's DNS can fix waits for that change, not for a
//     time. Not so a renewal: the failure may be a temporary one of the authority, and an
//     expired certificate is worse than one attempt a day.
//   - At most three automatic failed authorizations per hostname and hour; a fourth is reserved
//     for an owner who presses Re-verify.
//   - A wait that an authority requests applies to every attempt.
//   - After two failures of one authority the next one is tried, if there is one.

import type { AcmeProblem } from '../foundation/acme/port.ts'
import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../foundation/time.ts'
import { classOf, type ProblemClass } from './problems.ts'

export const retryDelays: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY]
/** Our own check before an order sends nothing to an authority, so it may run often. */
export const selfCheckDelays: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
]
/** While a served certificate approaches its expiry. */
const RENEWAL_MAX = 6 * HOUR
const NEAR_END_MAX = 5 * MINUTE
/** The part of the certificate's lifetime that is left when its expiry is near. */
const NEAR_END = 1 / 6

export const AUTOMATIC_PER_HOUR = 3
export const ASKED_PER_HOUR = 4
/** An authority that failed this often in a row is skipped for the next one. */
const PATIENCE = 2

export type IssuanceFailure = {
  problem: AcmeProblem
  /** Failures in a row, including this one. */
  failures: number
  /** How many of them were outages of the authority, including this one. */
  outages: number
  /** The authorities that may issue it; never empty. */
  authorities: readonly string[]
  /** The authority that was tried, if any. */
  authority: string | null
  /** When authorizations failed recently, including this one. */
  failedAt: readonly Instant[]
  /** The certificate that is served in the meantime, if it is a renewal. */
  served: { notBefore: Instant; notAfter: Instant } | null
}

export type NextAttempt = {
  /** Null: when the evidence changes. */
  at: Instant | null
  /** No attempt before that, not even one that an owner requests. */
  heldUntil: Instant | null
}

export function nextAttempt(failure: IssuanceFailure, now: Instant): NextAttempt {
  const { problem, served, authority, authorities, outages } = failure
  const kind = classOf(problem)
  const isElsewhere = authority !== null && authorityFor(authorities, outages) !== authority
  const heldUntil = problem.retryAfterMs === null || isElsewhere ? null : now + problem.retryAfterMs
  if (kind === 'evidence' && served === null) return { at: null, heldUntil }
  // A requested wait is exactly as long as requested, not as long as a retry delay.
  const byLadder = kind === 'limited' && heldUntil !== null ? now : now + rungOf(failure, kind, now)
  const at = Math.max(byLadder, heldUntil ?? now, allowedAt(failure.failedAt, AUTOMATIC_PER_HOUR, now))
  return { at, heldUntil }
}

function rungOf({ failures, served }: IssuanceFailure, kind: ProblemClass, now: Instant): number {
  const list = kind === 'self_check' ? selfCheckDelays : retryDelays
  const rung = list[Math.min(Math.max(failures, 1), list.length) - 1] ?? DAY
  if (served === null) return rung
  return Math.min(rung, isNearEnd(served, now) ? NEAR_END_MAX : RENEWAL_MAX)
}

/** Whether the served certificate is close to its expiry: from here on it is urgent. */
export const isNearEnd = ({ notBefore, notAfter }: { notBefore: Instant; notAfter: Instant }, now: Instant) =>
  notAfter - now < NEAR_END * (notAfter - notBefore)

/** The first moment at which another failed authorization would stay within the limit per hour. */
export function allowedAt(failedAt: readonly Instant[], perHour: number, now: Instant): Instant {
  const lately = failedAt.filter((at) => at > now - HOUR).toSorted((one, other) => one - other)
  const oldest = lately[lately.length - perHour]
  return oldest === undefined ? now : Math.max(now, oldest + HOUR)
}

/** When an owner's request is tried: at once, unless the authority requested a wait or the limit is used up. */
export const requestedAt = (failedAt: readonly Instant[], heldUntil: Instant | null, now: Instant): Instant =>
  Math.max(now, heldUntil ?? now, allowedAt(failedAt, ASKED_PER_HOUR, now))

/** The preferred authority, until it has failed twice in a row; then the next, in rotation. A paused one is skipped. */
export function authorityFor(
  authorities: readonly string[],
  outages: number,
  isResting: (authority: string) => boolean = () => false,
): string {
  const first = Math.floor(outages / PATIENCE)
  const inTurn = authorities.map((_, index) => authorities[(first + index) % authorities.length] ?? '')
  const chosen = inTurn.find((authority) => !isResting(authority)) ?? inTurn[0]
  if (chosen === undefined) throw new Error('a certificate is wanted of no authority')
  return chosen
}

/** An authority whose failure concerns all clients is paused for all of them for a while. */
export function pauseOf(problem: AcmeProblem, outages: number): number {
  return problem.retryAfterMs ?? Math.min(PAUSE_MAX, PAUSE_MIN * 2 ** Math.min(Math.max(outages, 1) - 1, 10))
}

/**
 * When to try a paused authority again: orders that have time come one after the other, since the first of them to
 * find it still down extends the pause for all others. Those close to expiry come first.
 */
export function afterPause(
  pause: { until: Instant; outages: number },
  { share, served }: { share: number; served: IssuanceFailure['served'] },
  now: Instant,
): Instant {
  const isUrgent = served !== null && isNearEnd(served, now)
  const most = isUrgent ? NEAR_END_MAX - MINUTE : served === null ? 15 * MINUTE : 2 * HOUR
  return Math.round(pause.until + share * Math.min(most, pause.outages * 2 * MINUTE))
}

const PAUSE_MIN = 15 * SECOND
const PAUSE_MAX = 5 * MINUTE

/** Whether it counts towards switching to the next authority. */
export const isOutage = (problem: AcmeProblem, isRenewal: boolean): boolean => {
  const kind = classOf(problem)
  return kind === 'outage' || (isRenewal && kind === 'limited')
}

/** The failures that still count, with a new one. */
export const withFailure = (failedAt: readonly Instant[], now: Instant): Instant[] =>
  [...failedAt.filter((at) => at > now - HOUR), now].slice(-10)
