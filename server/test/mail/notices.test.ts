// Every kind of mail is brought about over HTTP or by a command of the operator, sent by the
// background work of the program, and read as a mail program would. Each kind has a cause here or in another
// file.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cookieOf, DASHBOARD, PASSWORD } from '../../../testbed/harness/platform.ts'
import { accountCommands } from '../../src/commands/accounts.ts'
import { projectCommands } from '../../src/commands/projects.ts'
import { mailKinds, type MailKindName } from '../../src/program/mail-kinds.ts'
import { newDevice, type CreationOptions } from '../../../testbed/harness/authenticator.ts'
import { startPeople, type People } from '../platform/people.ts'
import { OPERATOR, startMailInstallation, type MailInstallation } from './installation.ts'

let on: MailInstallation
let people: People

beforeAll(async () => {
  on = await startMailInstallation()
  ;({ people } = on)
})

const secretFor = (email: string, page: string) => on.secretFor(email, page)
const newAddress = () => on.newAddress()

/** Each kind, and what a person does to bring it about; returns what the mail must and must not contain. */
type Cause = (person: Awaited<ReturnType<People['signUp']>>) => Promise<{
  subject: string
  to?: string
  has?: string
  hasNot?: string
  replyTo?: string
  /** Its recipient can turn it off. */
  isOptional?: true
  hasNoLink?: true
}>

const causes = {
  async invitation() {
    const owner = await people.owner()
    const to = newAddress()
    const body = { email: to, role: 'admin' }
    const answer = await owner.send('POST', `/projects/${owner.slug}/invitations`, body)
    expect(answer.json).toMatchObject({ email: to, isMailed: true, link: null })
    return { subject: 'An invitation to a store on Petstore', to, has: `${DASHBOARD}/invitations#`, isOptional: true }
  },
  async role_changed() {
    const { owner, member } = await withMember()
    expect((await owner.send('PATCH', memberPath(owner, member), { role: 'admin' })).status).toBe(200)
    return { subject: `Your role in ${owner.slug} is now admin`, to: member.email }
  },
  async member_removed() {
    const { owner, member } = await withMember()
    expect((await owner.send('DELETE', memberPath(owner, member))).status).toBe(204)
    return { subject: `You are no longer a member of ${owner.slug}`, to: member.email, hasNoLink: true }
  },
  async member_joined() {
    const owner = await people.owner()
    const to = newAddress()
    await owner.send('POST', `/projects/${owner.slug}/invitations`, { email: to, role: 'viewer' })
    const secret = await secretFor(to, '/invitations')
    const signedUp = await people.anyone.send('POST', '/accounts', { secret, name: 'Jonas', password: PASSWORD })
    expect(signedUp.json).toMatchObject({ email: to, isVerified: true })
    const headers = { Cookie: cookieOf(signedUp), Origin: DASHBOARD }
    expect((await people.anyone.send('POST', '/invitations/accept', { secret }, headers)).status).toBe(200)
    return { subject: `Jonas joined ${owner.slug}`, to: owner.email, has: to, isOptional: true }
  },
  async api_key_created() {
    const owner = await people.owner()
    const answer = await owner.send('POST', `/projects/${owner.slug}/keys`, { label: 'Stock <b>system</b>' })
    const { key } = answer.json as { key: string }
    return {
      subject: `A new API key in ${owner.slug}`,
      to: owner.email,
      has: 'Stock <b>system</b>',
      hasNot: key,
    }
  },
  async project_deleted() {
    const owner = await people.owner()
    expect((await owner.send('DELETE', `/projects/${owner.slug}`, { slug: owner.slug })).status).toBe(204)
    return { subject: `${owner.slug} was deleted`, to: owner.email, has: 'Mia deleted', hasNoLink: true }
  },
  async project_suspended() {
    const owner = await people.owner()
    expect(await runProjects('suspend', owner.slug)).toContain('suspended')
    const subject = `${owner.slug} is suspended`
    const url = `${DASHBOARD}/projects/${owner.slug}/activity`
    return { subject, to: owner.email, has: url, hasNot: 'phishing', replyTo: OPERATOR }
  },
  async project_resumed() {
    const owner = await people.owner()
    await runProjects('suspend', owner.slug)
    expect(await runProjects('resume', owner.slug)).toContain('open')
    return { subject: `${owner.slug} is open again`, to: owner.email, replyTo: OPERATOR }
  },
  async plan_requested() {
    const owner = await people.owner()
    const body = { plan: 'pro', message: 'Our own domain\nand more' }
    expect((await owner.send('POST', `/projects/${owner.slug}/plan-request`, body)).status).toBe(201)
    const subject = `${owner.slug} asks for the plan pro`
    return { subject, to: OPERATOR, has: 'Our own domain and more', replyTo: owner.email, hasNoLink: true }
  },
  async sign_up() {
    const to = newAddress()
    expect((await people.anyone.send('POST', '/sign-up', { email: to })).status).toBe(202)
    return { subject: 'Confirm your email address', to, has: `${DASHBOARD}/sign-up#` }
  },
  async sign_in_link({ email }) {
    expect((await people.anyone.send('POST', '/sign-in-links', { email })).status).toBe(202)
    return { subject: 'Sign in to Petstore', has: `${DASHBOARD}/sign-in-link#` }
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
    return { subject: 'Your account was deleted', has: 'erased', hasNoLink: true }
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
} satisfies Partial<Record<MailKindName, Cause>>

const memberPath = (owner: { slug: string }, member: { id: string }) => `/projects/${owner.slug}/members/${member.id}`

async function withMember() {
  const owner = await people.owner()
  return { owner, member: await people.joins(owner, 'viewer') }
}

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

type Person = Parameters<Cause>[0]

async function requestChange(person: Person): Promise<{ to: string }> {
  const to = newAddress()
  expect((await person.send('POST', '/account/email', { email: to })).status).toBe(202)
  return { to }
}

const context = (printed: string[]) => () => ({
  config: on.config,
  print: (text: string) => void printed.push(text),
  invalid: (why: string) => new Error(why),
})

/** What the operator's command prints for a program. */
async function command(name: string, email: string): Promise<string> {
  const printed: string[] = []
  await accountCommands(context(printed)).parseAsync([name, '--email', email, '--json'], { from: 'user' })
  return printed.join('\n')
}

async function runProjects(name: 'suspend' | 'resume', slug: string): Promise<string> {
  const printed: string[] = []
  const words = [name, '--project', slug, '--as', 'mia', '--reason', 'phishing']
  await projectCommands(context(printed)).parseAsync(words, { from: 'user' })
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

test.each(Object.entries<Cause>(causes))('%s', async (kind, bringAbout) => {
  const person = await people.signUp()
  const { subject, to: address = person.email, has, hasNot, replyTo, ...mail } = await bringAbout(person)
  const read = await on.mailTo(address, subject)
  const headers = Object.fromEntries(read.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({
    from: 'Petstore <no-reply@petstore.example>',
    to: address,
    'auto-submitted': 'auto-generated',
  })
  expect(headers['message-id']).toMatch(/^<mail_[0-9a-f]{24}@petstore\.example>$/)
  expect(headers['reply-to']).toBe(replyTo)
  // Exactly where the recipient can turn it off: the address works with one POST (RFC 8058).
  expect(mail.isOptional).toBe('topic' in mailKinds[kind as keyof typeof causes] || undefined)
  if (mail.isOptional) {
    expect(headers['list-unsubscribe']).toMatch(new RegExp(`^<${DASHBOARD}/unsubscribe/[\\w.]+>$`))
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  } else expect(Object.keys(headers).filter((name) => name.startsWith('list-'))).toEqual([])
  for (const text of [read.text ?? '', decoded(read.html ?? '')]) {
    if (!mail.hasNoLink) expect(text).toContain(`${DASHBOARD}/`)
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

/** The other test files of this folder that name the kind. */
async function filesWith(kind: string): Promise<string[]> {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith('.test.ts') && file !== basename(import.meta.filename),
  )
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const),
  )
  return texts.filter(([, text]) => text.includes(kind)).map(([file]) => file)
}

test.each(Object.keys(mailKinds).filter((kind) => !Object.hasOwn(causes, kind)))(
  '%s is brought about in a file of its own',
  async (kind) => expect(await filesWith(kind)).not.toEqual([]),
)

test('a kind that no test brings about is noticed (negative control)', async () => {
  expect(await filesWith('mail_that_no_test_names')).toEqual([])
})
