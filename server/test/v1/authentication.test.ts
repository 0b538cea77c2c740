// Authentication of `/v1`: one header, one key, and the same 401 for everything that is
// wrong with it. A malformed credential costs no database work.

import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { scopes, type Scope } from '@petstore-platform/contract/operations'
import { trackKeyUses } from '../../src/projects/jobs.io.ts'
import { digestOf, makeKey } from '../../src/foundation/key-format.ts'
import {
  createKey,
  OVERLAP_SECONDS_DEFAULT,
  OVERLAP_SECONDS_MAX,
  revokeKey,
  rotateKey,
} from '../../src/projects/api-keys.io.ts'
import { inProjectOf, inProjectsOf } from '../../src/projects/scope.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { asProject, clientOf, cutOff, expectRefusal, newTenant, rawExchange, withKey } from './responses.ts'
import { startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'

const service = await startTestService()
const { north } = service

const MISSING = 'Bearer realm="petstore"'
const INVALID = 'Bearer realm="petstore", error="invalid_token", error_description="The API key is not valid"'
const ask = (authorization: string | string[], origin = service) =>
  origin.send({ path: '/v1/pets', headers: { Authorization: authorization } })
const keyDeps = ({ service: { database } }: TestService) => ({
  inProject: inProjectOf(database),
  kind: 'live' as const,
  newId,
  randomBytes,
})

describe('a missing credential, or a scheme other than Bearer', () => {
  test.each([
    ['no Authorization header', {}],
    ['an empty one', { Authorization: '' }],
    ['Basic', { Authorization: 'Basic cGV0czpwZXRz' }],
    ['Digest', { Authorization: 'Digest username="pets"' }],
    ['a scheme that begins like Bearer', { Authorization: 'Bearers x' }],
    ['a cookie', { Cookie: 'key=x' }],
    ['another header', { 'X-Api-Key': 'x' }],
  ])('%s is 401 missing_api_key, and the challenge has no error', async (_, headers) => {
    const answer = await service.send({ path: '/v1/pets', headers })
    expectRefusal(answer, 401, 'missing_api_key', "Send 'Authorization: Bearer <API_KEY>'.")
    expect(answer.headers['www-authenticate']).toBe(MISSING)
  })

  test('the key alone, without a scheme, is a missing credential', async () => {
    expectRefusal(await ask(north.key), 401, 'missing_api_key')
  })
})

describe('a bad key', () => {
  const flipped = (key: string, at: number) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)

  test.each([
    ['nothing after the scheme', () => 'Bearer'],
    ['only a space', () => 'Bearer '],
    ['nonsense', () => 'Bearer nonsense'],
    ['8 KB', () => `Bearer ${'x'.repeat(8192)}`],
    ['a tab instead of the space', () => `Bearer\t${north.key}`],
    ['a tab after the space', () => `Bearer \t${north.key}`],
    ['two keys', () => `Bearer ${north.key} ${north.key}`],
    ['two credentials in one header', () => `Bearer ${north.key}, Bearer ${north.key}`],
    ['quotes', () => `Bearer "${north.key}"`],
    ['a key that is too short', () => `Bearer ${north.key.slice(0, -1)}`],
    ['a key that is too long', () => `Bearer ${north.key}0`],
    ['the prefix in capitals', () => `Bearer ${north.key.replace('pets', 'PETS')}`],
    ["the other installation's prefix", () => `Bearer ${makeKey('test', randomBytes)}`],
    ['a wrong checksum', () => `Bearer ${flipped(north.key, 47)}`],
    ['a checksum that no longer fits', () => `Bearer ${flipped(north.key, 20)}`],
    ['a well-formed key that was never created', () => `Bearer ${makeKey('live', randomBytes)}`],
  ])('%s is 401 invalid_api_key', async (_, authorization) => {
    const answer = await ask(authorization())
    expectRefusal(answer, 401, 'invalid_api_key', 'The API key is not valid.')
    expect(answer.headers['www-authenticate']).toBe(INVALID)
  })

  test.each([
    ['the same good key twice', () => [`Bearer ${north.key}`, `Bearer ${north.key}`]],
    ['a good one first', () => [`Bearer ${north.key}`, 'Bearer nonsense']],
    ['a good one last', () => ['Bearer nonsense', `Bearer ${north.key}`]],
    ['another scheme first', () => ['Basic cGV0czpwZXRz', `Bearer ${north.key}`]],
    ['two other schemes', () => ['Basic cGV0czpwZXRz', 'Basic cGV0czpwZXRz']],
  ])('sent in two Authorization headers is 401 invalid_api_key: %s', async (_, authorizations) => {
    const answer = await ask(authorizations())
    expectRefusal(answer, 401, 'invalid_api_key')
    expect(answer.headers['www-authenticate']).toBe(INVALID)
  })

  test('with any changed character gets the same bytes', async () => {
    const answers = await Promise.all(Array.from({ length: 48 }, (_, at) => ask(`Bearer ${flipped(north.key, at)}`)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('in a malformed header is 401 and not 400', async () => {
    const sent = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \xff\xfe\r\n\r\n`
    expectRefusal(await rawExchange(service.origin, Buffer.from(sent, 'latin1')), 401, 'invalid_api_key')
  })
})

describe('a key in the query string', () => {
  test.each(['api_key', 'access_token', 'key'])('%s is not read', async (name) => {
    expectRefusal(await service.send({ path: `/v1/pets?${name}=${north.key}` }), 401, 'missing_api_key')
  })

  test.each(['api_key', 'access_token'])('%s is an unknown parameter', async (name) => {
    const answer = await north.get(`/v1/pets?${name}=${north.key}`)
    expectRefusal(answer, 400, 'unknown_parameter')
  })
})

describe('the scheme', () => {
  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer  ', 'Bearer     '])(
    '%j is accepted: in any case, with one or more spaces',
    async (scheme) => {
      expect((await ask(`${scheme}${north.key}`)).status).toBe(200)
    },
  )
})

describe('scopes', () => {
  const operations: [name: string, scope: Scope, ask: (by: Tenant) => Promise<{ status: number }>][] = [
    ['listPets', 'pets:read', (by) => by.get('/v1/pets')],
    ['createPet', 'pets:write', (by) => by.post('/v1/pets', '{"name":"Rex","categoryId":1}')],
    ['getPet', 'pets:read', (by) => by.get('/v1/pets/0')],
    ['listOrders', 'orders:read', (by) => by.get('/v1/store/orders')],
  ]

  test.each(operations)('a key has all scopes unless it was created with fewer: %s', async (_, __, ask) => {
    expect((await ask(north)).status).not.toBe(403)
  })

  test.each(operations)('%s requires the scope %s and no other', async (_, needed, ask) => {
    for (const scope of scopes) {
      const { status } = await ask(await withKey(service, north, { scopes: [scope] }))
      expect(status === 403).toBe(scope !== needed)
    }
  })

  test('a missing scope is 403 insufficient_scope, and the response names it', async () => {
    const narrow = await withKey(service, north, { scopes: ['pets:read', 'orders:read'] })
    const answer = await narrow.post('/v1/pets', '{"name":"Rex","categoryId":1}')
    expectRefusal(answer, 403, 'insufficient_scope', /'pets:write'/)
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="petstore", error="insufficient_scope", scope="pets:write"',
    )
  })
})

describe('expired and revoked keys', () => {
  test('a key is valid until it expires', async () => {
    const until = await withKey(service, north, { expiresAt: new Date(Date.now() + 3_600_000) })
    expect((await until.get('/v1/pets')).status).toBe(200)
  })

  test('an expired key is 401 expired_api_key', async () => {
    const answer = await (await withKey(service, north, { expiresAt: new Date(Date.now() - 1) })).get('/v1/pets')
    expectRefusal(answer, 401, 'expired_api_key', 'The API key has expired.')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="petstore", error="invalid_token"/)
  })

  test('a key expires at its exact millisecond', async () => {
    let now = Date.now()
    const own = await startTestService({ now: () => now })
    const until = await withKey(own, own.north, { expiresAt: new Date(now + 60_000) })
    now += 59_999
    expect((await until.get('/v1/pets')).status).toBe(200)
    now += 1
    expectRefusal(await until.get('/v1/pets'), 401, 'expired_api_key')
  })

  test('a revoked key is 401 revoked_api_key', async () => {
    const { id, key } = await service.keyFor(north, { label: 'test' })
    await revokeKey(keyDeps(service), north.project, id)
    const answer = await ask(`Bearer ${key}`)
    expectRefusal(answer, 401, 'revoked_api_key', 'The API key was revoked.')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="petstore", error="invalid_token"/)
  })

  test('expired_api_key and revoked_api_key are returned only to clients with the whole secret', async () => {
    const { id, key } = await service.keyFor(north, { label: 'test', expiresAt: new Date(0) })
    await revokeKey(keyDeps(service), north.project, id)
    expectRefusal(await ask(`Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`), 401, 'invalid_api_key')
  })

  test.each([true, false])('a revoked key is refused within a second; notifications received: %s', async (hears) => {
    const own = await startTestService({ isListening: hears })
    const { id, key } = await own.keyFor(own.north, { label: 'test' })
    const client = clientOf(own, own.north.project, key)
    expect((await client.get('/v1/pets')).status).toBe(200)
    await revokeKey(keyDeps(own), own.north.project, id)
    const revokedAt = performance.now()
    let [askedAt, acceptedAt] = [revokedAt, revokedAt]
    const isAccepted = async () => (await client.get('/v1/pets')).status === 200
    while (askedAt - revokedAt < 5000 && (await isAccepted())) {
      acceptedAt = askedAt
      askedAt = performance.now()
    }
    expect(acceptedAt - revokedAt).toBeLessThan(1000)
  })
})

describe('before any database work', () => {
  let cut: TestService
  beforeAll(async () => {
    cut = await startTestService()
    await cutOff(cut)
  })

  test('a key that must be looked up is 503 while PostgreSQL accepts no connections', async () => {
    expectRefusal(await ask(`Bearer ${makeKey('live', randomBytes)}`, cut), 503, 'service_unavailable')
  })

  const unfit: [what: string, authorization: () => string, code: RefusalCode][] = [
    ['no key', () => '', 'missing_api_key'],
    ['a malformed key', () => 'Bearer nonsense', 'invalid_api_key'],
    ['a wrong checksum', () => `Bearer ${makeKey('live', randomBytes).slice(0, -6)}000000`, 'invalid_api_key'],
    ["the other installation's prefix", () => `Bearer ${makeKey('test', randomBytes)}`, 'invalid_api_key'],
  ]
  test.each(unfit)('%s is 401 all the same', async (_, authorization, code) => {
    expectRefusal(await ask(authorization(), cut), 401, code)
  })
})

describe('an unknown path or a wrong method uses no database connection of its own', () => {
  test('with a cached key they are answered while PostgreSQL accepts no connections', async () => {
    const own = await startTestService()
    // The second for which a key is cached does not pass while the clock is stopped.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    try {
      expect((await own.north.get('/v1/pets')).status).toBe(200)
      await cutOff(own)
      expectRefusal(await own.north.get('/v1/nowhere'), 404, 'not_found')
      expectRefusal(await own.north.send({ method: 'DELETE', path: '/v1/pets' }), 405, 'method_not_allowed')
      expectRefusal(await own.north.get('/v1/pets'), 503, 'service_unavailable')
    } finally {
      clock.mockRestore()
    }
  })
})

describe('the key format', () => {
  test('is pets_live_ in production, pets_test_ on staging, and 38 base62 characters', async () => {
    expect(north.key).toMatch(/^pets_live_[0-9A-Za-z]{38}$/)
    const staging = await startTestService({ env: { ENVIRONMENT: 'staging' } })
    expect(staging.north.key).toMatch(/^pets_test_[0-9A-Za-z]{38}$/)
    expect((await staging.north.get('/v1/pets')).status).toBe(200)
    expectRefusal(await ask(`Bearer ${makeKey('live', randomBytes)}`, staging), 401, 'invalid_api_key')
  })
})

describe('the storage of keys', () => {
  test('holds only the SHA-256 digest, with a display prefix and the last 4 characters', async () => {
    const { id, key } = await service.keyFor(north, { label: 'kept' })
    const rows = await asProject(service.database, north.project, async (client) => {
      const own = await client.query<Record<string, unknown>>('select * from api_keys where id = $1', [id])
      const directory = await client.query<Record<string, unknown>>('select * from key_directory where key_id = $1', [
        id,
      ])
      return [...own.rows, ...directory.rows]
    })
    const digest = createHash('sha256').update(key).digest()
    expect(digestOf(key)).toEqual(digest)
    expect(rows.map((row) => row['digest'])).toEqual([digest, digest])
    expect(rows[0]).toMatchObject({ display_prefix: key.slice(0, 14), last_four: key.slice(-4) })
    expect(JSON.stringify(rows)).not.toContain(key.slice(14, 44))
  })

  test('writes the time of the last use at most once a minute, and outside of the request', async () => {
    const tenant = await newTenant(service)
    let now = Date.UTC(2026, 0, 1)
    const uses = trackKeyUses({ inProjects: inProjectsOf(service.service.database), now: () => now })
    const keyId = (await createKey(keyDeps(service), tenant.project, { label: 'used' })).row.id
    const lastUsed = () =>
      asProject(service.database, tenant.project, async (client) => {
        const { rows } = await client.query<{ at: Date | null }>(
          'select last_used_at as at from api_keys where id = $1',
          [keyId],
        )
        return rows[0]?.at?.getTime() ?? null
      })
    const use = () => uses.note({ project: tenant.project, keyId, scopes: [] })

    use()
    expect(await lastUsed()).toBeNull()
    await uses.write()
    expect(await lastUsed()).toBe(now)

    const first = now
    now += 59_999
    use()
    await uses.write()
    expect(await lastUsed()).toBe(first)
    now += 1
    use()
    await uses.write()
    expect(await lastUsed()).toBe(first + 60_000)
  })
})

describe('the lifecycle of keys', () => {
  test('rotation creates a new key with the same scopes; the old one stays valid for the overlap', async () => {
    const { id, key } = await service.keyFor(north, { label: 'old', scopes: ['pets:read'] })
    const { key: fresh, row, old } = await rotateKey(keyDeps(service), north.project, id)
    expect(row.scopes).toEqual(['pets:read'])
    expect((await ask(`Bearer ${fresh}`)).status).toBe(200)
    expect((await ask(`Bearer ${key}`)).status).toBe(200)
    const left = ((old.expiresAt?.getTime() ?? 0) - Date.now()) / 1000
    expect(left).toBeGreaterThan(OVERLAP_SECONDS_DEFAULT - 60)
    expect(left).toBeLessThanOrEqual(OVERLAP_SECONDS_DEFAULT)
  })

  test('with an overlap of 0 the old one ends at once', async () => {
    const { id, key } = await service.keyFor(north, { label: 'old' })
    await rotateKey(keyDeps(service), north.project, id, 0)
    expectRefusal(await ask(`Bearer ${key}`), 401, 'expired_api_key')
  })

  test('the overlap is 24 hours by default and 30 days at most', () => {
    expect([OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX]).toEqual([86_400, 2_592_000])
  })

  test('a rotation never extends the lifetime of a key, and revives no revoked one', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    const short = await service.keyFor(north, { label: 'short', expiresAt })
    const { old } = await rotateKey(keyDeps(service), north.project, short.id)
    expect(old.expiresAt).toEqual(expiresAt)
    const gone = await service.keyFor(north, { label: 'gone' })
    await revokeKey(keyDeps(service), north.project, gone.id)
    await expect(rotateKey(keyDeps(service), north.project, gone.id)).rejects.toThrow(/No usable key/)
  })

  test.each([
    ['/v1/keys', 404],
    ['/v1/api-keys', 404],
    ['/v1/projects', 404],
    ['/platform/v1/projects/north/keys', 401],
  ] as const)('an API key can never create keys: %s responds %d', async (path, status) => {
    expect((await north.post(path, '{"label":"new"}')).status).toBe(status)
  })
})
