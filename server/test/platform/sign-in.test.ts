// Signing in: one response for every wrong guess, rate limits on guessing, the lifetime of a
// session, and what a new password ends. With tiny limits and a clock of its own, so each
// part has its own service.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { sweepTokens } from '../../src/accounts/account-queries.ts'
import { sweepSessions } from '../../src/accounts/session-queries.ts'
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
      heads: rawHeaders.filter(
        (_, index) => !/^(request-id|date|ratelimit)$/i.test(rawHeaders[index - (index % 2)] ?? ''),
      ),
    }))
    expectRefusal(answers[0] as Received, 401, 'wrong_credentials')
    expect(wrong).toEqual(missing)
    expect(wrong?.heads.join()).not.toMatch(/set-cookie/i)
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
    // The fastest of each: other load on the machine only slows the others down.
    const ratio = Math.min(...times.missing) / Math.min(...times.wrong)
    expect(ratio).toBeGreaterThan(0.6)
    expect(ratio).toBeLessThan(1.6)
  })
})

describe('attempts', () => {
  const limited = (env: Record<string, string>) =>
    startTestPlatform({ env: { RATE_LIMIT_WINDOW_SECONDS: '3600', TRUSTED_PROXIES: '127.0.0.1', ...env } })
  const expectTooMany = (answer: Received) => {
    const seconds = answer.headers['retry-after']
    expect(seconds).toMatch(/^(3600|3[0-5]\d\d)$/)
    expectRefusal(answer, 429, 'rate_limited', `Too many attempts. Retry in ${seconds} s.`)
  }
  const from = (address: string) => ({ 'X-Forwarded-For': address })

  test('to sign in are limited per address, whatever the account; signing up counts too', async () => {
    const { anyone: visitor, invited } = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '3' })
    const attempt = (name: string, address: string) =>
      visitor.send('POST', '/session', { email: `${name}@petstore.example`, password: PASSWORD }, from(address))
    const up = { secret: await invited('up@petstore.example'), password: PASSWORD, name: 'Up' }
    expect((await visitor.send('POST', '/accounts', up, from('192.0.2.1'))).status).toBe(201)
    expect((await attempt('up', '192.0.2.1')).status).toBe(200)
    expect((await attempt('b', '192.0.2.1')).status).toBe(401)
    expectTooMany(await attempt('c', '192.0.2.1'))
    expectTooMany(await attempt('up', '192.0.2.1'))
    expectTooMany(await visitor.send('POST', '/accounts', up, from('192.0.2.1')))
    expect((await attempt('up', '192.0.2.2')).status).toBe(200)
  })

  test('to sign in are counted together for all addresses of one IPv6 subscriber line', async () => {
    const { anyone: visitor } = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1' })
    const body = { email: 'a@petstore.example', password: PASSWORD }
    expect((await visitor.send('POST', '/session', body, from('2001:db8:1:2::3'))).status).toBe(401)
    expectTooMany(await visitor.send('POST', '/session', body, from('2001:db8:1:2:ffff::4')))
    expect((await visitor.send('POST', '/session', body, from('2001:db8:1:3::3'))).status).toBe(401)
  })

  test.each([
    ['that exists', true],
    ['that does not exist', false],
  ])('to sign in are limited per account %s, from whatever address and in any spelling', async (_, exists) => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '3' })
    const email = exists ? (await place.signUp()).email : 'nobody@petstore.example'
    const attempt = (spelt: string, address: string, password = 'wrong password') =>
      place.anyone.send('POST', '/session', { email: spelt, password }, from(address))
    expect((await attempt(email, '192.0.2.1')).status).toBe(401)
    expect((await attempt(email.toUpperCase(), '192.0.2.2')).status).toBe(401)
    expect((await attempt(email, '192.0.2.3')).status).toBe(401)
    expectTooMany(await attempt(email, '192.0.2.4'))
    expectTooMany(await attempt(email, '192.0.2.5', PASSWORD))
    expect((await attempt('other@petstore.example', '192.0.2.1')).status).toBe(401)
  })

  test('to guess the current password of an open session are limited too', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '2' })
    const mia = await place.signUp()
    const attempt = (current: string) => mia.send('PUT', '/account/password', { current, next: 'another password' })
    expectRefusal(await attempt('wrong'), 400, 'invalid_field', "'current' is not the password of this account.")
    expectRefusal(await attempt('wrong again'), 400, 'invalid_field')
    expectTooMany(await attempt(PASSWORD))
  })

  test.each([
    ['cookies', () => ({ Cookie: `__Host-petstore=${randomBytes(32).toString('base64url')}` })],
    ['tokens', () => ({ Authorization: `Bearer ${makeKey('pat', randomBytes)}` })],
    ['nothing', () => ({})],
  ])(
    'with credentials that were never issued (%s) are limited per address, and known good ones stay accepted',
    async (_, invented) => {
      const place = await limited({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '3' })
      const [held, fresh] = [await place.signUp(), await place.signUp()]
      const ask = (headers: Record<string, string>, address = '192.0.2.1') =>
        place.anyone.send('GET', '/account', undefined, { ...headers, ...from(address) })
      expect((await ask({ Cookie: held.cookie })).status).toBe(200)
      for (let failure = 0; failure < 3; failure++) expectRefusal(await ask(invented()), 401, 'not_signed_in')
      const over = await ask(invented())
      const seconds = over.headers['retry-after']
      expectRefusal(
        over,
        429,
        'rate_limited',
        `Too many failed authentications from this address. Retry in ${seconds} s.`,
      )
      expect((await ask({ Cookie: held.cookie })).status).toBe(200)
      expect((await ask({ Cookie: fresh.cookie })).status).toBe(429)
      expect((await ask({ Cookie: fresh.cookie }, '192.0.2.2')).status).toBe(200)
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
    await sweepSessions(service.service.database.run, 180)
    await sweepTokens(service.service.database.run)
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
    ['a next one of 9 characters', { current: PASSWORD, next: '123456789' }, 'invalid_field', /^'next' must have 10/],
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
