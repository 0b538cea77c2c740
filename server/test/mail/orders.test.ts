// Every mail about a request, and what else members are told about their store: brought about by a
// visitor or a member over HTTP, or by the background work of the program, and read as a mail
// program would. Mails to visitors contain nothing that a visitor typed, and are sent only where
// somebody answers for them.

import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { firstSettings, type Language, type SiteSettings } from '@petstore-platform/contract/platform/site'
import { parseConfig } from '../../src/config.ts'
import { settingsJson } from '../../src/deployments/content.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { settingsOf, type MailKind } from '../../src/mail/kinds.ts'
import { mailQueue } from '../../src/mail/queue.io.ts'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { eraseVisitor, move, undo, withdraw } from '../../src/orders/advance.io.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import { inProjectOf, type InProject } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../src/sites/samples.fake.ts'
import { startWork, type RunningWork } from '../../src/work.ts'
import { reserving } from '../orders/reservations.ts'
import { startPeople, type People } from '../platform/people.ts'
import { asProject } from '../v1/responses.ts'

const PLATFORM_HOST = 'petstore.test:3080'

let relay: TestRelay
let people: People
let work: RunningWork
let on: ReturnType<typeof reserving>
let inProject: InProject

beforeAll(async () => {
  relay = await startMailRelay()
  const env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    DASHBOARD_ORIGIN: DASHBOARD,
    SMTP_PER_SECOND: '1000',
    PLATFORM_HOST,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
  }
  people = await startPeople({ env })
  const config = parseConfig({ ...env, DATABASE_URL: people.test.database.appUrl })
  work = await startWork(config, { pauseMs: 20 })
  on = reserving(people.test.database, people.test.service.database)
  inProject = inProjectOf(people.test.service.database)
})

afterAll(async () => {
  await work?.stop()
  await relay?.stop()
})

const patience = { timeout: 30_000, interval: 20 }

/** A store with a published site and a verified owner. */
async function openStore(settings: Partial<SiteSettings> = {}): Promise<PlatformOwner> {
  const owner = await people.owner()
  await setVerified(owner, true)
  await publishAtOnce(inProject, owner.project, contentWith({ title: 'Happy Paws', ...settings }))
  return owner
}

const sql = <T extends object>(owner: PlatformOwner, text: string, ...values: unknown[]) =>
  asProject(people.test.database, owner.project, async (client) => (await client.query<T>(text, values)).rows)

const setVerified = (owner: PlatformOwner, isVerified: boolean) =>
  sql(
    owner,
    `update accounts set verified_at = case when $2::boolean then now() end where id = $1`,
    owner.id,
    isVerified,
  )

let visitors = 0
const newVisitor = () => ({
  name: 'Unmistakable Ursula',
  contact: `visitor-${(visitors += 1)}@visitor.example`,
  message: 'May I see him on Saturday?',
})
type Request = ReturnType<typeof newVisitor>

/** A visitor's request, as the confirmed form of the site places it; returns the id of the order. */
async function request(owner: PlatformOwner, animal = 'Rex', visitor: Request = newVisitor()): Promise<string> {
  const petId = await on.addAnimal(owner.project, animal)
  const { id } = await reserve({ inProject, queueMail: mailQueue(newId) }, owner.project, { petId, ...visitor })
  return String(id)
}

/** A mail to the address; the subject tells which if there are several. */
async function mailTo(address: string, subject: string | RegExp): Promise<Email & { raw: string }> {
  const find = async () => {
    const received = relay.received.filter(({ to }) => to === address)
    const mails = await Promise.all(received.map(async ({ read, raw }) => ({ ...(await read()), raw: String(raw) })))
    return mails.find((mail) => new RegExp(subject).test(mail.subject ?? ''))
  }
  const found = await vi.waitUntil(find, patience)
  if (!found) throw new Error('no mail')
  return found
}

const headersOf = (mail: Email) => Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))

/** The headers with which mail programs offer to turn mails off are on exactly those that can be turned off. */
function expectListHeaders(mail: Email, kind: MailKind): void {
  const headers = headersOf(mail)
  if (settingsOf(kind).topic === undefined) {
    expect(headers).not.toHaveProperty('list-unsubscribe')
    expect(headers).not.toHaveProperty('list-unsubscribe-post')
    return
  }
  expect(headers['list-unsubscribe']).toMatch(/^<https:\/\/api\.petstore\.example\/unsubscribe\/[^>]+>$/)
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
}

type Queued = { id: string; kind: MailKind; recipient: string; state: string; outcome: string | null }

const outbox = (owner: PlatformOwner, kind: MailKind) =>
  sql<Queued>(
    owner,
    `select id, kind, recipient, state, outcome from mail_directory
     where project_id = $1 and kind = $2 order by queued_at, id`,
    owner.project,
    kind,
  )

/** Why the mails of a kind were not sent, once all of them have ended. */
const outcomes = async (owner: PlatformOwner, kind: MailKind, count = 1) => {
  const ended = async () => {
    const rows = await outbox(owner, kind)
    return rows.length >= count && rows.every(({ state }) => state !== 'queued') ? rows : undefined
  }
  const rows = await vi.waitUntil(ended, patience)
  return rows.map(({ state, outcome }) => (state === 'sent' ? 'sent' : outcome))
}

/** The digest is due now, instead of at the end of the hour or the day. */
const bringDigestForward = async (owner: PlatformOwner) => {
  const [digest] = await vi.waitUntil(async () => {
    const rows = await outbox(owner, 'digest')
    return rows.length > 0 ? rows : undefined
  }, patience)
  await sql(owner, `update due_directory set due_at = now() where kind = 'mail' and id = $1`, digest?.id)
}

/** As if a minute had passed, in which the act of a member could have been undone. */
const bringMailForward = (owner: PlatformOwner, kind: MailKind) =>
  sql(
    owner,
    `update due_directory set due_at = now()
     where kind = 'mail' and id in (select id from mail_directory where project_id = $1 and kind = $2)`,
    owner.project,
    kind,
  )

const at = (owner: PlatformOwner, path: string) => `/projects/${owner.slug}${path}`

const choose = async (owner: PlatformOwner, choices: Record<string, string>) =>
  expect((await owner.send('PATCH', at(owner, '/notifications'), choices)).status).toBe(200)

const decide = async (owner: PlatformOwner, id: string, what: 'approve' | 'decline') => {
  const answer = await owner.send('POST', at(owner, `/orders/${id}/${what}`))
  expect(answer.status).toBe(200)
  return answer.json as { notifiesVisitor: boolean }
}

const SUBJECT = /^Happy Paws: your request for Rex$/

/** Nothing that the visitor typed, in any part of the mail; the address is the one that it goes to. */
function expectNothingTyped(mail: Email & { raw: string }, visitor: Request): void {
  for (const text of [mail.raw, mail.text ?? '', mail.html ?? '', mail.subject ?? '']) {
    expect(text).not.toContain('Ursula')
    expect(text).not.toContain('Saturday')
  }
  expect(mail.text).not.toContain(visitor.contact)
  expect(headersOf(mail)).not.toHaveProperty('reply-to')
}

describe('to members', () => {
  test('order_placed goes to owners and admins, with what the visitor wrote and where a reply goes', async () => {
    const owner = await openStore()
    const admin = await people.joins(owner, 'admin')
    await people.joins(owner, 'viewer')
    const visitor = newVisitor()
    await request(owner, 'Rex', visitor)
    for (const { email } of [owner, admin]) {
      const mail = await mailTo(email, /^New request for Rex$/)
      expectListHeaders(mail, 'order_placed')
      expect(headersOf(mail)['reply-to']).toBe(visitor.contact)
      for (const part of [...Object.values(visitor), `${DASHBOARD}/projects/${owner.slug}/orders`]) {
        expect(mail.text).toContain(part)
        expect(mail.html).toContain(part)
      }
    }
    const recipients = (await outbox(owner, 'order_placed')).map(({ recipient }) => recipient)
    expect(recipients.toSorted()).toEqual([owner.id, admin.id].toSorted())
  })

  test('order_placed has no address for replies if the visitor left a telephone number', async () => {
    const owner = await openStore()
    await request(owner, 'Rex', { ...newVisitor(), contact: '+44 20 7946 0958' })
    const mail = await mailTo(owner.email, /^New request/)
    expect(headersOf(mail)).not.toHaveProperty('reply-to')
    expect(mail.text).toContain('+44 20 7946 0958')
    expect(await outcomes(owner, 'order_received')).toEqual(['no email address'])
  })

  test('order_placed is queued for the requests that are accepted, and for none that is rejected', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const deps = { inProject, queueMail: mailQueue(newId) }
    const attempts = Array.from({ length: 22 }, () => reserve(deps, owner.project, { petId, ...newVisitor() }))
    const settled = await Promise.allSettled(attempts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await outcomes(owner, 'order_placed', 20)).toEqual(Array.from({ length: 20 }, () => 'sent'))
    expect(await outbox(owner, 'order_received')).toHaveLength(20)
  })

  test('order_placed is in the language of the member', async () => {
    const owner = await openStore()
    expect((await owner.send('PATCH', '/account', { language: 'de' })).status).toBe(200)
    await request(owner)
    expect((await mailTo(owner.email, /^Neue Anfrage für Rex$/)).text).toContain('Sie erhalten diese E-Mail')
  })

  test('order_waiting comes after three days in which nothing happened', async () => {
    const owner = await openStore()
    const id = await request(owner)
    await sql(owner, `update orders set expires_at = now() + interval '27 days' where id = $1`, id)
    await sql(owner, `update due_directory set due_at = now() where kind = 'order_expiry' and id = $1`, id)
    const mail = await mailTo(owner.email, /^A request for Rex is waiting for you$/)
    expectListHeaders(mail, 'order_waiting')
    expect(mail.text).toContain('Unmistakable Ursula')
    expect(await outbox(owner, 'order_waiting')).toHaveLength(1)
  })

  test('hold_ended comes when the animal is available again', async () => {
    const owner = await openStore()
    const id = await request(owner)
    await decide(owner, id, 'approve')
    await sql(owner, `update orders set held_until = now() where id = $1`, id)
    await sql(owner, `update due_directory set due_at = now() where kind = 'order_expiry' and id = $1`, id)
    const mail = await mailTo(owner.email, /^Rex is available again$/)
    expectListHeaders(mail, 'hold_ended')
    expect(mail.text).toContain('The hold of Rex for Unmistakable Ursula has ended')
    expect(await outbox(owner, 'hold_ended')).toHaveLength(1)
  })

  test('order_withdrawn comes when the visitor withdraws, unless the member has turned it off', async () => {
    const owner = await openStore()
    const deps = { inProject, queueMail: mailQueue(newId) }
    const id = await request(owner)
    await decide(owner, id, 'approve')
    expect(await withdraw(deps, owner.project, BigInt(id))).toBe(true)
    const mail = await mailTo(owner.email, /^A request for Rex was withdrawn$/)
    expectListHeaders(mail, 'order_withdrawn')
    expect(mail.text).toContain('Unmistakable Ursula no longer asks for Rex')
    expect(mail.text).toContain('The hold has ended.')

    const other = await request(owner, 'Luna')
    await eraseVisitor(deps, owner.project, BigInt(other))
    const { text } = await mailTo(owner.email, /^A request for Luna was withdrawn$/)
    expect(text).toContain('deleted what they had entered')
    expect(text).not.toMatch(/Ursula|The hold has ended/)

    await choose(owner, { reminders: 'off' })
    await withdraw(deps, owner.project, BigInt(await request(owner, 'Mia')))
    expect(await outcomes(owner, 'order_withdrawn', 3)).toEqual(['sent', 'sent', 'turned off'])
  })

  test('deployment_failed goes to the member who published, with the problems', async () => {
    const owner = await openStore()
    // No page can be made in this language; the form of the dashboard offers no such.
    const settings = settingsJson({ ...firstSettings('Happy Paws'), language: 'xx' as Language })
    await sql(
      owner,
      `insert into sites (project_id, settings) values ($1, $2)
       on conflict (project_id) do update set settings = excluded.settings`,
      owner.project,
      settings,
    )
    expect((await owner.send('POST', at(owner, '/deployments'))).status).toBe(202)
    const mail = await mailTo(owner.email, new RegExp(`^Publishing ${owner.slug} failed$`))
    expectListHeaders(mail, 'deployment_failed')
    expect(mail.text).toContain('Version 2 could not be published. Visitors still see the previous version.')
    expect(mail.text).toMatch(/^Problem: The page could not be made/m)
  })

  test('import_finished goes to the member who began it, if it took more than a minute', async () => {
    const owner = await openStore()
    await runImport(owner, '0 seconds')
    await runImport(owner, '61 seconds')
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: the import is done$`))
    expectListHeaders(mail, 'import_finished')
    expect(mail.text).toContain('2 animals were added.')
    expect(await outbox(owner, 'import_finished')).toHaveLength(1)
  })

  test('digest lists what is open, instead of each mail, if the member wants one a day', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const first = await request(owner, 'Bella')
    await request(owner, 'Rex')
    await request(owner, 'Milo')
    await decide(owner, first, 'approve')
    expect((await owner.send('POST', at(owner, `/orders/${first}/move`), { fact: 'handed_over' })).status).toBe(200)
    expect(await outcomes(owner, 'order_placed', 3)).toEqual(['in the digest', 'in the digest', 'in the digest'])
    expect(await outbox(owner, 'digest')).toHaveLength(1)
    await bringDigestForward(owner)
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: 2 new requests$`))
    expectListHeaders(mail, 'digest')
    expect(mail.text).toContain('Request: Rex')
    expect(mail.text).toContain('Request: Milo')
    expect(mail.text).not.toContain('Bella')
    expect(mail.text).toContain('1 animal sold')
  })

  test('digest is not sent when everything is decided', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const id = await request(owner)
    await outcomes(owner, 'order_placed')
    await decide(owner, id, 'decline')
    await bringDigestForward(owner)
    expect(await outcomes(owner, 'digest')).toEqual(['empty'])
  })

  test('digest names the domains that wait for the owner', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const id = await request(owner)
    await outcomes(owner, 'order_placed')
    await decide(owner, id, 'decline')
    await sql(
      owner,
      `insert into domains (project_id, id, hostname, token, token_generation, next_look_at, cause, cause_severity)
       values ($1, 'dom_000000000000000000000001', 'www.happy-paws.example', $2, 0, now() + interval '1 day',
         'dns.no_record', 'blocks')`,
      owner.project,
      `petstore-verify=${'x'.repeat(28)}`,
    )
    await bringDigestForward(owner)
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: 1 domain needs your attention$`))
    expect(mail.text).toContain('Domain: www.happy-paws.example')
  })

  test('the 21st notification of a day goes into an hourly digest', async () => {
    const owner = await openStore()
    for (let n = 1; n <= 21; n++) await request(owner, `Rex ${n}`, { ...newVisitor(), contact: '+44 20 7946 0958' })
    const ended = await outcomes(owner, 'order_placed', 21)
    expect(ended.filter((outcome) => outcome === 'sent')).toHaveLength(20)
    expect(ended.filter((outcome) => outcome === 'limit of the recipient')).toHaveLength(1)
    await bringDigestForward(owner)
    expect((await mailTo(owner.email, new RegExp(`^${owner.slug}: 1 new request$`))).text).toMatch(/^Request: Rex/m)
  })

  test('a topic that is off is not mailed', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'off' })
    await request(owner)
    expect(await outcomes(owner, 'order_placed')).toEqual(['turned off'])
  })

  test('one POST to the address in the header turns a topic off, and a GET does not', async () => {
    const owner = await openStore()
    await request(owner)
    const mail = await mailTo(owner.email, /^New request/)
    const address = headersOf(mail)['list-unsubscribe'] ?? ''
    const path = new URL(address.slice(1, -1)).pathname
    const chosen = async () =>
      ((await owner.send('GET', at(owner, '/notifications'))).json as { requests: string }).requests
    await people.test.send({ path })
    expect(await chosen()).toBe('each')
    const forged = await people.test.send({ method: 'POST', path: `${path.slice(0, -4)}0000` })
    expect([forged.status, await chosen()]).toEqual([404, 'each'])
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await people.test.send({ method: 'POST', path, body, headers })
    expect([answer.status, await chosen()]).toEqual([200, 'off'])
  })
})

/** An import of two animals that began so long ago. */
async function runImport(owner: PlatformOwner, age: string): Promise<void> {
  const made = await owner.send('POST', at(owner, '/imports'), { onBadLine: 'refuse' })
  const { id } = made.json as { id: string }
  const csv = 'name,categoryId\nRex,1\nMilo,1\n'
  await owner.send('PUT', at(owner, `/imports/${id}/parts/1`), csv, { 'Content-Type': 'text/csv' })
  await sql(owner, `update imports set created_at = now() - $2::interval where id = $1`, id, age)
  expect((await owner.send('POST', at(owner, `/imports/${id}/start`), { parts: 1 })).status).toBe(202)
  const state = async () => ((await owner.send('GET', at(owner, `/imports/${id}`))).json as { state: string }).state
  await vi.waitUntil(async () => (await state()) === 'succeeded', patience)
}

describe('to the visitor', () => {
  test('order_received', async () => {
    const owner = await openStore({ contact: { email: 'hello@happy-paws.example', phone: '', address: '' } })
    const visitor = newVisitor()
    await request(owner, 'Rex', visitor)
    const mail = await mailTo(visitor.contact, SUBJECT)
    expectListHeaders(mail, 'order_received')
    expectNothingTyped(mail, visitor)
    expect(mail.text).toContain('Happy Paws has received your request for Rex.')
    expect(mail.text).toContain('Email: hello@happy-paws.example')
  })

  test.each([
    ['order_approved', 'approve', 'has approved your request for Rex.'],
    ['order_declined', 'decline', 'has declined your request for Rex.'],
  ] as const)('%s', async (kind, what, sentence) => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    expect(await decide(owner, id, what)).toMatchObject({ notifiesVisitor: true })
    await bringMailForward(owner, kind)
    await expectDecision(kind, visitor, sentence)
  })

  test('visit_arranged, with the time as the owner named it', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    const visit = { at: '2026-11-21T10:00:00+01:00', place: 'Willow Street 1' }
    const moved = await owner.send('POST', at(owner, `/orders/${id}/move`), { fact: 'visit_set', visit })
    expect([moved.status, moved.json]).toMatchObject([200, { stage: 'visit', visit }])
    await bringMailForward(owner, 'visit_arranged')
    await expectDecision('visit_arranged', visitor, 'When: 21 November 2026 at 10:00\nWhere: Willow Street 1')
  })

  test('found_a_home, if the animal is sold to another person', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    const [order] = await sql<{ petId: string }>(owner, `select pet_id::text as "petId" from orders where id = $1`, id)
    const set = await owner.send('PUT', at(owner, `/animals/${order?.petId}/status`), { status: 'sold' })
    expect(set.status).toBe(200)
    await bringMailForward(owner, 'found_a_home')
    await expectDecision('found_a_home', visitor, 'Rex has found a home with someone else.')
  })

  test('order_expired', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    await on.age(owner.project, BigInt(id))
    await expectDecision('order_expired', visitor, 'has not answered your request for Rex in time. It has expired.')
  })

  test('all are in the language of the site', async () => {
    const subjects: Record<Exclude<Language, 'en'>, string> = {
      de: 'Happy Paws: Ihre Anfrage für Rex',
      fr: 'Happy Paws : votre demande pour Rex',
      es: 'Happy Paws: su solicitud para Rex',
    }
    for (const [language, subject] of Object.entries(subjects)) {
      const owner = await openStore({ language: language as Language })
      const visitor = newVisitor()
      await request(owner, 'Rex', visitor)
      expect((await mailTo(visitor.contact, /Rex$/)).subject).toBe(subject)
    }
  })

  test('a fourth mail of a day to the same address is not sent, whichever store it is from', async () => {
    const visitor = newVisitor()
    const [one, other] = [await openStore(), await openStore()]
    for (const owner of [one, other, one]) {
      const count = (await outbox(owner, 'order_received')).length + 1
      await request(owner, 'Rex', visitor)
      expect((await outcomes(owner, 'order_received', count)).at(-1)).toBe('sent')
    }
    await request(other, 'Rex', visitor)
    expect(await outcomes(other, 'order_received', 2)).toEqual(['sent', 'limit of the recipient'])
    expect(relay.received.filter(({ to }) => to === visitor.contact)).toHaveLength(3)
  })

  test('the plan limits how many are sent on a day', async () => {
    const owner = await openStore()
    await setSent(owner, 99)
    await request(owner, 'Rex')
    expect(await outcomes(owner, 'order_received')).toEqual(['sent'])
    await request(owner, 'Milo')
    expect(await outcomes(owner, 'order_received', 2)).toEqual(['sent', 'budget of the plan'])
    await sql(owner, `update projects set plan = 'pro' where project_id = $1`, owner.project)
    await request(owner, 'Bella')
    expect((await outcomes(owner, 'order_received', 3)).at(-1)).toBe('sent')
  })
})

/** As if the project had sent so many mails to visitors today. */
const setSent = (owner: PlatformOwner, count: number) =>
  sql(
    owner,
    `insert into mail_counts (recipient, kind, window_start, count)
     values ('prj_' || $1::text, 'visitors', date_bin(interval '1 day', now(), timestamptz 'epoch'), $2)`,
    owner.project,
    count,
  )

async function expectDecision(kind: MailKind, visitor: Request, sentence: string): Promise<void> {
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

describe('an undo', () => {
  /** A request of a visitor who has had the first mail, and the member who decides. */
  const decidable = async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = BigInt(await request(owner, 'Rex', visitor))
    await mailTo(visitor.contact, SUBJECT)
    const member = { project: owner.project, account: owner.id as AccountId }
    return { owner, visitor, id, member }
  }
  const received = (visitor: Request) => relay.received.filter(({ to }) => to === visitor.contact).length

  test('59 seconds later leaves no mail and every byte as it was', async () => {
    const { owner, visitor, id, member } = await decidable()
    const [order] = await sql<{ petId: string }>(owner, `select pet_id::text as "petId" from orders where id = $1`, id)
    const petId = BigInt(order?.petId ?? 0)
    const other = newVisitor()
    const deps = { inProject, queueMail: mailQueue(newId) }
    await reserve(deps, owner.project, { petId, ...other })
    await mailTo(other.contact, SUBJECT)
    const before = await on.dump(owner.project, petId)
    await move(deps, member, id, { fact: 'approved' })
    await undo(deps, member, id)
    await move(deps, member, id, { fact: 'handed_over' })
    // As if 59 seconds had passed since.
    await sql(owner, `update orders set undo_until = undo_until - interval '59 seconds' where undo_until is not null`)
    await sql(
      owner,
      `update due_directory set due_at = due_at - interval '59 seconds' where kind = 'mail' and project_id = $1`,
      owner.project,
    )
    await undo(deps, member, id)
    expect(await on.dump(owner.project, petId)).toBe(before)
    const kinds: MailKind[] = ['order_approved', 'found_a_home']
    for (const kind of kinds) expect(await outcomes(owner, kind)).toEqual(['undone'])
    expect([received(visitor), received(other)]).toEqual([1, 1])
    const waiting = await sql(owner, `select from due_directory where kind = 'mail' and project_id = $1`, owner.project)
    expect(waiting).toEqual([])
  })

  test('comes too late for a mail that does not wait (negative control)', async () => {
    const { visitor, id, member } = await decidable()
    const hasty: typeof queueAtOnce = (db, mail) => queueAtOnce(db, { ...mail, delaySeconds: 0 })
    await move({ inProject, queueMail: hasty }, member, id, { fact: 'declined' })
    await vi.waitUntil(() => received(visitor) === 2, patience)
    await undo({ inProject, queueMail: hasty }, member, id)
    expect(received(visitor)).toBe(2)
  })
})

const queueAtOnce = mailQueue(newId)

describe('a visitor is not mailed', () => {
  const listed = async (owner: PlatformOwner) => {
    const orders = (await owner.send('GET', at(owner, '/orders'))).json as { id: number; notifiesVisitor: boolean }[]
    const { lastOrders } = (await owner.send('GET', at(owner, '/overview'))).json as { lastOrders: typeof orders }
    const one = (await owner.send('GET', at(owner, `/orders/${orders[0]?.id}`))).json as (typeof orders)[number]
    expect(lastOrders).toEqual(orders)
    expect(orders[0]).toEqual(one)
    return orders.map(({ notifiesVisitor }) => notifiesVisitor)
  }

  const bare = async () => {
    const owner = await people.owner()
    await setVerified(owner, true)
    return owner
  }
  const unverified = async () => {
    const owner = await openStore()
    await setVerified(owner, false)
    return owner
  }
  const quiet = async () => {
    const owner = await openStore()
    const answer = await owner.send('PUT', at(owner, '/notifications/visitors'), { visitors: false })
    expect(answer.status).toBe(200)
    return owner
  }

  test.each<[string, string, () => Promise<PlatformOwner>, Partial<Request>?]>([
    ['if no owner has a verified address', 'no verified owner', unverified],
    ['if nothing is published', 'no published site', bare],
    ['if an admin has turned it off', 'turned off', quiet],
    ['without an email address', 'no email address', openStore, { contact: '+44 20 7946 0958' }],
  ])('%s, and members read that', async (_, outcome, open, typed = {}) => {
    const owner = await open()
    const petId = await on.addAnimal(owner.project)
    const deps = { inProject, queueMail: mailQueue(newId) }
    await reserve(deps, owner.project, { petId, ...newVisitor(), ...typed })
    expect(await outcomes(owner, 'order_received')).toEqual([outcome])
    expect(await listed(owner)).toEqual([false])
  })

  test('otherwise the visitor is, and members read that, order by order', async () => {
    const owner = await openStore()
    await request(owner, 'Rex')
    await request(owner, 'Milo', { ...newVisitor(), contact: '+44 20 7946 0958' })
    expect(await listed(owner)).toEqual([false, true])
  })
})
