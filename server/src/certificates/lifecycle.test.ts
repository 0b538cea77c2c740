// The invariants at the head of `lifecycle.ts`, for random sequences of facts; and the
// certificate status at each point of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../foundation/time.ts'
import * as lifecycle from './lifecycle.ts'
import {
  certificateOrderFacts,
  next,
  stepOf,
  certificateOrderTransitions,
  type Fact,
  type CertificateOrderFact,
  type CertificateOrder,
} from './lifecycle.ts'
import { problemOf } from './problems.ts'
import { certificateStatusOf } from './certificate-status.ts'

const start = Date.UTC(2027, 0, 1)
const hostname = 'shop.example'
const wanted = { id: 'cor_1', hostname, generation: 1n, isRenewal: false, replaces: null, evidence: 'first' }
const first = lifecycle.firstOrder(wanted, start, start)
const around = { authorities: ['one', 'two'], failedAt: [], served: null, evidence: 'first' }
const sealedKey = Buffer.from('sealed')

const types = ['unreachable', 'dns', 'connection', 'rateLimited', 'badCSR', 'selfCheck', 'stuck'] as const
const factOf = (kind: CertificateOrderFact, type: string, now: number): Fact => {
  if (kind === 'deferred' || kind === 'polled') return { kind, until: now + MINUTE }
  if (kind === 'intent_stored') return { kind, authority: 'one', sealedKey }
  if (kind === 'order_placed') return { kind, url: 'https://one/order/1' }
  if (kind === 'attempt_failed') return { kind, problem: problemOf(type, ''), isCounted: type === 'connection' }
  if (kind === 'evidence_changed') return { kind, evidence: 'second' }
  return { kind }
}

const randomFact = fc.tuple(fc.constantFrom(...certificateOrderFacts), fc.constantFrom(...types), fc.nat(20 * MINUTE))

function live(
  facts: readonly [CertificateOrderFact, string, number][],
  isRenewal: boolean,
  visit: (one: Step) => void,
): void {
  let order: CertificateOrder = { ...first, isRenewal }
  let failedAt: readonly number[] = []
  let now = start
  for (const [kind, type, pause] of facts) {
    now += pause
    const before = order
    const after = next(order, factOf(kind, type, now), { ...around, failedAt }, now)
    ;({ order, failedAt } = after)
    visit({ before, order, kind, now })
  }
}
type Step = { before: CertificateOrder; order: CertificateOrder; kind: CertificateOrderFact; now: number }

test('an order keeps every invariant under random facts', () => {
  fc.assert(
    fc.property(fc.array(randomFact, { maxLength: 40 }), fc.boolean(), (facts, isRenewal) => {
      live(facts, isRenewal, ({ before, order, now }) => {
        const { state } = order
        // An order that has ended stays so, and has no key.
        if (before.endedAt !== null) expect(order).toBe(before)
        expect(order.endedAt !== null).toBe(state === 'issued' || state === 'abandoned')
        if (order.endedAt !== null) expect(order.sealedKey).toBeNull()
        // Key before order, order before finalize.
        if (state === 'intended') expect(order.sealedKey).not.toBeNull()
        if (state === 'placed' || state === 'authorizing' || state === 'finalizing') {
          expect(order.sealedKey).not.toBeNull()
          expect(order.orderUrl).not.toBeNull()
          expect(order.placedAt).not.toBeNull()
        }
        // It continues at a known time, or for a known reason.
        if (order.endedAt === null && order.nextAt === null) {
          expect(state).toBe('failed')
          expect(['dns']).toContain(order.problem?.type)
          expect(isRenewal && around.served !== null).toBe(false)
        }
        if (order.nextAt !== null) expect(order.nextAt - now).toBeLessThanOrEqual(DAY)
        // An order at the authority is not left open indefinitely.
        if (order.placedAt !== null) {
          expect(stepOf(order, order.placedAt + lifecycle.OPEN_MAX)).toEqual({ step: 'give_up' })
        }
      })
    }),
    { numRuns: 500 },
  )
})

test('in the table every state can be reached and left, and no fact leaves a final state', () => {
  const reached = new Set(Object.values(certificateOrderTransitions).flatMap((cells) => Object.values(cells)))
  for (const state of Object.keys(certificateOrderTransitions))
    expect(reached.has(state as CertificateOrder['state'])).toBe(true)
  expect(certificateOrderTransitions.issued).toEqual({})
  expect(certificateOrderTransitions.abandoned).toEqual({})
  for (const [state, cells] of Object.entries(certificateOrderTransitions)) {
    if (state !== 'issued' && state !== 'abandoned') expect(cells.superseded).toBe('abandoned')
  }
})

test('an order continues at the same step after a crash: the step depends only on what is stored', () => {
  const facts: CertificateOrderFact[] = ['intent_stored', 'order_placed', 'validation_asked', 'authorization_valid']
  const steps = ['begin', 'place', 'validate', 'poll', 'collect']
  let order = first
  expect(stepOf(order, start)).toEqual({ step: steps[0] })
  for (const [index, kind] of facts.entries()) {
    ;({ order } = next(order, factOf(kind, '', start), around, start))
    expect(stepOf(order, start)).toEqual({ step: steps[index + 1] })
  }
  ;({ order } = next(order, { kind: 'certificate_stored' }, around, start))
  expect(stepOf(order, start)).toEqual({ restUntil: null })
})

test('an authority is polled soon, then less often, and for at most ten minutes', () => {
  expect(lifecycle.pollAt(start, null, start)).toBe(start + 100)
  expect(lifecycle.pollAt(start, null, start + 5 * MINUTE)).toBe(start + 5 * MINUTE + 15_000)
  expect(lifecycle.pollAt(start, 3000, start)).toBe(start + 3000)
  expect(lifecycle.pollAt(start, 30 * MINUTE, start)).toBe(start + lifecycle.OPEN_MAX)
})

test('the certificate status is derived from the order and the served certificate', () => {
  const served = { serial: '01', notAfter: start + DAY, authority: 'one' }
  const of = (order: CertificateOrder | null, certificate: typeof served | null, now = start) =>
    certificateStatusOf(1n, order, certificate, now).state
  const failed = (type: string) => next(first, factOf('attempt_failed', type, start), around, start).order
  expect(of(null, null)).toBe('none')
  expect(of(first, null)).toBe('queued')
  expect(of({ ...first, state: 'authorizing' }, null)).toBe('validating')
  expect(of(failed('connection'), null)).toBe('blocked')
  expect(of(failed('rateLimited'), null)).toBe('rate_limited')
  expect(of(null, served)).toBe('issued')
  expect(of(first, served)).toBe('renewing')
  expect(of(failed('connection'), served)).toBe('renewal_failing')
  expect(of(null, served, start + DAY)).toBe('expired')
  expect(of(first, served, start + DAY)).toBe('queued')
  expect(certificateStatusOf(1n, failed('connection'), null, start).cause).toMatchObject({
    code: 'ca.connection',
    until: start + MINUTE,
  })
})
