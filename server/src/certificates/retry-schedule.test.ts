// The retry schedule: the list as written, and the invariants for any failure.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AcmeProblem } from '../foundation/acme/port.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../foundation/time.ts'
import * as ladder from './retry-schedule.ts'
import { nextAttempt, type IssuanceFailure } from './retry-schedule.ts'
import { classOf, codeOf, isForAll, problemOf, selfCheckProblem } from './problems.ts'

const now = Date.UTC(2027, 0, 1)
const problemWith = (type: string, changes: Partial<AcmeProblem> = {}): AcmeProblem => ({
  ...problemOf(type, ''),
  ...changes,
})
const failure = (changes: Partial<IssuanceFailure> = {}): IssuanceFailure => ({
  problem: problemWith('connection'),
  failures: 1,
  outages: 0,
  authorities: ['one', 'two'],
  authority: 'one',
  failedAt: [],
  served: null,
  ...changes,
})
const waitOf = (changes: Partial<IssuanceFailure>) => (nextAttempt(failure(changes), now).at ?? Number.NaN) - now

test('the retry delays are 1 min, 5 min, 15 min, 1 h, 6 h, then daily', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 99].map((failures) => waitOf({ failures }) / MINUTE)
  expect(waits).toEqual([1, 5, 15, 60, 360, 1440, 1440, 1440])
})

test('our own check costs no authority anything, and is repeated soon', () => {
  const problem = selfCheckProblem('http.not_us', '')
  expect([1, 2, 9].map((failures) => waitOf({ problem, failures }) / SECOND)).toEqual([5, 15, 900])
  expect(codeOf(problem)).toBe('http.not_us')
})

test.each(['dns', 'caa', 'rejectedIdentifier'])('%s waits for different evidence, unless it is a renewal', (type) => {
  expect(nextAttempt(failure({ problem: problemWith(type) }), now).at).toBeNull()
  const served = { notBefore: now - 60 * DAY, notAfter: now + 30 * DAY }
  expect(waitOf({ problem: problemWith(type), served })).toBe(MINUTE)
})

test('a renewal is tried every six hours at least, and every five minutes close to expiry', () => {
  const outage = { problem: problemWith('unreachable'), failures: 50 }
  expect(waitOf({ ...outage, served: { notBefore: now - 60 * DAY, notAfter: now + 30 * DAY } })).toBe(6 * HOUR)
  expect(waitOf({ ...outage, served: { notBefore: now - 80 * DAY, notAfter: now + 10 * DAY } })).toBe(5 * MINUTE)
})

test('a wait that the authority requests is kept exactly, even for requests of owners', () => {
  const problem = problemWith('rateLimited', { status: 429, retryAfterMs: 90 * MINUTE })
  const { at, heldUntil } = nextAttempt(failure({ problem, failures: 6 }), now)
  expect(at).toBe(now + 90 * MINUTE)
  expect(ladder.requestedAt([], heldUntil, now)).toBe(now + 90 * MINUTE)
  expect(ladder.requestedAt([], null, now)).toBe(now)
})

test('after two failures of one authority the next one is chosen, without the wait of the first', () => {
  expect([0, 1, 2, 3, 4].map((outages) => ladder.authorityFor(['one', 'two'], outages))).toEqual([
    'one',
    'one',
    'two',
    'two',
    'one',
  ])
  expect(ladder.authorityFor(['one', 'two'], 0, (name) => name === 'one')).toBe('two')
  const problem = problemWith('serverInternal', { status: 503, retryAfterMs: 6 * HOUR })
  expect(nextAttempt(failure({ problem, outages: 2, failures: 2 }), now).at).toBe(now + 5 * MINUTE)
  expect(nextAttempt(failure({ problem, outages: 1 }), now).at).toBe(now + 6 * HOUR)
})

describe('one hostname in one hour', () => {
  test('has at most three failed automatic authorizations, and four with requests of owners', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(40 * MINUTE)), { maxLength: 60 }), (tries) => {
        let at = now
        let failedAt: readonly number[] = []
        const all: { at: number; isAsked: boolean }[] = []
        for (const [isAsked, pause] of tries) {
          const allowed = isAsked
            ? ladder.requestedAt(failedAt, null, at)
            : ladder.allowedAt(failedAt, ladder.AUTOMATIC_PER_HOUR, at)
          at = allowed
          failedAt = ladder.withFailure(failedAt, at)
          all.push({ at, isAsked })
          at += pause
        }
        for (const [index, one] of all.entries()) {
          const lately = all.slice(0, index + 1).filter((other) => other.at > one.at - HOUR).length
          expect(lately).toBeLessThanOrEqual(one.isAsked ? 4 : 3)
        }
      }),
    )
  })
})

test('the next attempt is never in the past, and never before the requested wait ends', () => {
  const types = ['unreachable', 'rateLimited', 'dns', 'connection', 'malformed', 'badCSR', 'tls', 'selfCheck', 'what']
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.option(fc.nat(3 * DAY)),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      (type, retryAfterMs, failures, isRenewal) => {
        const served = isRenewal ? { notBefore: now - 60 * DAY, notAfter: now + 30 * DAY } : null
        const problem = problemWith(type, { retryAfterMs })
        const { at, heldUntil } = nextAttempt(failure({ problem, failures, served }), now)
        if (at === null) expect(classOf(problem)).toBe('evidence')
        else expect(at).toBeGreaterThanOrEqual(Math.max(now, now + (retryAfterMs ?? 0)))
        if (at !== null && retryAfterMs === null) expect(at - now).toBeLessThanOrEqual(DAY)
        expect(heldUntil === null || heldUntil >= now).toBe(true)
      },
    ),
  )
})

test.each([
  ['dns', {}, 'ca.dns', false],
  ['caa', {}, 'ca.caa', false],
  ['connection', {}, 'ca.connection', false],
  ['unauthorized', {}, 'ca.unauthorized', false],
  ['unauthorized', { detail: 'During secondary validation: 1.2.3.4: Invalid response' }, 'ca.mpic', false],
  ['tls', {}, 'ca.tls', false],
  ['rejectedIdentifier', {}, 'ca.policy', false],
  ['incorrectResponse', {}, 'ca.unauthorized', false],
  ['badCSR', {}, 'ca.malformed', false],
  ['serverInternal', { status: 500 }, 'ca.outage', true],
  ['timeout', {}, 'ca.outage', true],
  [
    'rateLimited',
    { status: 429, detail: 'too many new orders (300) from this account' },
    'ca.rate_limited_account',
    true,
  ],
  ['rateLimited', { detail: 'too many failed authorizations (5) for "a"' }, 'ca.rate_limited_failures', false],
])('%s with %o is reported as %s', (type, changes, code, forAll) => {
  expect(codeOf(problemWith(type, changes))).toBe(code)
  expect(isForAll(problemWith(type, changes))).toBe(forAll)
})
