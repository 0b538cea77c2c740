import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { requestIdsFrom } from './proxies.io.ts'

const given = '0f8fad5b-d9cb-469f-a165-70867728950e'
const requestFrom = (remoteAddress: string | undefined, id: unknown = given) =>
  ({ socket: { remoteAddress }, headers: { 'petstore-request-id': id } }) as unknown as IncomingMessage
const ids = requestIdsFrom(['192.0.2.7', '198.51.100.0/24', '2001:db8::/32'], () => 'new')

test.for(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '192.0.2.7', '198.51.100.200', '2001:db8::9'])(
  'a UUID from %s, a trusted proxy, is the id of the request',
  (address) => expect(ids(requestFrom(address))).toBe(given),
)

test.for(['192.0.2.8', '203.0.113.1', '2001:db9::1', '::ffff:203.0.113.1', '', undefined])(
  'an id from %s, which is no trusted proxy, is replaced',
  (address) => expect(ids(requestFrom(address))).toBe('new'),
)

test.for(['', 'forged', given.toUpperCase(), `${given}, ${given}`, `${given}\n`, [given]])(
  'what is no UUID is replaced: %j',
  (id) => expect(ids(requestFrom('127.0.0.1', id))).toBe('new'),
)

test('with every address trusted, a visitor chooses the id (negative control)', () => {
  expect(requestIdsFrom(['0.0.0.0/0'], () => 'new')(requestFrom('203.0.113.1'))).toBe(given)
})
