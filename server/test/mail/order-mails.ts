// Shared set-up of tests of mails about requests: a service with a worker and a relay, shops, their visitors, and what is
// in the outbox.

import type { Email } from 'postal-mime'
import { beforeAll, expect, vi } from 'vitest'
import type { TestRelay } from '../../../testbed/harness/mail-relay.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { type SiteSettings } from '@petstore-platform/contract/platform/site'
import { mailKinds, queueMail, type MailKindName } from '../../src/program/mail-kinds.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import { inProjectOf, type InProject } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { reserving } from '../orders/reservations.ts'
import type { People } from '../platform/people.ts'
import { asProject } from '../v1/responses.ts'
import { startMailInstallation } from './installation.ts'

const PLATFORM_HOST = 'petstore.test:3080'

export let relay: TestRelay
export let people: People
export let on: ReturnType<typeof reserving>
export let inProject: InProject

/** To be called by each file: a module may serve several. */
export function setUpOrderMails(): void {
  beforeAll(async () => {
    const installation = await startMailInstallation({ SMTP_PER_SECOND: '1000', PLATFORM_HOST })
    relay = installation.relay
    people = installation.people
    on = reserving(people.test.database, people.test.service.database)
    inProject = inProjectOf(people.test.service.database)
  })
}

export const patience = { timeout: 30_000, interval: 20 }

/** A store with a published site and a verified owner. */
export async function openStore(settings: Partial<SiteSettings> = {}): Promise<PlatformOwner> {
  const owner = await people.owner()
  await setVerified(owner, true)
  await publishAtOnce(inProject, owner.project, contentWith({ title: 'Happy Paws', ...settings }))
  return owner
}

export const sql = <T extends object>(owner: PlatformOwner, text: string, ...values: unknown[]) =>
  asProject(people.test.database, owner.project, async (client) => (await client.query<T>(text, values)).rows)

export const setVerified = (owner: PlatformOwner, isVerified: boolean) =>
  sql(
    owner,
    `update accounts set verified_at = case when $2::boolean then now() end where id = $1`,
    owner.id,
    isVerified,
  )

let visitors = 0
export const newVisitor = () => ({
  name: 'Unmistakable Ursula',
  contact: `visitor-${(visitors += 1)}@visitor.example`,
  message: 'May I see him on Saturday?',
})
export type Request = ReturnType<typeof newVisitor>

/** A visitor's request, as the confirmed form of the site places it; returns the id of the order. */
export async function request(owner: PlatformOwner, animal = 'Rex', visitor: Request = newVisitor()): Promise<string> {
  const petId = await on.addAnimal(owner.project, animal)
  const { id } = await reserve({ inProject, queueMail }, owner.project, { petId, ...visitor })
  return String(id)
}

/** A mail to the address; the subject tells which if there are several. */
export async function mailTo(address: string, subject: string | RegExp): Promise<Email & { raw: string }> {
  const find = async () => {
    const received = relay.received.filter(({ to }) => to === address)
    const mails = await Promise.all(received.map(async ({ read, raw }) => ({ ...(await read()), raw: String(raw) })))
    return mails.find((mail) => new RegExp(subject).test(mail.subject ?? ''))
  }
  const found = await vi.waitUntil(find, patience)
  if (!found) throw new Error('no mail')
  return found
}

export const headersOf = (mail: Email) => Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))

/** The headers with which mail programs offer to turn mails off are on exactly those that can be turned off. */
export function expectListHeaders(mail: Email, kind: MailKindName): void {
  const headers = headersOf(mail)
  if (!('topic' in mailKinds[kind])) {
    expect(headers).not.toHaveProperty('list-unsubscribe')
    expect(headers).not.toHaveProperty('list-unsubscribe-post')
    return
  }
  expect(headers['list-unsubscribe']).toMatch(/^<https:\/\/api\.petstore\.example\/unsubscribe\/[^>]+>$/)
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
}

type Queued = { id: string; kind: MailKindName; recipient: string; state: string; outcome: string | null }

export const outbox = (owner: PlatformOwner, kind: MailKindName) =>
  sql<Queued>(
    owner,
    `select id, kind, recipient, state, outcome from mail_directory
     where project_id = $1 and kind = $2 order by queued_at, id`,
    owner.project,
    kind,
  )

/** Why the mails of a kind were not sent, once all of them have ended. */
export const outcomes = async (owner: PlatformOwner, kind: MailKindName, count = 1) => {
  const ended = async () => {
    const rows = await outbox(owner, kind)
    return rows.length >= count && rows.every(({ state }) => state !== 'queued') ? rows : undefined
  }
  const rows = await vi.waitUntil(ended, patience)
  return rows.map(({ state, outcome }) => (state === 'sent' ? 'sent' : outcome))
}

/** The digest is due now, instead of at the end of the hour or the day. */
export const bringDigestForward = async (owner: PlatformOwner) => {
  const [digest] = await vi.waitUntil(async () => {
    const rows = await outbox(owner, 'digest')
    return rows.length > 0 ? rows : undefined
  }, patience)
  await sql(owner, `update due_directory set due_at = now() where kind = 'mail' and id = $1`, digest?.id)
}

/** As if a minute had passed, in which the act of a member could have been undone. */
export const bringMailForward = (owner: PlatformOwner, kind: MailKindName) =>
  sql(
    owner,
    `update due_directory set due_at = now()
     where kind = 'mail' and id in (select id from mail_directory where project_id = $1 and kind = $2)`,
    owner.project,
    kind,
  )

export const at = (owner: PlatformOwner, path: string) => `/projects/${owner.slug}${path}`

export const choose = async (owner: PlatformOwner, choices: Record<string, string>) =>
  expect((await owner.send('PATCH', at(owner, '/notifications'), choices)).status).toBe(200)

export const decide = async (owner: PlatformOwner, id: string, what: 'approve' | 'decline') => {
  const answer = await owner.send('POST', at(owner, `/orders/${id}/${what}`))
  expect(answer.status).toBe(200)
  return answer.json as { notifiesVisitor: boolean }
}

export const SUBJECT = /^Happy Paws: your request for Rex$/

/** Nothing that the visitor typed, in any part of the mail; the address is the one that it goes to. */
export function expectNothingTyped(mail: Email & { raw: string }, visitor: Request): void {
  for (const text of [mail.raw, mail.text ?? '', mail.html ?? '', mail.subject ?? '']) {
    expect(text).not.toContain('Ursula')
    expect(text).not.toContain('Saturday')
  }
  expect(mail.text).not.toContain(visitor.contact)
  expect(headersOf(mail)['reply-to'] ?? '').not.toContain(visitor.contact)
}

/** An import of two animals that began so long ago. */
export async function runImport(owner: PlatformOwner, age: string): Promise<void> {
  const made = await owner.send('POST', at(owner, '/imports'), { onBadLine: 'refuse' })
  const { id } = made.json as { id: string }
  const csv = 'name,categoryId\nRex,1\nMilo,1\n'
  await owner.send('PUT', at(owner, `/imports/${id}/parts/1`), csv, { 'Content-Type': 'text/csv' })
  await sql(owner, `update imports set created_at = now() - $2::interval where id = $1`, id, age)
  expect((await owner.send('POST', at(owner, `/imports/${id}/start`), { parts: 1 })).status).toBe(202)
  const state = async () => ((await owner.send('GET', at(owner, `/imports/${id}`))).json as { state: string }).state
  await vi.waitUntil(async () => (await state()) === 'succeeded', patience)
}

/** As if the project had sent so many mails to visitors today. */
export const setSent = (owner: PlatformOwner, count: number) =>
  sql(
    owner,
    `insert into mail_counts (recipient, kind, window_start, count)
     values ('prj_' || $1::text, 'visitors', date_bin(interval '1 day', now(), timestamptz 'epoch'), $2)`,
    owner.project,
    count,
  )

export async function expectDecision(kind: MailKindName, visitor: Request, sentence: string): Promise<void> {
  const second = async () => {
    const received = relay.received.filter(({ to }) => to === visitor.contact)
    return received.length > 1 ? received[1] : undefined
  }
  const found = await vi.waitUntil(second, patience)
  if (!found) throw new Error('no mail')
  const mail = { ...(await found.read()), raw: String(found.raw) }
  expect(mail.subject).toMatch(SUBJECT)
  expect(mail.text).toContain(sentence)
  expectListHeaders(mail, kind)
  expectNothingTyped(mail, visitor)
}

export { queueMail as queueAtOnce }
