// A forgotten password: only the link that was mailed sets a new one, once and for a short time,
// and ends everything else with which the account could be used. No response and no work of the
// service tells whether an address has an account.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DASHBOARD, PASSWORD, cookieOf, type PersonClient } from '../../../testbed/harness/platform.ts'
import { startService, type Service } from '../../src/program/serve.ts'
import { newDevice, type CreationOptions } from '../../../testbed/harness/authenticator.ts'
import { bytesOf, startPeople, type People } from '../platform/people.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'

let on: MailInstallation
let people: People
/** Two more processes of the service, as far as their caches are concerned. */
let others: Service[]

const NEXT = 'a brand new password'

beforeAll(async () => {
  on = await startMailInstallation({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000' })
  ;({ people } = on)
  const { config } = on
  // The second learns of what has ended by revalidation alone, as if notifications were lost.
  others = await Promise.all([startService(config), startService(config, { isListening: false })])
})

afterAll(async () => {
  await Promise.all(others.map((service) => service.stop()))
})

const request = (email: string) => people.anyone.send('POST', '/recovery', { email })
const recover = (secret: string, password = NEXT) =>
  people.anyone.send('POST', '/recovery/password', { secret, password })
const signIn = (email: string, password: string) => people.anyone.send('POST', '/session', { email, password })

const secretsFor = (email: string) => on.secretsIn(email, '/recovery')
const mailed = (email: string, count = 1) =>
  vi.waitUntil(async () => ((await secretsFor(email)).length >= count ? secretsFor(email) : false), {
    timeout: 30_000,
    interval: 20,
  })
async function secretOf({ email }: Pick<PersonClient, 'email'>): Promise<string> {
  expect((await request(email)).status).toBe(202)
  const [secret = ''] = await mailed(email)
  return secret
}
const owner = <T extends object>(text: string, values: unknown[] = []) => on.query<T>(text, values)

test('the mailed link sets a new password, verifies the address, and does not sign in', async () => {
  const mia = await people.signUp()
  const answer = await recover(await secretOf(mia))
  expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined])
  expect((await signIn(mia.email, PASSWORD)).status).toBe(401)
  expect((await signIn(mia.email, NEXT)).status).toBe(200)
  const rows = await owner(`select verified_at is not null as "isVerified" from accounts where id = $1`, [mia.id])
  expect(rows).toEqual([{ isVerified: true }])
})

test('everything else that could be used is rejected soon, on every process', async () => {
  const mia = await people.signUp()
  const { options } = (await mia.send('POST', '/account/passkeys/options')).json as { options: CreationOptions }
  const response = newDevice(DASHBOARD).create(options)
  expect((await mia.send('POST', '/account/passkeys', { label: 'Phone', response })).status).toBe(201)
  const { token } = (await mia.send('POST', '/account/tokens', { label: 'Laptop' })).json as { token: string }
  const first = await secretOf(mia)
  // Mailed a moment too late, so that both links are valid for a while.
  await owner(`update recovery_requests set created_at = created_at - interval '30 minutes'`)
  await request(mia.email)
  const second = (await mailed(mia.email, 2)).find((secret) => secret !== first) ?? ''
  const credentials: Record<string, string>[] = [{ Cookie: mia.cookie }, { Authorization: `Bearer ${token}` }]
  const accepted = async () => {
    const origins = [people.test.origin, ...others.map(({ port }) => `http://127.0.0.1:${port}`)]
    const answers = origins.flatMap((origin) =>
      credentials.map((headers) => fetch(`${origin}/platform/v1/account`, { headers })),
    )
    return (await Promise.all(answers)).filter(({ status }) => status === 200).length
  }
  expect(await accepted()).toBe(6)
  expect((await recover(first)).status).toBe(204)
  await vi.waitUntil(async () => (await accepted()) === 0, { timeout: 30_000, interval: 10 })
  expect((await recover(second)).status).toBe(404)
  expect(await owner('select id from passkeys where account_id = $1', [mia.id])).toEqual([])
})

test('a session that has ended creates no token, not even where it is still cached', async () => {
  const mia = await people.signUp()
  const secret = await secretOf(mia)
  const at = `http://127.0.0.1:${others[1]?.port}/platform/v1/account`
  const headers = { Cookie: mia.cookie, Origin: DASHBOARD, 'Content-Type': 'application/json' }
  expect((await fetch(at, { headers })).status).toBe(200)
  expect((await recover(secret)).status).toBe(204)
  const answer = await fetch(`${at}/tokens`, { method: 'POST', headers, body: JSON.stringify({ label: 'Stolen' }) })
  expect(answer.status).toBe(401)
  expect(await owner('select id from access_tokens where account_id = $1', [mia.id])).toEqual([])
})

test('of fifty parallel uses exactly one succeeds', async () => {
  const secret = await secretOf(await people.signUp())
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => recover(secret, `${NEXT} ${n}`)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  // Of one account few wait for the hash of their password; the others are rejected before they use the link.
  expect(statuses.filter((status) => status === 404 || status === 503)).toHaveLength(49)
  expect(statuses).toContain(404)
})

test('a link is rejected after 30 minutes, and so is one that was never sent', async () => {
  const mia = await people.signUp()
  const secret = await secretOf(mia)
  await owner(`update account_links set expires_at = expires_at - interval '30 minutes' where account_id = $1`, [
    mia.id,
  ])
  const [late, unknown, short] = [await recover(secret), await recover('x'.repeat(43)), await recover('x')]
  expect(late.status).toBe(404)
  expect([bytesOf(unknown), bytesOf(short)]).toEqual([bytesOf(late), bytesOf(late)])
  expect((await signIn(mia.email, PASSWORD)).status).toBe(200)
})

test('a password that is too short leaves the link usable', async () => {
  const secret = await secretOf(await people.signUp())
  expect((await recover(secret, 'short')).status).toBe(400)
  expect((await recover(secret)).status).toBe(204)
})

describe('an address without an account', () => {
  /** The names of the statements that a request runs, in order. */
  async function statementsOf(asked: () => Promise<unknown>): Promise<string[]> {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    await asked()
    const names = spy.mock.calls.map(([query]) => (query as { name?: string }).name ?? '')
    spy.mockRestore()
    // Those of sweeps, and of caches that look for revocations, come at any time.
    return names.filter((name) => /^(?!sweep).*(recovery|sign-up|mail|set-timer|session|credentials)/.test(name))
  }
  const quietly = (asked: () => Promise<unknown>) => on.withoutWork(() => statementsOf(asked))

  test('gets the same bytes, for the same statements, and no mail', async () => {
    const mia = await people.signUp()
    const unknown = 'no-account@shop.example'
    const log = await quietly(() => request(unknown))
    expect(log).toEqual(expect.arrayContaining(['open-recovery-request', 'insert-mail']))
    expect(await quietly(() => request(mia.email))).toEqual(log)
    await mailed(mia.email)
    // While the link is valid, and for as long where there is none.
    const again = await quietly(() => request(unknown))
    expect(again).not.toContain('insert-mail')
    expect(await quietly(() => request(mia.email))).toEqual(again)
    expect(bytesOf(await request(unknown))).toBe(bytesOf(await request(mia.email)))
    expect(await secretsFor(unknown)).toEqual([])
  })

  test('gets the same bytes for the same statements where it signs up', async () => {
    const mia = await people.signUp()
    const signUp = (email: string) => people.anyone.send('POST', '/sign-up', { email })
    expect(bytesOf(await signUp('first@shop.example'))).toBe(bytesOf(await signUp(mia.email)))
    const log = await quietly(() => signUp('second@shop.example'))
    expect(log).toContain('insert-sign-up-request')
    expect(await quietly(() => signUp(mia.email))).toEqual(log)
  })

  test('would be noticed if the handler looked it up (negative control)', async () => {
    const mia = await people.signUp()
    const known = await quietly(() => signIn(mia.email, PASSWORD))
    expect(await quietly(() => signIn('no-account@shop.example', PASSWORD))).not.toEqual(known)
  })
})

describe('strangers who request links', () => {
  const exhaust = (email: string) =>
    Promise.all(Array.from({ length: 40 }, (_, n) => request(n % 2 === 0 ? email : email.toUpperCase())))

  test('leave one that works in the mailbox, and the next one is mailed as soon as none does', async () => {
    const mia = await people.signUp()
    for (let round = 1; round <= 4; round++) {
      await exhaust(mia.email)
      const secret = (await mailed(mia.email, round)).at(-1) ?? ''
      const answers = [await request(mia.email), await request('no-account@shop.example')]
      for (const { json } of answers)
        expect(json).toMatchObject({
          message: expect.stringContaining('in the last 30 minutes is still valid') as string,
        })
      await on.nothingQueued()
      expect(await secretsFor(mia.email)).toHaveLength(round)
      expect((await recover(secret, `${NEXT} ${round}`)).status).toBe(204)
    }
  })

  test('keep no link from a person whose links have ended, or whose address had no account', async () => {
    const mia = await people.signUp()
    await exhaust(mia.email)
    await mailed(mia.email)
    expect((await mia.send('PUT', '/account/password', { current: PASSWORD, next: NEXT })).status).toBe(204)
    await request(mia.email)
    await mailed(mia.email, 2)
    // The link has expired, without having been used.
    await owner(`update recovery_requests set created_at = created_at - interval '30 minutes'`)
    await request(mia.email)
    await mailed(mia.email, 3)
    const address = on.newAddress()
    await exhaust(address)
    await on.nothingQueued()
    await people.anyone.send('POST', '/sign-up', { email: address })
    const secret = await on.secretFor(address, '/sign-up')
    const person = { secret, name: 'Tom', password: 'seven otters juggle lanterns' }
    expect((await people.anyone.send('POST', '/accounts', person)).status).toBe(201)
    await request(address)
    await mailed(address)
  })
})

test('no address and no secret is in the outbox or in a log', async () => {
  const mia = await people.signUp()
  const secret = await secretOf(mia)
  const [outbox] = await owner<{ text: string }>(
    `select coalesce(string_agg(m::text, ''), '') as text from mail_directory m`,
  )
  const [links] = await owner<{ text: string }>(
    `select coalesce(string_agg(l::text, ''), '') as text from account_links l`,
  )
  const texts = [outbox?.text ?? '', links?.text ?? '', people.test.logs.join('')]
  for (const text of texts) {
    expect(text).not.toContain(secret)
    expect(text.toLowerCase()).not.toContain(mia.email.split('@')[0] ?? '')
  }
})

test('without mail, a request is refused with what to do', async () => {
  const quiet = await startPeople()
  const answer = await quiet.anyone.send('POST', '/recovery', { email: 'mia@shop.example' })
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([409, 'mail_unavailable'])
})

describe('the link of a notice', () => {
  const secureSecret = ({ email }: PersonClient) => on.secretFor(email, '/secure')
  const secure = (secret: string) => people.anyone.send('POST', '/recovery/secure', { secret })

  test('ends everything with which the account can be used, and brings a link to a new password', async () => {
    const mia = await people.signUp()
    await mia.send('POST', '/account/recovery-codes')
    const { token } = (await mia.send('POST', '/account/tokens', { label: 'Laptop' })).json as { token: string }
    const secret = await secureSecret(mia)
    // A new password does not end it: the person may have to use it because of that very change.
    const thief = await mia.send('PUT', '/account/password', { current: PASSWORD, next: NEXT })
    expect(thief.status).toBe(204)
    expect((await recover(secret)).status).toBe(404)
    expect((await secure(secret)).status).toBe(204)
    for (const password of [PASSWORD, NEXT]) expect((await signIn(mia.email, password)).status).toBe(401)
    const uses: Record<string, string>[] = [{ Cookie: cookieOf(thief) }, { Authorization: `Bearer ${token}` }]
    const accepted = async () => {
      const answers = await Promise.all(uses.map((use) => people.anyone.send('GET', '/account', undefined, use)))
      return answers.filter(({ status }) => status === 200).length
    }
    await vi.waitUntil(async () => (await accepted()) === 0, { timeout: 30_000, interval: 20 })
    for (const table of ['sessions', 'access_tokens', 'recovery_codes', 'known_devices']) {
      expect(await owner(`select '${table}' as left from ${table} where account_id = $1`, [mia.id])).toEqual([])
    }
    expect((await secure(secret)).status).toBe(404)
    const [link = ''] = await mailed(mia.email)
    expect((await recover(link, 'the third password')).status).toBe(204)
    expect((await signIn(mia.email, 'the third password')).status).toBe(200)
  })

  test('is no link to a new password, and a link to a new password is no such link', async () => {
    const mia = await people.signUp()
    const secret = await secretOf(mia)
    expect((await secure(secret)).status).toBe(404)
    expect((await signIn(mia.email, PASSWORD)).status).toBe(200)
  })
})
