// Signing in: one response for every wrong guess, rate limits on guessing, the lifetime of a
// session, and what a new password ends. With tiny limits and a clock of its own, so each
// part has its own service.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { makeKey } from '../../src/foundation/key-format.ts'
import { expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  PASSWORD,
  cookieOf,
  cookiesIn,
  startTestPlatform,
  type PlatformJson,
  type PersonClient,
} from '../../../testbed/harness/platform.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

const MINUTE = 60_000
let offset = 0
const platform = await startTestPlatform({ now: () => Date.now() + offset })
const { test: service, anyone } = platform
const signUp = (name?: string) => platform.signUp(name)

const signIn = (email: string, password = PASSWORD) => anyone.send('POST', '/session', { email, password })
const accountOf = (cookie: string) => anyone.send('GET', '/account', undefined, { Cookie: cookie })
const owner = <T extends object>(text: string, values: unknown[]) =>
  asOwner(service.database, async (client) => (await client.query<T>(text, values)).rows)

/** Moves the clock of the service ahead of the true time, for one test. */
async function later(work: (forward: (ms: number) => void) => Promise<void>): Promise<void> {
  try {
    await work((ms) => (offset += ms))
  } finally {
    offset = 0
  }
}

describe('signing in', () => {
  test('accepts the address in any case, and the password in any Unicode form of the same characters', async () => {
    const email = 'Jörg@Petstore.example'
    const body = { secret: await platform.invited(email), password: 'straße ﬁnden é', name: 'Jörg' }
    const { text } = await anyone.send('POST', '/accounts', body)
    const other = 'straße finden e\u0301'
    expect(other).not.toBe(body.password)
    const answer = await signIn('jÖRG@petstore.EXAMPLE', other)
    expect([answer.status, answer.text]).toEqual([200, text])
    expectRefusal(await signIn(email, 'strasse finden é'), 401, 'wrong_credentials')
  })

  test.each<[what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field']>([
    ['no password', { email: 'a@b.example' }, 'missing_field'],
    ['an empty password', { email: 'a@b.example', password: '' }, 'invalid_field'],
    ['an endless password', { email: 'a@b.example', password: 'x'.repeat(257) }, 'invalid_field'],
    ['no address at all', { email: 'nobody', password: PASSWORD }, 'invalid_field'],
    ['more than that', { email: 'a@b.example', password: PASSWORD, remember: true }, 'unknown_field'],
  ])('with %s is refused', async (_, body, code) => {
    expectRefusal(await anyone.send('POST', '/session', body), 400, code)
  })

  test('is executed and answered in full, whatever the request headers about caching, and is not cacheable', async () => {
    const { email } = await signUp()
    const body = { email, password: PASSWORD }
    const answer = await anyone.send('POST', '/session', body, { 'If-None-Match': '*' })
    expect([answer.status, answer.headers['cache-control'], answer.headers['etag']]).toEqual([
      200,
      'no-store',
      undefined,
    ])
    expect((await accountOf(cookieOf(answer))).status).toBe(200)
  })

  test('responds the same, byte for byte, to a wrong password and to an account that does not exist', async () => {
    const mia = await signUp()
    const answers = [await signIn(mia.email, 'wrong password'), await signIn('nobody@petstore.example')]
    const [wrong, missing] = answers.map(({ status, text, rawHeaders }) => ({
      status,
      text,
      headers: rawHeaders.filter(
        (_, index) => !/^(request-id|date|ratelimit)$/i.test(rawHeaders[index - (index % 2)] ?? ''),
      ),
    }))
    expectRefusal(answers[0] as Received, 401, 'wrong_credentials')
    expect(wrong).toEqual(missing)
    expect(wrong?.headers.join()).not.toMatch(/set-cookie/i)
  })

  test('takes about as long for an account that does not exist as for a wrong password', async () => {
    const mia = await signUp()
    const times = { wrong: [] as number[], missing: [] as number[] }
    for (let round = 0; round < 12; round++) {
      for (const [what, email] of [
        ['wrong', mia.email] as const,
        ['missing', `no-${round}@petstore.example`] as const,
      ]) {
        const from = performance.now()
        expect((await signIn(email, 'wrong password')).status).toBe(401)
        times[what].push(performance.now() - from)
      }
    }
    // The fastest of each: other load on the machine only slows the others down. Without a hash it would be a twentieth;
    // smaller differences are for the safety suite, which compares statements and, at its large scale, times.
    const ratio = Math.min(...times.missing) / Math.min(...times.wrong)
    expect(ratio).toBeGreaterThan(0.3)
    expect(ratio).toBeLessThan(3)
  })
})

describe('attempts', () => {
  type Limited = Awaited<ReturnType<typeof startTestPlatform>>
  const limited = (env: Record<string, string>) =>
    startTestPlatform({
      env: { RATE_LIMIT_WINDOW_SECONDS: '3600', TRUSTED_PROXIES: '127.0.0.1', ...env },
      now: () => Date.now() + offset,
    })
  const from = (address: string, cookie?: string) => ({
    'X-Forwarded-For': address,
    ...(cookie !== undefined && { Cookie: cookie }),
  })
  const WRONG = 'wrong password'
  const attempt = ({ anyone: visitor }: Limited, email: string, headers: Record<string, string>, password = WRONG) =>
    visitor.send('POST', '/session', { email, password }, headers)
  const statusesOf = async (answers: readonly Promise<Received>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).toSorted((one, other) => one - other)
  const deviceIn = (answer: Received) =>
    cookiesIn(answer).find((cookie) => cookie.startsWith('__Host-petstore-device=')) ?? ''
  /** Signs in, and returns the cookie of the device, which is known from then on. */
  const knownDevice = async (place: Limited, email: string) =>
    deviceIn(await attempt(place, email, from('198.51.100.1'), PASSWORD))

  test('that succeed are not charged', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '2', RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '2' })
    const { email } = await place.signUp()
    for (let round = 0; round < 6; round++) {
      expect((await attempt(place, email, from('192.0.2.1'), PASSWORD)).status).toBe(200)
    }
  })

  test('that fail are limited per address group, whatever the account, and those of its network ten times as high', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '2' })
    const wrong = (n: number, address: string) => attempt(place, `a-${n}@petstore.example`, from(address))
    expect(await statusesOf([1, 2, 3].map((n) => wrong(n, '2001:db8:1:2::3')))).toEqual([401, 401, 429])
    const over = await wrong(4, '2001:db8:1:2:ffff::4')
    const says = /^Too many failed sign-ins from this address \(2 in a minute\)\. Retry in \d+ s, or use a device/
    expectRefusal(over, 429, 'rate_limited', says)
    expect(over.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect((await wrong(5, '2001:db8:1:3::3')).status).toBe(401)
    for (let n = 0; n < 17; n++) expect((await wrong(n, `2001:db8:1:${n + 10}::3`)).status).toBe(401)
    expect((await wrong(6, '2001:db8:1:ff::3')).status).toBe(429)
    expect((await wrong(6, '2001:db8:2:ff::3')).status).toBe(401)
  })

  test.each([
    ['that exists', true],
    ['that does not exist', false],
  ])(
    'for an account %s are limited per address, then for all new devices, and end in other ways in',
    async (_, exists) => {
      const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '4' })
      const email = exists ? (await place.signUp()).email : 'nobody@petstore.example'
      const wrong = (spelt: string, n: number) => attempt(place, spelt, from(`192.0.2.${n}`))
      expect((await wrong(email, 1)).status).toBe(401)
      const pair = await wrong(email, 1)
      const perPair =
        /^Too many wrong passwords for this account from this address \(1 in 15 minutes\)\. Retry in \d+ s, or/
      expectRefusal(pair, 429, 'rate_limited', perPair)
      expect((await wrong(email.toUpperCase(), 2)).status).toBe(401)
      // Of those that arrive together, none is compared beyond the allowance.
      expect(await statusesOf([3, 4, 5, 6, 7, 8].map((n) => wrong(email, n)))).toEqual([401, 401, 403, 403, 403, 403])
      const off = await attempt(place, email, from('192.0.2.9'), PASSWORD)
      const says =
        /^Too many wrong passwords for this account \(4 in an hour from new devices\)\. For the next \d+ s, only a device that signed in before, a passkey or a mailed sign-in link is accepted\.$/
      expectRefusal(off, 403, 'password_not_accepted', says)
      expect((await wrong('other@petstore.example', 1)).status).toBe(401)
      await later(async (forward) => {
        forward(60 * MINUTE)
        expect((await attempt(place, email, from('192.0.2.9'), PASSWORD)).status).toBe(exists ? 200 : 401)
      })
    },
  )

  test('of strangers leave a known device its own allowance, which no address limits', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '2', RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '2' })
    const { email } = await place.signUp()
    const device = await knownDevice(place, email)
    for (const n of [1, 2]) expect((await attempt(place, email, from(`192.0.2.${n}`))).status).toBe(401)
    expect((await attempt(place, email, from('192.0.2.3'), PASSWORD)).status).toBe(403)
    for (const name of ['x', 'y']) await attempt(place, `${name}@petstore.example`, from('192.0.2.1'))
    expect((await attempt(place, email, from('192.0.2.1', device), PASSWORD)).status).toBe(200)
    expect((await attempt(place, email, from('192.0.2.1', device))).status).toBe(401)
    const says = /^Too many wrong passwords on this device \(1 in 15 minutes\)\. Retry in \d+ s, or use a passkey\.$/
    expectRefusal(await attempt(place, email, from('192.0.2.4', device)), 429, 'rate_limited', says)
    // The cookie is known to this account alone, and one that was never issued to none.
    const stranger = await place.signUp()
    expect((await attempt(place, stranger.email, from('192.0.2.5', device))).status).toBe(401)
    expect((await attempt(place, stranger.email, from('192.0.2.5', device))).status).toBe(429)
  })

  test('in a row turn passwords from new devices off, until the person has signed in in another way', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1' })
    const { email } = await place.signUp()
    const device = await knownDevice(place, email)
    await later(async (forward) => {
      for (let n = 0; n < 5; n++) {
        expect((await attempt(place, email, from(`192.0.2.${n}`))).status).toBe(401)
        forward(60 * MINUTE)
      }
      const off = await attempt(place, email, from('192.0.2.9'), PASSWORD)
      expectRefusal(
        off,
        403,
        'password_not_accepted',
        /^Too many wrong passwords for this account \(5 in a row\)\. Until/,
      )
      forward(30 * 24 * 60 * MINUTE)
      expect((await attempt(place, email, from('192.0.2.9'), PASSWORD)).status).toBe(403)
      expect((await attempt(place, email, from('192.0.2.9', device), PASSWORD)).status).toBe(200)
      expect((await attempt(place, email, from('192.0.2.9'), PASSWORD)).status).toBe(200)
    })
  })

  test('that fail are one line of the log each, without the address or the password', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '2' })
    const { id, email } = await place.signUp()
    const device = await knownDevice(place, email)
    await attempt(place, email, from('192.0.2.1'))
    await attempt(place, email, from('192.0.2.1'))
    await attempt(place, email, from('192.0.2.2', device))
    await attempt(place, 'nobody@petstore.example', from('192.0.2.3'))
    const lines = place.test.logs.filter((line) => line.includes('a sign-in failed'))
    const shown = lines.map((line) => JSON.parse(line) as PlatformJson)
    expect(shown).toMatchObject([
      { reason: 'wrong_credentials', account: id, group: '192.0.2.1', isKnownDevice: false },
      { reason: 'rate_limited', account: id, group: '192.0.2.1', isKnownDevice: false },
      { reason: 'wrong_credentials', account: id, group: '192.0.2.2', isKnownDevice: true },
      { reason: 'wrong_credentials', email: expect.stringMatching(/^[0-9a-f]{64}$/), group: '192.0.2.3' },
    ])
    expect(place.test.logs.join('\n')).not.toMatch(/wrong password|@petstore\.example/)
  })

  test('to sign up, and to guess the current password of an open session, are limited too', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '2', RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1' })
    const mia = await place.signUp()
    const change = (current: string) => mia.send('PUT', '/account/password', { current, next: 'another password' })
    expectRefusal(await change('wrong'), 400, 'invalid_field', "'current' is not the password of this account.")
    expectRefusal(await change(PASSWORD), 429, 'rate_limited', /^Too many attempts in this session \(1 in 15 minutes\)/)
    const up = (secret: string) => place.anyone.send('POST', '/accounts', { secret, password: PASSWORD, name: 'Up' })
    expect((await up('x'.repeat(43))).status).toBe(404)
    expectRefusal(await up('x'.repeat(43)), 429, 'rate_limited', /^Too many attempts to sign up from this address/)
  })

  test.each([
    ['cookies', false, () => ({ Cookie: `__Host-petstore=${randomBytes(32).toString('base64url')}` })],
    ['tokens', true, () => ({ Authorization: `Bearer ${makeKey('pat', randomBytes)}` })],
    ['cut tokens', true, () => ({ Authorization: `Bearer ${makeKey('pat', randomBytes).slice(1)}` })],
    ['nothing', false, () => ({})],
  ])(
    'with credentials that were never issued (%s) keep no valid one of the address out; those of programs are limited',
    async (_, isLimited, invented) => {
      const place = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '3' })
      const [held, fresh] = [await place.signUp(), await place.signUp()]
      const ask = (headers: Record<string, string>, address = '192.0.2.1') =>
        place.anyone.send('GET', '/account', undefined, { ...headers, ...from(address) })
      expect((await ask({ Cookie: held.cookie })).status).toBe(200)
      for (let failure = 0; failure < 3; failure++) expectRefusal(await ask(invented()), 401, 'not_signed_in')
      const over = await ask(invented())
      const message = `Too many failed authentications from this address. Retry in ${over.headers['retry-after']} s.`
      // A browser that is not signed in is led to the form, which takes a 401.
      if (isLimited) expectRefusal(over, 429, 'rate_limited', message)
      else expectRefusal(over, 401, 'not_signed_in')
      expect((await ask({ Cookie: held.cookie })).status).toBe(200)
      expect((await ask({ Cookie: fresh.cookie })).status).toBe(200)
      if (isLimited) expect((await ask(invented(), '192.0.2.2')).status).toBe(401)
    },
  )
})

describe('a session', () => {
  /** The cookie of a session on a device without a device cookie, and on one that was used before. */
  async function cookiesOn(): Promise<Record<'an unknown device' | 'a known device', string>> {
    const { email } = await signUp()
    const unknown = await signIn(email)
    const Cookie = cookiesIn(unknown).find((cookie) => cookie.startsWith('__Host-petstore-device=')) ?? ''
    const known = await anyone.send('POST', '/session', { email, password: PASSWORD }, { Cookie })
    return { 'an unknown device': cookieOf(unknown), 'a known device': cookieOf(known) }
  }

  test.each([
    ['an unknown device', 30],
    ['a known device', 14 * 24 * 60],
  ] as const)('on %s ends %i minutes after its last use', async (device, minutes) => {
    const cookie = (await cookiesOn())[device]
    await later(async (forward) => {
      for (let use = 0; use < 3; use++) {
        forward((minutes - 1) * MINUTE)
        expect((await accountOf(cookie)).status).toBe(200)
      }
      forward(minutes * MINUTE)
      expectRefusal(await accountOf(cookie), 401, 'not_signed_in')
    })
  })

  test.each([
    ['an unknown device', 12, 1 / 3],
    ['a known device', 90 * 24, 7 * 24],
  ] as const)('on %s ends %i hours after it began, however much it is used', async (device, hours, step) => {
    const cookie = (await cookiesOn())[device]
    await later(async (forward) => {
      for (let passed = step; passed < hours - 0.001; passed += step) {
        forward(step * 60 * MINUTE)
        expect((await accountOf(cookie)).status).toBe(200)
      }
      forward(step * 60 * MINUTE)
      expectRefusal(await accountOf(cookie), 401, 'not_signed_in')
    })
  })

  test('that is used at another process does not end here', async () => {
    const mia = await signUp()
    const cookie = cookieOf(await signIn(mia.email))
    expect((await accountOf(cookie)).status).toBe(200)
    await later(async (forward) => {
      forward(45 * MINUTE)
      await owner(`update sessions set seen_at = now() + interval '40 minutes' where account_id = $1`, [mia.id])
      expect((await accountOf(cookie)).status).toBe(200)
    })
  })

  test('records its use for all processes, about once a minute', async () => {
    const mia = await signUp()
    await owner(`update sessions set seen_at = now() - interval '20 minutes' where account_id = $1`, [mia.id])
    expect((await mia.send('GET', '/account')).status).toBe(200)
    const isNoted = async () => {
      const rows = await owner<{ ago: number }>(
        `select extract(epoch from now() - seen_at)::float8 as ago from sessions where account_id = $1`,
        [mia.id],
      )
      expect(rows[0]?.ago).toBeLessThan(60)
    }
    await vi.waitFor(isNoted, 30_000)
  })

  test('that has expired is deleted, and so are tokens that expired long ago; others stay', async () => {
    const [idle, old, good] = [await signUp(), await signUp(), await signUp()]
    await owner(`update sessions set idle_until = now() - interval '1 second' where account_id = $1`, [idle.id])
    await owner(`update sessions set expires_at = now() - interval '1 second' where account_id = $1`, [old.id])
    for (const person of [old, good]) await person.send('POST', '/account/tokens', { label: 'x' })
    await good.send('POST', '/account/tokens', { label: 'x' })
    const signedIn = await signIn(old.email)
    await old.send('GET', '/account')
    await owner(`update access_tokens set expires_at = now() - interval '25 hours' where account_id = $1`, [old.id])
    await removeExpired(service.service.database, 'sessions')
    await removeExpired(service.service.database, 'access_tokens')
    const left = (table: string, { id }: PersonClient) =>
      owner(`select id from ${table} where account_id = $1`, [id]).then((rows) => rows.length)
    expect([await left('sessions', idle), await left('sessions', old), await left('sessions', good)]).toEqual([0, 1, 1])
    expect([await left('access_tokens', old), await left('access_tokens', good)]).toEqual([0, 2])
    expect((await accountOf(cookieOf(signedIn))).status).toBe(200)
  })
})

describe('a token', () => {
  test('is refused and not listed once it has expired', async () => {
    const mia = await signUp()
    const { token } = (await mia.send('POST', '/account/tokens', { label: 'short', expiresInDays: 1 }))
      .json as PlatformJson
    const ask = () => anyone.send('GET', '/account', undefined, { Authorization: `Bearer ${String(token)}` })
    await later(async (forward) => {
      forward(24 * 60 * MINUTE - MINUTE)
      expect((await ask()).status).toBe(200)
      forward(2 * MINUTE)
      expectRefusal(await ask(), 401, 'not_signed_in')
    })
    await owner(`update access_tokens set expires_at = now() where account_id = $1`, [mia.id])
    expect((await mia.send('GET', '/account/tokens')).json).toEqual([])
  })
})

describe('a new password', () => {
  const next = 'a much longer sentence'
  const change = (person: Pick<PersonClient, 'send'>, body: PlatformJson = { current: PASSWORD, next }) =>
    person.send('PUT', '/account/password', body)

  test('ends every session but the one that its response begins, and every token', async () => {
    const mia = await signUp()
    const second = cookieOf(await signIn(mia.email))
    const { token } = (await mia.send('POST', '/account/tokens', { label: 'x' })).json as PlatformJson
    for (const cookie of [mia.cookie, second]) expect((await accountOf(cookie)).status).toBe(200)

    const answer = await change(mia)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const fresh = cookieOf(answer)
    for (const cookie of [mia.cookie, second]) {
      await vi.waitFor(async () => expectRefusal(await accountOf(cookie), 401, 'not_signed_in'), 30_000)
    }
    expect((await accountOf(fresh)).status).toBe(200)
    await vi.waitFor(async () => {
      const byToken = await anyone.send('GET', '/account', undefined, { Authorization: `Bearer ${String(token)}` })
      expect(byToken.status).toBe(401)
    }, 30_000)
    expectRefusal(await signIn(mia.email), 401, 'wrong_credentials')
    expect((await signIn(mia.email, next)).status).toBe(200)
  })

  test.each<
    [what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field', says: RegExp]
  >([
    ['a wrong current one', { current: 'wrong password', next }, 'invalid_field', /^'current' is not the password/],
    [
      'a next one of 11 characters',
      { current: PASSWORD, next: 'otters jugg' },
      'invalid_field',
      /^'next' must have 12/,
    ],
    ['a common next one', { current: PASSWORD, next: 'Password1234' }, 'invalid_field', /^'next' must not be one of/],
    [
      'a next one like their name',
      { current: PASSWORD, next: 'mia-mia-2026!' },
      'invalid_field',
      /^'next' must be more/,
    ],
    ['no current one', { next }, 'missing_field', /current/],
    ['more than that', { current: PASSWORD, next, account: 'x' }, 'unknown_field', /account/],
  ])('is not accepted with %s', async (_, body, code, says) => {
    const mia = await signUp()
    expectRefusal(await change(mia, body), 400, code, says)
    expect((await mia.send('GET', '/account')).status).toBe(200)
    expect((await signIn(mia.email)).status).toBe(200)
  })

  test('is set by one of two concurrent requests that know the same old one', async () => {
    const mia = await signUp()
    const words = ['the first sentence', 'the second sentence']
    const answers = await Promise.all(words.map((word) => change(mia, { current: PASSWORD, next: word })))
    // The second request may also find that the session has ended.
    expect(answers.filter(({ status }) => status === 204).length).toBe(1)
    const works = await Promise.all(words.map(async (word) => (await signIn(mia.email, word)).status === 200))
    expect(works).toEqual(answers.map(({ status }) => status === 204))
  })

  test('rejects a sign-in that was compared with the old one while it was set', async () => {
    const mia = await signUp()
    const client = new pg.Client({ connectionString: service.database.appUrl })
    await client.connect()
    await client.query('begin')
    await client.query(`update accounts set password = password || 'x' where id = $1`, [mia.id])
    await client.query(`delete from sessions where account_id = $1`, [mia.id])
    const late = signIn(mia.email)
    await vi.waitFor(
      async () => {
        const { rows } = await client.query(
          `select pid from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
        )
        expect(rows.length).toBeGreaterThan(0)
      },
      { timeout: 30_000, interval: 5 },
    )
    await client.query('commit')
    await client.end()
    expectRefusal(await late, 401, 'wrong_credentials')
    expect(await owner(`select id from sessions where account_id = $1`, [mia.id])).toEqual([])
  })
})
