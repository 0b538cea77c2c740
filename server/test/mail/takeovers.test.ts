// Takeovers, each played to its end: the thief does everything that the password, the session or the mailbox allows, and
// makes it permanent as well as possible; then the owner, who reads the mails to her own address, has the account again,
// and nothing of the thief's works.

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newDevice, type CreationOptions } from '../../../testbed/harness/authenticator.ts'
import { DASHBOARD, PASSWORD, cookieOf, type PersonClient } from '../../../testbed/harness/platform.ts'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { setEmail } from '../../src/accounts/links/email-change-queries.ts'
import { insertLink } from '../../src/accounts/links/link-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import type { People } from '../platform/people.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'

let on: MailInstallation
let people: People

beforeAll(async () => {
  on = await startMailInstallation({ RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000' })
  ;({ people } = on)
})

const HIS = 'eleven badgers paint the moon'
const HERS = 'nine herons cross the river'

const open = (path: string, body: object) => people.anyone.send('POST', path, body)
const signIn = (email: string, password: string) => open('/session', { email, password })
const undo = (secret: string) => open('/recovery/email/undo', { secret })
const secure = (secret: string) => open('/recovery/secure', { secret })
const reset = (secret: string, password: string) => open('/recovery/password', { secret, password })

/** What a browser sends that holds this session. */
const as = (answer: Awaited<ReturnType<typeof signIn>>) => {
  const headers = { Cookie: cookieOf(answer), Origin: DASHBOARD }
  return (method: string, path: string, body?: object) => people.anyone.send(method, path, body, headers)
}
type Client = ReturnType<typeof as>

/** Signs in with the password that the owner has typed into the thief's page. */
async function phish({ email }: PersonClient): Promise<Client> {
  const answer = await signIn(email, PASSWORD)
  expect(answer.status).toBe(200)
  // The mail about it has reached her address, and its link is hers.
  await on.secretFor(email, '/secure')
  return as(answer)
}

/** The newest link to a page that was mailed to the address, when there are at least so many. */
const newest = (email: string, page: string, count = 1) =>
  vi.waitUntil(
    async () => {
      const secrets = await on.secretsIn(email, page)
      return secrets.length >= count && secrets.at(-1)
    },
    { timeout: 30_000, interval: 20 },
  )

async function changeAddress(thief: Client, next: string): Promise<void> {
  expect((await thief('POST', '/account/email', { email: next })).status).toBe(202)
  const confirmation = { secret: await on.secretFor(next, '/confirm-email') }
  expect((await open('/recovery/email/confirmation', confirmation)).status).toBe(204)
}

async function resetByMail(email: string, password: string, count = 1): Promise<Client> {
  expect((await open('/recovery', { email })).status).toBe(202)
  expect((await reset(await newest(email, '/recovery', count), password)).status).toBe(204)
  return as(await signIn(email, password))
}

/** Everything that can be added to an account; returns what uses it. */
async function entrench(thief: Client): Promise<Client[]> {
  const { options } = (await thief('POST', '/account/passkeys/options')).json as { options: CreationOptions }
  const response = newDevice(DASHBOARD).create(options)
  expect((await thief('POST', '/account/passkeys', { label: 'His', response })).status).toBe(201)
  const { token } = (await thief('POST', '/account/tokens', { label: 'His' })).json as { token: string }
  expect((await thief('POST', '/account/recovery-codes')).status).toBe(201)
  const Authorization = `Bearer ${token}`
  return [thief, (method, path, body) => people.anyone.send(method, path, body, { Authorization })]
}

/** Nothing signs the thief in or restores an address of his; she chooses a password and is in. */
async function expectRestored(owner: PersonClient, his: { emails: string[]; clients: Client[]; links?: number }) {
  const link = await newest(owner.email, '/recovery', his.links ?? 1)
  // The passwords that he knows are none any more, before she has chosen hers.
  const tries = [PASSWORD, HIS].map((password) => signIn(owner.email, password))
  for (const { status } of await Promise.all(tries)) expect(status).toBe(401)
  for (const email of his.emails) expect((await signIn(email, HIS)).status).toBe(401)
  for (const table of ['passkeys', 'access_tokens', 'recovery_codes', 'sessions', 'email_changes'])
    expect(await on.query(`select '${table}' as left from ${table} where account_id = $1`, [owner.id])).toEqual([])
  for (const client of his.clients)
    await vi.waitUntil(async () => (await client('GET', '/account')).status === 401, { timeout: 30_000, interval: 20 })
  // Of all links that he has read, none does anything, and none is mailed to him.
  for (const email of his.emails) {
    await open('/recovery', { email })
    await open('/sign-in-links', { email })
  }
  await on.nothingQueued()
  for (const email of his.emails) {
    const uses: readonly [page: string, path: string, more?: object][] = [
      ['/recovery', '/recovery/password', { password: HIS }],
      ['/sign-in-link', '/session/link'],
      ['/secure', '/recovery/secure'],
      ['/undo-email', '/recovery/email/undo'],
      ['/confirm-email', '/recovery/email/confirmation'],
    ]
    for (const [page, path, more] of uses)
      for (const secret of await on.secretsIn(email, page))
        expect([page, (await open(path, { secret, ...more })).status]).toEqual([page, 404])
  }
  expect((await reset(link, HERS)).status).toBe(204)
  const answer = await signIn(owner.email, HERS)
  expect([answer.status, (answer.json as { id: string }).id]).toEqual([200, owner.id])
}

test('a link is not mailed to the thief where the owner takes the account back in that moment', async () => {
  const [mia, evil] = [await people.signUp(), on.newAddress()]
  await changeAddress(await phish(mia), evil)
  const { database } = people.test.service
  const id = mia.id as AccountId
  const link = { account: id, mail: newId('mail'), purpose: 'recovery' } as const
  let isInserted: Promise<boolean> | undefined
  await database.transaction({}, async (db) => {
    await setEmail(db, id, mia.email)
    isInserted = insertLink(database.run, randomBytes(32), { ...link, email: evil })
    await vi.waitUntil(
      async () => (await on.query(`select from pg_locks where not granted and locktype = 'transactionid'`)).length > 0,
      { timeout: 30_000, interval: 20 },
    )
  })
  expect(await isInserted).toBe(false)
})

describe('a phished password', () => {
  const hers = [
    {
      which: 'the link that undoes the change',
      use: async (email: string) => undo(await newest(email, '/undo-email')),
    },
    {
      which: '"This was not me" in an earlier notice',
      use: async (email: string) => secure(await newest(email, '/secure')),
    },
  ]
  test.each(hers)('that moved the account and was reset there is answered by $which', async ({ use }) => {
    const [mia, evil] = [await people.signUp(), on.newAddress()]
    const thief = await phish(mia)
    await changeAddress(thief, evil)
    const clients = [thief, ...(await entrench(await resetByMail(evil, HIS)))]
    expect((await use(mia.email)).status).toBe(204)
    await expectRestored(mia, { emails: [evil], clients })
  })

  test('that moved the account: "This was not me" mails the link to the owner, not to the thief', async () => {
    const [mia, evil] = [await people.signUp(), on.newAddress()]
    const thief = await phish(mia)
    await changeAddress(thief, evil)
    expect((await secure(await newest(mia.email, '/secure'))).status).toBe(204)
    await expectRestored(mia, { emails: [evil], clients: [thief] })
    expect(await on.secretsIn(evil, '/recovery')).toEqual([])
  })

  test('of which the owner learns before the new address is confirmed: nothing can be confirmed any more', async () => {
    const [mia, evil] = [await people.signUp(), on.newAddress()]
    const thief = await phish(mia)
    expect((await thief('POST', '/account/email', { email: evil })).status).toBe(202)
    await on.secretFor(evil, '/confirm-email')
    expect((await secure(await newest(mia.email, '/secure'))).status).toBe(204)
    await expectRestored(mia, { emails: [evil], clients: [thief] })
  })

  test.each([false, true])('that moved the account twice (undone by the thief first: %s)', async (isUndone) => {
    const [mia, first, second] = [await people.signUp(), on.newAddress(), on.newAddress()]
    const thief = await phish(mia)
    await changeAddress(thief, first)
    await changeAddress(thief, second)
    if (isUndone) {
      expect((await undo(await newest(first, '/undo-email'))).status).toBe(204)
      await reset(await newest(first, '/recovery'), HIS)
    }
    expect((await undo(await newest(mia.email, '/undo-email'))).status).toBe(204)
    await expectRestored(mia, { emails: [first, second], clients: [thief] })
  })

  test('is answered where the owner once moved the account herself: she gets it back at the address that she has', async () => {
    const [mia, next, evil] = [await people.signUp(), on.newAddress(), on.newAddress()]
    await changeAddress(as(await signIn(mia.email, PASSWORD)), next)
    const thief = as(await signIn(next, PASSWORD))
    const notice = await newest(next, '/secure')
    await changeAddress(thief, evil)
    await resetByMail(evil, HIS)
    expect((await secure(notice)).status).toBe(204)
    expect((await reset(await newest(next, '/recovery'), HERS)).status).toBe(204)
    expect((await signIn(next, HERS)).status).toBe(200)
    expect((await signIn(evil, HIS)).status).toBe(401)
  })
})

test('a stolen session that proved its password a moment ago: the owner undoes what it did', async () => {
  const [mia, evil] = [await people.signUp(), on.newAddress()]
  const thief = as(await signIn(mia.email, PASSWORD))
  const clients = await entrench(thief)
  await changeAddress(thief, evil)
  await resetByMail(evil, HIS)
  expect((await undo(await newest(mia.email, '/undo-email'))).status).toBe(204)
  await expectRestored(mia, { emails: [evil], clients })
})

describe('a stolen mailbox', () => {
  test('in which the thief reset the password: the owner, who reads it too, secures the account', async () => {
    const mia = await people.signUp()
    const clients = await entrench(await resetByMail(mia.email, HIS))
    expect((await secure(await newest(mia.email, '/secure'))).status).toBe(204)
    await expectRestored(mia, { emails: [], clients, links: 2 })
  })

  test('whose mails the thief has deleted: a request from the old address mails the link again that undoes the change', async () => {
    const [mia, evil] = [await people.signUp(), on.newAddress()]
    const thief = await resetByMail(mia.email, HIS)
    await changeAddress(thief, evil)
    const clients = await entrench(await resetByMail(evil, HIS))
    await newest(mia.email, '/undo-email')
    expect((await open('/recovery', { email: mia.email })).status).toBe(202)
    expect((await undo(await newest(mia.email, '/undo-email', 2))).status).toBe(204)
    await expectRestored(mia, { emails: [evil], clients, links: 2 })
  })
})

test('a change can be undone for seven days, also by "This was not me"', async () => {
  const [mia, evil] = [await people.signUp(), on.newAddress()]
  await changeAddress(await phish(mia), evil)
  const links = [await newest(mia.email, '/undo-email'), await newest(mia.email, '/secure')]
  await on.query(`update email_changes set confirmed_at = confirmed_at - interval '7 days' where account_id = $1`, [
    mia.id,
  ])
  expect((await undo(links[0] ?? '')).status).toBe(404)
  expect((await secure(links[1] ?? '')).status).toBe(404)
  expect((await signIn(evil, PASSWORD)).status).toBe(200)
})
