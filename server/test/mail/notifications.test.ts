// What members are mailed about is their choice, except what concerns the security of a store. An
// owner asks the operator for a plan by mail, and sees the answer.

import { beforeAll, describe, expect, test } from 'vitest'
import { exchange } from '../../../testbed/harness/http.ts'
import { cookieOf, DASHBOARD, PASSWORD, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { planCommands } from '../../src/commands/plans.ts'
import { projectCommands } from '../../src/commands/projects.ts'
import { startPeople } from '../platform/people.ts'
import { expectRefusal } from '../v1/responses.ts'
import { OPERATOR, startMailInstallation, type MailInstallation } from './installation.ts'

let on: MailInstallation

beforeAll(async () => {
  on = await startMailInstallation()
})

const settingsPath = ({ slug }: PlatformOwner) => `/projects/${slug}/notifications`

/** A new person accepts an invitation, of which the owners are notified. */
async function joins(owner: PlatformOwner): Promise<void> {
  const email = on.newAddress()
  await owner.send('POST', `/projects/${owner.slug}/invitations`, { email, role: 'viewer' })
  const secret = await on.secretFor(email, '/invitations')
  const { anyone } = on.people
  const created = await anyone.send('POST', '/accounts', { secret, name: 'Jonas', password: PASSWORD })
  const headers = { Cookie: cookieOf(created), Origin: DASHBOARD }
  expect((await anyone.send('POST', '/invitations/accept', { secret }, headers)).status).toBe(200)
  await on.nothingQueued()
}

const joinedMails = async (owner: PlatformOwner) =>
  (await on.mailsTo(owner.email)).filter(({ subject }) => subject === `Jonas joined ${owner.slug}`)

/** What a command prints for a program. */
async function command(commands: typeof planCommands | typeof projectCommands, args: readonly string[]) {
  const printed: string[] = []
  const context = () => ({
    config: on.config,
    print: (text: string) => void printed.push(text),
    invalid: (why: string) => new Error(why),
  })
  await commands(context).parseAsync([...args, '--json'], { from: 'user' })
  return JSON.parse(printed.join('\n')) as Record<string, unknown>
}

describe('settings', () => {
  test('are those of one member in one project, and everything is mailed until it is turned off', async () => {
    const owner = await on.people.owner()
    const admin = await on.people.joins(owner, 'admin')
    const all = { requests: 'each', reminders: 'each', members: 'each', publishing: 'each', domains: 'each' }
    const initial = { ...all, alerts: 'each', visitors: true, sendsMail: true }
    expect((await owner.send('GET', settingsPath(owner))).json).toEqual(initial)
    const changed = await admin.send('PATCH', settingsPath(owner), { requests: 'daily', alerts: 'off' })
    expect(changed.json).toEqual({ ...initial, requests: 'daily', alerts: 'off' })
    expect((await owner.send('GET', settingsPath(owner))).json).toEqual(initial)
    expect((await admin.send('GET', settingsPath(owner))).json).toEqual(changed.json)
    expectRefusal(await admin.send('PATCH', settingsPath(owner), { domains: 'daily' }), 400, 'invalid_field')
  })

  test('an owner cannot turn off alerts, not even one who turned them off as an admin', async () => {
    const owner = await on.people.owner()
    const admin = await on.people.joins(owner, 'admin')
    expectRefusal(await owner.send('PATCH', settingsPath(owner), { alerts: 'off' }), 400, 'invalid_field')
    await admin.send('PATCH', settingsPath(owner), { alerts: 'off' })
    await owner.send('PATCH', `/projects/${owner.slug}/members/${admin.id}`, { role: 'owner' })
    expect((await admin.send('GET', settingsPath(owner))).json).toMatchObject({ alerts: 'each' })
  })

  test('whether visitors are mailed is one setting for all, changed by admins and audited', async () => {
    const owner = await on.people.owner()
    const viewer = await on.people.joins(owner, 'viewer')
    const path = `${settingsPath(owner)}/visitors`
    expectRefusal(await viewer.send('PUT', path, { visitors: false }), 403, 'insufficient_role')
    expect((await owner.send('PUT', path, { visitors: false })).json).toMatchObject({ visitors: false })
    expect((await viewer.send('GET', settingsPath(owner))).json).toMatchObject({ visitors: false })
    const [entry] = (await owner.send('GET', `/projects/${owner.slug}/audit`)).json as object[]
    expect(entry).toMatchObject({ action: 'visitor_mails_set', detail: { to: false } })
  })

  test('what is turned off is not sent, and what cannot be turned off is', async () => {
    const owner = await on.people.owner()
    await owner.send('PATCH', settingsPath(owner), { members: 'off' })
    await joins(owner)
    expect(await joinedMails(owner)).toEqual([])
    await owner.send('POST', `/projects/${owner.slug}/keys`, { label: 'Stock system' })
    await on.mailTo(owner.email, `A new API key in ${owner.slug}`)
  })

  test('the address in a mail turns its topic off with one POST and without a cookie; a GET does not', async () => {
    const owner = await on.people.owner()
    await joins(owner)
    const [mail] = await joinedMails(owner)
    const address = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(1, -1) ?? ''
    expect(mail?.text).toContain(address)
    const ask = (method: string) =>
      exchange(on.people.test.origin, {
        method,
        path: new URL(address).pathname,
        ...(method === 'POST' && {
          body: 'List-Unsubscribe=One-Click',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        }),
      })
    await ask('GET')
    expect((await owner.send('GET', settingsPath(owner))).json).toMatchObject({ members: 'each' })
    expect((await ask('POST')).status).toBe(200)
    expect((await owner.send('GET', settingsPath(owner))).json).toMatchObject({ members: 'off', requests: 'each' })
  })

  test('mails come in the language of the account', async () => {
    const owner = await on.people.owner()
    expect((await owner.send('PATCH', '/account', { language: 'de' })).json).toMatchObject({
      language: 'de',
      name: 'Mia',
    })
    await owner.send('POST', `/projects/${owner.slug}/keys`, { label: 'Lager' })
    const mail = await on.mailTo(owner.email, `Ein neuer API-Schlüssel für ${owner.slug}`)
    expect(mail.html).toContain('<html lang="de">')
  })
})

describe('a request for a plan', () => {
  const path = ({ slug }: PlatformOwner) => `/projects/${slug}/plan-request`

  test('is mailed to the operator, and the reason of a refusal is shown', async () => {
    const owner = await on.people.owner()
    expect((await owner.send('GET', path(owner))).json).toEqual({ latest: null, canAsk: true })
    expect((await owner.send('POST', path(owner), { plan: 'pro' })).status).toBe(201)
    await on.mailTo(OPERATOR, `${owner.slug} asks for the plan pro`)
    expectRefusal(await owner.send('POST', path(owner), { plan: 'pro' }), 409, 'wrong_state')
    await command(planCommands, ['decline', '--project', owner.slug, '--reason', 'Please call us first.'])
    const { latest } = (await owner.send('GET', path(owner))).json as { latest: object }
    expect(latest).toMatchObject({ plan: 'pro', answer: 'declined', reason: 'Please call us first.' })
    expect((await owner.send('POST', path(owner), { plan: 'pro' })).status).toBe(201)
  })

  test('is granted by setting the plan', async () => {
    const owner = await on.people.owner()
    await owner.send('POST', path(owner), { plan: 'pro', message: 'For our own domain.' })
    await command(planCommands, ['set', '--project', owner.slug, '--plan', 'pro'])
    expect((await owner.send('GET', path(owner))).json).toMatchObject({ latest: { answer: 'granted', reason: null } })
    expect((await owner.send('GET', `/projects/${owner.slug}`)).json).toMatchObject({ plan: 'pro' })
  })

  test('needs an owner, and an operator who can be mailed', async () => {
    const quiet = await startPeople()
    const owner = await quiet.owner()
    const admin = await quiet.joins(owner, 'admin')
    expectRefusal(await admin.send('POST', path(owner), { plan: 'pro' }), 403, 'insufficient_role')
    expect((await owner.send('GET', path(owner))).json).toEqual({ latest: null, canAsk: false })
    expectRefusal(await owner.send('POST', path(owner), { plan: 'pro' }), 409, 'mail_unavailable')
  })
})

test('an operator makes an account an owner: the person and the other owners are notified', async () => {
  const owner = await on.people.owner()
  const heir = await on.people.signUp('Jonas')
  const added = ['add-owner', '--project', owner.slug, '--email', heir.email]
  expect(await command(projectCommands, added)).toEqual({ slug: owner.slug, account: heir.id, role: 'owner' })
  await on.mailTo(heir.email, `Your role in ${owner.slug} is now owner`)
  await on.mailTo(owner.email, `Jonas joined ${owner.slug}`)
  expect((await heir.send('GET', `/projects/${owner.slug}`)).json).toMatchObject({ role: 'owner' })
  const [entry] = (await owner.send('GET', `/projects/${owner.slug}/audit`)).json as object[]
  expect(entry).toMatchObject({ action: 'owner_added', actor: { kind: 'operator' }, subject: heir.id })
})
