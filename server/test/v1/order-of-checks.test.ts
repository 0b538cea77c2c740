// The order of the checks: a request that breaks two rules gets the refusal of the earlier
// one. For each step and the next there is a request that breaks exactly these two.

import { describe, expect, test, vi } from 'vitest'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { revokeKey } from '../../src/projects/api-keys.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject, clientOf, expectRefusal, rawExchange, withKey, type ParsedResponse } from './responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { RawRequest } from '../../../testbed/harness/http.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const rex = '{"name":"Rex","categoryId":1}'
const service = await startTestService()
const { north } = service
/** May add animals and nothing else. */
const writer = await withKey(service, north, { scopes: ['pets:write'] })
/** May read orders and nothing else. */
const narrow = await withKey(service, north, { scopes: ['orders:read'] })
/** With keys that are limited to one request. */
const strict = await startTestService({ env: { RATE_LIMIT_PER_KEY: '1' } })
await north.post('/v1/pets', rex, { 'Idempotency-Key': 'used' })

const mia = '{"name":"Mia","categoryId":1}'
const json = { 'Content-Type': 'application/json' }
const long = 'x'.repeat(8192)
const large = 'x'.repeat(16_385)
const post = (headers: RawRequest['headers'], body?: string | Uint8Array, by = north, path = '/v1/pets') =>
  by.send({ method: 'POST', path, ...(headers && { headers }), ...(body !== undefined && { body }) })
const raw = (sent: string) => rawExchange(service.origin, sent)

async function overAndRevoked(): Promise<ParsedResponse> {
  const { id, key } = await strict.keyFor(strict.north, { label: 'test' })
  const client = clientOf(strict, strict.north.project, key)
  await client.get('/v1/pets')
  expect((await client.get('/v1/pets')).status).toBe(429)
  await revokeKey({ inProject: inProjectOf(strict.service.database) }, strict.north.project, id)
  // It may still be cached for less than a second.
  return vi.waitUntil(
    async () => {
      const answer = await client.get('/v1/pets')
      return answer.status !== 429 && answer
    },
    { timeout: 30_000 },
  )
}

async function overAnd(sent: RawRequest): Promise<ParsedResponse> {
  const client = await withKey(strict, strict.north, {})
  await client.get('/v1/pets')
  return client.send(sent)
}

/** A service on which nothing can be stored, with a key that was used. */
async function reusedWhereNothingCanBeStored(): Promise<ParsedResponse> {
  const own = await startTestService()
  await own.north.post('/v1/pets', rex, { 'Idempotency-Key': 'k' })
  await asOwner(own.database, (client) =>
    client.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger fail before insert on pets for each row execute function fail()`),
  )
  expect((await own.north.post('/v1/pets', mia)).status).toBe(500)
  return own.north.post('/v1/pets', mia, { 'Idempotency-Key': 'k' })
}

/** While the first request with this key is in progress, the body of the second is wrong. */
function inUseAnd(body: string): Promise<ParsedResponse> {
  return asProject(service.database, north.project, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', ['busy', north.project])
    return north.post('/v1/pets', body, { 'Idempotency-Key': 'busy' })
  })
}

type Pair = [earlier: string, later: string, ask: () => Promise<ParsedResponse>, status: number, code: RefusalCode]

const pairs: Pair[] = [
  [
    '1. parse',
    '3. target and header limits',
    () => raw(`GET /v1/pets HTTP/1.1\r\nno colon\r\nX-Long: ${large}\r\n\r\n`),
    400,
    'malformed_request',
  ],
  ['1. parse', '5. authenticate', () => raw('GET /v1/pets HTTP/1.1\r\nno colon\r\n\r\n'), 400, 'malformed_request'],
  [
    '3. target limit',
    '4. OPTIONS',
    () => service.send({ method: 'OPTIONS', path: `/v1/pets?${long}` }),
    414,
    'uri_too_long',
  ],
  [
    '3. header limit',
    '4. OPTIONS',
    () => service.send({ method: 'OPTIONS', path: '/v1/pets', headers: { 'X-Long': large } }),
    431,
    'headers_too_large',
  ],
  ['3. target limit', '5. authenticate', () => service.send({ path: `/v1/pets?${long}` }), 414, 'uri_too_long'],
  ['5. authenticate', '6. rate limit', overAndRevoked, 401, 'revoked_api_key'],
  ['5. authenticate', '7. path', () => service.send({ path: '/v1/nowhere' }), 401, 'missing_api_key'],
  ['5. authenticate', '7. method', () => service.send({ method: 'PUT', path: '/v1/pets' }), 401, 'missing_api_key'],
  [
    '5. authenticate',
    '15. schema',
    () => service.send({ method: 'POST', path: '/v1/pets', headers: json, body: '{}' }),
    401,
    'missing_api_key',
  ],
  [
    '5. authenticate',
    '13. size',
    () => post(json, large, clientOf(service, north.project, 'x')),
    401,
    'invalid_api_key',
  ],
  ['6. rate limit', '7. path', () => overAnd({ path: '/v1/nowhere' }), 429, 'rate_limited'],
  ['6. rate limit', '7. method', () => overAnd({ method: 'PUT', path: '/v1/pets' }), 429, 'rate_limited'],
  ['7. path', '8. scope', () => narrow.get('/v1/nowhere'), 404, 'not_found'],
  ['7. method', '8. scope', () => narrow.send({ method: 'PUT', path: '/v1/pets' }), 405, 'method_not_allowed'],
  ['7. path', '9. query', () => north.get('/v1/nowhere?x=1'), 404, 'not_found'],
  [
    '7. method',
    '10. Accept',
    () => post({ Accept: 'text/html' }, rex, north, '/v1/store/orders'),
    405,
    'method_not_allowed',
  ],
  ['8. scope', '9. query: unknown_parameter', () => narrow.get('/v1/pets?x=1'), 403, 'insufficient_scope'],
  ['8. scope', '9. query: invalid_parameter', () => writer.get('/v1/pets?limit=0'), 403, 'insufficient_scope'],
  ['8. scope', '9. headers', () => post({ ...json, 'Idempotency-Key': 'a b' }, rex, narrow), 403, 'insufficient_scope'],
  ['8. scope', '17. work: no such animal', () => narrow.get('/v1/pets/0'), 403, 'insufficient_scope'],
  [
    '9. query: unknown',
    '10. Accept',
    () => north.get('/v1/pets?x=1', { Accept: 'text/html' }),
    400,
    'unknown_parameter',
  ],
  ['9. query: invalid', '10. Accept', () => north.get('/v1/pets?limit=0', { Accept: 'a/b' }), 400, 'invalid_parameter'],
  [
    '9. headers',
    '10. Accept',
    () => post({ ...json, 'Idempotency-Key': 'a b', Accept: 'text/html' }, rex),
    400,
    'invalid_idempotency_key',
  ],
  ['10. Accept', '11. body present', () => post({ Accept: 'text/html' }), 406, 'not_acceptable'],
  ['10. Accept', '12. Content-Type', () => post({ Accept: 'text/html' }, rex), 406, 'not_acceptable'],
  ['11. body present', '12. Content-Type', () => post({ 'Content-Type': 'text/plain' }), 400, 'missing_body'],
  [
    '11. body present',
    '12. Content-Encoding',
    () => post({ ...json, 'Content-Encoding': 'gzip' }),
    400,
    'missing_body',
  ],
  ['12. Content-Type', '13. size', () => post({ 'Content-Type': 'text/plain' }, large), 415, 'unsupported_media_type'],
  [
    '12. Content-Encoding',
    '13. size',
    () => post({ ...json, 'Content-Encoding': 'gzip' }, large),
    415,
    'unsupported_media_type',
  ],
  ['13. size', '14. JSON', () => post(json, large), 413, 'body_too_large'],
  ['13. size', '14. UTF-8', () => post(json, Buffer.alloc(16_385, 0xff)), 413, 'body_too_large'],
  ['14. JSON', '15. schema', () => post(json, '{"stauts":1,}'), 400, 'invalid_json'],
  ['14. UTF-8', '15. schema', () => post(json, Buffer.from('{"stauts":"\xff"}', 'latin1')), 400, 'invalid_json'],
  ['14. JSON', '16. idempotency', () => post({ ...json, 'Idempotency-Key': 'used' }, '{'), 400, 'invalid_json'],
  [
    '15. schema',
    '16. idempotency: reused',
    () => post({ ...json, 'Idempotency-Key': 'used' }, '{}'),
    400,
    'missing_field',
  ],
  ['15. schema', '16. idempotency: in use', () => inUseAnd('{}'), 400, 'missing_field'],
  ['16. idempotency', '17. work', reusedWhereNothingCanBeStored, 422, 'idempotency_key_reused'],
]

describe('the earlier check responds', () => {
  test.each(pairs)('%s before %s', async (_, __, ask, status, code) => {
    expectRefusal(await ask(), status, code)
  })

  test('2. Request-Id is assigned before everything that can be refused', async () => {
    const answers = [
      await raw('nonsense\r\n\r\n'),
      await service.send({ path: `/v1/pets?${long}` }),
      await service.send({ path: '/v1/pets' }),
    ]
    for (const { headers } of answers) expect(headers['request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('4. OPTIONS before 5. authenticate and 7. path', async () => {
    const headers = { Authorization: 'Bearer nonsense' }
    for (const path of ['/v1/pets', '/v1/nowhere', '/v1/pets?x=1']) {
      expect((await service.send({ method: 'OPTIONS', path, headers })).status).toBe(204)
    }
  })

  test('7. 410 before 8. scope and 9. query', async () => {
    const late = await startTestService({ now: () => Date.UTC(2031) })
    const poor = await withKey(late, late.north, { scopes: ['orders:read'] })
    expectRefusal(await poor.get('/v1/pets/1?x=1'), 410, 'operation_removed')
    expectRefusal(await late.send({ path: '/v1/pets/1' }), 401, 'missing_api_key')
    expectRefusal(await poor.send({ method: 'PUT', path: '/v1/pets/1' }), 405, 'method_not_allowed')
  })
})

describe('a request without a valid key reveals nothing', () => {
  test.each<[string, RawRequest]>([
    ['a path that is there', { path: '/v1/pets' }],
    ['an animal that is there', { path: '/v1/pets/1' }],
    ['an animal that is not there', { path: '/v1/pets/0' }],
    ['an unknown path', { path: '/v1/nowhere' }],
    ['a path that cannot be decoded', { path: '/v1/%zz' }],
    ['the version alone', { path: '/v1' }],
    ['a wrong method', { method: 'DELETE', path: '/v1/pets' }],
    ['a wrong method on an unknown path', { method: 'DELETE', path: '/v1/nowhere' }],
    ['an unknown parameter', { path: '/v1/pets?x=1' }],
    ['a bad body', { method: 'POST', path: '/v1/pets', headers: json, body: '{' }],
    ['a large body', { method: 'POST', path: '/v1/pets', headers: json, body: large }],
    ['another media type', { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'text/plain' }, body: rex }],
  ])('%s is 401, always with the same bytes', async (_, sent) => {
    const answer = await service.send(sent)
    expectRefusal(answer, 401, 'missing_api_key', "Send 'Authorization: Bearer <API_KEY>'.")
    expect(answer.headers.allow).toBeUndefined()
  })

  test('/v1/openapi.json is served before authentication, even with a bad key', async () => {
    expect((await service.send({ path: '/v1/openapi.json' })).status).toBe(200)
    const headers = { Authorization: 'Bearer nonsense' }
    expect((await service.send({ path: '/v1/openapi.json', headers })).status).toBe(200)
  })
})
