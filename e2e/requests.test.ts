// A request from beginning to end through a development service, over HTTP alone: two visitors ask for an animal on the
// site and confirm by the mails that they get; the owner moves a request through the stages, takes moves back, and
// completes it. At every step `/v1/store/orders` is as published.

import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Order } from '@petstore-platform/contract/orders'
import { platformClient } from '../devserver/demo.ts'
import { readDocument } from '../testbed/harness/openapi.ts'
import { createChecker, type Answered, type ResponseChecker } from '../testbed/harness/response-checker.ts'
import { startDevService, type DevService } from './dev-service.ts'

const patient = { timeout: 60_000, interval: 100 }

let service: DevService
let ask: ReturnType<typeof platformClient>
let checker: ResponseChecker

beforeAll(async () => {
  service = await startDevService()
  const document = (await (await fetch(`${service.api}/openapi.json`)).json()) as object
  checker = createChecker(readDocument(document))
  ask = platformClient(service.platform, { Origin: service.origin.replace('127.0.0.1', 'localhost') })
  await ask('POST', '/session', service.owner)
  await verifyOwner(service.owner.email)
})
afterAll(() => service?.stop())

/** Only then do visitors get mails, and confirm their requests. */
async function verifyOwner(email: string): Promise<void> {
  await ask('POST', '/account/email', { email })
  const secretOf = async () => /\/confirm-email#([\w-]+)/.exec((await mailsTo(email)).join('\n'))?.[1]
  await ask('POST', '/recovery/email/confirmation', { secret: await vi.waitUntil(secretOf, patient) })
}

type Shown = Pick<Order, 'status' | 'complete' | 'shipDate'>

/** Newest first, as a program with an API key reads them. */
async function published(): Promise<Shown[]> {
  const answered = await listed()
  expect(checker.check(answered)).toEqual([])
  return (JSON.parse(answered.text) as Shown[]).map(({ status, complete, shipDate }) => ({
    status,
    complete,
    shipDate,
  }))
}

async function listed(): Promise<Answered> {
  const target = '/v1/store/orders'
  const response = await fetch(`${service.origin}${target}`, { headers: { Authorization: `Bearer ${service.apiKey}` } })
  const headers = Object.fromEntries(response.headers)
  return { method: 'GET', target, status: response.status, headers, text: await response.text() }
}

const placed = { status: 'placed', complete: false, shipDate: null }
const approved = { ...placed, status: 'approved', complete: true }
const declined = { ...placed, status: 'declined', complete: true }

test('two visitors ask for an animal and confirm by mail, and one of them gets it', async () => {
  const animal = await addAnimal('Rex')
  const statusOf = async () => (await ask('GET', `/projects/demo/animals/${animal}`))['status']
  await asks(animal, { name: 'Ben', contact: 'ben@visitor.example', message: 'We have a garden.' })
  // Nothing before it is confirmed.
  expect(await published()).toEqual([])
  await confirms('ben@visitor.example')
  expect(await published()).toEqual([placed])
  await asks(animal, { name: 'Ana', contact: 'ana@visitor.example', message: '' })
  await confirms('ana@visitor.example')
  expect([await published(), await statusOf()]).toEqual([[placed, placed], 'available'])

  const [ana, ben] = Object.values(await ask('GET', '/projects/demo/orders')) as { id: number }[]
  if (!ben || !ana) throw new Error('a request is missing')
  const move = (fact: string, more: object = {}) =>
    ask('POST', `/projects/demo/orders/${ben.id}/move`, { fact, ...more })
  const undo = () => ask('POST', `/projects/demo/orders/${ben.id}/undo`)

  expect(await move('contacted')).toMatchObject({ stage: 'talking', isConfirmed: true, position: 1 })
  expect(await published()).toEqual([placed, placed])
  const visit = { at: '2030-11-23T11:00:00Z', place: 'At the gate' }
  expect(await move('visit_set', { visit })).toMatchObject({ stage: 'visit', visit })
  expect(await published()).toEqual([placed, placed])
  expect(await move('approved')).toMatchObject({ stage: 'approved', isHolding: true })
  expect([await published(), await statusOf()]).toEqual([[placed, approved], 'pending'])
  expect(await undo()).toMatchObject({ stage: 'visit', isHolding: false, undoUntil: null })
  expect([await published(), await statusOf()]).toEqual([[placed, placed], 'available'])

  expect(await move('handed_over')).toMatchObject({ stage: 'completed' })
  const delivered = { status: 'delivered', complete: true, shipDate: expect.any(String) as string }
  expect([await published(), await statusOf()]).toEqual([[declined, delivered], 'sold'])
  expect(await ask('GET', `/projects/demo/orders/${ana.id}`)).toMatchObject({ stage: 'closed' })
  await undo()
  expect([await published(), await statusOf()]).toEqual([[placed, placed], 'available'])
  expect(await ask('GET', `/projects/demo/orders/${ana.id}`)).toMatchObject({ stage: 'new', position: 2 })
  await move('handed_over')
  expect([await published(), await statusOf()]).toEqual([[declined, delivered], 'sold'])
})

test('a list that is not as published is reported (negative control)', async () => {
  const answered = await listed()
  expect(checker.check({ ...answered, text: answered.text.replace('"delivered"', '"completed"') })).not.toEqual([])
})

async function addAnimal(name: string): Promise<number> {
  const response = await fetch(`${service.api}/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}

/** With the form on the animal's page, as a browser without scripts sends it. */
async function asks(animal: number, visitor: Record<string, string>): Promise<void> {
  const page = new URL(`/animals/${animal}`, service.site)
  const { status } = await submit(await opened(page), visitor)
  expect(status).toBe(303)
}

/** With the link in the mail, and the button on its page. */
async function confirms(email: string): Promise<void> {
  await expect.poll(() => linkTo(email), patient).toBeDefined()
  const { status } = await submit(await opened(new URL((await linkTo(email)) ?? '')), {})
  expect(status).toBe(303)
}

async function linkTo(email: string): Promise<string | undefined> {
  return /https?:\S*\/requests\/confirm\/[\w-]+/.exec((await mailsTo(email)).join('\n'))?.[0]
}

async function mailsTo(email: string): Promise<string[]> {
  const mails = (await (await fetch(`${service.inbox}.json`)).json()) as { to: string[]; text: string }[]
  return mails.filter(({ to }) => to.includes(email)).map(({ text }) => text)
}

type Page = { url: URL; status: number; location: string | undefined; body: string }

/** Follows the addresses of an animal to the current one. */
async function opened(url: URL): Promise<Page> {
  const page = await visit(url)
  return page.status === 301 && page.location !== undefined ? opened(new URL(page.location, url)) : page
}

/** The form of the page with its hidden fields, and these. */
function submit({ url, status, body }: Page, fields: Record<string, string>): Promise<Page> {
  expect(status).toBe(200)
  const form = /<form[^>]*method="post"[^]*?<\/form>/.exec(body)?.[0] ?? ''
  const action = /^<form[^>]*action="([^"]*)"/.exec(form)?.[1] ?? ''
  const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? '',
    /value="([^"]*)"/.exec(input)?.[1] ?? '',
  ])
  return visit(new URL(action, url), String(new URLSearchParams({ ...Object.fromEntries(hidden), ...fields })))
}

/** At the site's port on this machine, whatever resolves its name. */
function visit(url: URL, form?: string): Promise<Page> {
  const headers = { Host: url.host, ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }) }
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: url.port,
      path: url.pathname + url.search,
      method: form === undefined ? 'GET' : 'POST',
      headers,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('end', () =>
        resolve({ url, status: response.statusCode ?? 0, location: response.headers.location, body }),
      )
    })
    sent.end(form)
  })
}
