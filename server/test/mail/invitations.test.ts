// An invitation is mailed to one address, and only that address can accept it. Without mail its
// link is passed on, and cannot make an owner.

import { beforeAll, describe, expect, test } from 'vitest'
import {
  cookieOf,
  DASHBOARD,
  PASSWORD,
  type PersonClient,
  type PlatformOwner,
} from '../../../testbed/harness/platform.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { startPeople } from '../platform/people.ts'
import { expectRefusal } from '../v1/responses.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let on: MailInstallation

beforeAll(async () => {
  on = await startMailInstallation()
})

const invite = (by: PlatformOwner, email: string, role = 'viewer') =>
  by.send('POST', `/projects/${by.slug}/invitations`, { email, role })
const accept = (by: Pick<PersonClient, 'send'>, secret: string) => by.send('POST', '/invitations/accept', { secret })
const membersOf = async (owner: PlatformOwner) =>
  ((await owner.send('GET', `/projects/${owner.slug}/members`)).json as { email: string; role: string }[]).map(
    ({ email, role }) => `${email} ${role}`,
  )

/** A person whose mailbox has proved the address. */
async function verified(): Promise<PersonClient> {
  const person = await on.people.signUp('Jonas')
  await on.query(`update accounts set verified_at = now() where id = $1`, [person.id])
  return person
}

test('the link is not returned, and names the address to which it was mailed', async () => {
  const owner = await on.people.owner()
  const email = on.newAddress()
  const { json, text } = await invite(owner, email, 'owner')
  expect(json).toMatchObject({ email, isMailed: true, link: null, role: 'owner' })
  const secret = await on.secretFor(email, '/invitations')
  expect(text).not.toContain(secret)
  const open = await on.people.anyone.send('POST', '/invitations/show', { secret })
  expect(open.json).toMatchObject({ projectName: owner.slug, email, isMailed: true, invitedBy: 'Mia', role: 'owner' })
})

test('a new person signs up with it: the link proves the mailbox', async () => {
  const owner = await on.people.owner()
  const email = on.newAddress()
  await invite(owner, email)
  const secret = await on.secretFor(email, '/invitations')
  const wanted = { secret, name: 'Jonas', password: PASSWORD }
  const elsewhere = await on.people.anyone.send('POST', '/accounts', { ...wanted, email: 'other@shop.example' })
  expectRefusal(elsewhere, 400, 'invalid_field')
  const created = await on.people.anyone.send('POST', '/accounts', wanted)
  expect(created.json).toMatchObject({ email, isVerified: true })
  const headers = { Cookie: cookieOf(created), Origin: DASHBOARD }
  const accepted = await on.people.anyone.send('POST', '/invitations/accept', { secret }, headers)
  expect(accepted.json).toEqual({ slug: owner.slug, role: 'viewer' })
  expect(await membersOf(owner)).toEqual([`${owner.email} owner`, `${email} viewer`])
  expectRefusal(await on.people.anyone.send('POST', '/accounts', wanted), 404, 'not_found')
})

test('only the account with the address can accept it, and only once the address is verified', async () => {
  const owner = await on.people.owner()
  const [jonas, eve] = [await on.people.signUp('Jonas'), await verified()]
  await invite(owner, jonas.email.toUpperCase())
  const secret = await on.secretFor(
    jonas.email.toUpperCase().replace(/@.*/, (domain) => domain.toLowerCase()),
    '/invitations',
  )
  expectRefusal(await accept(eve, secret), 403, 'other_address')
  expectRefusal(await accept(jonas, secret), 403, 'other_address')
  await on.query(`update accounts set verified_at = now() where id = $1`, [jonas.id])
  expect((await accept(jonas, secret)).status).toBe(200)
  expectRefusal(await accept(jonas, secret), 404, 'not_found')
})

test('the links of a revoked invitation no longer work', async () => {
  const owner = await on.people.owner()
  const email = on.newAddress()
  const { id } = (await invite(owner, email)).json as { id: string }
  const secret = await on.secretFor(email, '/invitations')
  expect((await owner.send('DELETE', `/projects/${owner.slug}/invitations/${id}`)).status).toBe(204)
  expectRefusal(await on.people.anyone.send('POST', '/invitations/show', { secret }), 404, 'not_found')
  expect(await on.query(`select from invitation_directory where invitation_id = $1`, [id])).toEqual([])
  expect(await on.query(`select from invited_directory where invitation_id = $1`, [id])).toEqual([])
})

test('an invitation that has expired is deleted with the address that it names', async () => {
  const owner = await on.people.owner()
  const [old, open] = [on.newAddress(), on.newAddress()]
  for (const email of [old, open]) await invite(owner, email)
  await on.secretFor(old, '/invitations')
  await asOwner(on.people.test.database, async (client) => {
    await client.query(`select set_config('petstore.projects', $1, false)`, [`{${owner.project}}`])
    await client.query(`update invitations set expires_at = now() where email = $1`, [old])
    const digest = `sha256(convert_to($1, 'UTF8'))`
    await client.query(`update invited_directory set expires_at = now() where address_digest = ${digest}`, [old])
  })
  const { database } = on.people.test.service
  expect(await removeExpired(database, 'invitations')).toBe(3600)
  const left = (await owner.send('GET', `/projects/${owner.slug}/invitations`)).json as { email: string }[]
  expect(left.map(({ email }) => email)).toEqual([open])
  expect(await on.query(`select from invited_directory where project_id = $1`, [owner.project])).toHaveLength(1)
})

test('an address gets at most five a day, from whatever project', async () => {
  const email = on.newAddress()
  const owners = [await on.people.owner(), await on.people.owner()]
  for (const owner of owners) for (let n = 0; n < 6; n++) expect((await invite(owner, email)).status).toBe(201)
  await on.nothingQueued()
  // Twelve mails may be sent on two days.
  expect((await on.mailsTo(email)).length).toBeLessThanOrEqual(10)
  expect((await on.mailsTo(email)).length).toBeGreaterThanOrEqual(5)
})

describe('a name that a mail program would show as a link', () => {
  const PHISHING = 'petstore-login.com has blocked you'

  test.each([
    ['person', 'Your name', (by: PlatformOwner, name: string) => by.send('PATCH', '/account', { name })],
    ['store', 'The name', (by: PlatformOwner, name: string) => by.send('PATCH', `/projects/${by.slug}`, { name })],
  ])('of the %s is not mailed: the invitation is refused until it is changed', async (_, says, rename) => {
    const owner = await on.people.owner()
    const email = on.newAddress()
    expect((await rename(owner, PHISHING)).status).toBe(200)
    expectRefusal(
      await invite(owner, email),
      409,
      'address_in_name',
      new RegExp(`^${says}.* looks like an internet or email address`),
    )
    expect((await rename(owner, 'St. Mary')).status).toBe(200)
    expect((await invite(owner, email)).status).toBe(201)
    await on.nothingQueued()
    // Changed again before the mail is written.
    const other = on.newAddress()
    await on.withoutWork(async () => {
      expect((await invite(owner, other)).status).toBe(201)
      expect((await rename(owner, PHISHING)).status).toBe(200)
    })
    await on.nothingQueued()
    expect([(await on.mailsTo(email)).length, (await on.mailsTo(other)).length]).toEqual([1, 0])
  })

  test('and any other name, is in no subject of an invitation', async () => {
    const owner = await on.people.owner()
    const email = on.newAddress()
    await invite(owner, email)
    await on.nothingQueued()
    expect((await on.mailsTo(email)).map(({ subject }) => subject)).toEqual(['An invitation to a store on Petstore'])
  })
})

describe('"Do not invite me"', () => {
  const addressIn = async (email: string) => {
    const [mail] = await on.mailsTo(email)
    const header = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    return new URL(header.slice(1, -1)).pathname
  }
  const post = (path: string) =>
    exchange(on.people.test.origin, {
      method: 'POST',
      path,
      body: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })

  test('ends invitations to the address with one POST; a GET changes nothing', async () => {
    const email = on.newAddress()
    await invite(await on.people.owner(), email)
    await on.secretFor(email, '/invitations')
    const path = await addressIn(email)
    await exchange(on.people.test.origin, { method: 'GET', path })
    await invite(await on.people.owner(), email)
    await on.nothingQueued()
    expect(await on.mailsTo(email)).toHaveLength(2)
    expect((await post(path)).status).toBe(200)
    await invite(await on.people.owner(), email)
    await on.nothingQueued()
    expect(await on.mailsTo(email)).toHaveLength(2)
    const [row] = await on.query(`select outcome from mail_directory where state = 'dropped' order by queued_at desc`)
    expect(row).toEqual({ outcome: 'suppressed' })
  })

  test('does nothing with a code that is not ours', async () => {
    const email = on.newAddress()
    await invite(await on.people.owner(), email)
    await on.secretFor(email, '/invitations')
    const path = await addressIn(email)
    const other = path.replace(/[0-9a-f](?=[0-9a-f]{40}\.)/, (digit) => (digit === '0' ? '1' : '0'))
    expect(other).not.toBe(path)
    for (const forged of [other, `${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`, path.slice(0, -2)]) {
      expectRefusal(await post(forged), 404, 'not_found')
    }
    await invite(await on.people.owner(), email)
    await on.nothingQueued()
    expect(await on.mailsTo(email)).toHaveLength(2)
  })
})

test('without mail the link is returned once, works for its holder, and cannot make an owner', async () => {
  const quiet = await startPeople()
  const [owner, jonas] = [await quiet.owner(), await quiet.signUp('Jonas')]
  expectRefusal(await invite(owner, 'jonas@shop.example', 'owner'), 409, 'mail_unavailable')
  const { link } = (await invite(owner, 'jonas@shop.example', 'admin')).json as { link: string }
  expect(link).toMatch(new RegExp(`^${DASHBOARD}/invitations#[\\w-]{43}$`))
  expect((await accept(jonas, link.split('#')[1] ?? '')).json).toEqual({ slug: owner.slug, role: 'admin' })
})
