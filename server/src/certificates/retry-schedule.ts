// When a certificate is tried for again after a failure: a visible list. Attempts are
// scarce, because an authority counts them and refuses whoever fails too often.
//
//   - Authorities that do not answer, and names that do not: by the ladder.
//   - What only a change of the owner's DNS can mend waits for that change, not for
//     time. Not so a renewal: what failed may be the authority's own bad hour, and a
//     certificate that ends is worse than one try a day.
//   - At most three automatic failed authorizations per hostname and hour; a fourth is
//     kept for a person who presses Re-verify.
//   - What an authority asks us to wait is waited, by everybody.
//   - After two failures of one authority the next one is tried, if there is one.

import type { AcmeProblem } from '../foundation/acme/port.ts'
import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../foundation/time.ts'
import { classOf, type ProblemClass } from './problems.ts'

export const retryDelays: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY]
/** Our own check before an order asks no authority, so it may come often. */
export const selfCheckDelays: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
]
/** While a certificate that is served runs out. */
const RENEWAL_MAX = 6 * HOUR
const NEAR_END_MAX = 5 * MINUTE
/** Of the certificate's life, what is left when its end is near. */
const NEAR_END = 1 / 6

export const AUTOMATIC_PER_HOUR = 3
export const ASKED_PER_HOUR = 4
/** Authorities that failed so often in a row are left alone for the next one. */
const PATIENCE = 2

export type IssuanceFailure = {
  problem: AcmeProblem
  /** Failures in a row, with this one. */
  failures: number
  /** How many of them were the authority's own, with this one. */
  outages: number
  /** By whom it may be issued; never empty. */
  authorities: readonly string[]
  /** Who was asked, if anybody. */
  authority: string | null
  /** When authorizations failed lately, with this one. */
  failedAt: readonly Instant[]
  /** What is served meanwhile, if it is a renewal. */
  served: { notBefore: Instant; notAfter: Instant } | null
}

export type NextAttempt = {
  /** Null: when the evidence is another one. */
  at: Instant | null
  /** No attempt before that, not even a person's. */
  heldUntil: Instant | null
}

export function nextAttempt(failure: IssuanceFailure, now: Instant): NextAttempt {
  const { problem, served, authority, authorities, outages } = failure
  const kind = classOf(problem)
  const isElsewhere = authority !== null && authorityFor(authorities, outages) !== authority
  const heldUntil = problem.retryAfterMs === null || isElsewhere ? null : now + problem.retryAfterMs
  if (kind === 'evidence' && served === null) return { at: null, heldUntil }
  // A wait that was asked for is as long as was asked, not as long as a ladder.
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

/** Little is left of what is served: from here on it is urgent. */
export const isNearEnd = ({ notBefore, notAfter }: { notBefore: Instant; notAfter: Instant }, now: Instant) =>
  notAfter - now < NEAR_END * (notAfter - notBefore)

/** The first moment at which another failed authorization would not be one too many in an hour. */
export function allowedAt(failedAt: readonly Instant[], perHour: number, now: Instant): Instant {
  const lately = failedAt.filter((at) => at > now - HOUR).toSorted((one, other) => one - other)
  const oldest = lately[lately.length - perHour]
  return oldest === undefined ? now : Math.max(now, oldest + HOUR)
}

/** When a person's own wish is tried: at once, unless the authority asked us to wait or the allowance is used up. */
export const requestedAt = (failedAt: readonly Instant[], heldUntil: Instant | null, now: Instant): Instant =>
  Math.max(now, heldUntil ?? now, allowedAt(failedAt, ASKED_PER_HOUR, now))

/** The preferred one, until it has failed twice in a row; then the next, and round again. One that rests is left out. */
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

/** An authority whose troubles concern everybody is left alone by everybody for a while. */
export function pauseOf(problem: AcmeProblem, outages: number): number {
  return problem.retryAfterMs ?? Math.min(PAUSE_MAX, PAUSE_MIN * 2 ** Math.min(Math.max(outages, 1) - 1, 10))
}

/**
 * When to look again at an authority that rests: those who have time come one after the other, since the first of them
 * to find it still down lets all others rest on. Who is near the end comes first.
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

/** Whether it counts towards leaving this authority for the next one. */
export const isOutage = (problem: AcmeProblem, isRenewal: boolean): boolean => {
  const kind = classOf(problem)
  return kind === 'outage' || (isRenewal && kind === 'limited')
}

/** Those that are still counted, with a new one. */
export const withFailure = (failedAt: readonly Instant[], now: Instant): Instant[] =>
  [...failedAt.filter((at) => at > now - HOUR), now].slice(-10)
