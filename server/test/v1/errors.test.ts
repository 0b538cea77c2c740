// Errors: one body for all of them, a closed set of codes, and messages that repeat a
// bounded part of what the caller sent.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusals, type RefusalCode } from '@petstore-platform/contract/errors'
import { setSuspended } from '../../src/fleet/suspension.io.ts'
import { revokeKey } from '../../src/projects/api-keys.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import {
  asProject,
  clientOf,
  cutOff,
  errorOf,
  expectRefusal,
  newTenant,
  rawExchange,
  withKey,
  type ParsedResponse,
} from './responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const service = await startTestService()
const { north } = service

const rex = '{"name":"Rex","categoryId":1}'
const get = (path: string, headers?: Record<string, string>) => north.get(path, headers)
const create = (body: string, headers?: Record<string, string>) => north.post('/v1/pets', body, headers)

async function revoked(): Promise<ParsedResponse> {
  const { id, key } = await service.keyFor(north, { label: 'test' })
  await revokeKey({ inProject: inProjectOf(service.service.database) }, north.project, id)
  return clientOf(service, north.project, key).get('/v1/pets')
}

async function rateLimited(): Promise<ParsedResponse> {
  const small = await startTestService({ env: { RATE_LIMIT_PER_KEY: '1' } })
  await small.north.get('/v1/pets')
  return small.north.get('/v1/pets')
}

/** The holder of the lock on the key is the request in progress. */
function inUse(): Promise<ParsedResponse> {
  return asProject(service.database, north.project, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', ['busy', north.project])
    return create(rex, { 'Idempotency-Key': 'busy' })
  })
}

async function reused(): Promise<ParsedResponse> {
  await create(rex, { 'Idempotency-Key': 'used' })
  return create('{"name":"Mia","categoryId":1}', { 'Idempotency-Key': 'used' })
}

async function late(): Promise<ParsedResponse> {
  const hasty = await startTestService({ env: { HEADERS_TIMEOUT_MS: '100' } })
  return rawExchange(hasty.origin, 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n')
}

/** A database that is not as the program expects it: our fault. */
async function broken(): Promise<ParsedResponse> {
  const own = await startTestService()
  await asOwner(own.database, (client) => client.query('alter table pets rename column name to nom'))
  return own.north.get('/v1/pets')
}

async function outage(): Promise<ParsedResponse> {
  const own = await startTestService()
  await cutOff(own)
  return own.north.get('/v1/pets')
}

async function suspended(): Promise<ParsedResponse> {
  const own = await startTestService()
  const inProject = inProjectOf(own.service.database)
  await setSuspended(inProject, own.north.project, { isSuspended: true, by: 'mia', reason: 'a test' })
  return own.north.get('/v1/pets')
}

/** The whole set, and one way to each of them. */
const codes: [status: number, code: RefusalCode, provoke: () => Promise<ParsedResponse>][] = [
  [400, 'missing_body', () => north.send({ method: 'POST', path: '/v1/pets' })],
  [400, 'invalid_json', () => create('{')],
  [400, 'missing_field', () => create('{}')],
  [400, 'invalid_field', () => create('{"name":"","categoryId":1}')],
  [400, 'unknown_field', () => create('{"nam":"Rex"}')],
  [400, 'invalid_parameter', () => get('/v1/pets?limit=0')],
  [400, 'unknown_parameter', () => get('/v1/pets?staus=sold')],
  [400, 'invalid_cursor', () => get('/v1/pets?cursor=x')],
  [400, 'invalid_idempotency_key', () => create(rex, { 'Idempotency-Key': 'a b' })],
  [400, 'malformed_request', () => rawExchange(service.origin, 'GET /v1/pets HTTP/1.1\r\nno colon\r\n\r\n')],
  [401, 'missing_api_key', () => service.send({ path: '/v1/pets' })],
  [401, 'invalid_api_key', () => clientOf(service, north.project, 'nonsense').get('/v1/pets')],
  [401, 'expired_api_key', async () => (await withKey(service, north, { expiresAt: new Date(0) })).get('/v1/pets')],
  [401, 'revoked_api_key', revoked],
  [403, 'insufficient_scope', async () => (await withKey(service, north, { scopes: ['pets:write'] })).get('/v1/pets')],
  [403, 'project_suspended', suspended],
  [404, 'not_found', () => get('/v1/pets/0')],
  [405, 'method_not_allowed', () => north.send({ method: 'DELETE', path: '/v1/pets' })],
  [406, 'not_acceptable', () => get('/v1/pets', { Accept: 'text/html' })],
  [408, 'request_timeout', late],
  [409, 'idempotency_key_in_use', inUse],
  [
    410,
    'operation_removed',
    async () => (await startTestService({ now: () => Date.UTC(2031) })).north.get('/v1/pets/1'),
  ],
  [413, 'body_too_large', () => create(' '.repeat(20_000))],
  [414, 'uri_too_long', () => get(`/v1/pets?${'x'.repeat(8192)}`)],
  [415, 'unsupported_media_type', () => create(rex, { 'Content-Type': 'text/plain' })],
  [417, 'expectation_failed', () => get('/v1/pets', { Expect: 'miracles' })],
  [422, 'idempotency_key_reused', reused],
  [429, 'rate_limited', rateLimited],
  [431, 'headers_too_large', () => get('/v1/pets', { 'X-Long': 'x'.repeat(16_384) })],
  [500, 'internal_error', broken],
  [501, 'method_not_implemented', () => rawExchange(service.origin, 'BREW /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n')],
  [503, 'service_unavailable', outage],
]

/** Codes that only `/platform/v1` returns; its tests are in server/test/platform. */
const platformCodes = [
  '400 invalid_image',
  '400 name_invalid_chars',
  '400 name_is_public_suffix',
  '400 name_not_public',
  '400 name_platform_owned',
  '400 name_too_long',
  '400 name_too_many_labels',
  '400 name_wildcard_unsupported',
  '400 redirect_status_invalid',
  '400 redirect_target_foreign',
  '401 not_signed_in',
  '401 wrong_credentials',
  '403 domain_limit_reached',
  '403 foreign_origin',
  '403 insufficient_role',
  '403 other_address',
  '403 password_not_accepted',
  '403 plan_required',
  '403 session_required',
  '403 reauthentication_required',
  '409 address_in_name',
  '409 deploy_required',
  '409 domain_already_added',
  '409 email_taken',
  '409 in_use',
  '409 key_choice_required',
  '409 last_owner',
  '409 limit_reached',
  '409 mail_unavailable',
  '409 not_available',
  '409 passkeys_unavailable',
  '409 queue_full',
  '409 redirect_cycle',
  '409 redirect_target_not_live',
  '409 slug_taken',
  '409 sole_owner',
  '409 stale_version',
  '409 wrong_state',
]

describe('the set of codes', () => {
  test('is closed: these and no others, each with its status', () => {
    const known = Object.entries(refusals).map(([code, { status }]) => `${status} ${code}`)
    const both = [...codes.map(([status, code]) => `${status} ${code}`), ...platformCodes]
    expect(known.toSorted()).toEqual(both.toSorted())
  })

  test('has a test for each code that only /platform/v1 returns', () => {
    const root = join(import.meta.dirname, '..')
    const tests = globSync('{platform,domains,sites,orders,mail}/*.test.ts', { cwd: root })
    const texts = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('')
    const untested = platformCodes.filter((one) => !texts.includes(one.slice(4)))
    expect(untested).toEqual([])
  })

  test('has only codes that match ^[a-z][a-z0-9_]*$', () => {
    expect(Object.keys(refusals).filter((code) => !/^[a-z][a-z0-9_]*$/.test(code))).toEqual([])
  })

  test.each(codes)('%d %s: the body is exactly code, message and status, as application/json', async (...row) => {
    const [status, code, provoke] = row
    const answer = await provoke()
    expectRefusal(answer, status, code)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('a failure of ours', () => {
  test('500 does not reveal its cause, which is in the log', async () => {
    const own = await startTestService()
    await asOwner(own.database, (client) => client.query('alter table pets rename column name to nom'))
    const answer = await own.north.get('/v1/pets')
    expectRefusal(answer, 500, 'internal_error', 'Something went wrong on our side.')
    const id = String(answer.headers['request-id'])
    expect(own.logs.filter((line) => line.includes('does not exist') && line.includes(`"${id}"`))).not.toEqual([])
  })

  test('503 has the time to retry', async () => {
    const answer = await outage()
    expectRefusal(answer, 503, 'service_unavailable')
    expect(answer.headers['retry-after']).toBe('1')
  })
})

describe('the message', () => {
  const long = 'x'.repeat(65)

  test.each([
    ['a parameter', () => get(`/v1/pets?limit=${long}`)],
    ['the name of a parameter', () => get(`/v1/pets?${long}=1`)],
    ['the name of a field', () => create(`{"${long}":1}`)],
    ['a duplicate key', () => create(`{"${long}":1,"${long}":1}`)],
  ])('quotes at most 64 characters of what the caller sent: %s', async (_, provoke) => {
    const { message } = errorOf(await provoke())
    expect(message).toMatch(/x{60}/)
    expect(message).not.toMatch(/x{65}/)
  })

  test.each([
    ['a parameter', () => get('/v1/pets?limit=%00%0A%1B%7F%C2%85')],
    ['the name of a parameter', () => get('/v1/pets?%00%0A%1B%7F%C2%85')],
    ['the name of a field', () => create('{"\\u0000\\n\\u001b\\u007f\\u0085":1}')],
    ['a duplicate key', () => create('{"\\n\\u001b":1,"\\n\\u001b":1}')],
    ['a separator of lines', () => get('/v1/pets?limit=%E2%80%A8')],
    ['a mark that turns the direction', () => get('/v1/pets?limit=%E2%80%AE')],
  ])('escapes control characters: %s', async (_, provoke) => {
    const { message } = errorOf(await provoke())
    expect(message).toMatch(/\\u/)
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  test.each([
    ['a parameter', () => get(`/v1/pets?limit=${'%00'.repeat(2000)}`)],
    ['the name of a parameter', () => get(`/v1/pets?${'%00'.repeat(2000)}`)],
    ['the name of a field', () => create(`{"${'\\u0000'.repeat(2000)}":1}`)],
    ['a duplicate key', () => create(`{"${'\\u0001'.repeat(1000)}":1,"${'\\u0001'.repeat(1000)}":1}`)],
  ])('has at most 1,024 characters: %s', async (_, provoke) => {
    const { message } = errorOf(await provoke())
    expect(message.length).toBeLessThanOrEqual(1024)
  })

  test('is well-formed where the quote ends within a character', async () => {
    const { message } = errorOf(await get(`/v1/pets?limit=${encodeURIComponent(`${'x'.repeat(62)}😀😀`)}`))
    expect(message.isWellFormed()).toBe(true)
  })

  test('names what was wrong, with what, and what would be right', async () => {
    const wrong = await get('/v1/pets?limit=101')
    expectRefusal(
      wrong,
      400,
      'invalid_parameter',
      "Query parameter 'limit' must be an integer from 1 to 100; got '101'.",
    )
  })
})

describe('the form of an error', () => {
  test('is not problem+json, even if the client accepts that', async () => {
    const answer = await get('/v1/pets/0', { Accept: 'application/problem+json, application/json' })
    expectRefusal(answer, 404, 'not_found')
  })

  test('has nothing of another project', async () => {
    const other = await newTenant(service)
    const { text } = await other.get('/v1/pets/0')
    expect(text).toBe('{"code":"not_found","message":"No animal with this identifier.","status":404}')
  })
})
