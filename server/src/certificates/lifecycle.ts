// The lifecycle of an order for one certificate, in one table. A fact is something that
// happened, in the past tense; a blank cell is a fact that changes nothing in this state.
//
//   wanted → intended → placed → authorizing → finalizing → issued
//      ↑        ↓          ↓          ↓             ↓
//      └───── failed ←─────┴──────────┴─────────────┘        any state → abandoned
//
// Invariants, each checked by a property test over sequences with crashes at every step:
//   - the key is stored before the order is placed, and the order's URL before it is finalized;
//     so a worker that continues after a crash continues the same order, and only a crash
//     between request and write costs a second one;
//   - an attempt that was interrupted there twice counts as failed, and waits like others;
//   - every order that has not ended has a time at which it continues, or the evidence that it
//     waits for;
//   - an order that the authority leaves open is given up after ten minutes;
//   - an order that has ended stays so.

import type { AcmeProblem } from '../foundation/acme/port.ts'
import { MINUTE, SECOND, type Instant } from '../foundation/time.ts'
import { allowedAt, requestedAt, AUTOMATIC_PER_HOUR, isOutage, nextAttempt, withFailure } from './retry-schedule.ts'

export type OrderState =
  | 'wanted'
  | 'intended'
  | 'placed'
  | 'authorizing'
  | 'finalizing'
  | 'failed'
  | 'issued'
  | 'abandoned'

export type CertificateOrder = {
  id: string
  hostname: string
  generation: bigint
  state: OrderState
  isRenewal: boolean
  replaces: string | null
  authority: string | null
  sealedKey: Buffer | null
  orderUrl: string | null
  placements: number
  placedAt: Instant | null
  failures: number
  outages: number
  isAsked: boolean
  problem: AcmeProblem | null
  heldUntil: Instant | null
  nextAt: Instant | null
  /** The evidence when it was last tried. */
  evidence: string
  createdAt: Instant
  endedAt: Instant | null
}

export const certificateOrderFacts = [
  'deferred',
  'intent_stored',
  'placed_again',
  'order_placed',
  'validation_asked',
  'polled',
  'authorization_valid',
  'certificate_stored',
  'replacement_refused',
  'attempt_failed',
  'wait_ended',
  'asked',
  'evidence_changed',
  'superseded',
] as const
export type CertificateOrderFact = (typeof certificateOrderFacts)[number]

export type Fact =
  | { kind: 'deferred' | 'polled'; until: Instant }
  | { kind: 'intent_stored'; authority: string; sealedKey: Buffer }
  | { kind: 'order_placed'; url: string }
  /** `isCounted`: the authority counts it as a failed authorization of the name. */
  | { kind: 'attempt_failed'; problem: AcmeProblem; isCounted: boolean }
  | { kind: 'evidence_changed'; evidence: string }
  | {
      kind: Exclude<
        CertificateOrderFact,
        'deferred' | 'polled' | 'intent_stored' | 'order_placed' | 'attempt_failed' | 'evidence_changed'
      >
    }

const failing = { attempt_failed: 'failed', superseded: 'abandoned' } as const
const open = { ...failing, asked: 'wanted' } as const

export const certificateOrderTransitions: Readonly<
  Record<OrderState, Readonly<Partial<Record<CertificateOrderFact, OrderState>>>>
> = {
  wanted: { ...open, deferred: 'wanted', intent_stored: 'intended' },
  intended: {
    ...failing,
    deferred: 'intended',
    placed_again: 'intended',
    replacement_refused: 'intended',
    order_placed: 'placed',
  },
  placed: { ...failing, polled: 'placed', validation_asked: 'authorizing', authorization_valid: 'finalizing' },
  authorizing: { ...failing, polled: 'authorizing', authorization_valid: 'finalizing' },
  finalizing: { ...failing, polled: 'finalizing', certificate_stored: 'issued' },
  failed: { asked: 'failed', evidence_changed: 'failed', wait_ended: 'wanted', superseded: 'abandoned' },
  issued: {},
  abandoned: {},
}

/** The context of an order. */
export type Surroundings = {
  authorities: readonly string[]
  failedAt: readonly Instant[]
  served: { notBefore: Instant; notAfter: Instant } | null
  evidence: string
}

export type Next = {
  order: CertificateOrder
  failedAt: readonly Instant[]
  /** Whether the requester should be notified. */
  isNotified: boolean
}

export type NewOrder = Pick<CertificateOrder, 'id' | 'hostname' | 'generation' | 'isRenewal' | 'replaces' | 'evidence'>

/** A new order, wanted from that moment on. */
export const firstOrder = (wanted: NewOrder, now: Instant, nextAt: Instant): CertificateOrder => ({
  ...wanted,
  state: 'wanted',
  authority: null,
  sealedKey: null,
  orderUrl: null,
  placements: 0,
  placedAt: null,
  failures: 0,
  outages: 0,
  isAsked: false,
  problem: null,
  heldUntil: null,
  nextAt,
  createdAt: now,
  endedAt: null,
})

/** Applies a fact to an order. */
export function next(before: CertificateOrder, fact: Fact, around: Surroundings, now: Instant): Next {
  const state = certificateOrderTransitions[before.state][fact.kind]
  if (state === undefined) return { order: before, failedAt: around.failedAt, isNotified: false }
  const isOver = state === 'issued' || state === 'abandoned'
  const changed = changes(before, fact, around, now)
  const order = { ...before, ...changed.order, state, ...(isOver && { ...untried, nextAt: null, endedAt: now }) }
  const isShown = order.state !== before.state || order.nextAt !== before.nextAt
  return { order, failedAt: changed.failedAt ?? around.failedAt, isNotified: isShown && isNotified(fact.kind, before) }
}

/** Facts that change what owners see; intermediate steps notify no requester. */
const isNotified = (kind: CertificateOrderFact, { isRenewal }: CertificateOrder): boolean =>
  kind === 'validation_asked' ||
  kind === 'attempt_failed' ||
  kind === 'certificate_stored' ||
  (kind === 'deferred' && !isRenewal)
/** Clears the key and the order of an attempt that has ended. */
const untried = { sealedKey: null, orderUrl: null, placements: 0, placedAt: null } as const

type Changes = { order: Partial<CertificateOrder>; failedAt?: readonly Instant[] }

function changes(before: CertificateOrder, fact: Fact, around: Surroundings, now: Instant): Changes {
  switch (fact.kind) {
    case 'deferred':
      // A new request gets another attempt.
      return { order: { nextAt: fact.until, isAsked: false } }
    case 'polled':
      return { order: { nextAt: fact.until } }
    case 'intent_stored': {
      const { authority, sealedKey } = fact
      const order = { authority, sealedKey, placements: 1, problem: null, heldUntil: null, evidence: around.evidence }
      return { order: { ...order, nextAt: now } }
    }
    case 'placed_again':
      return { order: { placements: before.placements + 1 } }
    case 'replacement_refused':
      return { order: { replaces: null } }
    case 'order_placed':
      return { order: { orderUrl: fact.url, placedAt: now, nextAt: now } }
    case 'attempt_failed':
      return failed(before, fact, around, now)
    case 'asked': {
      const at = before.state === 'wanted' ? now : requestedAt(around.failedAt, before.heldUntil, now)
      return { order: { isAsked: true, nextAt: Math.min(at, before.nextAt ?? at) } }
    }
    case 'evidence_changed':
      return { order: evidenceChanged(before, fact.evidence, around, now) }
    case 'validation_asked':
    case 'authorization_valid':
    case 'wait_ended':
      return { order: { nextAt: now } }
    case 'certificate_stored':
    case 'superseded':
      return { order: {} }
  }
}

function failed(
  before: CertificateOrder,
  { problem, isCounted }: Extract<Fact, { kind: 'attempt_failed' }>,
  { authorities, failedAt: earlier, served, evidence }: Surroundings,
  now: Instant,
): Changes {
  const failedAt = isCounted ? withFailure(earlier, now) : earlier
  const failures = before.failures + 1
  const outages = isOutage(problem, before.isRenewal) ? before.outages + 1 : before.outages
  const { authority } = before
  const { at, heldUntil } = nextAttempt(
    { problem, failures, outages, authorities, authority, failedAt, served: before.isRenewal ? served : null },
    now,
  )
  const order = { ...untried, failures, outages, problem, heldUntil, nextAt: at, isAsked: false, evidence }
  return { order, failedAt }
}

/** Wakes only an order that waits for evidence; one that waits for a time continues to wait. */
function evidenceChanged(
  before: CertificateOrder,
  evidence: string,
  { failedAt }: Surroundings,
  now: Instant,
): Partial<CertificateOrder> {
  if (before.nextAt !== null || before.evidence === evidence) return {}
  const at = Math.max(before.heldUntil ?? now, allowedAt(failedAt, AUTOMATIC_PER_HOUR, now))
  return { evidence, nextAt: at, failures: 0 }
}

/** The next step of an order. */
export type OrderStep = 'begin' | 'place' | 'validate' | 'poll' | 'collect' | 'give_up' | 'try_again'
export type Doing = { step: OrderStep } | { restUntil: Instant | null }

/** An order that the authority leaves open for longer is given up. */
export const OPEN_MAX = 10 * MINUTE
/** After this many placements an attempt is assumed to crash the process. */
export const PLACEMENTS_MAX = 2

export function stepOf({ state, nextAt, placedAt }: CertificateOrder, now: Instant): Doing {
  if (state === 'issued' || state === 'abandoned') return { restUntil: null }
  if (placedAt !== null && now - placedAt >= OPEN_MAX) return { step: 'give_up' }
  if (nextAt === null || nextAt > now) return { restUntil: nextAt }
  return { step: steps[state] }
}

const steps: Readonly<Record<Exclude<OrderState, 'issued' | 'abandoned'>, OrderStep>> = {
  wanted: 'begin',
  intended: 'place',
  placed: 'validate',
  authorizing: 'poll',
  finalizing: 'collect',
  failed: 'try_again',
}

/** Frequent at first, since authorities need a second or two; then slower, and never more often than they request. */
export function pollAt(placedAt: Instant, retryAfterMs: number | null, now: Instant): Instant {
  const own = Math.min(Math.max(POLL_MIN, (now - placedAt) / 4), POLL_MAX)
  return Math.min(now + Math.max(own, retryAfterMs ?? 0), placedAt + OPEN_MAX)
}

const POLL_MIN = SECOND / 10
const POLL_MAX = 15 * SECOND
