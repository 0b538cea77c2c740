import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authorityTrouble, type Order, type Problem } from './judge-authority.ts'
import { trouble } from '../trouble.ts'

const order: Order = {
  host: 'shop.example.com',
  apex: 'example.com',
  authority: "Let's Encrypt",
  now: Date.UTC(2026, 10, 15, 14),
  nextTryAt: Date.UTC(2026, 10, 15, 14, 5),
  place: 7,
  found: [],
}
const problem = (type: string, detail: string, changes: Partial<Problem> = {}): Problem => ({
  type: `urn:ietf:params:acme:error:${type}`,
  detail,
  subproblems: [],
  retryAfter: null,
  status: 403,
  ...changes,
})

const failed = 'too many failed authorizations (5) for "shop.example.com" in the last 1h0m0s, retry after …'
const duplicate = 'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s'
const domain = 'too many certificates (50) already issued for "example.com" in the last 168h0m0s'
const account = 'too many new orders (300) from this account in the last 3h0m0s'
const paused = 'Your account is temporarily prevented from requesting certificates for shop.example.com'
const mismatch = 'The key authorization file from the server did not match this challenge. Expected "a" (got "b")'

test.each<[code: string, said: Problem, advice: string]>([
  [
    'ca.rate_limited_failures',
    problem('rateLimited', failed),
    'The certificate authority asks us to wait until 14:05 UTC. Do not remove the domain; we go on by ourselves.',
  ],
  [
    'ca.rate_limited_duplicate',
    problem('rateLimited', duplicate),
    'The authority has issued this certificate several times this week. Next slot: 14:05 UTC.',
  ],
  [
    'ca.rate_limited_domain',
    problem('rateLimited', domain, { retryAfter: Date.UTC(2026, 10, 17, 8) }),
    'example.com received many certificates this week (from other services too). Next slot: 17 November, 08:00 UTC.',
  ],
  [
    'ca.rate_limited_account',
    problem('rateLimited', account),
    'We are issuing many certificates. You are number 7, about 14:05 UTC.',
  ],
  ['ca.paused', problem('rateLimited', paused), 'This one is on us; we have asked the authority to resume.'],
  [
    'ca.policy',
    problem('rejectedIdentifier', 'The ACME server refuses to issue a certificate for this domain name'),
    "Let's Encrypt refuses this name by policy. Please contact support.",
  ],
  [
    'ca.outage',
    problem('serverInternal', 'Service busy; retry later', { status: 503 }),
    'The certificate authority has an outage. Next automatic try: 14:05 UTC.',
  ],
  [
    'ca.mpic',
    problem('connection', 'During secondary validation: 192.0.2.1: Timeout during connect'),
    'One of the places from which the authority checks could not reach shop.example.com. Usually geo-blocking, or slow DNS: let visitors from everywhere in, then choose Re-verify.',
  ],
  [
    'ca.dns',
    problem('dns', 'DNS problem: SERVFAIL looking up A for shop.example.com'),
    'The authority could not read your DNS: DNS problem: SERVFAIL looking up A for shop.example.com',
  ],
  [
    'ca.connection',
    problem('connection', '192.0.2.1: Connection refused'),
    'The authority could not connect to shop.example.com: 192.0.2.1: Connection refused',
  ],
  [
    'ca.unauthorized',
    problem('unauthorized', '192.0.2.1: Invalid response from http://shop.example.com/.well-known: 404'),
    'The authority got a wrong answer from shop.example.com: 192.0.2.1: Invalid response from http://shop.example.com/.well-known: 404',
  ],
  [
    'ca.tls',
    problem('tls', 'remote error: tls: handshake failure'),
    'The authority could not complete TLS with shop.example.com: remote error: tls: handshake failure',
  ],
  [
    'ca.caa',
    problem('caa', 'CAA record for example.com prevents issuance'),
    'The authority says that a CAA record blocks it: CAA record for example.com prevents issuance',
  ],
  ['ca.malformed', problem('badCSR', 'Error parsing CSR'), 'This one is on us; you need not change anything.'],
  ['ca.key_mismatch', problem('unauthorized', mismatch), 'This one is on us; we try again at 14:05 UTC.'],
])('%s is what is said of its problem', (code, said, advice) => {
  expect(authorityTrouble(said, order)).toMatchObject({ code, advice })
})

test('no answer at all is an outage, and an answer of an unknown type is ours to look at', () => {
  expect(authorityTrouble(problem('', '', { status: 0 }), order).code).toBe('ca.outage')
  expect(authorityTrouble(problem('newThing', 'what', { status: 400 }), order).code).toBe('ca.malformed')
  expect(authorityTrouble(problem('constructor', 'what', { status: 400 }), order).code).toBe('ca.malformed')
})

test('who must wait is told until when, as the authority says it', () => {
  const retryAfter = Date.UTC(2026, 10, 16)
  expect(authorityTrouble(problem('rateLimited', failed, { retryAfter }), order).until).toBe(retryAfter)
  expect(authorityTrouble(problem('dns', 'x', { retryAfter }), order).until).toBeNull()
})

test('what a compound problem is about stands in its parts', () => {
  const subproblems = [{ type: 'urn:ietf:params:acme:error:caa', detail: 'CAA says no' }]
  expect(authorityTrouble(problem('compound', 'Errors', { subproblems }), order).code).toBe('ca.caa')
})

test('what our own look found explains the refusal; what only warns does not', () => {
  const refused = trouble('http.refused', { ip: '192.0.2.1' })
  const connection = problem('connection', 'Connection refused')
  expect(authorityTrouble(connection, { ...order, found: [refused] })).toEqual(refused)
  expect(authorityTrouble(connection, { ...order, found: [{ ...refused, severity: 'warns' }] }).code).toBe(
    'ca.connection',
  )
  expect(authorityTrouble(problem('caa', 'no'), { ...order, found: [refused] }).code).toBe('ca.caa')
})

test("an authority's words are escaped and cut, whatever they are", () => {
  const texts = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 0, max: 599 }), (type, detail, status) => {
      const { advice } = authorityTrouble({ type, detail, subproblems: [], retryAfter: null, status }, order)
      expect(advice).toMatch(/^[\x20-\x7e]+$/)
    }),
  )
  const long = authorityTrouble(problem('dns', `<b>\n${'x'.repeat(500)}`), order).advice
  expect(long).toContain('<b>\\010xxx')
  expect(long.length).toBeLessThan(260)
})
