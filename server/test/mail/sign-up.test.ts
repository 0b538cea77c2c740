// Signing up: an account comes into being only with a link that its mailbox received, or that an
// operator or a member passed on. No response tells whether an address has an account.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD, PASSWORD, cookieOf } from '../../../testbed/harness/platform.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { parseConfig } from '../../src/program/config.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import { bytesOf, startPeople, type People } from '../platform/people.ts'
import { expectRefusal } from '../v1/responses.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

type Installation = { people: People; work: RunningWork }

let relay: TestRelay
const installations = new Map<SignUpMode, Installation>()

async function start(mode: SignUpMode): Promise<Installation> {
  const env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    DASHBOARD_ORIGIN: DASHBOARD,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    SIGN_UP: mode,
  }
  const people = await startPeople({ env })
  const work = await startWork(parseConfig({ ...env, DATABASE_URL: people.test.database.appUrl }), { pauseMs: 20 })
  return { people, work }
}

beforeAll(async () => {
  relay = await startMailRelay()
  for (const mode of ['open', 'invited', 'closed'] as const) installations.set(mode, await start(mode))
})

afterAll(async () => {
  await Promise.all([...installations.values()].map(({ work }) => work.stop()))
  await relay.stop()
})

const of = (mode: SignUpMode) => {
  const found = installations.get(mode)
  if (!found) throw new Error(`no installation is ${mode}`)
  return found.people
}
const owner = <T extends object>(people: People, text: string, values: unknown[] = []) =>
  asOwner(people.test.database, async (client) => (await client.query<T>(text, values)).rows)

let addresses = 0
const newAddress = () => `visitor-${(addresses += 1)}@shop.example`
const request = (people: People, body: { email: string }) => people.anyone.send('POST', '/sign-up', body)
const create = (people: People, secret: string, more: { email?: string } = {}) =>
  people.anyone.send('POST', '/accounts', { secret, password: PASSWORD, name: 'Mia', ...more })
const signIn = (people: People, email: string, password = PASSWORD) =>
  people.anyone.send('POST', '/session', { email, password })

const mailsTo = (email: string) =>
  Promise.all(relay.received.filter(({ to }) => to === email).map(({ read }) => read()))
const secretFor = (email: string) =>
  vi.waitUntil(
    async () => (await mailsTo(email)).flatMap(({ text = '' }) => /\/sign-up#([\w-]{43})$/m.exec(text)?.[1] ?? [])[0],
    { timeout: 30_000, interval: 20 },
  )
const nothingQueued = (people: People) =>
  vi.waitUntil(async () => (await owner(people, `select id from mail_directory where state = 'queued'`)).length === 0, {
    timeout: 30_000,
    interval: 20,
  })
/** An account whose address its mailbox has proved. */
async function verifiedAccount(people: People): Promise<string> {
  const email = newAddress()
  await people.anyone.send('POST', '/accounts', {
    secret: await people.invited(email),
    password: PASSWORD,
    name: 'Mia',
  })
  await owner(people, `update accounts set verified_at = now() where email = $1`, [email])
  return email
}
/** Invites the address to a project; the response has a link only without mail. */
async function invite(people: People, email: string) {
  const mia = await people.owner()
  const answer = await mia.send('POST', `/projects/${mia.slug}/invitations`, { email, role: 'viewer' })
  expect(answer.status).toBe(201)
  return answer.json
}
const invitation = async (people: People) => invitationSecret(await invite(people, newAddress()))
const mailedInvitation = (email: string) =>
  vi.waitUntil(
    async () =>
      (await mailsTo(email)).flatMap(({ text = '' }) => /\/invitations#([\w-]{43})$/m.exec(text)?.[1] ?? [])[0],
    { timeout: 30_000, interval: 20 },
  )

test('the mailed link creates an account with a verified address, once', async () => {
  const people = of('open')
  const email = newAddress()
  expect((await request(people, { email })).status).toBe(202)
  expect(await owner(people, 'select id from accounts where email = $1', [email])).toEqual([])
  const secret = await secretFor(email)
  expectRefusal(await create(people, secret, { email }), 400, 'invalid_field', /'email'/)
  const answer = await create(people, secret)
  expect([answer.status, answer.json]).toMatchObject([201, { email, isVerified: true }])
  expectRefusal(await create(people, secret), 404, 'not_found')
  expect((await signIn(people, email)).status).toBe(200)
})

describe.each(['open', 'invited', 'closed'] as const)('an installation that is %s', (mode) => {
  test('gives the same bytes to a known, an unknown and an invited address, and mails what it should', async () => {
    const people = of(mode)
    const [known, unknown, invited] = [await verifiedAccount(people), newAddress(), newAddress()]
    await invite(people, invited)
    const answers = [
      await request(people, { email: known }),
      await request(people, { email: unknown }),
      await request(people, { email: invited }),
    ]
    expect(new Set(answers.map(bytesOf)).size).toBe(1)
    expect(answers[0]?.status).toBe(202)
    await nothingQueued(people)
    const subjects = async (email: string) =>
      (await mailsTo(email)).map(({ subject = '' }) => subject).filter((subject) => !subject.includes('An invitation'))
    const admitted = ['Confirm your email address']
    expect(await subjects(known)).toEqual(['You already have a Petstore account'])
    expect(await subjects(unknown)).toEqual(mode === 'open' ? admitted : [])
    expect(await subjects(invited)).toEqual(mode === 'closed' ? [] : admitted)
  })

  test('says how accounts are created', async () => {
    expect((await of(mode).anyone.send('GET', '/sign-up')).json).toEqual({ mode, sendsMail: true })
  })
})

test('a 409 would distinguish a known address (negative control)', async () => {
  const people = of('open')
  const known = await verifiedAccount(people)
  const answers = [
    await create(people, await people.invited(known)),
    await create(people, await people.invited(newAddress())),
  ]
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409, 201]))
})

test('an address that was never proved is regained by its owner, and the account that held it stays', async () => {
  const people = of('open')
  const email = newAddress()
  // The squatter could sign up before mail was set up.
  const squatted = await people.anyone.send('POST', '/accounts', {
    secret: await people.invited(email),
    password: 'the password of the squatter',
    name: 'Eve',
  })
  const squatter = squatted.json as { id: string }
  await request(people, { email })
  const secret = await secretFor(email)
  expect((await mailsTo(email))[0]?.text).toContain('There is an account with this address already')
  const answer = await create(people, secret)
  expect([answer.status, answer.json]).toMatchObject([201, { email, isVerified: true }])
  expect((await signIn(people, email)).text).toContain((answer.json as { id: string }).id)
  expect((await signIn(people, email, 'the password of the squatter')).status).toBe(401)
  const rows = await owner(people, 'select email from accounts where id = $1', [squatter.id])
  expect(rows).toEqual([{ email: `${squatter.id}@moved.invalid` }])
  const events = await owner(
    people,
    `select action from account_audit where account_id = $1 order by id desc limit 1`,
    [squatter.id],
  )
  expect(events).toEqual([{ action: 'email_moved' }])
})

test('at most three mails an hour go to one address, and links end with their request', async () => {
  const people = of('open')
  const email = newAddress()
  const answers = await Promise.all(Array.from({ length: 12 }, () => request(people, { email })))
  expect(new Set(answers.map(bytesOf)).size).toBe(1)
  await nothingQueued(people)
  // The requests may fall into two windows.
  expect((await mailsTo(email)).length).toBeLessThanOrEqual(6)
  const secret = await secretFor(email)
  await owner(people, `update sign_up_requests set expires_at = now() - interval '1 second' where email = $1`, [email])
  expectRefusal(await create(people, secret), 404, 'not_found')
  await removeExpired(people.test.service.database, 'sign_up_requests')
  expect(await owner(people, 'select id from sign_up_requests where email = $1', [email])).toEqual([])
})

describe('without mail', () => {
  test('an invitation to a project leads to an account, whose address is not verified', async () => {
    const people = await startPeople()
    const secret = await invitation(people)
    expect((await people.anyone.send('GET', '/sign-up')).json).toEqual({ mode: 'invited', sendsMail: false })
    expectRefusal(await request(people, { email: newAddress() }), 409, 'mail_unavailable')
    expectRefusal(await create(people, secret), 400, 'missing_field', /'email'/)
    expectRefusal(await create(people, secret, { email: `${'\ufdfa'.repeat(99)}@p` }), 400, 'invalid_field', /'email'/)
    const email = newAddress()
    const answer = await create(people, secret, { email })
    expect([answer.status, answer.json]).toMatchObject([201, { email, isVerified: false }])
    expectRefusal(await create(people, 'x'.repeat(43), { email: newAddress() }), 404, 'not_found')
  })

  test('a closed installation creates no account by an invitation', async () => {
    const closed = await startPeople({ env: { SIGN_UP: 'closed' } })
    expectRefusal(await create(closed, await invitation(closed), { email: newAddress() }), 404, 'not_found')
  })
})

describe('an invitation that was mailed', () => {
  test.each(['open', 'invited'] as const)(
    'leads to an account with the invited address, verified, in an installation that is %s',
    async (mode) => {
      const people = of(mode)
      const email = newAddress()
      expect(await invite(people, email)).toMatchObject({ email, isMailed: true, link: null })
      const secret = await mailedInvitation(email)
      expectRefusal(await create(people, secret, { email: newAddress() }), 400, 'invalid_field', /'email'/)
      const answer = await create(people, secret)
      expect([answer.status, answer.json]).toMatchObject([201, { email, isVerified: true }])
      // It can still be accepted, and creates no second account.
      expectRefusal(await create(people, secret), 409, 'email_taken')
    },
  )

  test('creates no account in an installation that is closed', async () => {
    const email = newAddress()
    await invite(of('closed'), email)
    expectRefusal(await create(of('closed'), await mailedInvitation(email)), 404, 'not_found')
  })

  test('is accepted by the account that has its address and has verified it, and by no other', async () => {
    const people = of('open')
    const email = newAddress()
    await invite(people, email.replace(/^v/, 'V'))
    const secret = await mailedInvitation(email.replace(/^v/, 'V'))
    const accept = (cookie: string) =>
      people.anyone.send('POST', '/invitations/accept', { secret }, { Cookie: cookie, Origin: DASHBOARD })
    expectRefusal(await accept((await people.signUp()).cookie), 403, 'other_address')
    const own = await people.anyone.send('POST', '/accounts', {
      secret: await people.invited(email),
      password: PASSWORD,
      name: 'Tom',
    })
    const cookie = cookieOf(own)
    expectRefusal(await accept(cookie), 403, 'other_address')
    await owner(people, `update accounts set verified_at = now() where email = $1`, [email])
    expect((await accept(cookie)).status).toBe(200)
    expectRefusal(await accept(cookie), 404, 'not_found')
  })
})
