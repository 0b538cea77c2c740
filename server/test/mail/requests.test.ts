// A visitor's request where mail is sent: the form stores it, the mailed link opens a page, and only the button on that
// page creates the order. The visitor then sees on a page of their own how it is going, and can withdraw and erase it.

import { languages } from '@petstore-platform/contract/platform/site'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import type { TestRelay } from '../../../testbed/harness/mail-relay.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { reserving } from '../orders/reservations.ts'
import type { People } from '../platform/people.ts'
import { asProject } from '../v1/responses.ts'
import { startMailInstallation } from './installation.ts'

const PLATFORM_HOST = 'petstore.test:3080'

let relay: TestRelay
let people: People
let edge: RunningEdge
let on: ReturnType<typeof reserving>

beforeAll(async () => {
  const installation = await startMailInstallation({
    SMTP_PER_SECOND: '1000',
    PLATFORM_HOST,
    SITE_SCHEME: 'http',
    EDGE_PORT: '0',
    RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000000',
    REQUESTS_PER_ADDRESS: '1000000',
    REQUESTS_PER_NETWORK: '1000000',
    REQUESTS_UNCONFIRMED: '4',
  })
  relay = installation.relay
  people = installation.people
  edge = await startEdge(installation.config, { logger: { level: 'silent' } })
  on = reserving(people.test.database, people.test.service.database)
})

afterAll(() => edge?.stop())

const patience = { timeout: 30_000, interval: 20 }
const garden = { kind: 'yes_no', text: 'Do you have a garden?', isRequired: true, choices: [] } as const

/** A store with a published site and an owner whose address is proved. */
async function openStore(): Promise<PlatformOwner> {
  const owner = await people.owner()
  await sql(owner, `update accounts set verified_at = now() where id = $1`, owner.id)
  const contact = { email: 'hello@happy-paws.example', phone: '+49 30 1234567', address: '' }
  const content = contentWith({ title: 'Happy Paws', languages: ['de', 'fr', 'es'], questions: [garden], contact })
  await publishAtOnce(inProjectOf(people.test.service.database), owner.project, content)
  return owner
}

const sql = <T extends object>(owner: PlatformOwner, text: string, ...values: unknown[]) =>
  asProject(people.test.database, owner.project, async (client) => (await client.query<T>(text, values)).rows)

const visit = (owner: PlatformOwner, path: string, headers: Record<string, string> = {}) =>
  exchange(`http://127.0.0.1:${edge.port}`, { path, headers: { Host: hostOf(owner), ...headers } })

const post = (
  owner: PlatformOwner,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Received> =>
  exchange(`http://127.0.0.1:${edge.port}`, {
    method: 'POST',
    path,
    body: new URLSearchParams(fields).toString(),
    headers: { Host: hostOf(owner), 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })

const hostOf = ({ slug }: PlatformOwner) => `${slug}.${PLATFORM_HOST}`

let visitors = 0
const newContact = () => `visitor-${(visitors += 1)}@visitor.example`

/** Sends the form of an animal. */
async function ask(owner: PlatformOwner, petId: bigint, contact: string, more: Record<string, string> = {}, code = '') {
  const path = `${code}/animals/rex-${petId}`
  const { text } = await visit(owner, path)
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  const [, questions = ''] = /name="questions" value="([^"]+)"/.exec(text) ?? []
  const typed = {
    name: 'Unmistakable Ursula',
    contact,
    phone: '+44 (20) 7946-0958',
    message: 'Soon?',
    'answer-0': 'yes',
  }
  return post(owner, path, { ...typed, website: '', token, questions, ...more })
}

const CONFIRM = /\/requests\/confirm\//

/** The mail to this address with this text. */
async function mailTo(address: string, said: RegExp) {
  const find = async () => {
    const received = relay.received.filter(({ to }) => to === address)
    const mails = await Promise.all(received.map(async ({ read, raw }) => ({ ...(await read()), raw: String(raw) })))
    return mails.find(({ text = '' }) => said.test(text))
  }
  return vi.waitUntil(find, patience)
}

/** The path of the page that confirms. */
async function linkTo(owner: PlatformOwner, address: string): Promise<string> {
  const { text = '' } = await mailTo(address, CONFIRM)
  const [, host, path = ''] = /http:\/\/([^/\s]+)(\/\S*requests\/confirm\/[0-9a-f]{32})/.exec(text) ?? []
  expect(host).toBe(hostOf(owner))
  return path
}

const ordersOf = (owner: PlatformOwner, petId: bigint) =>
  sql<{ stage: string; contact: string; phone: string; answers: unknown; isConfirmed: boolean }>(
    owner,
    `select stage, visitor_contact as contact, visitor_phone as phone, answers, confirmed_at is not null as "isConfirmed"
     from orders where project_id = $1 and pet_id = $2 order by id`,
    owner.project,
    petId,
  )

const waiting = async (owner: PlatformOwner) =>
  (await sql(owner, `select id from request_confirmations where project_id = $1 and order_id is null`, owner.project))
    .length

/** A confirmed request; the path of its status page. */
async function confirmed(owner: PlatformOwner, petId: bigint, contact = newContact()): Promise<string> {
  expect((await ask(owner, petId, contact)).status).toBe(303)
  const { status, headers } = await post(owner, await linkTo(owner, contact))
  expect(status).toBe(303)
  return headers.location ?? ''
}

describe('a request', () => {
  test('is no order until the button on the mailed page is pressed, however often the link is opened', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const contact = newContact()
    const sent = await ask(owner, petId, contact)
    expect([sent.status, sent.headers.location]).toEqual([303, `/thanks?animal=${petId}`])
    expect((await visit(owner, sent.headers.location ?? '')).text).toContain('Check your mail')

    const link = await linkTo(owner, contact)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const opened = await exchange(`http://127.0.0.1:${edge.port}`, {
        method,
        path: link,
        headers: { Host: hostOf(owner) },
      })
      expect(opened.status).toBe(200)
    }
    expect(await ordersOf(owner, petId)).toEqual([])
    expect(await waiting(owner)).toBe(1)

    const [first, second] = await Promise.all([post(owner, link), post(owner, link)])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(first.headers.location).toMatch(/^\/requests\/[0-9a-f]{32}$/)
    expect(second.headers.location).toBe(first.headers.location)
    const answers = [{ question: garden.text, answer: 'Yes' }]
    expect(await ordersOf(owner, petId)).toEqual([
      { stage: 'new', contact, phone: '+44 (20) 7946-0958', answers, isConfirmed: true },
    ])
    // The link leads on; what was typed is in the order alone.
    expect((await visit(owner, link)).headers.location).toBe(first.headers.location)
    expect(
      await sql(owner, `select 1 from request_confirmations where visitor_contact <> '' or visitor_phone <> ''`),
    ).toEqual([])
  })

  test('is mailed without anything that the visitor typed, in the language of the page', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    for (const language of languages) {
      const contact = newContact()
      const code = language === 'en' ? '' : `/${language}`
      expect((await ask(owner, petId, contact, {}, code)).headers.location).toBe(`${code}/thanks?animal=${petId}`)
      expect(await linkTo(owner, contact)).toMatch(new RegExp(`^${code}/requests/confirm/`))
      const { raw, subject, from, replyTo } = await mailTo(contact, CONFIRM)
      expect(subject).toContain('Rex')
      expect(from).toEqual({ address: 'no-reply@petstore.example', name: 'Happy Paws' })
      expect(replyTo).toEqual([{ address: 'hello@happy-paws.example', name: '' }])
      expect(raw).not.toMatch(/Ursula|Soon\?/)
    }
  })

  test('needs an email address and the answers that the owner requires, and loses nothing', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const { status, text } = await ask(owner, petId, '+49 30 555555', { 'answer-0': '' })
    expect(status).toBe(422)
    expect(text).toContain('id="contact-wrong">We cannot send mail to this address.')
    expect(text).toContain('id="answer-0-wrong">Please answer this question.')
    expect(text).toContain('value="+49 30 555555"')
    expect(await waiting(owner)).toBe(0)
  })

  test('that was sent with other questions is shown again with the current ones', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const { status, text } = await ask(owner, petId, newContact(), { questions: '0123456789abcdef' })
    expect([status, text.includes('Please send the form again.')]).toEqual([422, true])
  })

  test('that is not confirmed within a day is deleted, and its link no longer works', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const contact = newContact()
    await ask(owner, petId, contact)
    const link = await linkTo(owner, contact)
    await sql(owner, `update request_confirmations set expires_at = now() where project_id = $1`, owner.project)
    for (const answer of [await visit(owner, link), await post(owner, link)]) {
      expect([answer.status, answer.text.includes('This link no longer works')]).toEqual([404, true])
    }
    await sql(
      owner,
      `update due_directory set due_at = now() where kind = 'request_confirmation' and project_id = $1`,
      owner.project,
    )
    await vi.waitUntil(async () => (await waiting(owner)) === 0, patience)
    expect(await ordersOf(owner, petId)).toEqual([])
  })

  test('is an order at once, unconfirmed, where no owner has proved an address', async () => {
    const owner = await openStore()
    await sql(owner, `update accounts set verified_at = null where id = $1`, owner.id)
    const petId = await on.addAnimal(owner.project)
    expect((await ask(owner, petId, '+49 30 555555')).status).toBe(303)
    expect(await ordersOf(owner, petId)).toMatchObject([{ contact: '+49 30 555555', isConfirmed: false }])
  })
})

describe('caps', () => {
  test('a contact has one open request for an animal, and three in a project; only its mailbox learns so', async () => {
    const owner = await openStore()
    const contact = newContact()
    const shouted = contact.replace('visitor', 'VISITOR')
    const animals = []
    for (let n = 0; n < 4; n++) animals.push(await on.addAnimal(owner.project))
    const [first = 0n, second = 0n, third = 0n, fourth = 0n] = animals
    for (const petId of [first, second, third]) {
      await confirmed(owner, petId, shouted)
      relay.received.splice(0)
    }
    for (const [petId, said] of [
      [first, 'You have already asked for this animal.'],
      [fourth, 'You have already asked for three animals.'],
    ] as const) {
      expect((await ask(owner, petId, contact)).status).toBe(303)
      const { status, text } = await post(owner, await linkTo(owner, contact))
      expect([status, text.includes(said)]).toEqual([409, true])
      relay.received.splice(0)
    }
    expect(await ordersOf(owner, fourth)).toEqual([])
  })

  test('beyond the unconfirmed requests of a project, the form names the phone number', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await ask(owner, petId, newContact())).status)
    const { status, text } = await ask(owner, petId, 'late@visitor.example')
    expect([...statuses, status]).toEqual([303, 303, 303, 303, 429])
    expect(text).toContain('<a href="tel:+49301234567">')
    expect(text).toContain('value="late@visitor.example"')
    expect(await waiting(owner)).toBe(4)
  })
})

describe('the status page', () => {
  test('is shown to those who have its address, and to no cache, log, search engine or other page', async () => {
    const owner = await openStore()
    const path = await confirmed(owner, await on.addAnimal(owner.project))
    const { status, text, headers } = await visit(owner, path)
    expect([status, headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag']]).toEqual([
      200,
      'no-store',
      'no-referrer',
      'noindex, nofollow',
    ])
    expect(text).toContain('<meta name="robots" content="noindex" />')
    expect(text).toContain('We have received your request')
    expect(text).not.toMatch(/Ursula|visitor\.example/)
    // Every mail about the request leads there.
    await mailTo(`visitor-${visitors}@visitor.example`, new RegExp(`http://${hostOf(owner)}${path}\\s`))
    const other = path.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    for (const wrong of [other, `${path}0`, path.toUpperCase(), `${path}/`, `/requests/confirm${path.slice(9)}`]) {
      const { status: refused, headers: its } = await visit(owner, wrong)
      expect([refused, its['cache-control']]).toEqual([404, 'no-store'])
    }
  })

  test('of another store leads nowhere', async () => {
    const owner = await openStore()
    const path = await confirmed(owner, await on.addAnimal(owner.project))
    expect((await visit(await openStore(), path)).status).toBe(404)
  })

  test('withdraws the request, with the headers of a page that sends no referrer', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const path = await confirmed(owner, petId)
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect((await post(owner, path, { action: 'withdraw' }, headers as Record<string, string>)).status).toBe(403)
    }
    expect((await post(owner, path, { action: 'destroy' })).status).toBe(400)
    expect(await ordersOf(owner, petId)).toMatchObject([{ stage: 'new' }])
    const same = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }
    const done = await post(owner, path, { action: 'withdraw' }, same)
    expect([done.status, done.headers.location]).toEqual([303, path])
    expect(await ordersOf(owner, petId)).toMatchObject([{ stage: 'withdrawn' }])
    const { text } = await visit(owner, path)
    expect(text).toContain('You have withdrawn your request.')
    expect(text).not.toContain('Withdraw now')
  })

  test('erases what the visitor entered, and is gone with it', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const path = await confirmed(owner, petId)
    const { status, text } = await post(owner, path, { action: 'erase' })
    expect([status, text.includes('Your data has been deleted')]).toEqual([200, true])
    expect(await ordersOf(owner, petId)).toMatchObject([{ stage: 'withdrawn', contact: '', answers: [] }])
    expect((await visit(owner, path)).status).toBe(404)
  })
})
