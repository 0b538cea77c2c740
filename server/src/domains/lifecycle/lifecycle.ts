// The lifecycle of a domain is one table over its axes: ownership, routing, certificate, and
// rest (dormant or paused). A fact is something that happened, in the past tense; a blank cell
// is a fact that changes nothing in this state. A certificate has a lifecycle of its own; its status is a fact here.
//
// Invariants, each checked by a property test over random sequences of facts:
//   - a domain that is neither removed nor live has a code and a time of its next check;
//   - a served hostname stays served until its owner removes it, another project proves it with
//     a fresh token, its plan lapses or its certificate expires: DNS that cannot be queried, or
//     points elsewhere, never stops it;
//   - DNS that cannot be queried changes nothing about a hostname that points here;
//   - a served hostname counts as pointing elsewhere only when two of three checks, ten minutes
//     apart, have found it so;
//   - a hostname that the project does not hold, or no longer holds, has no certificate;
//   - a domain that was removed, or moved to another project, stays so.

import { DAY, type Instant } from '../../foundation/time.ts'
import { DRIFT_APART, nextCheck, type Waiting } from './cadence.ts'
import type { Severity } from '../causes/cause.ts'
import type { CauseCode } from '../causes/causes.ts'
import { eventsOf, type DomainEvent } from './history-events.ts'
import type { CertificateState, LifecycleState, OwnershipState, RestState, RoutingState } from './states.ts'
import { isServed, statusOf } from './status.ts'

export const domainFacts = [
  'asked',
  'looked',
  'proof_seen',
  'proof_missing',
  'held_by_other',
  'points_here',
  'points_away',
  'record_missing',
  'record_conflicts',
  'propagating',
  'not_reachable',
  'drift_confirmed',
  'certificate_queued',
  'certificate_validating',
  'certificate_blocked',
  'certificate_rate_limited',
  'certificate_issued',
  'certificate_deployed',
  'certificate_renewing',
  'certificate_renewal_failing',
  'certificate_expired',
  'removal_requested',
  'proven_by_another',
  'plan_lapsed',
  'plan_restored',
  'time_passed',
] as const
export type DomainFact = (typeof domainFacts)[number]

/** The root cause of the judgement, if it blocks, waits or warns. */
export type Root = { code: CauseCode; severity: Exclude<Severity, 'informs'>; until: Instant | null }

export type Fact =
  | { kind: 'looked'; root: Root | null }
  | { kind: 'proof_seen'; proof: 'cname' | 'txt' }
  | { kind: Exclude<DomainFact, 'looked' | 'proof_seen' | Concluded> }

/** Facts that no check reports: they follow from other facts and from the time. */
type Concluded = 'drift_confirmed' | 'time_passed'

type Axis<State extends string> = Readonly<Record<State, Readonly<Partial<Record<DomainFact, State>>>>>

const gone = { released: {}, lost: {} } as const
const seen = {
  points_here: 'pointing',
  points_away: 'wrong',
  record_missing: 'missing',
  record_conflicts: 'conflict',
  propagating: 'propagating',
} as const
const unasked = { ...seen, not_reachable: 'unreachable' } as const

export const ownershipTransitions: Axis<OwnershipState> = {
  unproven: { proof_seen: 'proven', held_by_other: 'contested', removal_requested: 'released' },
  contested: { proof_seen: 'proven', proof_missing: 'unproven', removal_requested: 'released' },
  proven: { removal_requested: 'released', proven_by_another: 'lost' },
  ...gone,
}

export const routingTransitions: Axis<RoutingState> = {
  unknown: unasked,
  missing: unasked,
  wrong: unasked,
  conflict: unasked,
  propagating: unasked,
  unreachable: unasked,
  pointing: { ...seen, drift_confirmed: 'drifted' },
  drifted: { points_here: 'pointing' },
}

const unconfirmed = {
  certificate_queued: 'queued',
  certificate_validating: 'validating',
  certificate_blocked: 'blocked',
  certificate_rate_limited: 'rate_limited',
  certificate_issued: 'issued',
  certificate_renewing: 'issued',
  certificate_renewal_failing: 'issued',
  certificate_expired: 'expired',
  removal_requested: 'none',
  proven_by_another: 'none',
} as const

/** A certificate counts as deployed only after edges have confirmed it; a renewed one needs no new confirmation. */
const confirmed = {
  ...unconfirmed,
  certificate_issued: 'deployed',
  certificate_renewing: 'renewing',
  certificate_renewal_failing: 'renewal_failing',
} as const

export const certificateTransitions: Axis<CertificateState> = {
  none: unconfirmed,
  blocked: unconfirmed,
  rate_limited: unconfirmed,
  queued: unconfirmed,
  validating: unconfirmed,
  issued: { ...unconfirmed, certificate_deployed: 'deployed' },
  deployed: confirmed,
  renewing: { ...confirmed, certificate_deployed: 'deployed' },
  renewal_failing: confirmed,
  expired: unconfirmed,
}

export const restTransitions: Axis<RestState> = {
  awake: { plan_lapsed: 'paused', time_passed: 'dormant' },
  dormant: { asked: 'awake', points_here: 'awake', plan_lapsed: 'paused' },
  paused: { plan_restored: 'awake' },
}

export const DORMANT_AFTER = 30 * DAY
const ABANDONED_AFTER = 7 * DAY

export type Effect = 'notify_watchers'
export type Next = { life: LifecycleState; events: readonly DomainEvent[]; effects: readonly Effect[] }

/** Just added: not checked yet, and due for a check at once. */
export const initialState = (id: string, now: Instant): LifecycleState => ({
  id,
  ownership: 'unproven',
  proof: null,
  routing: 'unknown',
  certificate: 'none',
  rest: null,
  driftChecks: 0,
  driftSince: null,
  addedAt: now,
  askedAt: now,
  watchedUntil: null,
  checkedAt: null,
  cause: null,
  severity: null,
  causeUntil: null,
  nextCheckAt: now,
  liveAt: null,
  removedAt: null,
})

/** Applies facts to a domain. Returns its new state, the history events, and the effects to carry out. */
export function next(before: LifecycleState, facts: readonly Fact[], now: Instant): Next {
  if (before.removedAt !== null) return { life: before, events: [], effects: [] }
  const drift = driftOf(before, facts, now)
  // The drift comes before the cause that explains it, which is believed together with it.
  const accepted = [...(drift.isConfirmed ? [driftConfirmed] : []), ...facts.filter((fact) => !isDoubted(before, fact))]
  const moved = accepted.reduce<LifecycleState>((life, fact) => move(life, fact, now), { ...before, ...drift.kept })
  const rested = isAbandoned(moved, now) ? move(moved, { kind: 'time_passed' }, now) : moved
  const life = timed(rested, now)
  const events = eventsOf(before, life)
  // Not for a new time of the next check alone: a notification takes a lock of the whole database.
  const isNotified = events.length > 0 || shownOf(before) !== shownOf(life)
  return { life, events, effects: isNotified ? ['notify_watchers'] : [] }
}

const shownOf = (life: LifecycleState) => {
  const { ownership, routing, certificate } = life
  return JSON.stringify([{ ...statusOf(life), nextCheckAt: 0 }, ownership, routing, certificate])
}

const driftConfirmed = { kind: 'drift_confirmed' } as const

function move(life: LifecycleState, fact: Fact | { kind: Concluded }, now: Instant): LifecycleState {
  const { kind } = fact
  const rest = restTransitions[life.rest ?? 'awake'][kind]
  const ownership = ownershipTransitions[life.ownership][kind] ?? life.ownership
  const isGone = ownership === 'released' || ownership === 'lost'
  return {
    ...life,
    ownership,
    routing: routingTransitions[life.routing][kind] ?? life.routing,
    // Only proven hostnames have certificates.
    certificate: (life.ownership === 'proven' && certificateTransitions[life.certificate][kind]) || life.certificate,
    ...(rest && { rest: rest === 'awake' ? null : rest }),
    ...(fact.kind === 'proof_seen' && ownership === 'proven' && { proof: fact.proof }),
    ...(fact.kind === 'looked' && { checkedAt: now, ...rootOf(life, fact.root) }),
    ...(fact.kind === 'asked' && { askedAt: now }),
    ...(isGone && { removedAt: life.removedAt ?? now, proof: null }),
  }
}

/** While a hostname is served, a blocking cause of routing is only believed together with the drift itself. */
function rootOf(life: LifecycleState, root: Root | null): Pick<LifecycleState, 'cause' | 'severity' | 'causeUntil'> {
  const isHidden = isServed(life) && life.routing === 'pointing' && root !== null && root.severity !== 'warns'
  if (root === null || isHidden) return { cause: null, severity: null, causeUntil: null }
  return { cause: root.code, severity: root.severity, causeUntil: root.until }
}

const elsewhere = new Set<DomainFact>(['points_away', 'record_missing', 'record_conflicts'])

/** A served hostname is not demoted by one check, nor by nameservers that do not answer or do not agree. */
const isDoubted = (before: LifecycleState, { kind }: Fact): boolean =>
  isServed(before) && (elsewhere.has(kind) || kind === 'propagating' || kind === 'not_reachable')

type Drift = { kept: Pick<LifecycleState, 'driftChecks' | 'driftSince'>; isConfirmed: boolean }

function driftOf(before: LifecycleState, facts: readonly Fact[], now: Instant): Drift {
  const { driftChecks, driftSince } = before
  const isAway = facts.some(({ kind }) => elsewhere.has(kind))
  const isHere = facts.some(({ kind }) => kind === 'points_here')
  // Only a hostname that pointed here can drift away.
  const isOver = before.routing === 'drifted' ? isHere : !isServed(before) || before.routing !== 'pointing'
  if (isOver) return { kept: { driftChecks: 0, driftSince: null }, isConfirmed: false }
  if (!isServed(before) || (!isAway && !isHere)) return { kept: { driftChecks, driftSince }, isConfirmed: false }
  const history = ((driftChecks << 1) | (isAway ? 1 : 0)) & 0b111
  const since = history === 0 ? null : (driftSince ?? now)
  const isConfirmed = isAway && bits(history) >= 2 && since !== null && now - since >= DRIFT_APART
  return { kept: { driftChecks: history, driftSince: since }, isConfirmed }
}

const bits = (history: number) => (history & 1) + ((history >> 1) & 1) + ((history >> 2) & 1)

/**
 * Thirty days after the last request for a hostname that never became live, or a week after a live one was abandoned.
 */
function isAbandoned(life: LifecycleState, now: Instant): boolean {
  if (life.rest !== null || life.removedAt !== null || isServed(life)) return false
  if (life.certificate === 'expired' && life.routing === 'drifted' && life.driftSince !== null) {
    return now - life.driftSince >= ABANDONED_AFTER
  }
  const isDone = life.ownership === 'proven' && life.routing === 'pointing'
  return !isDone && now - life.askedAt >= DORMANT_AFTER
}

function timed(life: LifecycleState, now: Instant): LifecycleState {
  if (life.removedAt !== null) return { ...life, nextCheckAt: null, watchedUntil: null }
  const { name } = statusOf({ ...life, nextCheckAt: now })
  const isSuspected = name === 'live' && life.driftChecks !== 0
  const nextCheckAt = nextCheck(
    { ...life, until: life.causeUntil, state: isSuspected ? 'suspected' : paceOf(name) },
    now,
  )
  return { ...life, nextCheckAt, liveAt: life.liveAt ?? (name === 'live' ? now : null) }
}

const paceOf = (name: ReturnType<typeof statusOf>['name']): Waiting['state'] =>
  name === 'live' || name === 'degraded' || name === 'dormant' || name === 'paused' ? name : 'waiting'
