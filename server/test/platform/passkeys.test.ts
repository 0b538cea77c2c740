// Passkeys on `/platform/v1`: creating one, signing in with it, and every way in which a
// browser, a device or an attacker may try to sign in without. The device is in
// testbed/harness/authenticator.ts; verification is done by the real service.

import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { expectRefusal } from '../v1/responses.ts'
import {
  itself,
  maker,
  newDevice,
  type CreationOptions,
  type Device,
  type Lies,
  type RequestOptions,
} from '../../../testbed/harness/authenticator.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received, RawRequest } from '../../../testbed/harness/http.ts'
import { startPeople } from './people.ts'
import {
  DASHBOARD,
  PASSWORD,
  cookieOf,
  startTestPlatform,
  type PersonClient,
  type Visitor,
} from '../../../testbed/harness/platform.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

const people = await startPeople()
const { test: service, anyone } = people
const signUp = () => people.signUp()

afterAll(() => {
  // No invalid input here caused a failure of ours.
  expect(service.logs.filter((line) => line.includes('"status":500'))).toEqual([])
})

type Question = { challengeId: string; options: RequestOptions }
type PasskeyBody = { id: string; label: string; createdAt: string; lastUsedAt: string | null }

const owner = <T extends object>(text: string, values: unknown[] = []) =>
  asOwner(service.database, async (client) => (await client.query<T>(text, values)).rows)
const passkeysOf = async (person: Visitor) => (await person.send('GET', '/account/passkeys')).json as PasskeyBody[]

async function prepared(person: Visitor): Promise<CreationOptions> {
  const answer = await person.send('POST', '/account/passkeys/options')
  expect(answer.status).toBe(200)
  return (answer.json as { options: CreationOptions }).options
}
const add = (person: Visitor, response: unknown, label = 'My phone') =>
  person.send('POST', '/account/passkeys', { label, response })

async function added(person: Visitor, device: Device, label?: string): Promise<PasskeyBody> {
  const answer = await add(person, device.create(await prepared(person)), label)
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.json as PasskeyBody
}
async function question(visitor: Visitor = anyone): Promise<Question> {
  const answer = await visitor.send('POST', '/session/passkey/options')
  expect(answer.status).toBe(200)
  return answer.json as Question
}
const answerTo = (
  challengeId: string,
  response: unknown,
  headers: RawRequest['headers'] = {},
  visitor: Visitor = anyone,
): Promise<Received> => visitor.send('POST', '/session/passkey', { challengeId, response }, headers)

async function signIn(device: Device, lies?: Lies): Promise<Received> {
  const { challengeId, options } = await question()
  return answerTo(challengeId, device.get(options, lies))
}
const accountOf = (cookie: string) => anyone.send('GET', '/account', undefined, { Cookie: cookie })
const NOT_ACCEPTED = 'This passkey was not accepted. Try again, or sign in with your password.'
const expectNotAccepted = (answer: Received) => {
  expectRefusal(answer, 401, 'wrong_credentials', NOT_ACCEPTED)
  expect(answer.headers['set-cookie']).toBeUndefined()
}
async function withPasskey(counts = true): Promise<{ mia: PersonClient; device: Device; passkey: PasskeyBody }> {
  const mia = await signUp()
  const device = newDevice(DASHBOARD, { counts })
  return { mia, device, passkey: await added(mia, device) }
}

describe('a passkey', () => {
  test('is created for the hostname of the dashboard, so that it is found without an email address', async () => {
    const mia = await signUp()
    expect(await prepared(mia)).toMatchObject({
      rp: { id: 'api.petstore.example', name: 'Petstore' },
      user: { id: Buffer.from(mia.id).toString('base64url'), name: mia.email, displayName: 'Mia' },
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
      timeout: 300_000,
    })
  })

  test('is added, listed newest first, and removed', async () => {
    const mia = await signUp()
    const phone = await added(mia, newDevice(DASHBOARD), 'Phone')
    const laptop = await added(mia, newDevice(DASHBOARD), 'Laptop 🦜')
    expect(phone).toEqual({
      id: expect.stringMatching(/^psk_[0-9a-f]{24}$/),
      label: 'Phone',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUsedAt: null,
    })
    expect(await passkeysOf(mia)).toEqual([laptop, phone])
    expect((await mia.send('DELETE', `/account/passkeys/${phone.id}`)).status).toBe(204)
    expect(await passkeysOf(mia)).toEqual([laptop])
    expectRefusal(await mia.send('DELETE', `/account/passkeys/${phone.id}`), 404, 'not_found')
  })

  test('is not created twice on one device, which gets the list of its passkeys', async () => {
    const { mia, device } = await withPasskey()
    expect(await prepared(mia)).toMatchObject({
      excludeCredentials: [{ id: device.credentialId, type: 'public-key', transports: ['hybrid', 'internal'] }],
    })
    expectRefusal(await add(mia, device.create(await prepared(mia))), 400, 'invalid_field', /^'response'/)
  })

  test('may use self attestation, as some devices do unrequested', async () => {
    const mia = await signUp()
    const device = newDevice(DASHBOARD)
    expect((await add(mia, device.create(await prepared(mia), { attestation: itself }))).status).toBe(201)
    expect((await signIn(device)).status).toBe(200)
  })

  test('of one account cannot be taken over by another key with the same credential ID', async () => {
    const { mia, device } = await withPasskey()
    const eve = await signUp()
    const copy = newDevice(DASHBOARD, { credentialId: Buffer.from(device.credentialId, 'base64url') })
    expectRefusal(await add(eve, copy.create(await prepared(eve))), 400, 'invalid_field')
    expectNotAccepted(await signIn(copy))
    expect((await signIn(device)).text).toContain(mia.id)
  })

  test('of another account is neither listed nor removed', async () => {
    const { mia, passkey } = await withPasskey()
    const eve = await signUp()
    expect(await passkeysOf(eve)).toEqual([])
    const [foreign, never] = [
      await eve.send('DELETE', `/account/passkeys/${passkey.id}`),
      await eve.send('DELETE', '/account/passkeys/psk_000000000000000000000000'),
    ]
    expectRefusal(foreign, 404, 'not_found', 'No passkey with this identifier.')
    expect(foreign.text).toBe(never.text)
    expect(await passkeysOf(mia)).toEqual([passkey])
  })

  test('is one of at most 20, even where two are added concurrently', async () => {
    const mia = await signUp()
    for (let made = 0; made < 18; made++) await added(mia, newDevice(DASHBOARD))
    const challenges = [await prepared(mia), await prepared(mia), await prepared(mia)]
    const answers = await Promise.all(challenges.map((options) => add(mia, newDevice(DASHBOARD).create(options))))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 409])
    const refused = answers.find(({ status }) => status === 409) as Received
    expectRefusal(refused, 409, 'limit_reached', 'An account has at most 20 passkeys.')
    expectRefusal(await mia.send('POST', '/account/passkeys/options'), 409, 'limit_reached')
    expect((await passkeysOf(mia)).length).toBe(20)
  })

  test('is added by a person, not by a token, which may list them', async () => {
    const { mia, passkey } = await withPasskey()
    const options = await prepared(mia)
    const { token } = (await mia.send('POST', '/account/tokens', { label: 'x' })).json as { token: string }
    const headers = { Authorization: `Bearer ${token}` }
    const response = newDevice(DASHBOARD).create(options)
    for (const [path, body] of [
      ['/account/passkeys/options', undefined],
      ['/account/passkeys', { label: 'x', response }],
    ] as const) {
      expectRefusal(await anyone.send('POST', path, body, headers), 403, 'session_required')
    }
    expect((await anyone.send('GET', '/account/passkeys', undefined, headers)).json).toEqual([passkey])
  })
})

describe('a passkey is not added', () => {
  const expectNotMade = async (mia: PersonClient, answer: Received) => {
    expectRefusal(answer, 400, 'invalid_field', /^'response' does not answer the current passkey challenge/)
    expect(await passkeysOf(mia)).toEqual([])
  }

  test.each<[what: string, lies: Lies]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for our name by http', { origin: DASHBOARD.replace('https', 'http') }],
    ['for another name', { rpId: 'evil.example' }],
    ['for a challenge that was never issued', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['for a challenge of another form', { challenge: 'x\u0000' }],
    ['with the type of a sign-in', { type: 'webauthn.get' }],
    ['without user presence', { flags: 0x40 }],
    ['without a credential', { flags: 0x01 }],
  ])('that was made %s', async (_, lies) => {
    const mia = await signUp()
    await expectNotMade(mia, await add(mia, newDevice(DASHBOARD).create(await prepared(mia), lies)))
  })

  test('by a device that did not verify its user, and the response says so', async () => {
    const mia = await signUp()
    const refused = await add(mia, newDevice(DASHBOARD).create(await prepared(mia), { flags: 0x41 }))
    expectRefusal(refused, 400, 'invalid_field', /^'response' comes from a device that did not check that it is you/)
    expect(await passkeysOf(mia)).toEqual([])
  })

  test('twice for one challenge, whatever the result of the first response', async () => {
    const mia = await signUp()
    const options = await prepared(mia)
    await expectNotMade(mia, await add(mia, newDevice(DASHBOARD).create(options, { rpId: 'evil.example' })))
    await expectNotMade(mia, await add(mia, newDevice(DASHBOARD).create(options)))
    const once = newDevice(DASHBOARD).create(await prepared(mia))
    const answers = await Promise.all([add(mia, once), add(mia, once)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
  })

  test('after five minutes', async () => {
    const mia = await signUp()
    const options = await prepared(mia)
    const [kept] = await owner<{ seconds: number }>(
      `select extract(epoch from expires_at - now())::float8 as seconds from passkey_challenges where account_id = $1`,
      [mia.id],
    )
    expect(kept?.seconds).toBeGreaterThan(280)
    expect(kept?.seconds).toBeLessThanOrEqual(300)
    await owner(`update passkey_challenges set expires_at = now() where account_id = $1`, [mia.id])
    await expectNotMade(mia, await add(mia, newDevice(DASHBOARD).create(options)))
  })

  test('for the challenge of another account, which may still respond', async () => {
    const [mia, eve] = [await signUp(), await signUp()]
    const response = newDevice(DASHBOARD).create(await prepared(mia))
    await expectNotMade(eve, await add(eve, response))
    expect((await add(mia, response)).status).toBe(201)
  })

  test('for a challenge of a sign-in', async () => {
    const mia = await signUp()
    const { options } = await question()
    const { rp, user } = await prepared(mia)
    const response = newDevice(DASHBOARD).create({ rp, user, challenge: options.challenge })
    await expectNotMade(mia, await add(mia, response))
  })

  test('with a manufacturer’s attestation, which was not requested and would make us contact other servers', async () => {
    const mia = await signUp()
    for (const form of ['packed', 'apple', 'android-key', 'fido-u2f', 'tpm', 'android-safetynet', 'new']) {
      const attestation = await maker(form)
      await expectNotMade(mia, await add(mia, newDevice(DASHBOARD).create(await prepared(mia), { attestation })))
    }
  })

  const good = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }
  const clientDataJSON = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each<[what: string, response: unknown]>([
    ['a number', 5],
    ['a text', 'x'],
    ['a list', []],
    ['nothing in it', {}],
    ['no answer in it', good],
    ['an answer that is a number', { ...good, response: 5 }],
    ['an answer that is nothing', { ...good, response: null }],
    ['client data that is no base64', { ...good, response: { clientDataJSON: '🦜' } }],
    ['client data that is null', { ...good, response: { clientDataJSON: clientDataJSON(null) } }],
    ['a challenge that is a list', { ...good, response: { clientDataJSON: clientDataJSON({ challenge: ['x'] }) } }],
    ['too much in it', Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]))],
  ])('from %s, and cannot be used to sign in either', async (_, response) => {
    const mia = await signUp()
    expectRefusal(await add(mia, response), 400, 'invalid_field', /^'response'/)
    const { challengeId } = await question()
    expect([400, 401]).toContain((await answerTo(challengeId, response)).status)
  })

  test('with parts of the right response missing or mixed up', async () => {
    const mia = await signUp()
    const whole = newDevice(DASHBOARD).create(await prepared(mia)) as { response: Record<string, unknown> }
    for (const broken of [
      { ...whole, response: { ...whole.response, attestationObject: 'AAAA' } },
      { ...whole, response: { clientDataJSON: whole.response['clientDataJSON'] } },
      { ...whole, rawId: 'AAAA' },
      { ...whole, type: 'password' },
    ]) {
      await expectNotMade(mia, await add(mia, broken))
    }
  })
})

describe('signing in with a passkey', () => {
  test('needs no email address, and sets a cookie like a password does', async () => {
    const { mia, device } = await withPasskey()
    const { options } = await question()
    expect(options).toMatchObject({ rpId: 'api.petstore.example', userVerification: 'required', timeout: 300_000 })
    expect(options).not.toHaveProperty('allowCredentials')
    const answer = await signIn(device)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe((await mia.send('GET', '/account')).text)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-petstore=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(/^__Host-petstore-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; /),
    ])
    expect((await accountOf(cookieOf(answer))).text).toBe(answer.text)
    const [passkey] = await passkeysOf(mia)
    expect(Date.parse(passkey?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  test('begins a session of its own, whatever cookie was sent', async () => {
    const { mia, device } = await withPasskey()
    const { challengeId, options } = await question()
    const answer = await answerTo(challengeId, device.get(options), { Cookie: mia.cookie })
    expect(cookieOf(answer)).not.toBe(mia.cookie)
    expect((await accountOf(cookieOf(answer))).status).toBe(200)
    const signedOut = await anyone.send('DELETE', '/session', undefined, {
      Cookie: cookieOf(answer),
      Origin: DASHBOARD,
    })
    expect(signedOut.status).toBe(204)
    await vi.waitFor(async () => expectRefusal(await accountOf(cookieOf(answer)), 401, 'not_signed_in'), 30_000)
  })

  test.each<[what: string, lies: Lies]>([
    ['on another origin', { origin: 'https://evil.example' }],
    ['on our name by http', { origin: DASHBOARD.replace('https', 'http') }],
    ['for another name', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['with the type of a creation', { type: 'webauthn.create' }],
    ['with the signature of another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['without user presence', { flags: 0 }],
    ['for another person', { userHandle: Buffer.from('acc_000000000000000000000000').toString('base64url') }],
    ['for no account', { userHandle: undefined }],
  ])('does not work %s', async (_, lies) => {
    const { mia, device } = await withPasskey()
    expectNotAccepted(await signIn(device, lies))
    expect((await passkeysOf(mia))[0]?.lastUsedAt).toBeNull()
    expect((await signIn(device)).status).toBe(200)
  })

  test('does not work twice with one response, nor with another response to the same challenge', async () => {
    const { device } = await withPasskey()
    const { challengeId, options } = await question()
    const response = device.get(options)
    expect((await answerTo(challengeId, response)).status).toBe(200)
    expectNotAccepted(await answerTo(challengeId, response))
    expectNotAccepted(await answerTo(challengeId, device.get(options)))
    expectNotAccepted(await answerTo((await question()).challengeId, response))
  })

  test('does not work after a wrong response to the same challenge', async () => {
    const { device } = await withPasskey()
    const { challengeId, options } = await question()
    expectNotAccepted(await answerTo(challengeId, device.get(options, { rpId: 'evil.example' })))
    expectNotAccepted(await answerTo(challengeId, device.get(options)))
  })

  test('works once where one response arrives many times concurrently', async () => {
    const { device } = await withPasskey(false)
    const { challengeId, options } = await question()
    const response = device.get(options)
    const answers = await Promise.all([1, 2, 3, 4].map(() => answerTo(challengeId, response)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401, 401])
  })

  test('does not work after five minutes', async () => {
    const { device } = await withPasskey()
    const { challengeId, options } = await question()
    await owner(`update passkey_challenges set expires_at = now() where id = $1`, [challengeId])
    expectNotAccepted(await answerTo(challengeId, device.get(options)))
  })

  test('does not work with a challenge for adding a passkey', async () => {
    const { mia, device } = await withPasskey()
    const { challenge } = await prepared(mia)
    const rows = await owner<{ id: string }>(`select id from passkey_challenges where challenge = $1`, [challenge])
    const response = device.get({ challenge, rpId: 'api.petstore.example' })
    expectNotAccepted(await answerTo(rows[0]?.id ?? '', response))
  })

  test.each([
    ['was never issued', 'chl_000000000000000000000000'],
    ['has another form', 'x\u0000'],
  ])('does not work with a challenge that %s', async (_, challengeId) => {
    const { device } = await withPasskey()
    expectNotAccepted(await answerTo(challengeId, device.get((await question()).options)))
  })

  test('does not work with a passkey that was never added', async () => {
    const device = newDevice(DASHBOARD)
    device.create(await prepared(await signUp()))
    expectNotAccepted(await signIn(device))
  })

  test('does not work with a counter that does not increase, as on a copy of the device', async () => {
    const { device } = await withPasskey()
    expect((await signIn(device, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) expectNotAccepted(await signIn(device, { counter }))
    expect((await signIn(device, { counter: 4_294_967_295 })).status).toBe(200)
  })

  test('does not work with the older of two responses when the newer one was written in the meantime', async () => {
    const { mia, device } = await withPasskey()
    const { challengeId, options } = await question()
    // The lock on the account is held first; the service has read the counter before.
    const late = await asOwner(service.database, async (client) => {
      await client.query('begin')
      await client.query(`select id from accounts where id = $1 for update`, [mia.id])
      const pending = answerTo(challengeId, device.get(options, { counter: 5 }))
      await vi.waitFor(
        async () =>
          expect(
            (
              await client.query(
                `select pid from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
              )
            ).rows.length,
          ).toBe(1),
        { timeout: 30_000, interval: 5 },
      )
      await client.query(`update passkeys set counter = 6 where account_id = $1`, [mia.id])
      await client.query('commit')
      return pending
    })
    expectNotAccepted(late)
    expect(await owner(`select counter::int from passkeys where account_id = $1`, [mia.id])).toEqual([{ counter: 6 }])
  })

  test('works repeatedly with a device that does not count', async () => {
    const { device } = await withPasskey(false)
    for (let round = 0; round < 3; round++) expect((await signIn(device)).status).toBe(200)
  })

  test('works after a new password, which ends the sessions', async () => {
    const { mia, device } = await withPasskey()
    const before = cookieOf(await signIn(device))
    const change = { current: PASSWORD, next: 'a much longer sentence' }
    expect((await mia.send('PUT', '/account/password', change)).status).toBe(204)
    await vi.waitFor(async () => expectRefusal(await accountOf(before), 401, 'not_signed_in'), 30_000)
    expect((await accountOf(cookieOf(await signIn(device)))).status).toBe(200)
  })

  test('stops with the removal of the passkey, at once', async () => {
    const { mia, device, passkey } = await withPasskey()
    const { challengeId, options } = await question()
    expect((await mia.send('DELETE', `/account/passkeys/${passkey.id}`)).status).toBe(204)
    expectNotAccepted(await answerTo(challengeId, device.get(options)))
  })

  test('is impossible for a page of another origin', async () => {
    const { device } = await withPasskey()
    const { challengeId, options } = await question()
    const headers = { Origin: 'https://evil.example' }
    expectRefusal(await answerTo(challengeId, device.get(options), headers), 403, 'foreign_origin')
    expectRefusal(await anyone.send('POST', '/session/passkey/options', undefined, headers), 403, 'foreign_origin')
  })
})

test('expired challenges are deleted; the rest stays', async () => {
  const [old, fresh] = [await question(), await question()]
  await owner(`update passkey_challenges set expires_at = now() - interval '1 second' where id = $1`, [old.challengeId])
  await removeExpired(service.service.database, 'passkey_challenges')
  const left = await owner<{ id: string }>(`select id from passkey_challenges where id = any ($1)`, [
    [old.challengeId, fresh.challengeId],
  ])
  expect(left).toEqual([{ id: fresh.challengeId }])
})

describe('attempts with passkeys', () => {
  const limited = (env: Record<string, string>) =>
    startTestPlatform({ env: { RATE_LIMIT_WINDOW_SECONDS: '3600', TRUSTED_PROXIES: '127.0.0.1', ...env } })
  const from = (address: string) => ({ 'X-Forwarded-For': address })

  test('are limited per address group, ten of them as one network, and successes are not charged', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1' })
    const mia = await place.signUp()
    const [device, stranger] = [newDevice(DASHBOARD), newDevice(DASHBOARD)]
    await added(mia, device)
    const attempt = async (by: Device, address: string) => {
      const { challengeId, options } = await question(place.anyone)
      return answerTo(challengeId, by.get(options), from(address), place.anyone)
    }
    for (let round = 0; round < 3; round++) expect((await attempt(device, '192.0.2.1')).status).toBe(200)
    for (let round = 0; round < 2; round++) expectNotAccepted(await attempt(stranger, '192.0.2.1'))
    const refused = await attempt(stranger, '192.0.2.1')
    const says =
      /^Too many rejected passkeys from this address \(2 in a minute\)\. Retry in \d+ s, or use your password\.$/
    expectRefusal(refused, 429, 'rate_limited', says)
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expectNotAccepted(await attempt(stranger, '198.51.100.1'))
  })

  test('work however many passwords strangers have guessed', async () => {
    const place = await limited({ RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1' })
    const mia = await place.signUp()
    const device = newDevice(DASHBOARD)
    await added(mia, device)
    const wrong = { email: mia.email, password: 'wrong password' }
    expect((await place.anyone.send('POST', '/session', wrong)).status).toBe(401)
    expect((await place.anyone.send('POST', '/session', wrong, from('192.0.2.2'))).status).toBe(403)
    const { challengeId, options } = await question(place.anyone)
    expect((await answerTo(challengeId, device.get(options), {}, place.anyone)).status).toBe(200)
  })
})

test.each(['http://127.0.0.1:3000', 'https://192.0.2.7', 'http://[::1]:3000'])(
  'where the dashboard is reached by an IP address, %s, there are no passkeys',
  async (origin) => {
    const place = await startTestPlatform({ env: { DASHBOARD_ORIGIN: origin } })
    const mia = await place.signUp()
    const says = 'Passkeys require the dashboard to be opened at a hostname, not at an IP address.'
    const own = { Cookie: mia.cookie, Origin: origin }
    for (const [path, headers] of [
      ['/account/passkeys/options', own],
      ['/session/passkey/options', {}],
    ] as const) {
      const answer = await place.anyone.send('POST', path, undefined, headers)
      expectRefusal(answer, 409, 'passkeys_unavailable', says)
    }
    expect((await place.anyone.send('GET', '/account/passkeys', undefined, own)).json).toEqual([])
  },
)

test('where the dashboard is localhost, passkeys are created for it', async () => {
  const place = await startTestPlatform({ env: { DASHBOARD_ORIGIN: 'http://localhost:3000' } })
  const answer = await place.anyone.send('POST', '/session/passkey/options')
  expect(answer.json).toMatchObject({ options: { rpId: 'localhost' } })
})
