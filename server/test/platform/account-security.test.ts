// What an account remembers: the devices on which it was signed in to, and what happened to it.
// And recovery codes, with which a person returns without mail.

import { describe, expect, test } from 'vitest'
import type { AccountEvent } from '@petstore-platform/contract/platform/account-audit'
import { expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { PASSWORD, cookieOf, cookiesIn, type PersonClient } from '../../../testbed/harness/platform.ts'
import { startPeople } from './people.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

const people = await startPeople()
const owner = <T extends object>(text: string, values: unknown[] = []) =>
  asOwner(people.test.database, async (client) => (await client.query<T>(text, values)).rows)

const NEXT = 'a brand new password'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

const signIn = (email: string, headers: Record<string, string> = {}, password = PASSWORD) =>
  people.anyone.send('POST', '/session', { email, password }, { 'User-Agent': FIREFOX, ...headers })
const deviceOf = (answer: Parameters<typeof cookiesIn>[0]) =>
  cookiesIn(answer).find((cookie) => cookie.startsWith('__Host-petstore-device=')) ?? ''
const eventsOf = async (person: Pick<PersonClient, 'send'>) =>
  (await person.send('GET', '/account/audit')).json as AccountEvent[]
const actionsOf = async (person: Pick<PersonClient, 'send'>) => (await eventsOf(person)).map(({ action }) => action)

describe('a device', () => {
  test('is known from the second sign-in on, to the account that signed in there', async () => {
    const [mia, tom] = [await people.signUp(), await people.signUp()]
    const first = await signIn(mia.email)
    const Cookie = deviceOf(first)
    const second = await signIn(mia.email, { Cookie })
    expect(deviceOf(second)).toBe(Cookie)
    expect(await actionsOf(mia)).toEqual(['signed_in', 'signed_in_new_device', 'signed_up'])
    expect(deviceOf(await signIn(tom.email, { Cookie }))).toBe(Cookie)
    expect(await actionsOf(tom)).toEqual(['signed_in_new_device', 'signed_up'])
    await signIn(tom.email, { Cookie })
    expect((await actionsOf(tom))[0]).toBe('signed_in')
  })

  test('is never access: its cookie alone does not sign in, and an invented one is not known', async () => {
    const mia = await people.signUp()
    const Cookie = deviceOf(await signIn(mia.email))
    expect((await people.anyone.send('GET', '/account', undefined, { Cookie })).status).toBe(401)
    await signIn(mia.email, { Cookie: `__Host-petstore-device=${'x'.repeat(43)}` })
    expect((await actionsOf(mia))[0]).toBe('signed_in_new_device')
    expect(deviceOf(await signIn(mia.email, { Cookie: '__Host-petstore-device=short' }))).toMatch(/=[\w-]{43}$/)
  })

  test('is one of at most 20, and forgotten after 180 days without a sign-in', async () => {
    const mia = await people.signUp()
    const Cookie = deviceOf(await signIn(mia.email))
    for (let others = 0; others < 20; others++) await signIn(mia.email)
    const rows = await owner('select digest from known_devices where account_id = $1', [mia.id])
    expect(rows).toHaveLength(20)
    await signIn(mia.email, { Cookie })
    expect((await actionsOf(mia))[0]).toBe('signed_in_new_device')
    await owner(`update known_devices set seen_at = now() - interval '181 days' where account_id = $1`, [mia.id])
    await removeExpired(people.test.service.database, 'known_devices')
    expect(await owner('select digest from known_devices where account_id = $1', [mia.id])).toEqual([])
  })
})

describe('the history', () => {
  test('tells what happened, by whom, on what device and from where, to its person alone', async () => {
    const mia = await people.signUp()
    await signIn(mia.email)
    await mia.send('PATCH', '/account', { name: 'Mia M.' })
    const { id } = (await mia.send('POST', '/account/tokens', { label: 'Laptop' })).json as { id: string }
    await mia.send('DELETE', `/account/tokens/${id}`)
    await mia.send('POST', '/account/recovery-codes')
    await mia.send('DELETE', '/session')
    const again = await signIn(mia.email)
    const send: PersonClient['send'] = (method, path) =>
      people.anyone.send(method, path, undefined, { Cookie: cookieOf(again) })
    const events = await eventsOf({ send })
    expect(events.map(({ action }) => action)).toEqual([
      'signed_in_new_device',
      'signed_out',
      'recovery_codes_created',
      'access_token_revoked',
      'access_token_created',
      'name_changed',
      'signed_in_new_device',
      'signed_up',
    ])
    expect(events[0]).toMatchObject({ actor: 'person', device: 'Firefox on Windows', addressGroup: '127.0.0.1' })
    const tom = await people.signUp()
    expect(await actionsOf(tom)).toEqual(['signed_up'])
  })

  test('holds no secret and no text of people, and ends after a year', async () => {
    const mia = await people.signUp('A very special name')
    const { token } = (await mia.send('POST', '/account/tokens', { label: 'A special label' })).json as {
      token: string
    }
    const [{ text } = { text: '' }] = await owner<{ text: string }>(
      `select string_agg(a::text, '') as text from account_audit a where account_id = $1`,
      [mia.id],
    )
    for (const unwanted of ['special', token, mia.email]) expect(text).not.toContain(unwanted)
    await owner(`update account_audit set at = now() - interval '366 days' where account_id = $1`, [mia.id])
    await removeExpired(people.test.service.database, 'account_audit')
    expect(await eventsOf(mia)).toEqual([])
  })
})

describe('a recovery code', () => {
  const codesOf = async (person: PersonClient) =>
    ((await person.send('POST', '/account/recovery-codes')).json as { codes: string[] }).codes
  const recover = (email: string, code: string, password = NEXT) =>
    people.anyone.send('POST', '/recovery/code', { email, code, password })
  const left = async (person: PersonClient) =>
    ((await person.send('GET', '/account/recovery-codes')).json as { left: number }).left

  test('sets a new password, however it is written, and ends everything else', async () => {
    const mia = await people.signUp()
    const codes = await codesOf(mia)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    const [first = '', second = ''] = codes
    expect((await recover(mia.email.toUpperCase(), ` ${first.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(204)
    expect((await signIn(mia.email, {}, NEXT)).status).toBe(200)
    expect((await signIn(mia.email)).status).toBe(401)
    // The used one, and the others, which ended with it.
    for (const code of [first, second]) expectRefusal(await recover(mia.email, code), 401, 'wrong_credentials')
    const tables = ['access_tokens', 'passkeys', 'account_links', 'recovery_codes']
    for (const table of tables) {
      expect(await owner(`select '${table}' as left from ${table} where account_id = $1`, [mia.id])).toEqual([])
    }
    expect(await owner(`select verified_at from accounts where id = $1`, [mia.id])).toEqual([{ verified_at: null }])
  })

  test('of another person, of an unknown address, or an invented one is refused in the same words', async () => {
    const [mia, tom] = [await people.signUp(), await people.signUp()]
    const [code = ''] = await codesOf(mia)
    const answers = [
      await recover(tom.email, code),
      await recover('no-account@shop.example', code),
      await recover(mia.email, '0000-0000-0000-0000'),
    ]
    for (const answer of answers) {
      expectRefusal(answer, 401, 'wrong_credentials', 'The email address or the recovery code is wrong.')
    }
    expect(await left(mia)).toBe(10)
    expect((await signIn(mia.email)).status).toBe(200)
  })

  test('works once, even where it is used in parallel; new codes end earlier ones', async () => {
    const mia = await people.signUp()
    const [early = ''] = await codesOf(mia)
    const [code = ''] = await codesOf(mia)
    expectRefusal(await recover(mia.email, early), 401, 'wrong_credentials')
    const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => recover(mia.email, code, `${NEXT} ${n}`)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
  })
})
