// Rate limits, with tiny figures: what is counted, when it is refused, and what the headers
// hold. A refused client gets the time to wait.

import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { makeKey } from '../../src/foundation/key-format.ts'
import { parseConfig } from '../../src/program/config.ts'
import { addressGroup } from '../../src/foundation/address-group.ts'
import { clientOf, expectRefusal, fieldsOf, reconnect, withKey } from './responses.ts'
import { startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'

const limited = (env: Record<string, string>) =>
  startTestService({ env: { RATE_LIMIT_WINDOW_SECONDS: '3600', ...env } })

describe('the default limits', () => {
  test('are 600 per key, 6,000 per project and 60 failed authentications per address, in 60 s; all are configuration', () => {
    const required = { DATABASE_URL: 'postgresql://petstore_app@127.0.0.1/petstore' }
    expect(parseConfig(required).limits).toMatchObject({
      perKey: 600,
      perProject: 6000,
      perFailedAddress: 60,
      windowSeconds: 60,
    })
    const configured = {
      RATE_LIMIT_PER_KEY: '1',
      RATE_LIMIT_PER_PROJECT: '2',
      RATE_LIMIT_FAILED_AUTHENTICATIONS: '3',
      RATE_LIMIT_WINDOW_SECONDS: '4',
    }
    expect(parseConfig({ ...required, ...configured }).limits).toMatchObject({
      perKey: 1,
      perProject: 2,
      perFailedAddress: 3,
      windowSeconds: 4,
    })
  })
})

describe('the limit per key', () => {
  test('responds 429 rate_limited with Retry-After in whole seconds', async () => {
    const { north } = await limited({ RATE_LIMIT_PER_KEY: '2', RATE_LIMIT_WINDOW_SECONDS: '60' })
    const statuses = [await north.get('/v1/pets'), await north.get('/v1/pets')].map(({ status }) => status)
    expect(statuses).toEqual([200, 200])
    const over = await north.get('/v1/pets')
    const seconds = over.headers['retry-after']
    expect(seconds).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expectRefusal(over, 429, 'rate_limited', `More than 2 requests in 60 s for this key. Retry in ${seconds} s.`)
    expect(fieldsOf(over.headers['ratelimit'])['key']).toEqual({ r: 0, t: Number(seconds) })
  })

  test('is separate for each key', async () => {
    const service = await limited({ RATE_LIMIT_PER_KEY: '1' })
    const second = await withKey(service, service.north, {})
    const statuses = [
      await service.north.get('/v1/pets'),
      await service.north.get('/v1/pets'),
      await second.get('/v1/pets'),
      await service.south.get('/v1/pets'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 429, 200, 200])
  })

  test('rounds the time to wait up, and after it requests pass again', async () => {
    let at = Date.parse('2026-11-14T22:00:00Z')
    const { north } = await startTestService({
      env: { RATE_LIMIT_PER_KEY: '1', RATE_LIMIT_WINDOW_SECONDS: '60' },
      now: () => at,
    })
    expect((await north.get('/v1/pets')).status).toBe(200)
    at += 500
    const over = await north.get('/v1/pets')
    expect([over.status, over.headers['retry-after']]).toEqual([429, '60'])
    at += 59_499
    expect((await north.get('/v1/pets')).headers['retry-after']).toBe('1')
    at += 1
    expect((await north.get('/v1/pets')).status).toBe(200)
  })
})

describe('the limit per project', () => {
  test('is shared by its keys, and the message says so', async () => {
    const service = await limited({ RATE_LIMIT_PER_PROJECT: '2' })
    const second = await withKey(service, service.north, {})
    await service.north.get('/v1/pets')
    await second.get('/v1/pets')
    const over = await service.north.get('/v1/pets')
    const seconds = over.headers['retry-after']
    const message = `More than 2 requests in 3600 s for this project. Retry in ${String(seconds)} s.`
    expectRefusal(over, 429, 'rate_limited', message)
    expect((await service.south.get('/v1/pets')).status).toBe(200)
  })

  test('does not count requests that a key is refused by its own limit', async () => {
    const service = await limited({ RATE_LIMIT_PER_KEY: '1', RATE_LIMIT_PER_PROJECT: '2' })
    const second = await withKey(service, service.north, {})
    for (const status of [200, 429, 429, 429]) expect((await service.north.get('/v1/pets')).status).toBe(status)
    expect((await second.get('/v1/pets')).status).toBe(200)
  })
})

describe('failed authentications', () => {
  const fail = (service: TestService, headers: Record<string, string> = {}) =>
    service.send({ path: '/v1/pets', headers: { Authorization: 'Bearer nonsense', ...headers } })

  test('over the limit of an address are 429 with Retry-After, and no longer 401', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '2' })
    expectRefusal(await fail(service), 401, 'invalid_api_key')
    expectRefusal(await service.send({ path: '/v1/nowhere' }), 401, 'missing_api_key')
    const over = await fail(service)
    expectRefusal(over, 429, 'rate_limited', /^Too many failed authentications from this address\. Retry in \d+ s\.$/)
    expect(over.headers['retry-after']).toMatch(/^[1-9]\d{0,3}$/)
  })

  test('do not affect a cached valid key', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1' })
    await service.north.get('/v1/pets')
    await fail(service)
    expect((await fail(service)).status).toBe(429)
    expect((await service.north.get('/v1/pets')).status).toBe(200)
  })

  test('over the limit do not affect a valid key that was not used before', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1' })
    const unseen = await withKey(service, service.north, {})
    await fail(service)
    expect((await fail(service)).status).toBe(429)
    expect((await unseen.get('/v1/pets')).status).toBe(200)
  })

  test('of unknown keys and of malformed or missing ones are counted apart', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1' })
    const unknown = () => ({ Authorization: `Bearer ${makeKey('live', randomBytes)}` })
    expect((await fail(service)).status).toBe(401)
    expect((await fail(service)).status).toBe(429)
    expect((await fail(service, unknown())).status).toBe(401)
    expect((await fail(service, unknown())).status).toBe(429)
  })

  test('include expired keys', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1' })
    const expired = await withKey(service, service.north, { expiresAt: new Date(0) })
    expect((await expired.get('/v1/pets')).status).toBe(401)
    expect((await expired.get('/v1/pets')).status).toBe(429)
  })

  test('are counted per address, IPv6 by its /64', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1', TRUSTED_PROXIES: '127.0.0.1' })
    const from = async (address: string) => (await fail(service, { 'X-Forwarded-For': address })).status
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([401, 429, 401])
    expect(await from('2001:db8:0:1::1')).toBe(401)
    expect(await from('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429)
    expect(await from('2001:db8:0:2::1')).toBe(401)
  })

  test('are not counted for an address that a client claims itself', async () => {
    const service = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1' })
    expect((await fail(service, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(401)
    expect((await fail(service, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(429)
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('from %s are counted as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })
})

describe('the RateLimit headers', () => {
  test('are on every response to an authenticated request', async () => {
    const service = await limited({})
    const { north } = service
    const narrow = await withKey(service, north, { scopes: ['orders:read'] })
    const answers = [
      await north.get('/v1/pets'),
      await north.post('/v1/pets', '{"name":"Rex","categoryId":1}'),
      await north.post('/v1/pets', '{}'),
      await north.get('/v1/pets/0'),
      await north.get('/v1/nowhere'),
      await north.send({ method: 'DELETE', path: '/v1/pets' }),
      await north.send({ method: 'HEAD', path: '/v1/pets' }),
      await north.get('/v1/pets', { 'If-None-Match': '*' }),
      await north.get('/v1/pets', { Accept: 'text/html' }),
      await narrow.get('/v1/pets'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 404, 404, 405, 200, 304, 406, 403])
    for (const { headers } of answers) {
      expect(fieldsOf(headers['ratelimit-policy'])).toEqual({
        key: { q: 1_000_000, w: 3600 },
        project: { q: 1_000_000, w: 3600 },
      })
      const left = { r: expect.any(Number), t: expect.any(Number) }
      expect(fieldsOf(headers['ratelimit'])).toEqual({ key: left, project: left })
    }
  })

  test('count down, per key and per project', async () => {
    const service = await limited({ RATE_LIMIT_PER_KEY: '10', RATE_LIMIT_PER_PROJECT: '20' })
    const second = await withKey(service, service.north, {})
    const left = async (by: Tenant) => {
      const { key, project } = fieldsOf((await by.get('/v1/pets')).headers['ratelimit'])
      return [key?.['r'], project?.['r']]
    }
    expect(await left(service.north)).toEqual([9, 19])
    expect(await left(second)).toEqual([9, 18])
    expect(await left(service.north)).toEqual([8, 17])
  })

  test('RateLimit-Policy is written as "key";q=600;w=60, "project";q=6000;w=60', async () => {
    const env = { RATE_LIMIT_PER_KEY: '600', RATE_LIMIT_PER_PROJECT: '6000', RATE_LIMIT_WINDOW_SECONDS: '60' }
    const { headers } = await (await limited(env)).north.get('/v1/pets')
    expect(headers['ratelimit-policy']).toBe('"key";q=600;w=60, "project";q=6000;w=60')
    expect(headers['ratelimit']).toMatch(/^"key";r=599;t=\d+, "project";r=5999;t=\d+$/)
  })

  test('are absent without a valid key', async () => {
    const service = await limited({})
    const answers = [
      await service.send({ path: '/v1/pets' }),
      await clientOf(service, service.north.project, 'nonsense').get('/v1/pets'),
      await service.send({ method: 'OPTIONS', path: '/v1/pets' }),
    ]
    for (const { headers } of answers) {
      expect([headers['ratelimit'], headers['ratelimit-policy']]).toEqual([undefined, undefined])
    }
  })

  test('do not count OPTIONS and the document', async () => {
    const { north } = await limited({ RATE_LIMIT_PER_KEY: '1' })
    await north.send({ method: 'OPTIONS', path: '/v1/pets' })
    await north.get('/v1/openapi.json')
    expect((await north.get('/v1/pets')).status).toBe(200)
    expect((await north.get('/v1/openapi.json')).status).toBe(200)
  })
})

describe('counting', () => {
  test('never writes to PostgreSQL: a read-only database still serves', async () => {
    const service = await limited({})
    await reconnect(service, 'set default_transaction_read_only = on')
    const rex = '{"name":"Rex","categoryId":1}'
    await vi.waitUntil(async () => (await service.north.post('/v1/pets', rex)).status === 500, { timeout: 30_000 })
    expect((await service.north.get('/v1/pets')).text).toBe('[]')
    expect((await service.north.get('/v1/pets/1')).status).toBe(404)
  })
})
