// Deprecation of getPet: announced on every response of its path, removed from its date on,
// and a date that can be rehearsed on staging and nowhere else.

import { beforeAll, describe, expect, test } from 'vitest'
import Link from 'http-link-header'
import { parseConfig, ConfigError } from '../../src/program/config.ts'
import { instantFrom } from '../../src/foundation/time.ts'
import {
  asProject,
  clientOf,
  expectRefusal,
  linksOf,
  petOf,
  rawExchange,
  withKey,
  type ParsedResponse,
} from './responses.ts'
import {
  BASE_URL,
  STAGING_URL,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../testbed/harness/service.ts'

const rex = '{"name":"Rex","categoryId":1}'
const REMOVAL = Date.UTC(2030, 11, 5)
const DOCS = 'https://api.petstore.example/docs'

const announced = ({ headers }: ParsedResponse) => ({
  deprecation: headers['deprecation'],
  sunset: headers['sunset'],
  links: linksOf({ headers, status: 0, text: '' }),
})
const announcement = {
  deprecation: '@1764892800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  links: {
    'successor-version': `${BASE_URL}/pets?status=available`,
    deprecation: `${DOCS}/deprecations/get-pet`,
    sunset: `${DOCS}/deprecations`,
  },
}
const nothing = { deprecation: undefined, sunset: undefined }

describe('before the date', () => {
  let service: TestService
  let north: Tenant
  let narrow: Tenant
  let path: string

  beforeAll(async () => {
    service = await startTestService()
    north = service.north
    narrow = await withKey(service, north, { scopes: ['pets:write'] })
    path = `/v1/pets/${petOf(await north.post('/v1/pets', rex)).id}`
  })

  const answers: [status: number, what: string, ask: () => Promise<ParsedResponse>][] = [
    [200, 'an animal', () => north.get(path)],
    [200, 'HEAD', () => north.send({ method: 'HEAD', path })],
    [204, 'OPTIONS', () => service.send({ method: 'OPTIONS', path })],
    [304, 'not modified', () => north.get(path, { 'If-None-Match': '*' })],
    [400, 'an unknown parameter', () => north.get(`${path}?x=1`)],
    [
      400,
      'two Host headers',
      () => rawExchange(service.origin, `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`),
    ],
    [401, 'no key', () => service.send({ path })],
    [401, 'a bad key', () => clientOf(service, north.project, 'nonsense').get(path)],
    [403, 'a narrow key', () => narrow.get(path)],
    [404, 'no such animal', () => north.get('/v1/pets/0')],
    [404, 'no identifier at all', () => north.get('/v1/pets/Rex')],
    [404, 'an identifier that cannot be decoded', () => north.get('/v1/pets/%zz')],
    [405, 'a wrong method', () => north.send({ method: 'DELETE', path })],
    [405, 'a wrong method that has a body', () => north.post(path, rex)],
    [406, 'no JSON wanted', () => north.get(path, { Accept: 'text/html' })],
    [414, 'a long target', () => north.get(`${path}?${'x'.repeat(8192)}`)],
    [417, 'an odd expectation', () => north.get(path, { Expect: 'miracles' })],
    [431, 'long headers', () => north.get(path, { 'X-Long': 'x'.repeat(16_384) })],
  ]
  test.each(answers)(
    'every response of the path carries Deprecation, Sunset and Link: %d, %s',
    async (status, _, ask) => {
      const answer = await ask()
      expect(answer.status).toBe(status)
      expect(announced(answer)).toEqual(announcement)
    },
  )

  test('429 carries them too', async () => {
    const small = await startTestService({ env: { RATE_LIMIT_PER_KEY: '1' } })
    await small.north.get('/v1/pets/1')
    const answer = await small.north.get('/v1/pets/1')
    expect([answer.status, announced(answer)]).toEqual([429, announcement])
  })

  test('the links to pages have the type HTML', async () => {
    const { refs } = Link.parse(String((await north.get(path)).headers.link))
    expect(refs.map(({ rel, type }) => [rel, type])).toEqual([
      ['successor-version', undefined],
      ['deprecation', 'text/html'],
      ['sunset', 'text/html'],
    ])
  })

  test.each(['/v1/pets', '/v1/store/orders', '/v1/nowhere', '/v1/pets/1/photos', '/v1/openapi.json'])(
    'no other path carries them: %s',
    async (other) => {
      expect(announced(await north.get(other))).toMatchObject(nothing)
    },
  )

  test('Deprecation takes the @seconds form of RFC 9745; Sunset is an HTTP date and does not lie before it', async () => {
    const { headers } = await north.get(path)
    const since = /^@(\d+)$/.exec(String(headers['deprecation']))?.[1]
    expect(new Date(Number(since) * 1000).toISOString()).toBe('2025-12-05T00:00:00.000Z')
    expect(headers['sunset']).toMatch(/ GMT$/)
    expect(Date.parse(String(headers['sunset']))).toBe(REMOVAL)
  })

  test('the start of the deprecation is configuration, and never after the removal', async () => {
    const since = (time: string) => ({
      GET_PET_DEPRECATED_SINCE: time,
      DATABASE_URL: 'postgresql://petstore_app@127.0.0.1/petstore',
    })
    expect(parseConfig(since('2026-01-01T00:00:00Z')).deprecatedSince).toBe(Date.UTC(2026) / 1000)
    expect(() => parseConfig(since('2030-12-05T00:00:01Z'))).toThrow(ConfigError)
    const own = await startTestService({ env: { GET_PET_DEPRECATED_SINCE: '2026-01-01T00:00:00Z' } })
    expect((await own.north.get('/v1/pets/1')).headers['deprecation']).toBe('@1767225600')
  })
})

describe('the sunset date', () => {
  let service: TestService
  let now = REMOVAL - 1
  let path: string

  beforeAll(async () => {
    service = await startTestService({ now: () => now })
    path = `/v1/pets/${petOf(await service.north.post('/v1/pets', rex)).id}`
  })

  test('one millisecond before it the operation responds', async () => {
    now = REMOVAL - 1
    expect((await service.north.get(path)).status).toBe(200)
    expect((await service.north.post('/v1/pets', rex)).headers.location).toMatch(`${BASE_URL}/pets/`)
  })

  test('from 2030-12-05T00:00:00Z it is 410 operation_removed, with the same headers', async () => {
    now = REMOVAL
    const answer = await service.north.get(path)
    const message = 'GET /v1/pets/{petId} was removed on 5 December 2030. Use GET /v1/pets with the status filter.'
    expectRefusal(answer, 410, 'operation_removed', message)
    expect(announced(answer)).toEqual(announcement)
  })

  test.each(['/v1/pets/0', '/v1/pets/Rex', '/v1/pets/1?x=1'])('applies to every request: %s', async (other) => {
    now = REMOVAL
    expect((await service.north.get(other)).status).toBe(410)
    expect((await service.north.send({ method: 'HEAD', path: other })).status).toBe(410)
  })

  test('is checked after authentication: without a key it is still 401', async () => {
    now = REMOVAL
    const answer = await service.send({ path })
    expectRefusal(answer, 401, 'missing_api_key')
    expect(announced(answer)).toEqual(announcement)
  })

  test('201 no longer has a Location, replayed or not', async () => {
    now = REMOVAL - 1
    const headers = { 'Idempotency-Key': 'sunset' }
    expect((await service.north.post('/v1/pets', rex, headers)).headers.location).toBeDefined()
    now = REMOVAL
    const answers = [await service.north.post('/v1/pets', rex), await service.north.post('/v1/pets', rex, headers)]
    expect(answers.map((answer) => [answer.status, answer.headers.location])).toEqual([
      [201, undefined],
      [201, undefined],
    ])
  })

  test('the list stays available', async () => {
    now = REMOVAL + 1
    expect((await service.north.get('/v1/pets?status=available')).status).toBe(200)
  })
})

describe('a rehearsal', () => {
  let service: TestService
  let north: Tenant
  let path: string

  beforeAll(async () => {
    service = await startTestService({ env: { ENVIRONMENT: 'staging', SUNSET_REHEARSAL: 'true' } })
    north = service.north
    path = `/v1/pets/${petOf(await north.post('/v1/pets', rex)).id}`
  })
  const at = (time: string) => ({ 'Petstore-Now': time })

  test.each([
    ['2030-12-05T00:00:00Z', 410],
    ['2030-12-04T23:59:59.999Z', 200],
    ['2030-12-05T01:00:00+01:00', 410],
    ['2030-12-04T23:59:59-00:01', 410],
    ['2030-12-05t00:00:00z', 410],
    ['2030-12-04T23:59:59.9999999999Z', 200],
    ['2099-01-01T00:00:00Z', 410],
    ['1999-01-01T00:00:00Z', 200],
  ])('Petstore-Now: %s moves the clock for that request: %d', async (time, status) => {
    const answer = await north.get(path, at(time))
    expect(answer.status).toBe(status)
    expect(answer.headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })

  test('applies to that request only', async () => {
    expect((await north.get(path, at('2030-12-05T00:00:00Z'))).status).toBe(410)
    expect((await north.get(path)).status).toBe(200)
  })

  test('applies to Location as well', async () => {
    expect((await north.post('/v1/pets', rex, at('2030-12-05T00:00:00Z'))).headers.location).toBeUndefined()
    expect((await north.post('/v1/pets', rex)).headers.location).toMatch(`${STAGING_URL}/pets/`)
  })

  test.each([
    'tomorrow',
    '',
    '2030-12-05',
    '2030-12-05T00:00:00',
    '2030-12-05 00:00:00Z',
    '2030-13-05T00:00:00Z',
    '2030-02-31T00:00:00Z',
    '2030-02-29T00:00:00Z',
    '2030-12-00T00:00:00Z',
    '2030-12-05T24:00:00Z',
    '2030-12-05T00:00:00+24:00',
    '2030-12-05T00:00:00.Z',
    '+002030-12-05T00:00:00Z',
    '1922659200',
  ])('a value that is no RFC 3339 time is 400 invalid_parameter: %s', async (time) => {
    const message = `Header 'Petstore-Now' must be an RFC 3339 time; got '${time}'.`
    expectRefusal(await north.get(path, at(time)), 400, 'invalid_parameter', message)
    expect((await north.get('/v1/pets', at(time))).status).toBe(400)
    expect((await north.post('/v1/pets', rex, at(time))).status).toBe(400)
  })

  test('accepts a leap day in leap years only: 28 days, 29 days', () => {
    expect(instantFrom('2028-02-29T00:00:00Z')).toBe(Date.UTC(2028, 1, 29))
    expect(instantFrom('2100-02-29T00:00:00Z')).toBeUndefined()
  })

  test('neither revives an expired key nor expires a valid one', async () => {
    const expired = await withKey(service, north, { expiresAt: new Date(Date.now() - 1000) })
    expectRefusal(await expired.get('/v1/pets', at('1999-01-01T00:00:00Z')), 401, 'expired_api_key')
    const good = await withKey(service, north, { expiresAt: new Date(Date.now() + 3_600_000) })
    expect((await good.get('/v1/pets', at('2099-01-01T00:00:00Z'))).status).toBe(200)
  })

  test('leaves rate limits on the true clock', async () => {
    const env = { ENVIRONMENT: 'staging', SUNSET_REHEARSAL: 'true', RATE_LIMIT_PER_KEY: '1' }
    const small = await startTestService({ env })
    expect((await small.north.get('/v1/pets')).status).toBe(200)
    expect((await small.north.get('/v1/pets', at('2099-01-01T00:00:00Z'))).status).toBe(429)
  })

  test('leaves idempotency windows and stored times on the true clock', async () => {
    const key = { 'Idempotency-Key': 'rehearsal' }
    const first = await north.post('/v1/pets', rex, { ...key, ...at('1999-01-01T00:00:00Z') })
    const second = await north.post('/v1/pets', rex, { ...key, ...at('2099-01-01T00:00:00Z') })
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    const isRecent = await asProject(service.database, north.project, async (client) => {
      const { rows } = await client.query<{ isRecent: boolean }>(
        `select bool_and(abs(extract(epoch from now() - created_at)) < 600) as "isRecent"
         from (select created_at from pets union all select created_at from idempotency) as stored`,
      )
      return rows[0]?.isRecent
    })
    expect(isRecent).toBe(true)
  })

  test('is allowed by CORS', async () => {
    const { headers } = await service.send({ method: 'OPTIONS', path })
    expect(headers['access-control-allow-headers']?.split(', ')).toContain('Petstore-Now')
  })

  test.each([
    ['on staging without the switch', { ENVIRONMENT: 'staging' }],
    ['in production', {}],
  ])('%s the header has no effect, and CORS does not allow it', async (_, env: Record<string, string>) => {
    const plain = await startTestService({ env })
    const { id } = petOf(await plain.north.post('/v1/pets', rex))
    expect((await plain.north.get(`/v1/pets/${id}`, at('2030-12-05T00:00:00Z'))).status).toBe(200)
    expect((await plain.north.get(`/v1/pets/${id}`, at('tomorrow'))).status).toBe(200)
    const { headers } = await plain.send({ method: 'OPTIONS', path: '/v1/pets' })
    expect(headers['access-control-allow-headers']).not.toContain('Petstore-Now')
  })

  test('the program refuses to start with the switch in production', () => {
    const env = { SUNSET_REHEARSAL: 'true', DATABASE_URL: 'postgresql://petstore_app@127.0.0.1/petstore' }
    expect(() => parseConfig(env)).toThrow(/SUNSET_REHEARSAL .* refused in production/)
    expect(() => parseConfig({ ...env, ENVIRONMENT: 'production' })).toThrow(ConfigError)
    expect(parseConfig({ ...env, ENVIRONMENT: 'staging' }).sunsetRehearsal).toBe(true)
  })
})
