// The life of an order for one certificate, in one table. A fact is something that
// happened, in the past tense; a blank cell is a fact that changes nothing.
//
//   wanted → intended → placed → authorizing → finalizing → issued
//      ↑        ↓          ↓          ↓             ↓
//      └───── failed ←─────┴──────────┴─────────────┘        anything → abandoned
//
// Promises, each held to by a property test over lives with crashes at every step:
//   - the key is stored before the authority hears of the order, and where the order
//     is before it is asked to finalize; so whoever goes on after a crash goes on with
//     the same order, and only a crash between asking and writing costs a second one;
//   - a try that was interrupted twice there is a failed one, and waits like others;
//   - whatever has not ended says when it goes on, or which evidence it waits for;
//   - an order that the authority leaves open is given up after ten minutes;
//   - what has ended stays so.

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
  /** What was known of the name when it was last tried. */
  evidence: string
  createdAt: Instant
  endedAt: Instant | null
}

export const factKinds = [
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
export type FactKind = (typeof factKinds)[number]

export type Fact =
  | { kind: 'deferred' | 'polled'; until: Instant }
  | { kind: 'intent_stored'; authority: string; sealedKey: Buffer }
  | { kind: 'order_placed'; url: string }
  /** `isCounted`: the authority counts it as a failed authorization of the name. */
  | { kind: 'attempt_failed'; problem: AcmeProblem; isCounted: boolean }
  | { kind: 'evidence_changed'; evidence: string }
  | {
      kind: Exclude<
        FactKind,
        'deferred' | 'polled' | 'intent_stored' | 'order_placed' | 'attempt_failed' | 'evidence_changed'
      >
    }

const failing = { attempt_failed: 'failed', superseded: 'abandoned' } as const
const open = { ...failing, asked: 'wanted' } as const

export const table: Readonly<Record<OrderState, Readonly<Partial<Record<FactKind, OrderState>>>>> = {
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

/** What the order does not know itself. */
export type Surroundings = {
  authorities: readonly string[]
  failedAt: readonly Instant[]
  served: { notBefore: Instant; notAfter: Instant } | null
  evidence: string
}

export type Next = {
  order: CertificateOrder
  failedAt: readonly Instant[]
  /** Whether whoever wants the certificate should look again. */
  isTold: boolean
}

export type NewOrder = Pick<CertificateOrder, 'id' | 'hostname' | 'generation' | 'isRenewal' | 'replaces' | 'evidence'>

/** Wanted from that moment on. */
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

/** What a fact makes of an order. */
export function next(before: CertificateOrder, fact: Fact, around: Surroundings, now: Instant): Next {
  const state = table[before.state][fact.kind]
  if (state === undefined) return { order: before, failedAt: around.failedAt, isTold: false }
  const isOver = state === 'issued' || state === 'abandoned'
  const changed = changes(before, fact, around, now)
  const order = { ...before, ...changed.order, state, ...(isOver && { ...untried, nextAt: null, endedAt: now }) }
  const isShown = order.state !== before.state || order.nextAt !== before.nextAt
  return { order, failedAt: changed.failedAt ?? around.failedAt, isTold: isShown && isTold(fact.kind, before) }
}

/** What changes what people see; of the steps between nobody needs to hear. */
const isTold = (kind: FactKind, { isRenewal }: CertificateOrder): boolean =>
  kind === 'validation_asked' ||
  kind === 'attempt_failed' ||
  kind === 'certificate_stored' ||
  (kind === 'deferred' && !isRenewal)
/** The authority, key and order of a try that is over. */
const untried = { sealedKey: null, orderUrl: null, placements: 0, placedAt: null } as const

type Changes = { order: Partial<CertificateOrder>; failedAt?: readonly Instant[] }

function changes(before: CertificateOrder, fact: Fact, around: Surroundings, now: Instant): Changes {
  switch (fact.kind) {
    case 'deferred':
      // Whoever asks again gets another try.
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

/** Only what waits for evidence is woken by it; what waits for time goes on waiting. */
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

/** What is to be done with an order now. */
export type OrderStep = 'begin' | 'place' | 'validate' | 'poll' | 'collect' | 'give_up' | 'try_again'
export type Doing = { step: OrderStep } | { restUntil: Instant | null }

/** An authority that leaves an order open for longer is not waited for. */
export const OPEN_MAX = 10 * MINUTE
/** After this many a try is taken for one that brings the process down. */
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

/** Soon at first, since authorities need a second or two; then settling, and never beyond what they ask for. */
export function pollAt(placedAt: Instant, retryAfterMs: number | null, now: Instant): Instant {
  const own = Math.min(Math.max(POLL_MIN, (now - placedAt) / 4), POLL_MAX)
  return Math.min(now + Math.max(own, retryAfterMs ?? 0), placedAt + OPEN_MAX)
}

const POLL_MIN = SECOND / 10
const POLL_MAX = 15 * SECOND
