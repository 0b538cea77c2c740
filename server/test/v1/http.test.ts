// HTTP: the headers of every response, caching, HEAD, OPTIONS and CORS, wrong methods, and
// input that is too long.

import { METHODS } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import {
  addPets,
  asProject,
  expectRefusal,
  linksOf,
  newTenant,
  petOf,
  rawExchange,
  type ParsedResponse,
} from './responses.ts'
import type { RawRequest } from '../../../testbed/harness/http.ts'
import { BASE_URL, startTestService } from '../../../testbed/harness/service.ts'

const rex = '{"name":"Rex","categoryId":1}'
const service = await startTestService()
const { north } = service
const petPath = `/v1/pets/${petOf(await north.post('/v1/pets', rex)).id}`

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const raw = (sent: string) => rawExchange(service.origin, sent)

/** The four paths by the names of their operations, and what they allow. */
const paths: [name: string, path: () => string, allow: string][] = [
  ['/pets', () => '/v1/pets', 'GET, HEAD, POST, OPTIONS'],
  ['/pets/{petId}', () => petPath, 'GET, HEAD, OPTIONS'],
  ['/store/orders', () => '/v1/store/orders', 'GET, HEAD, OPTIONS'],
]

describe('every response', () => {
  const answers: [what: string, status: number, ask: () => Promise<ParsedResponse>][] = [
    ['a list', 200, () => north.get('/v1/pets')],
    ['a creation', 201, () => north.post('/v1/pets', rex)],
    ['OPTIONS', 204, () => service.send({ method: 'OPTIONS', path: '/v1/pets' })],
    ['OPTIONS of a target that cannot be decoded', 204, () => service.send({ method: 'OPTIONS', path: '/v1/pets/%0' })],
    ['not modified', 304, () => north.get('/v1/pets', { 'If-None-Match': '*' })],
    ['a wrong body', 400, () => north.post('/v1/pets', '{')],
    ['no key', 401, () => service.send({ path: '/v1/pets' })],
    ['no such animal', 404, () => north.get('/v1/pets/0')],
    ['no such path', 404, () => north.get('/v1/nowhere')],
    ['a path that cannot be decoded', 404, () => north.get('/v1/%zz')],
    ['a wrong method', 405, () => north.send({ method: 'PUT', path: '/v1/pets' })],
    ['a long target', 414, () => north.get(`/v1/${'x'.repeat(9000)}`)],
    ['an odd expectation', 417, () => north.get('/v1/pets', { Expect: 'miracles' })],
    ['the document', 200, () => service.send({ path: '/v1/openapi.json' })],
    ["the parser's own error", 400, () => raw('GET /v1/pets HTTP/1.1\r\nno colon\r\n\r\n')],
    ['an unknown method', 501, () => raw('BREW /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n')],
  ]

  test.each(answers)('%s (%d) has a Request-Id, nosniff, HSTS and CORS for every origin', async (_, status, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(answer.headers['request-id']).toMatch(UUID_V7)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
      'access-control-allow-origin': '*',
    })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('has another Request-Id', async () => {
    const ids = [await north.get('/v1/pets'), await north.get('/v1/pets')].map(({ headers }) => headers['request-id'])
    expect(new Set(ids).size).toBe(2)
  })

  test.each(['Request-Id', 'X-Request-Id'])("never takes a client's %s as ours", async (name) => {
    const own = '019a8f0e-6c1d-7b1e-9c55-2f6f6a0f9f10'
    const answer = await north.get('/v1/pets', { [name]: own })
    expect(answer.headers['request-id']).toMatch(UUID_V7)
    expect(answer.headers['request-id']).not.toBe(own)
  })

  test('joins the traceparent: the log line names the trace', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const { headers } = await north.get('/v1/pets', { traceparent: `00-${trace}-00f067aa0ba902b7-01` })
    const line = await vi.waitUntil(() => service.logs.find((each) => each.includes(String(headers['request-id']))), {
      timeout: 30_000,
    })
    expect(JSON.parse(line)).toMatchObject({ traceId: trace, method: 'GET', status: 200 })
  })
})

describe('200 to GET', () => {
  test.each(paths)('%s has a weak ETag, Cache-Control and Vary', async (_, path) => {
    const { status, headers } = await north.get(path())
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^W\/"[!#-~]+"$/)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers.vary).toBe('Authorization, Accept-Encoding')
    expect(headers['content-type']).toBe('application/json')
  })

  test.each(paths)('%s is 304 without a body when If-None-Match names its tag', async (_, path) => {
    const tag = String((await north.get(path())).headers.etag)
    const matching = [tag, tag.replace('W/', ''), `"other", ${tag}`, `${tag}, W/"other"`, '*']
    for (const known of matching) {
      const { status, text, headers } = await north.get(path(), { 'If-None-Match': known })
      expect([known, status, text]).toEqual([known, 304, ''])
      expect(headers).toMatchObject({
        etag: tag,
        'cache-control': 'private, no-cache',
        vary: 'Authorization, Accept-Encoding',
      })
      expect(headers['content-type']).toBeUndefined()
    }
    for (const known of ['W/"other"', '""', 'nonsense', tag.replaceAll('"', '')]) {
      expect((await north.get(path(), { 'If-None-Match': known })).status).toBe(200)
    }
  })

  test('the tag changes with the body', async () => {
    const tenant = await newTenant(service)
    const before = (await tenant.get('/v1/pets')).headers.etag
    await tenant.post('/v1/pets', rex)
    const after = await tenant.get('/v1/pets', { 'If-None-Match': String(before) })
    expect([after.status, after.headers.etag === before]).toEqual([200, false])
  })

  test('the tag changes when the same rows gain a next page', async () => {
    const tenant = await newTenant(service)
    const [oldest] = await addPets(service, tenant, 3)
    const setStatus = (status: string) =>
      asProject(service.database, tenant.project, (client) =>
        client.query('update pets set status = $3 where project_id = $1 and id = $2', [tenant.project, oldest, status]),
      )
    await setStatus('sold')
    const path = '/v1/pets?status=available&limit=2'
    const before = await tenant.get(path)
    await setStatus('available')
    const after = await tenant.get(path, { 'If-None-Match': String(before.headers.etag) })
    expect([after.status, after.text]).toEqual([200, before.text])
    expect([linksOf(before)['next'], linksOf(after)['next']]).toEqual([undefined, expect.any(String)])
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  test('the tag is the same for the same response', async () => {
    const tags = [await north.get(petPath), await north.get(petPath)].map(({ headers }) => headers.etag)
    expect(tags[0]).toBe(tags[1])
  })
})

describe('201 and errors', () => {
  test('are not cacheable', async () => {
    const answers = [
      await north.post('/v1/pets', rex),
      await north.post('/v1/pets', '{}'),
      await north.get('/v1/pets/0'),
      await service.send({ path: '/v1/pets' }),
      await north.send({ method: 'PUT', path: '/v1/pets' }),
      await raw('GET /v1/pets HTTP/1.1\r\nno colon\r\n\r\n'),
    ]
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'))
    expect(answers.filter(({ headers }) => headers.etag !== undefined)).toEqual([])
  })

  test('201 has the Location <base address>/pets/<id>', async () => {
    const added = await north.post('/v1/pets', rex, { Host: 'evil.example' })
    expect(added.headers.location).toBe(`${BASE_URL}/pets/${petOf(added).id}`)
  })

  test('If-None-Match makes no difference to a creation', async () => {
    expect((await north.post('/v1/pets', rex, { 'If-None-Match': '*' })).status).toBe(201)
  })
})

describe('HEAD', () => {
  const varying = new Set(['date', 'request-id', 'ratelimit'])
  const stable = ({ headers }: ParsedResponse) => Object.entries(headers).filter(([name]) => !varying.has(name))

  test.each([
    ['a list', () => '/v1/pets', {}],
    ['a page', () => '/v1/pets?limit=1', {}],
    ['an animal', () => petPath, {}],
    ['orders', () => '/v1/store/orders', {}],
    ['not modified', () => '/v1/pets', { 'If-None-Match': '*' }],
    ['a wrong parameter', () => '/v1/pets?limit=0', {}],
    ['no such animal', () => '/v1/pets/0', {}],
    ['no such path', () => '/v1/nowhere', {}],
    ['the document', () => '/v1/openapi.json', {}],
  ])('has all headers of GET and no body: %s', async (_, path, headers) => {
    const [get, head] = [await north.get(path(), headers), await north.send({ method: 'HEAD', path: path(), headers })]
    expect([head.status, head.text]).toEqual([get.status, ''])
    expect(stable(head)).toEqual(stable(get))
  })

  test('without a key is 401 as GET is', async () => {
    const [get, head] = [
      await service.send({ path: '/v1/pets' }),
      await service.send({ method: 'HEAD', path: '/v1/pets' }),
    ]
    expect([head.status, head.text]).toEqual([401, ''])
    expect(stable(head)).toEqual(stable(get))
  })
})

describe('OPTIONS', () => {
  const asked: [name: string, path: () => string, allow: string][] = [
    ...paths,
    ['an unknown path', () => '/v1/nowhere', 'OPTIONS'],
    ['a path that cannot be decoded', () => '/v1/%zz', 'OPTIONS'],
    ['the version alone', () => '/v1', 'OPTIONS'],
    ['the document', () => '/v1/openapi.json', 'GET, HEAD, OPTIONS'],
  ]
  const preflight = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' }

  test.each(asked)('%s is 204 with Allow, and needs no key', async (_, path, allow) => {
    const { status, text, headers } = await service.send({ method: 'OPTIONS', path: path(), headers: preflight })
    expect([status, text, headers.allow]).toEqual([204, '', allow])
    expect(headers['access-control-allow-methods']).toBe(allow.replace(/(, )?OPTIONS$/, ''))
  })

  test('a bad key makes no difference', async () => {
    const headers = { Authorization: 'Bearer nonsense' }
    expect((await service.send({ method: 'OPTIONS', path: '/v1/pets', headers })).status).toBe(204)
  })

  test('CORS: origin *, no credentials, the four request headers by name, cached for a day', async () => {
    const { headers } = await service.send({ method: 'OPTIONS', path: '/v1/pets', headers: preflight })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match',
      'access-control-max-age': '86400',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('CORS: the headers that a script may read are named on every response', async () => {
    const exposed =
      'Link, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Request-Id, Idempotent-Replayed, WWW-Authenticate'
    const answers = [
      await north.get('/v1/pets'),
      await north.post('/v1/pets', rex),
      await service.send({ path: '/v1/pets' }),
    ]
    expect(answers.map(({ headers }) => headers['access-control-expose-headers'])).toEqual(answers.map(() => exposed))
  })
})

describe('a wrong method', () => {
  const methods = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method))

  test.each(methods)('%s is 405 with Allow wherever it is not allowed', async (method) => {
    for (const [, path, allow] of paths) {
      if (allow.includes(method)) continue
      const answer = await north.send({ method, path: path() })
      expectRefusal(answer, 405, 'method_not_allowed', `${method} is not allowed here. Allowed: ${allow}.`)
      expect(answer.headers.allow).toBe(allow)
    }
  })

  test('CONNECT is 405 too', async () => {
    expectRefusal(await raw('CONNECT /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'), 405, 'method_not_allowed')
  })

  test.each(['BREW', 'get', 'FOO'])('a method that the parser does not know is 501: %s', async (method) => {
    expectRefusal(await raw(`${method} /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n`), 501, 'method_not_implemented')
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('on an unknown path %s is 404', async (method) => {
    expectRefusal(await north.send({ method, path: '/v1/nowhere' }), 404, 'not_found')
  })
})

describe('long input', () => {
  const target = (bytes: number) => `/v1/pets?${'x'.repeat(bytes - '/v1/pets?'.length)}`
  const request = (line: string, headers = '') =>
    `GET ${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

  test('a target of 8,192 bytes is accepted', async () => {
    expectRefusal(await north.get(target(8192)), 400, 'unknown_parameter')
  })

  test.each([8193, 16_000, 20_000, 100_000])('a target of %d bytes is 414', async (bytes) => {
    const answer = await raw(request(target(bytes)))
    expectRefusal(answer, 414, 'uri_too_long', 'The request target exceeds 8192 bytes.')
    expect(answer.headers.connection).toBe('close')
  })

  test('a long target that cannot be decoded is 414 as well', async () => {
    expectRefusal(await north.get(`/v1/%zz${'x'.repeat(8192)}`), 414, 'uri_too_long')
  })

  test('a header section of 16,000 bytes is accepted', async () => {
    expect((await north.get('/v1/pets', { 'X-Long': 'x'.repeat(15_800) })).status).toBe(200)
  })

  test.each([16_384, 20_000, 100_000])('a header section of more than %d bytes is 431', async (bytes) => {
    const answer = await raw(request('/v1/pets', `X-Long: ${'x'.repeat(bytes)}\r\n`))
    expectRefusal(answer, 431, 'headers_too_large', 'The header section exceeds 16384 bytes.')
    expect(answer.headers.connection).toBe('close')
  })

  test('many short headers are counted together', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `X-${index}: ${'x'.repeat(10)}\r\n`).join('')
    expectRefusal(await raw(request('/v1/pets', many)), 431, 'headers_too_large')
  })
})

describe('Expect', () => {
  test('100-continue is met: the body is requested, and the animal created', async () => {
    const sent: RawRequest = { method: 'POST', path: '/v1/pets', headers: { Expect: '100-continue' }, body: rex }
    const answer = await north.send({ ...sent, headers: { ...sent.headers, 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(201)
  })

  test('any other expectation is 417', async () => {
    expectRefusal(await north.get('/v1/pets', { Expect: 'miracles' }), 417, 'expectation_failed')
  })
})

describe('the content of /v1', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v1/pet',
    '/v1/pets/1/photos',
    '/v1/store',
    '/v1/store/orders/1',
    '/v1/PETS',
    '/v1//pets',
  ])('has nothing at %s', async (path) => {
    expectRefusal(await north.get(path), 404, 'not_found', 'No resource exists at this path.')
  })

  test('has HEAD and OPTIONS as part of HTTP, not as operations: the document does not list them', async () => {
    const { json } = await service.send({ path: '/v1/openapi.json' })
    const { paths } = json as { paths: Record<string, object> }
    expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toEqual(['get', 'post', 'get', 'get'])
  })

  test('has the document without a key, which does not list itself', async () => {
    const { status, json } = await service.send({ path: '/v1/openapi.json' })
    expect(status).toBe(200)
    expect(Object.keys((json as { paths: object }).paths)).toEqual(['/pets', '/pets/{petId}', '/store/orders'])
  })
})
