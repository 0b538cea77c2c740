import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeOf, selfCheckProblem } from '../../certificates/problems.ts'
import type { AcmeProblem } from '../../foundation/acme/port.ts'
import { authorityTrouble, type AuthorityFacts } from './judge-authority.ts'

const about: AuthorityFacts = {
  host: 'shop.example.com',
  apex: 'example.com',
  ca: "Let's Encrypt",
  now: Date.UTC(2026, 10, 15, 14),
}
const problem = (type: string, detail: string, changes: Partial<AcmeProblem> = {}): AcmeProblem => ({
  type,
  detail,
  subproblems: [],
  retryAfterMs: null,
  status: 403,
  ...changes,
})

const nextTryAt = Date.UTC(2026, 10, 15, 14, 5)

const troubleOf = (given: AcmeProblem, until: number | null = nextTryAt) =>
  authorityTrouble({ code: codeOf(given), detail: given.detail, until }, about)

const failed = 'too many failed authorizations (5) for "shop.example.com" in the last 1h0m0s, retry after …'
const duplicate = 'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s'
const domain = 'too many certificates (50) already issued for "example.com" in the last 168h0m0s'
const account = 'too many new orders (300) from this account in the last 3h0m0s'
const paused = 'Your account is temporarily prevented from requesting certificates for shop.example.com'
const mismatch = 'The key authorization file from the server did not match this challenge. Expected "a" (got "b")'

test.each<[code: string, given: AcmeProblem, advice: string]>([
  [
    'ca.rate_limited_failures',
    problem('rateLimited', failed),
    'The certificate authority asks us to wait until 14:05 UTC. Do not remove the domain; we will continue automatically.',
  ],
  [
    'ca.rate_limited_duplicate',
    problem('rateLimited', duplicate),
    'The certificate authority has already issued this certificate several times this week. We can request the next one at 14:05 UTC.',
  ],
  [
    'ca.rate_limited_domain',
    problem('rateLimited', domain),
    'example.com has received many certificates this week, including for other services. We can request the next one at 14:05 UTC.',
  ],
  [
    'ca.rate_limited_account',
    problem('rateLimited', account),
    'We are issuing many certificates at the moment. Expect yours at about 14:05 UTC.',
  ],
  [
    'ca.paused',
    problem('rateLimited', paused),
    'The certificate authority has paused requests for shop.example.com. The problem is on our side; you do not need to change anything.',
  ],
  [
    'ca.policy',
    problem('rejectedIdentifier', 'The ACME server refuses to issue a certificate for this domain name'),
    "Let's Encrypt refuses this name by policy. Please contact support.",
  ],
  [
    'ca.outage',
    problem('serverInternal', 'Service busy; retry later', { status: 503 }),
    'The certificate authority has an outage. Next automatic attempt: 14:05 UTC.',
  ],
  [
    'ca.mpic',
    problem('connection', 'During secondary validation: 192.0.2.1: Timeout during connect'),
    'The certificate authority checks from several locations, and one of them could not reach shop.example.com. This is usually geo-blocking or slow DNS: allow visitors from everywhere, then choose Re-verify.',
  ],
  [
    'ca.dns',
    problem('dns', 'DNS problem: SERVFAIL looking up A for shop.example.com'),
    'The certificate authority could not read your DNS: DNS problem: SERVFAIL looking up A for shop.example.com',
  ],
  [
    'ca.connection',
    problem('connection', '192.0.2.1: Connection refused'),
    'The certificate authority could not connect to shop.example.com: 192.0.2.1: Connection refused',
  ],
  [
    'ca.unauthorized',
    problem('unauthorized', '192.0.2.1: Invalid response from http://shop.example.com/.well-known: 404'),
    'The certificate authority got a wrong response from shop.example.com: 192.0.2.1: Invalid response from http://shop.example.com/.well-known: 404',
  ],
  [
    'ca.tls',
    problem('tls', 'remote error: tls: handshake failure'),
    'The certificate authority could not complete TLS with shop.example.com: remote error: tls: handshake failure',
  ],
  [
    'ca.caa',
    problem('caa', 'CAA record for example.com prevents issuance'),
    'The certificate authority reports that a CAA record blocks it: CAA record for example.com prevents issuance',
  ],
  [
    'ca.malformed',
    problem('badCSR', 'Error parsing CSR'),
    'The problem is on our side. You do not need to change anything.',
  ],
  ['ca.key_mismatch', problem('unauthorized', mismatch), 'The problem is on our side. We will try again at 14:05 UTC.'],
])('%s is the trouble for its problem document', (code, given, advice) => {
  expect(troubleOf(given)).toMatchObject({ code, advice })
})

test('no response at all is an outage, and a response of an unknown type is a problem on our side', () => {
  expect(troubleOf(problem('timeout', '', { status: null })).code).toBe('ca.outage')
  expect(troubleOf(problem('newThing', 'what', { status: 400 })).code).toBe('ca.malformed')
  expect(troubleOf(problem('constructor', 'what', { status: 400 })).code).toBe('ca.malformed')
})

test('a trouble that waits has an end, and a trouble that the owner must fix has none', () => {
  const until = Date.UTC(2026, 10, 16)
  expect(troubleOf(problem('rateLimited', failed), until).until).toBe(until)
  expect(troubleOf(problem('dns', 'x'), until).until).toBeNull()
})

test('a compound problem is classified by its subproblems', () => {
  const subproblems = [{ type: 'caa', detail: 'CAA says no', hostname: null }]
  expect(troubleOf(problem('compound', 'Errors', { subproblems })).code).toBe('ca.caa')
})

test('a problem that our own check found before an order is reported with its own code', () => {
  const found = troubleOf(selfCheckProblem('http.refused', '192.0.2.1 refuses connections on port 80.'))
  expect(found).toMatchObject({ code: 'http.refused', severity: 'blocks' })
  expect(found.advice).toContain('192.0.2.1 refuses connections on port 80.')
})

test('the message of an authority is always escaped and truncated', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 0, max: 599 }), (type, detail, status) => {
      expect(troubleOf(problem(type, detail, { status })).advice).toMatch(/^[\x20-\x7e]+$/)
    }),
  )
  const long = troubleOf(problem('dns', `<b>\n${'x'.repeat(500)}`)).advice
  expect(long).toContain('<b>\\010xxx')
  expect(long.length).toBeLessThan(260)
})
