// Accounts on `/platform/v1`, operation by operation: the result of each, each way in which
// it refuses, the exact cookie, protection against pages of other origins, and isolation
// between accounts.

import { randomBytes } from 'node:crypto'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import { tokenScopeOf, tokenScopes } from '@petstore-platform/contract/platform/operation'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makeKey } from '../../src/foundation/key-format.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { expectRefusal } from '../v1/responses.ts'
import type { Received, RawRequest } from '../../../testbed/harness/http.ts'
import {
  DASHBOARD,
  PASSWORD,
  cookieOf,
  startTestPlatform,
  type PlatformJson,
  type PersonClient,
} from '../../../testbed/harness/platform.ts'

const platform = await startTestPlatform()
const { test: service, anyone } = platform
const signUp = (name?: string) => platform.signUp(name)

/** Secrets that this file created or sent. */
const secrets = new Set([PASSWORD])
afterAll(() => {
  expect(service.logs.length).toBeGreaterThan(50)
  for (const secret of secrets) expect(service.logs.filter((line) => line.includes(secret))).toEqual([])
})

const bodyOf = (answer: Received) => answer.json as PlatformJson
const rowsOf = (answer: Received) => answer.json as PlatformJson[]
/** In ascending order, since any of several concurrent requests may win. */
const statusesOf = (answers: readonly Received[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const signIn = (email: string, password = PASSWORD, headers: RawRequest['headers'] = {}) =>
  anyone.send('POST', '/session', { email, password }, headers)
const withCookie =
  (cookie: string) =>
  (method: string, path: string, headers: RawRequest['headers'] = {}, body?: unknown) =>
    anyone.send(method, path, body, { Cookie: cookie, ...headers })
const secretIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)

async function secondSession({ email }: PersonClient): Promise<string> {
  const cookie = cookieOf(await signIn(email))
  secrets.add(secretIn(cookie))
  return cookie
}
async function newToken(
  person: PersonClient,
  options: PlatformJson = { label: 'laptop' },
): Promise<{ id: string; token: string }> {
  const answer = await person.send('POST', '/account/tokens', options)
  expect(answer.status).toBe(201)
  const fresh = answer.json as { id: string; token: string }
  secrets.add(fresh.token)
  return fresh
}
const bearer = (token: string) => (method: string, path: string, body?: unknown) =>
  anyone.send(method, path, body, { Authorization: `Bearer ${token}` })

/** The whole response without the parts that differ from request to request. */
const bytesOf = ({ status, rawHeaders, text }: Received) => {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []))
  return { status, text, headers: pairs.filter(([name]) => !/^(request-id|date|ratelimit)$/i.test(name ?? '')) }
}

/** By a link that an operator passes on. */
const create = async (person: { email: string; name: string }, headers: Record<string, string> = {}) => {
  const secret = await platform.invited(person.email)
  return anyone.send('POST', '/accounts', { secret, password: PASSWORD, name: person.name }, headers)
}

describe('signing up', () => {
  test('creates an account, returns it without its password, and signs it in', async () => {
    const email = 'Ada.Lovelace@Petstore.example'
    const answer = await create({ email, name: 'Ada' })
    expect(answer.status).toBe(201)
    expect(bodyOf(answer)).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-f]{24}$/),
      email,
      isVerified: false,
      name: 'Ada',
      language: 'en',
      timeZone: null,
      isReachable: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const account = await withCookie(cookieOf(answer))('GET', '/account')
    expect(account.text).toBe(answer.text)
  })

  test.each([
    ['in other case', 'ADA.lovelace@petstore.EXAMPLE'],
    ['in other characters that mean the same', 'ａda.lovelace@petstore.example'],
  ])('is refused where the address is taken, also %s', async (_, email) => {
    const answer = await create({ email, name: 'Eve' })
    expectRefusal(answer, 409, 'email_taken')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  const good = { secret: 'x'.repeat(43), email: 'new@petstore.example', password: PASSWORD, name: 'New' }
  test.each<
    [what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field', says: RegExp]
  >([
    ['an address without @', { ...good, email: 'new.petstore.example' }, 'invalid_field', /'email' must be/],
    ['an address with a blank', { ...good, email: 'n ew@petstore.example' }, 'invalid_field', /'email'/],
    ['an address of 255 characters', { ...good, email: `${'n'.repeat(253)}@p` }, 'invalid_field', /'email'/],
    [
      'a password of 11 characters',
      { ...good, password: 'otters jugg' },
      'invalid_field',
      /'password' must have 12 to 256/,
    ],
    ['a password of 257 characters', { ...good, password: 'x'.repeat(257) }, 'invalid_field', /'password'/],
    ['a name of blanks', { ...good, name: '  ' }, 'invalid_field', /'name'/],
    ['a name with a line break', { ...good, name: 'a\nb' }, 'invalid_field', /'name'/],
    ['a number for a name', { ...good, name: 5 }, 'invalid_field', /'name'/],
    ['no name', { secret: good.secret, password: PASSWORD }, 'missing_field', /name/],
    ['no link', { password: PASSWORD, name: 'New' }, 'missing_field', /secret/],
    ['an id of one’s own', { ...good, id: 'acc_000000000000000000000000' }, 'unknown_field', /'id'/],
  ])('with %s is refused', async (_, body, code, says) => {
    expectRefusal(await anyone.send('POST', '/accounts', body), 400, code, says)
  })

  test('with one address twice concurrently creates one account', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ email: 'twice@petstore.example', name: 'Twice' })))
    expect(statusesOf(answers)).toEqual([201, 409, 409])
  })

  test('with one link several times concurrently creates one account', async () => {
    const body = { secret: await platform.invited('once@petstore.example'), password: PASSWORD, name: 'Once' }
    const answers = await Promise.all([1, 2, 3].map(() => anyone.send('POST', '/accounts', body)))
    expect(statusesOf(answers)).toEqual([201, 404, 404])
  })
})

describe('the cookie', () => {
  const form = /^__Host-petstore=[A-Za-z0-9_-]{43}; Max-Age=(43200|7776000); Path=\/; HttpOnly; Secure; SameSite=Lax$/
  const deviceForm =
    /^__Host-petstore-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
  const setCookies = ({ rawHeaders }: Received) =>
    rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'set-cookie' && index % 2 === 1)

  test('of a sign-up, a sign-in and a new password has exactly these flags, and no Domain', async () => {
    const mia = await signUp()
    const answers = [
      await create({ email: 'flags@petstore.example', name: 'Flags' }),
      await signIn(mia.email),
      await mia.send('PUT', '/account/password', { current: PASSWORD, next: PASSWORD }),
    ]
    for (const answer of answers) {
      expect(setCookies(answer)).toEqual([expect.stringMatching(form), expect.stringMatching(deviceForm)])
    }
  })

  test('is a new one at every sign-in, and the session of a cookie that was sent ends within ten seconds', async () => {
    const mia = await signUp()
    const elsewhere = await secondSession(mia)
    const again = cookieOf(await signIn(mia.email, PASSWORD, { Cookie: mia.cookie }))
    expect(again).not.toBe(mia.cookie)
    expect(rowsOf(await withCookie(again)('GET', '/sessions'))).toHaveLength(2)
    const { rows } = await asOwner(service.database, (client) =>
      client.query(`select from sessions where account_id = $1 and expires_at > now() + interval '10 seconds'`, [
        mia.id,
      ]),
    )
    expect(rows).toHaveLength(2)
    for (const cookie of [again, elsewhere]) expect((await withCookie(cookie)('GET', '/account')).status).toBe(200)
  })

  test('is deleted on signing out', async () => {
    const mia = await signUp()
    const answer = await mia.send('DELETE', '/session')
    expect(answer.status).toBe(204)
    expect(setCookies(answer)).toEqual(['__Host-petstore=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'])
    await vi.waitFor(async () => expectRefusal(await mia.send('GET', '/account'), 401, 'not_signed_in'), 30_000)
  })

  test('is stored as a digest only', async () => {
    const mia = await signUp()
    const secret = secretIn(mia.cookie)
    const { rows } = await asOwner(service.database, (client) =>
      client.query<{ text: string }>(`select sessions::text as text from sessions where account_id = $1`, [mia.id]),
    )
    expect(rows.length).toBe(1)
    for (const { text } of rows) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('a request without a valid session', () => {
  const never = 'A'.repeat(43)
  test.each<[what: string, headers: RawRequest['headers']]>([
    ['nothing', {}],
    ['an unknown cookie', { Cookie: `__Host-petstore=${never}` }],
    ['a cookie of another form', { Cookie: '__Host-petstore=%00' }],
    ['a cookie of another name', { Cookie: `petstore=${never}` }],
    ['an API key', { Authorization: `Bearer ${service.north.key}` }],
    ['an unknown token', { Authorization: `Bearer ${makeKey('pat', randomBytes)}` }],
    ['a token that was mistyped', { Authorization: `Bearer ${makeKey('pat', randomBytes).slice(0, -1)}-` }],
    ['another scheme', { Authorization: 'Basic bWlhOnNlY3JldA==' }],
  ])('is refused with %s', async (_, headers) => {
    for (const path of ['/account', '/sessions', '/account/tokens', '/projects', '/nowhere']) {
      const answer = await anyone.send('GET', path, undefined, headers)
      expectRefusal(answer, 401, 'not_signed_in')
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="petstore"')
    }
  })

  test('is refused with a bad token even if a good cookie is sent as well', async () => {
    const mia = await signUp()
    expectRefusal(await mia.send('GET', '/account', undefined, { Authorization: 'Bearer x' }), 401, 'not_signed_in')
  })
})

describe('a page of another origin', () => {
  const writes: [method: string, path: string, body?: unknown][] = [
    ['PATCH', '/account', { name: 'Changed' }],
    ['PUT', '/account/password', { current: PASSWORD, next: 'another password' }],
    ['POST', '/account/tokens', { label: 'stolen' }],
    ['DELETE', '/account/tokens/pat_000000000000000000000000'],
    ['DELETE', '/sessions/ses_000000000000000000000000'],
    ['POST', '/projects', { slug: 'stolen', name: 'stolen' }],
    ['POST', '/invitations/accept', { secret: 'x' }],
    ['DELETE', '/session'],
  ]
  const foreign: [what: string, headers: Record<string, string>][] = [
    ['no Origin and no Sec-Fetch-Site', {}],
    ['a foreign Origin', { Origin: 'https://evil.example' }],
    ['a foreign Origin that begins like ours', { Origin: `${DASHBOARD}.evil.example` }],
    ['our Origin by http', { Origin: DASHBOARD.replace('https', 'http') }],
    ['our Origin with another port', { Origin: `${DASHBOARD}:8443` }],
    ['the Origin null', { Origin: 'null' }],
    [
      'a foreign Origin that says it is same-origin',
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['our Origin by way of another site', { Origin: DASHBOARD, 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['Sec-Fetch-Site none', { 'Sec-Fetch-Site': 'none' }],
  ]

  test.each(foreign)('with %s changes nothing', async (_, headers) => {
    const mia = await signUp()
    const before = await mia.send('GET', '/account')
    for (const [method, path, body] of writes) {
      expectRefusal(await withCookie(mia.cookie)(method, path, headers, body), 403, 'foreign_origin')
    }
    expect((await mia.send('GET', '/account')).text).toBe(before.text)
    expect(rowsOf(await mia.send('GET', '/account/tokens'))).toEqual([])
    expect((await signIn(mia.email)).status).toBe(200)
  })

  test.each<[what: string, headers: Record<string, string>]>([
    ['our Origin', { Origin: DASHBOARD }],
    ['our Origin, same-origin', { Origin: DASHBOARD, 'Sec-Fetch-Site': 'same-origin' }],
    ['our Origin, from a neighbour of this host', { Origin: DASHBOARD, 'Sec-Fetch-Site': 'same-site' }],
    ['no Origin, same-origin', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('is not assumed for a request with %s', async (_, headers) => {
    const mia = await signUp()
    const answer = await withCookie(mia.cookie)('PATCH', '/account', headers, { name: 'Changed' })
    expect([answer.status, bodyOf(answer)['name']]).toEqual([200, 'Changed'])
  })

  test('is not checked for where nothing changes, or where a token is sent, which no browser adds automatically', async () => {
    const mia = await signUp()
    expect((await withCookie(mia.cookie)('GET', '/account')).status).toBe(200)
    const { token } = await newToken(mia)
    expect((await bearer(token)('PATCH', '/account', { name: 'By token' })).status).toBe(200)
  })

  test.each([
    ['Origin', { Origin: 'https://evil.example' }],
    ['Origin null', { Origin: 'null' }],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('cannot sign anyone in or up, as its %s reveals it', async (_, headers) => {
    const mia = await signUp()
    for (const answer of [
      await signIn(mia.email, PASSWORD, headers),
      await create({ email: 'lured@petstore.example', name: 'Lured' }, headers),
    ]) {
      expectRefusal(answer, 403, 'foreign_origin')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })
})

describe('the account', () => {
  test('is returned and renamed', async () => {
    const mia = await signUp('Mia')
    const answer = await mia.send('PATCH', '/account', { name: 'Mia 🦜' })
    expect(bodyOf(answer)).toMatchObject({ id: mia.id, email: mia.email, name: 'Mia 🦜' })
    expect((await mia.send('GET', '/account')).text).toBe(answer.text)
  })

  test('has the time zone of a device, which times can be written in', async () => {
    const mia = await signUp()
    for (const timeZone of ['Europe/Atlantis', '+01:00', '', 'x'.repeat(65)])
      expectRefusal(await mia.send('PATCH', '/account', { timeZone }), 400, 'invalid_field')
    const answer = await mia.send('PATCH', '/account', { timeZone: 'Asia/Calcutta' })
    expect(bodyOf(answer)).toMatchObject({ id: mia.id, timeZone: 'Asia/Calcutta' })
    expect(bodyOf(await mia.send('PATCH', '/account', { language: 'de' }))).toMatchObject({ timeZone: 'Asia/Calcutta' })
  })

  test.each<[what: string, body: PlatformJson, code: 'invalid_field' | 'unknown_field']>([
    ['101 characters', { name: 'x'.repeat(101) }, 'invalid_field'],
    ['no characters', { name: '' }, 'invalid_field'],
    ['another address', { name: 'x', email: 'x@y' }, 'unknown_field'],
  ])('accepts no name of %s', async (_, body, code) => {
    const mia = await signUp()
    expectRefusal(await mia.send('PATCH', '/account', body), 400, code)
  })
})

describe('sessions', () => {
  test('are listed, newest first, and mark the current one', async () => {
    const mia = await signUp()
    const second = await secondSession(mia)
    const answer = await withCookie(second)('GET', '/sessions')
    const session = {
      id: expect.stringMatching(/^ses_[0-9a-f]{24}$/),
      createdAt: expect.any(String),
      seenAt: expect.any(String),
      expiresAt: expect.any(String),
    }
    expect(rowsOf(answer)).toEqual([
      { ...session, isCurrent: true, device: null },
      { ...session, isCurrent: false, device: null },
    ])
    const [{ createdAt, expiresAt } = {}] = rowsOf(answer)
    expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(12 * 60 * 60 * 1000)
    for (const secret of [mia.cookie, second]) expect(answer.text).not.toContain(secretIn(secret))
  })

  test('name the device on which they began, even after a password change there, and keep no untrusted text', async () => {
    const mia = await signUp()
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const began = await signIn(mia.email, PASSWORD, { 'User-Agent': firefox })
    await signIn(mia.email, PASSWORD, { 'User-Agent': `${'x'.repeat(5000)} <b>nobody</b>` })
    const devicesOf = async (cookie: string) =>
      rowsOf(await withCookie(cookie)('GET', '/sessions')).map(({ device }) => device)
    expect(await devicesOf(cookieOf(began))).toEqual([null, 'Firefox on Windows', null])
    const body = { current: PASSWORD, next: 'another password' }
    // The device on which the session began is what counts.
    const elsewhere = { Origin: DASHBOARD, 'User-Agent': 'curl/8' }
    const changed = await withCookie(cookieOf(began))('PUT', '/account/password', elsewhere, body)
    expect(changed.status).toBe(204)
    expect(await devicesOf(cookieOf(changed))).toEqual(['Firefox on Windows'])
  })

  test('can be revoked one by one, and then are refused', async () => {
    const mia = await signUp()
    const second = await secondSession(mia)
    const [newest] = rowsOf(await mia.send('GET', '/sessions'))
    expect((await withCookie(second)('GET', '/account')).status).toBe(200)
    expect((await mia.send('DELETE', `/sessions/${String(newest?.['id'])}`)).status).toBe(204)
    const refused = async () => expectRefusal(await withCookie(second)('GET', '/account'), 401, 'not_signed_in')
    await vi.waitFor(refused, 30_000)
    expect((await mia.send('GET', '/account')).status).toBe(200)
    expect(rowsOf(await mia.send('GET', '/sessions')).length).toBe(1)
  })

  test('of another account are neither listed nor revoked, and are answered like those that never existed', async () => {
    const [mia, tom] = [await signUp(), await signUp()]
    const [own] = rowsOf(await tom.send('GET', '/sessions'))
    const foreign = await mia.send('DELETE', `/sessions/${String(own?.['id'])}`)
    const missing = await mia.send('DELETE', '/sessions/ses_000000000000000000000000')
    expectRefusal(foreign, 404, 'not_found', 'No session with this identifier.')
    expect(bytesOf(foreign)).toEqual(bytesOf(missing))
    expect(rowsOf(await mia.send('GET', '/sessions')).map(({ id }) => id)).not.toContain(own?.['id'])
    expect((await tom.send('GET', '/account')).status).toBe(200)
  })

  test.each(['%00', 'ses_', 'x'.repeat(300), "'", '%F0%9F%A6%9C'])(
    'with the identifier %s are not found',
    async (id) => {
      const mia = await signUp()
      expectRefusal(await mia.send('DELETE', `/sessions/${id}`), 404, 'not_found')
      expectRefusal(await mia.send('DELETE', `/account/tokens/${id}`), 404, 'not_found')
    },
  )
})

describe('personal access tokens', () => {
  test('are returned once, listed by beginning and end, and authenticate', async () => {
    const mia = await signUp()
    const answer = await mia.send('POST', '/account/tokens', { label: 'laptop', expiresInDays: 30 })
    const { token, ...rest } = bodyOf(answer)
    expect(token).toMatch(/^pets_pat_[0-9A-Za-z]{38}$/)
    expect(rest).toEqual({
      id: expect.stringMatching(/^pat_[0-9a-f]{24}$/),
      label: 'laptop',
      display: `${String(token).slice(0, 14)}…${String(token).slice(-4)}`,
      scopes: ['read', 'write'],
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
    })
    expect(Date.parse(String(rest['expiresAt'])) - Date.parse(String(rest['createdAt']))).toBe(30 * 24 * 3600 * 1000)
    secrets.add(String(token))
    const list = await mia.send('GET', '/account/tokens')
    expect(rowsOf(list)).toEqual([rest])
    expect(list.text).not.toContain(String(token))
    expect(bodyOf(await bearer(String(token))('GET', '/account'))).toMatchObject({ id: mia.id })
  })

  test('expire after 90 days by default', async () => {
    const mia = await signUp()
    await newToken(mia)
    const [{ createdAt, expiresAt } = {}] = rowsOf(await mia.send('GET', '/account/tokens'))
    expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(90 * 24 * 3600 * 1000)
  })

  test('record when they were used', async () => {
    const mia = await signUp()
    const { token } = await newToken(mia)
    await bearer(token)('GET', '/account')
    const isNoted = async () => {
      const [row] = rowsOf(await mia.send('GET', '/account/tokens'))
      expect(Date.parse(String(row?.['lastUsedAt']))).toBeGreaterThan(Date.now() - 60_000)
    }
    await vi.waitFor(isNoted, 30_000)
  })

  test.each<[what: string, method: string, path: string, body?: unknown]>([
    ['create a token', 'POST', '/account/tokens', { label: 'another' }],
    ['change the password', 'PUT', '/account/password', { current: PASSWORD, next: 'another password' }],
    ['sign out, since it is no session', 'DELETE', '/session'],
  ])('cannot %s', async (_, method, path, body) => {
    const mia = await signUp()
    const { token } = await newToken(mia)
    expectRefusal(await bearer(token)(method, path, body), 403, 'session_required')
    expect(rowsOf(await mia.send('GET', '/account/tokens')).length).toBe(1)
    expect((await signIn(mia.email)).status).toBe(200)
  })

  test('that were revoked are refused and not listed', async () => {
    const mia = await signUp()
    const { id, token } = await newToken(mia)
    expect((await bearer(token)('GET', '/account')).status).toBe(200)
    expect((await mia.send('DELETE', `/account/tokens/${id}`)).status).toBe(204)
    await vi.waitFor(async () => expectRefusal(await bearer(token)('GET', '/account'), 401, 'not_signed_in'), 30_000)
    expect(rowsOf(await mia.send('GET', '/account/tokens'))).toEqual([])
    expectRefusal(await mia.send('DELETE', `/account/tokens/${id}`), 404, 'not_found')
  })

  test('of another account are neither listed nor revoked, and are answered like those that never existed', async () => {
    const [mia, tom] = [await signUp(), await signUp()]
    const { id, token } = await newToken(tom)
    const foreign = await mia.send('DELETE', `/account/tokens/${id}`)
    expectRefusal(foreign, 404, 'not_found', 'No access token with this identifier.')
    expect(bytesOf(foreign)).toEqual(bytesOf(await mia.send('DELETE', '/account/tokens/pat_000000000000000000000000')))
    expect(rowsOf(await mia.send('GET', '/account/tokens'))).toEqual([])
    expect((await bearer(token)('GET', '/account')).status).toBe(200)
  })

  test.each<[what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field']>([
    ['no label', {}, 'missing_field'],
    ['an empty label', { label: '' }, 'invalid_field'],
    ['a label of 101 characters', { label: 'x'.repeat(101) }, 'invalid_field'],
    ['0 days', { label: 'x', expiresInDays: 0 }, 'invalid_field'],
    ['366 days', { label: 'x', expiresInDays: 366 }, 'invalid_field'],
    ['half a day', { label: 'x', expiresInDays: 0.5 }, 'invalid_field'],
    ['days as text', { label: 'x', expiresInDays: '5' }, 'invalid_field'],
    ['no scope', { label: 'x', scopes: [] }, 'invalid_field'],
    ['a scope twice', { label: 'x', scopes: ['read', 'read'] }, 'invalid_field'],
    ['an unknown scope', { label: 'x', scopes: ['admin'] }, 'invalid_field'],
    ['a token of one’s own', { label: 'x', token: 'x' }, 'unknown_field'],
  ])('are not created with %s', async (_, body, code) => {
    const mia = await signUp()
    expectRefusal(await mia.send('POST', '/account/tokens', body), 400, code)
  })

  test.each(tokenScopes)('with the scope %s alone are refused every operation that needs the other', async (scope) => {
    const mia = await signUp()
    const { token } = bodyOf(await mia.send('POST', '/account/tokens', { label: 'x', scopes: [scope] }))
    const ask = bearer(String(token))
    // An operation that takes no token at all says so instead.
    const taken = platformOperations.filter(({ access, recent }) => access !== 'anyone' && !recent)
    const refused: string[] = []
    for (const { operationId, method, path } of taken) {
      const answer = await ask(method, path.replaceAll(/\{\w+\}/g, 'x'))
      if (answer.text.includes('"insufficient_scope"')) refused.push(operationId)
    }
    const narrow = taken.filter((operation) => tokenScopeOf(operation) !== scope)
    expect(refused).toEqual(narrow.map(({ operationId }) => operationId))
    expect(narrow.length).toBeGreaterThan(20)
  })

  test('are limited to 100 per account, even with concurrent requests; expired ones do not count', async () => {
    const mia = await signUp()
    await asOwner(service.database, (client) =>
      client.query(
        `insert into access_tokens (id, account_id, label, display, digest, expires_at)
         select 'pat_' || lpad(to_hex(n), 24, '0'), $1, 'x', 'x', sha256(n::text::bytea),
           now() + make_interval(hours => case when n <= 50 then -1 else 1 end)
         from generate_series(1, 148) as n`,
        [mia.id],
      ),
    )
    const requests = Array.from({ length: 8 }, () => mia.send('POST', '/account/tokens', { label: 'one more' }))
    expect(statusesOf(await Promise.all(requests))).toEqual([201, 201, 409, 409, 409, 409, 409, 409])
    expectRefusal(await mia.send('POST', '/account/tokens', { label: 'one more' }), 409, 'limit_reached')
    expect(rowsOf(await mia.send('GET', '/account/tokens')).length).toBe(100)
  })
})
