// Every change of how an account can be signed in to is announced by mail: brought about over
// HTTP, sent by the background work of the program, and read as a mail program would.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD, PASSWORD } from '../../../testbed/harness/platform.ts'
import { accountCommands } from '../../src/commands/accounts.ts'
import { parseConfig, type Config } from '../../src/config.ts'
import { isMailKind, mailKinds } from '../../src/mail/kinds.ts'
import { startWork, type RunningWork } from '../../src/work.ts'
import { newDevice, type CreationOptions } from '../platform/authenticator.ts'
import { startPeople, type People } from '../platform/people.ts'

let relay: TestRelay
let people: People
let work: RunningWork
let config: Config

beforeAll(async () => {
  relay = await startMailRelay()
  const env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    DASHBOARD_ORIGIN: DASHBOARD,
  }
  people = await startPeople({ env })
  config = parseConfig({ ...env, DATABASE_URL: people.test.database.appUrl, DNS_RESOLVERS: 'none=127.0.0.1:1' })
  work = await startWork(config, { pauseMs: 20 })
})

afterAll(async () => {
  await work?.stop()
  await relay?.stop()
})

/** Each kind, and what a person does to bring it about; returns what the mail must and must not contain. */
type Cause = (
  person: Awaited<ReturnType<People['signUp']>>,
) => Promise<{ subject: string; to?: string; has?: string; hasNot?: string }>

const causes: Record<keyof typeof mailKinds, Cause> = {
  async sign_up() {
    const to = newAddress()
    expect((await people.anyone.send('POST', '/sign-up', { email: to })).status).toBe(202)
    return { subject: 'Confirm your email address', to, has: `${DASHBOARD}/sign-up#` }
  },
  async recovery({ email }) {
    expect((await people.anyone.send('POST', '/recovery', { email })).status).toBe(202)
    return { subject: 'Reset your password', has: `${DASHBOARD}/recovery#` }
  },
  async new_sign_in({ email }) {
    const answer = await people.anyone.send(
      'POST',
      '/session',
      { email, password: PASSWORD },
      { 'User-Agent': FIREFOX },
    )
    expect(answer.status).toBe(200)
    return { subject: 'New sign-in: Firefox on Windows', has: `${DASHBOARD}/secure#` }
  },
  async recovery_codes_created(person) {
    const [code = ''] = await createCodes(person)
    return { subject: 'Recovery codes were created for your account', has: `${DASHBOARD}/secure#`, hasNot: code }
  },
  async recovery_code_used(person) {
    const [code = ''] = await createCodes(person)
    const { email } = person
    const answer = await people.anyone.send('POST', '/recovery/code', { email, code, password: 'a brand new password' })
    expect(answer.status).toBe(204)
    return { subject: 'Your password was changed with a recovery code', hasNot: code }
  },
  async email_change(person) {
    const { to } = await requestChange(person)
    return { subject: 'Confirm your new email address', to, has: `${DASHBOARD}/confirm-email#` }
  },
  async email_changed(person) {
    const { to } = await requestChange(person)
    const secret = await secretFor(to, '/confirm-email')
    expect((await people.anyone.send('POST', '/recovery/email/confirmation', { secret })).status).toBe(204)
    return { subject: 'Your email address was changed', has: `${DASHBOARD}/undo-email#`, hasNot: to }
  },
  async email_verified({ email }) {
    await command('verify', email)
    return { subject: 'Your email address was verified', has: 'The operator' }
  },
  async recovery_link_created({ email }) {
    const { link } = JSON.parse(await command('recovery-link', email)) as { link: string }
    expect(link).toMatch(/\/recovery#[\w-]{43}$/)
    return { subject: 'A link to a new password was created for your account', has: 'The operator', hasNot: link }
  },
  async account_deleted(person) {
    expect((await person.send('DELETE', '/account')).status).toBe(204)
    return { subject: 'Your account was deleted', has: 'erased' }
  },
  async password_reset({ email }) {
    await people.anyone.send('POST', '/recovery', { email })
    const password = 'a brand new password'
    const secret = await secretFor(email, '/recovery')
    expect((await people.anyone.send('POST', '/recovery/password', { secret, password })).status).toBe(204)
    return { subject: 'Your password was changed', has: 'all passkeys, access tokens', hasNot: password }
  },
  async password_changed(person) {
    const next = 'another good long password'
    const answer = await person.send('PUT', '/account/password', { current: PASSWORD, next })
    expect(answer.status).toBe(204)
    return { subject: 'Your password was changed', hasNot: next }
  },
  async passkey_added(person) {
    await addPasskey(person, 'My <b>phone</b>')
    return { subject: 'A passkey was added to your account', has: 'My <b>phone</b>' }
  },
  async passkey_removed(person) {
    const id = await addPasskey(person, 'Old phone')
    expect((await person.send('DELETE', `/account/passkeys/${id}`)).status).toBe(204)
    return { subject: 'A passkey was removed from your account' }
  },
  async access_token_created(person) {
    const { token } = await createToken(person)
    return { subject: 'An access token was created for your account', has: 'My laptop', hasNot: token }
  },
  async access_token_revoked(person) {
    const { id } = await createToken(person)
    expect((await person.send('DELETE', `/account/tokens/${id}`)).status).toBe(204)
    return { subject: 'An access token of your account was revoked' }
  },
}

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

type Person = Parameters<Cause>[0]

/** The secret of the link that was mailed to the address. */
async function secretFor(email: string, page: string): Promise<string> {
  const found = async () => {
    const mails = await Promise.all(relay.received.filter(({ to }) => to === email).map(({ read }) => read()))
    const links = mails.flatMap(({ text = '' }) =>
      text.split(/\s+/).filter((word) => word.startsWith(`${DASHBOARD}${page}#`)),
    )
    return links[0]?.split('#')[1]
  }
  return vi.waitUntil(found, { timeout: 30_000, interval: 20 })
}

let addresses = 0
const newAddress = () => `address-${(addresses += 1)}@shop.example`

async function requestChange(person: Person): Promise<{ to: string }> {
  const to = newAddress()
  expect((await person.send('POST', '/account/email', { email: to })).status).toBe(202)
  return { to }
}

/** What the operator's command prints for a program. */
async function command(name: string, email: string): Promise<string> {
  const printed: string[] = []
  const context = () => ({
    config,
    print: (text: string) => void printed.push(text),
    invalid: (why: string) => new Error(why),
  })
  await accountCommands(context).parseAsync([name, '--email', email, '--json'], { from: 'user' })
  return printed.join('\n')
}

async function addPasskey(person: Person, label: string): Promise<string> {
  const { options } = (await person.send('POST', '/account/passkeys/options')).json as { options: CreationOptions }
  const response = newDevice(DASHBOARD).create(options)
  const answer = await person.send('POST', '/account/passkeys', { label, response })
  expect(answer.status).toBe(201)
  return (answer.json as { id: string }).id
}

async function createCodes(person: Person): Promise<string[]> {
  const answer = await person.send('POST', '/account/recovery-codes')
  expect(answer.status).toBe(201)
  return (answer.json as { codes: string[] }).codes
}

async function createToken(person: Person): Promise<{ id: string; token: string }> {
  const answer = await person.send('POST', '/account/tokens', { label: 'My laptop' })
  expect(answer.status).toBe(201)
  return answer.json as { id: string; token: string }
}

test.each(Object.keys(mailKinds).filter(isMailKind))('%s', async (kind) => {
  const person = await people.signUp()
  const { subject, to: address = person.email, has, hasNot } = await causes[kind](person)
  const arrived = async () => {
    const mails = await Promise.all(relay.received.filter(({ to }) => to === address).map(({ read }) => read()))
    return mails.find((mail) => mail.subject === subject)
  }
  await expect.poll(arrived, { timeout: 30_000 }).toBeDefined()
  const mail = await arrived()
  if (!mail) throw new Error('no mail')
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({
    from: 'Petstore <no-reply@petstore.example>',
    to: address,
    'auto-submitted': 'auto-generated',
  })
  expect(headers['message-id']).toMatch(/^<mail_[0-9a-f]{24}@petstore\.example>$/)
  expect(headers).not.toHaveProperty('list-unsubscribe')
  for (const text of [mail.text ?? '', decoded(mail.html ?? '')]) {
    if (kind !== 'account_deleted') expect(text).toContain(`${DASHBOARD}/`)
    if (has !== undefined) expect(text).toContain(has)
    if (hasNot !== undefined) expect(text).not.toContain(hasNot)
  }
})

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (page: string) => page.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

test('an installation without a relay queues nothing', async () => {
  const quiet = await startPeople()
  const person = await quiet.signUp()
  await createToken(person)
  const rows = await quiet.test.service.database.run({ name: 'test-any-mail', text: 'select id from mail_directory' })
  expect(rows).toEqual([])
})
