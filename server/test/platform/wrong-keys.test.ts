// Wrong credentials of one address, with the default limits: an office, where one program has a wrong key, or a guest
// tries some. They keep no other client of the address out, and cost a bounded number of statements.

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAccountGuard } from '../../src/accounts/sessions/guard.io.ts'
import { makeKey } from '../../src/foundation/key-format.ts'
import { shareLimits } from '../../src/foundation/load/rate-limit.io.ts'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { createGuard } from '../../src/projects/guard.io.ts'
import { cookieOf, DASHBOARD, PASSWORD, PLATFORM, type PersonClient } from '../../../testbed/harness/platform.ts'
import { clientOf } from '../v1/responses.ts'
import { startPeople, type People } from './people.ts'

const FAILURES_MAX = '60'
const sessionCookie = () => `__Host-petstore=${randomBytes(32).toString('base64url')}`

type Headers = Record<string, string>
const wrong: readonly (readonly [count: number, what: string, headers: () => Headers])[] = [
  [61, 'malformed', () => ({ Authorization: 'Bearer nonsense' })],
  [500, 'malformed', () => ({ Authorization: 'Bearer nonsense' })],
  [500, 'absent', () => ({})],
  [500, 'unknown', () => ({ Authorization: `Bearer ${makeKey('live', randomBytes)}` })],
  [500, 'unknown, of a person', () => ({ Authorization: `Bearer ${makeKey('pat', randomBytes)}` })],
  [500, 'unknown, of a session', () => ({ Cookie: sessionCookie() })],
]

/** A few at a time, as a browser or a program has connections. */
async function flood(count: number, request: () => Promise<unknown>): Promise<void> {
  let left = count
  const lane = async () => {
    while (left-- > 0) await request()
  }
  await Promise.all(Array.from({ length: 50 }, lane))
}

describe('wrong keys of one address', () => {
  let people: People
  let held: PersonClient
  let fresh: PersonClient
  beforeAll(async () => {
    people = await startPeople({ env: { RATE_LIMIT_FAILED_AUTHENTICATIONS: FAILURES_MAX } })
    ;[held, fresh] = await Promise.all([people.signUp(), people.signUp()])
  })

  test.each(wrong)(
    'keep no valid session, key, token or sign-in of the address out: %i %s',
    async (count, _, headersOf) => {
      const { test: service, anyone } = people
      const [heldKey, freshKey] = [
        await service.keyFor(service.north, { label: 'test' }),
        await service.keyFor(service.north, { label: 'test' }),
      ]
      const get = async (key: { key: string }) =>
        (await clientOf(service, service.north.project, key.key).get('/v1/pets')).status
      const made = await held.send('POST', '/account/tokens', { label: 'test', scopes: ['read'] })
      const { token } = made.json as { token: string }
      expect([await get(heldKey), (await held.send('GET', '/account')).status]).toEqual([200, 200])

      await flood(count, () => service.send({ path: '/v1/pets', headers: headersOf() }))
      await flood(count, () => service.send({ path: `${PLATFORM}/account`, headers: headersOf() }))

      expect({ heldKey: await get(heldKey), freshKey: await get(freshKey) }).toEqual({ heldKey: 200, freshKey: 200 })
      expect((await held.send('GET', '/account')).status).toBe(200)
      const byToken = await anyone.send('GET', '/account', undefined, { Authorization: `Bearer ${token}` })
      expect(byToken.status).toBe(200)
      const signedIn = await anyone.send('POST', '/session', { email: fresh.email, password: PASSWORD })
      expect(signedIn.status).toBe(200)
      const own = { Cookie: cookieOf(signedIn), Origin: DASHBOARD }
      expect((await anyone.send('GET', '/account', undefined, own)).status).toBe(200)
      // A page for people who are signed out: 401 is what leads them to the form.
      expect((await anyone.send('GET', '/account')).status).toBe(401)
      expect((await anyone.send('GET', '/account', undefined, { Cookie: sessionCookie() })).status).toBe(401)
      expect((await people.signUp()).cookie).not.toBe('')
    },
  )
})

describe('250 unknown secrets of one address, at once', () => {
  const failures = { points: 60, windowSeconds: 60 }
  let people: People
  let statements = 0
  let digests = 0
  const shared = () => {
    const { database } = people.test.service
    const { run } = database
    const counting: Db = (text, ...values) => {
      statements += 1
      digests += (values[0] as readonly Buffer[]).length
      return run(text, ...values)
    }
    const onError = () => {}
    const monotonic = () => performance.now()
    return {
      context: { database: { ...database, run: counting }, now: Date.now, monotonic, onError },
      rules: { failures, revocations: { hold: () => {} }, quotas: shareLimits({ run, now: Date.now }) },
    }
  }
  beforeAll(async () => {
    people = await startPeople()
  })
  const outcomes = async (secrets: readonly string[], enter: (secret: string) => Promise<unknown>) => {
    ;[statements, digests] = [0, 0]
    const outcome = async (secret: string) =>
      enter(secret).then(
        () => 'admitted',
        () => 'refused',
      )
    return Promise.all(secrets.map(outcome))
  }
  const keys = () => Array.from({ length: 250 }, () => makeKey('live', randomBytes))

  test('are looked up in a few statements, together with a valid one', async () => {
    const { test: service } = people
    const { context, rules } = shared()
    const guard = createGuard(context, rules, 'live')
    const { key } = await service.keyFor(service.north, { label: 'test' })
    const enter = (secret: string) => guard.authenticate([`Bearer ${secret}`], '192.0.2.1')
    expect((await outcomes([...keys(), key], enter)).at(-1)).toBe('admitted')
    expect(digests).toBe(251)
    // Five alone, which are one batch here, and four batches of at most 64.
    expect(statements).toBeLessThanOrEqual(5)
    // What is beyond 256 waiting ones is refused without a look-up, and a moment later the valid one is cached.
    expect((await outcomes([...keys(), ...keys(), key], enter)).at(-1)).toBe('admitted')
    expect(digests).toBeLessThanOrEqual(261)
  })

  test('are looked up in a few statements, together with a valid session', async () => {
    const { cookie } = await people.signUp()
    const { context, rules } = shared()
    const guard = createAccountGuard(context, rules, DASHBOARD)
    type Request = Parameters<typeof guard.recognise>[0]
    const enter = (sent: string) =>
      guard.recognise({ ip: '192.0.2.1', method: 'GET', headers: { cookie: sent } } as Request)
    const cookies = Array.from({ length: 250 }, sessionCookie)
    expect((await outcomes([...cookies, cookie], enter)).at(-1)).toBe('admitted')
    expect(digests).toBe(251)
    expect(statements).toBeLessThanOrEqual(2)
  })
})
