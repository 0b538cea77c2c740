// A stolen session can read, but cannot give its thief lasting access: what creates a credential
// or a secret requires that the person has presented a password or a passkey a moment ago.

import { platformOperations } from '@petstore-platform/contract/platform/operations'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import { createAccessToken } from '@petstore-platform/contract/platform/accounts'
import { describe, expect, test, vi } from 'vitest'
import { expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import {
  DASHBOARD,
  PASSWORD,
  cookieOf,
  type PersonClient,
  type PlatformOwner,
  type Visitor,
} from '../../../testbed/harness/platform.ts'
import {
  newDevice,
  type CreationOptions,
  type Device,
  type Lies,
  type RequestOptions,
} from '../../../testbed/harness/authenticator.ts'
import { startPeople } from './people.ts'

const people = await startPeople()
const owner = <T extends object>(text: string, values: unknown[] = []) =>
  asOwner(people.test.database, async (client) => (await client.query<T>(text, values)).rows)

const as = (cookie: string) => (method: string, path: string, body?: unknown) =>
  people.anyone.send(method, path, body, { Cookie: cookie, Origin: DASHBOARD })
const createToken = (cookie: string) => as(cookie)('POST', '/account/tokens', { label: 'Laptop' })

/** Makes the last proof of every session of the person eleven minutes old, and waits until the service knows. */
async function grownOld(person: PersonClient): Promise<void> {
  await owner(`update sessions set proved_at = now() - interval '11 minutes' where account_id = $1`, [person.id])
  const isNoticed = async () => (await person.send('POST', '/account/passkeys/options')).status === 403
  await vi.waitUntil(isNoticed, { timeout: 30_000, interval: 50 })
}

describe('the contract', () => {
  /** Responses that hold a secret although a session of any age may request them. */
  const reasons: Record<string, string> = {
    shareDomain: 'the link shows DNS records, and nothing can be changed with it',
    prepareSignIn: 'the challenge is useless without a passkey',
  }
  const secretIn = ({ success }: PlatformOperation): boolean => {
    const text = 'schema' in success ? JSON.stringify(success.schema) : ''
    return /only in this response|"(token|secret|link|codes|challengeId)":/i.test(text)
  }
  const unprotected = (operations: readonly PlatformOperation[]) =>
    operations.filter((one) => secretIn(one) && !one.recent && !Object.hasOwn(reasons, one.operationId))

  test('requires a recent sign-in of every operation whose response holds a secret, or a reason', () => {
    expect(unprotected(platformOperations).map(({ operationId }) => operationId)).toEqual([])
    for (const id of Object.keys(reasons)) {
      expect(platformOperations.some((one) => one.operationId === id && secretIn(one))).toBe(true)
    }
  })

  test('without one of these requirements is noticed (negative control)', () => {
    const { recent: _, ...careless } = createAccessToken
    expect(unprotected([...platformOperations, careless])).toEqual([careless])
  })
})

describe('a stolen cookie, eleven minutes after the last proof,', () => {
  const credentials = () =>
    owner(
      `select
         (select count(*) from access_tokens) as tokens, (select count(*) from passkeys) as passkeys,
         (select count(*) from recovery_codes) as codes, (select count(*) from api_keys) as keys,
         (select count(*) from invitations) as invitations, (select count(*) from sessions) as sessions`,
    )

  /** Sends the documented example of every operation that needs a sign-in, for the thief's project. */
  async function tryAll(person: PlatformOwner) {
    const tried = platformOperations.filter(
      ({ access, success, operationId }) =>
        access !== 'anyone' && !('type' in success) && !['signOut', 'endSession'].includes(operationId),
    )
    for (const { method, path, parameters, body } of tried) {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'project' ? person.slug : encodeURIComponent(String(parameters[name]?.example ?? 'x')),
      )
      const [example] = body && 'examples' in body ? (Object.values(body.examples) as { value: unknown }[]) : []
      await person.send(method, filled, example?.value)
    }
    return tried.length
  }

  test('creates no credential and reads no secret with any operation', async () => {
    const mia = await people.owner()
    await grownOld(mia)
    const before = await credentials()
    expect(await tryAll(mia)).toBeGreaterThan(80)
    expect(await credentials()).toEqual(before)
  })

  test('would be noticed if one operation did not require it (negative control)', async () => {
    const mia = await people.owner()
    await grownOld(mia)
    const before = await credentials()
    const careless: { recent?: true } = createAccessToken
    delete careless.recent
    await tryAll(mia)
    careless.recent = true
    expect(await credentials()).not.toEqual(before)
  })

  test('removes no member, neither does a token, and none of them leaves', async () => {
    const mia = await people.owner()
    const tom = await people.joins(mia, 'admin')
    const { token } = (await createToken(mia.cookie)).json as { token: string }
    for (const person of [mia, tom]) await grownOld(person)
    const remove = (by: Pick<PersonClient, 'send'>, keys = 'keep') =>
      by.send('DELETE', `/projects/${mia.slug}/members/${tom.id}?keys=${keys}`)
    expectRefusal(await remove(mia), 403, 'reauthentication_required')
    expectRefusal(await remove(mia, 'revoke'), 403, 'reauthentication_required')
    expectRefusal(await remove(tom), 403, 'reauthentication_required')
    const path = `/projects/${mia.slug}/members/${tom.id}`
    const byToken = await people.anyone.send('DELETE', path, undefined, { Authorization: `Bearer ${token}` })
    expectRefusal(byToken, 403, 'session_required')
    expect((await mia.send('GET', `/projects/${mia.slug}/members`)).text).toContain(tom.id)
  })

  test('is not accepted any more after a password change, and neither is a token', async () => {
    const mia = await people.signUp()
    const { token } = (await createToken(mia.cookie)).json as { token: string }
    await mia.send('PUT', '/account/password', { current: PASSWORD, next: 'a much longer sentence' })
    const accepted = async () => {
      const uses = [{ Cookie: mia.cookie }, { Authorization: `Bearer ${token}` }]
      const answers = await Promise.all(uses.map((use) => people.anyone.send('GET', '/account', undefined, use)))
      return answers.filter(({ status }) => status === 200).length
    }
    await vi.waitUntil(async () => (await accepted()) === 0, { timeout: 30_000, interval: 20 })
  })
})

describe('the password', () => {
  test('makes a new session recent; the old one stays as it was, and ends soon', async () => {
    const mia = await people.signUp()
    await grownOld(mia)
    expectRefusal(await createToken(mia.cookie), 403, 'reauthentication_required')
    const answer = await mia.send('POST', '/session/reauthentication', { password: PASSWORD })
    expect(answer.status).toBe(204)
    expect((await createToken(cookieOf(answer))).status).toBe(201)
    expectRefusal(await createToken(mia.cookie), 403, 'reauthentication_required')
    const rows = await owner<{ seconds: number }>(
      `select extract(epoch from min(expires_at) - now())::float8 as seconds from sessions where account_id = $1`,
      [mia.id],
    )
    expect(rows[0]?.seconds).toBeLessThanOrEqual(10)
  })

  test('that is wrong changes nothing', async () => {
    const mia = await people.signUp()
    await grownOld(mia)
    const answer = await mia.send('POST', '/session/reauthentication', { password: 'not the password' })
    expectRefusal(answer, 400, 'invalid_field', "'password' is not the password of this account.")
    expectRefusal(await createToken(mia.cookie), 403, 'reauthentication_required')
  })

  test('of a token is refused, whatever the token could do otherwise', async () => {
    const mia = await people.owner()
    const { token } = (await createToken(mia.cookie)).json as { token: string }
    const send = (method: string, path: string, body?: unknown) =>
      people.anyone.send(method, path, body, { Authorization: `Bearer ${token}` })
    expectRefusal(await send('POST', '/session/reauthentication', { password: PASSWORD }), 403, 'session_required')
    expectRefusal(await send('DELETE', `/projects/${mia.slug}`, { slug: mia.slug }), 403, 'session_required')
    expectRefusal(await send('POST', '/account/recovery-codes'), 403, 'session_required')
  })
})

describe('a passkey', () => {
  async function withPasskey(): Promise<{ mia: PersonClient; device: Device }> {
    const mia = await people.signUp()
    const device = newDevice(DASHBOARD)
    const { options } = (await mia.send('POST', '/account/passkeys/options')).json as { options: CreationOptions }
    const added = await mia.send('POST', '/account/passkeys', { label: 'Phone', response: device.create(options) })
    expect(added.status).toBe(201)
    return { mia, device }
  }
  const UNVERIFIED = 0x01
  const prove = async (visitor: Visitor, path: string, device: Device, lies?: Lies) => {
    const asked = (await people.anyone.send('POST', '/session/passkey/options')).json
    const { challengeId, options } = asked as { challengeId: string; options: RequestOptions }
    return visitor.send('POST', path, { challengeId, response: device.get(options, lies) })
  }

  test('that verified its user makes a new session recent', async () => {
    const { mia, device } = await withPasskey()
    await grownOld(mia)
    const answer = await prove(mia, '/session/reauthentication/passkey', device)
    expect(answer.status).toBe(204)
    expect((await createToken(cookieOf(answer))).status).toBe(201)
  })

  test('that did not verify its user, or belongs to another person, does not', async () => {
    const { mia, device } = await withPasskey()
    const { device: foreign } = await withPasskey()
    await grownOld(mia)
    const path = '/session/reauthentication/passkey'
    expectRefusal(await prove(mia, path, device, { flags: UNVERIFIED }), 401, 'wrong_credentials', /password/)
    expectRefusal(await prove(mia, path, foreign), 401, 'wrong_credentials')
    expectRefusal(await createToken(mia.cookie), 403, 'reauthentication_required')
  })

  test('that did not verify its user does not sign in, and the response advises to use the password', async () => {
    const { device } = await withPasskey()
    const refused = await prove(people.anyone, '/session/passkey', device, { flags: UNVERIFIED })
    expectRefusal(refused, 401, 'wrong_credentials', /did not check that it is you.* Use your password instead/)
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect((await createToken(cookieOf(await prove(people.anyone, '/session/passkey', device)))).status).toBe(201)
  })

  test('that is removed ends the sessions that it began, and no others', async () => {
    const { mia, device } = await withPasskey()
    const begun = cookieOf(await prove(people.anyone, '/session/passkey', device))
    const [passkey] = (await mia.send('GET', '/account/passkeys')).json as { id: string }[]
    expect((await as(begun)('GET', '/account')).status).toBe(200)
    expect((await mia.send('DELETE', `/account/passkeys/${passkey?.id}`)).status).toBe(204)
    await vi.waitUntil(async () => (await as(begun)('GET', '/account')).status === 401, {
      timeout: 30_000,
      interval: 20,
    })
    expect((await mia.send('GET', '/account')).status).toBe(200)
  })
})
