import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authorizationFrom, challengeFrom, InvalidAnswer, orderFrom, renewalFrom, renewalUrlFrom } from './answers.ts'

const url = 'https://authority.test/order/1'
const reported = (body: unknown) => ({ body, url, retryAfter: null, now: Date.parse('2026-11-15T08:00:00Z') })
const order = {
  status: 'invalid',
  authorizations: ['https://authority.test/authz/1'],
  finalize: 'https://authority.test/finalize/1',
  error: { type: 'urn:ietf:params:acme:error:caa', detail: 'CAA', status: 403 },
}
const challenge = { type: 'http-01', url: 'https://authority.test/chall/1', token: 'a'.repeat(43), status: 'pending' }
test('an order is decoded with the problem that ended it', () => {
  expect(orderFrom({ ...reported(order), retryAfter: '3' })).toEqual({
    url,
    status: 'invalid',
    authorizations: order.authorizations,
    finalize: order.finalize,
    certificate: null,
    problem: { type: 'caa', detail: 'CAA', status: 403, subproblems: [], retryAfterMs: null },
    retryAfterMs: 3_000,
  })
})

test.each([
  ['a state that does not exist', { ...order, status: 'almost' }],
  ['an invalid address', { ...order, finalize: 'javascript:alert(1)' }],
  ['an address without encryption', { ...order, certificate: 'http://authority.test/cert/1' }],
  ['no authorizations', { ...order, authorizations: null }],
])('an order with %s is rejected as nonsense', (_, body) => {
  expect(() => orderFrom(reported(body))).toThrow(InvalidAnswer)
})

test('the challenge of the requested type is selected, and its absence is not an error', () => {
  const dns = { ...challenge, type: 'dns-01', token: 'd'.repeat(43) }
  const read = (challenges: unknown, type: 'http-01' | 'dns-01' = 'http-01') =>
    authorizationFrom(reported({ status: 'pending', challenges }), type)
  expect(read([dns, challenge]).challenge).toMatchObject({ token: 'a'.repeat(43) })
  expect(read([dns, challenge], 'dns-01').challenge).toMatchObject({ token: 'd'.repeat(43) })
  expect(read([dns]).challenge).toBeNull()
  expect(read(undefined).challenge).toBeNull()
})

test.each(['', '../../etc/passwd', 'a'.repeat(300), 'short', `${'a'.repeat(43)}\n`])(
  'an invalid token never becomes part of a path',
  (token) => {
    const body = { status: 'pending', challenges: [{ ...challenge, token }] }
    expect(() => authorizationFrom(reported(body), 'http-01')).toThrow(InvalidAnswer)
  },
)

test('any input is decoded or rejected as nonsense', () => {
  const states = fc.constantFrom('pending', 'valid', 'ready', 'x', 1)
  const body = fc.oneof(
    fc.anything(),
    fc.record({ status: states, authorizations: fc.anything(), finalize: fc.anything(), error: fc.anything() }),
    fc.record({ status: states, challenges: fc.array(fc.oneof(fc.anything(), fc.constant(challenge))) }),
    fc.record({ suggestedWindow: fc.record({ start: fc.anything(), end: fc.string() }) }),
    fc.record({ renewalInfo: fc.anything() }),
  )
  const readers = [
    (value: unknown) => orderFrom(reported(value)),
    (value: unknown) => authorizationFrom(reported(value), 'http-01'),
    (value: unknown) => challengeFrom(reported(value), { token: '' }),
    (value: unknown) => renewalFrom(reported(value)),
    renewalUrlFrom,
  ]
  fc.assert(
    fc.property(body, fc.constantFrom(...readers), (value, read) => {
      try {
        read(value)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidAnswer)
      }
    }),
  )
})
