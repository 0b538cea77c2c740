// The inbox and the API keys, as the people of a shop use them: what a visitor sends from
// the published site appears by itself and is decided once; a key is seen once, works,
// is replaced without a gap, and is refused as soon as it is revoked.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { furnishStore } from '../../server/dev/demo.ts'
import * as orders from '../../server/src/orders/queries.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.ts'
import { buildReference } from '../../tools/build-reference.ts'
import { barriersOn } from '../sites-stage.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type Owner } from './stage.ts'

let stage: Dashboard
let owner: Owner
let viewer: Owner

beforeAll(async () => {
  await buildReference(join(import.meta.dirname, '../../server/public/reference'))
  stage = await startDashboard({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000' })
  owner = await stage.makeOwner({ name: 'Willow Street' })
  viewer = await stage.makeOwner()
  await furnishStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 20_000 })
  const { secret } = await owner.ask('POST', `/projects/${owner.slug}/invitations`, { role: 'viewer' })
  await viewer.ask('POST', '/invitations/accept', { secret })
})
afterAll(() => stage.close())

const inbox = (search = '') => `/projects/${owner.slug}/orders${search}`
const orderOf = (page: Page, animal: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: animal }) })
const dialog = (page: Page) => page.getByRole('dialog')

/** What still fades in has other colours. */
async function opened(page: Page): Promise<void> {
  const opacity = () => dialog(page).evaluate((element) => getComputedStyle(element).opacity)
  await expect.poll(opacity, { timeout: 10_000 }).toBe('1')
}

/** A visitor finds the animal on the published site and reserves it. */
async function reserve(animal: string, visitor: { name: string; contact: string; message?: string }): Promise<void> {
  const context = await stage.browser.newContext()
  const page = await context.newPage()
  await page.goto(stage.siteUrlOf(owner.slug))
  await page.getByRole('link', { name: animal }).first().click()
  await page.getByLabel('Your name').fill(visitor.name)
  await page.getByLabel('E-mail or phone').fill(visitor.contact)
  await page.getByLabel('Message').fill(visitor.message ?? '')
  await page.getByRole('button', { name: 'Send reservation' }).click()
  await page.waitForURL(/\/thanks/)
  await context.close()
}

async function statusOf(animal: string): Promise<unknown> {
  const list = await owner.ask('GET', `/projects/${owner.slug}/animals?name=${encodeURIComponent(animal)}`)
  return (list as unknown as { status: string }[])[0]?.status
}

describe('orders', () => {
  test('appear by themselves, are announced, and are approved or declined, which sells or frees the animal', async () => {
    const { page, complaints, context } = await stage.open(inbox(), { as: owner })
    await page.getByText('Nothing waits for you').waitFor()
    await page.getByText('press “Reserve”', { exact: false }).waitFor()
    await reserve('Juno', {
      name: 'Ben Miller',
      contact: 'ben@visitor.example',
      message: 'Saturday?\nWe have a garden.',
    })
    await page.getByRole('status').filter({ hasText: 'New order: Ben Miller asks for Juno.' }).waitFor()
    await orderOf(page, 'Juno').getByText('New', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'ben@visitor.example' }).getAttribute('href')).toBe(
      'mailto:ben@visitor.example',
    )
    expect(await orderOf(page, 'Juno').getByRole('blockquote').innerText()).toBe('Saturday?\nWe have a garden.')
    await orderOf(page, 'Juno').getByText('Juno is held for Ben Miller until').waitFor()
    expect(await statusOf('Juno')).toBe('pending')

    await reserve('Luna', { name: 'Ana', contact: '+44 20 7946 0958' })
    await orderOf(page, 'Luna').getByText('No message.').waitFor()
    expect(await page.getByRole('link', { name: '+44 20' }).getAttribute('href')).toBe('tel:+442079460958')
    await page.getByRole('link', { name: /Waiting.*2 waiting/ }).waitFor()

    await page.getByRole('button', { name: 'Approve: Juno for Ben Miller' }).click()
    await dialog(page).getByText('Juno is sold then.', { exact: false }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Please tell Ben Miller the good news: ben@visitor.example').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await orderOf(page, 'Juno').count()).toBe(0)
    const list = page.getByRole('group', { name: 'Orders that wait for a decision' })
    await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await statusOf('Juno')).toBe('sold')

    await page.getByRole('button', { name: 'Decline: Luna for Ana' }).click()
    await dialog(page).getByText('Luna is free again then.', { exact: false }).waitFor()
    await dialog(page).getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await statusOf('Luna')).toBe('available')

    await page.getByRole('link', { name: 'Decided' }).click()
    await orderOf(page, 'Juno').getByText('Approved by Mia, today at', { exact: false }).waitFor()
    await orderOf(page, 'Luna').getByText('Declined by Mia, today at', { exact: false }).waitFor()
    await orderOf(page, 'Luna').getByRole('link', { name: 'Luna' }).click()
    await page.getByRole('grid', { name: 'Animals' }).getByRole('row', { name: 'Luna' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that somebody else decided meanwhile stay decided, and whoever was slower is told', async () => {
    await reserve('Clover', { name: 'Eve', contact: 'eve@visitor.example' })
    const [fast, slow] = await Promise.all([
      stage.open(inbox(), { as: owner }),
      stage.open(inbox('?show=all'), { as: owner }),
    ])
    await slow.page.getByRole('button', { name: 'Decline: Clover' }).click()
    await fast.page.getByRole('button', { name: 'Approve: Clover' }).click()
    await dialog(fast.page).getByRole('button', { name: 'Approve' }).click()
    await dialog(fast.page).waitFor({ state: 'detached' })
    await dialog(slow.page).getByRole('button', { name: 'Decline' }).click()
    await slow.page.getByText('Somebody was faster').waitFor()
    await slow.page.getByText('This order was approved already.', { exact: false }).waitFor()
    await orderOf(slow.page, 'Clover').getByText('Approved by Mia', { exact: false }).waitFor()
    expect(await statusOf('Clover')).toBe('sold')
    expect([...fast.complaints, ...slow.complaints]).toEqual([])
    await fast.context.close()
    await slow.context.close()
  })

  test('that somebody else decides leave the inbox by themselves', async () => {
    await reserve('Squeak', { name: 'Kim', contact: 'kim@visitor.example' })
    const { page, context } = await stage.open(inbox(), { as: owner })
    await orderOf(page, 'Squeak').waitFor()
    const waiting = await owner.ask('GET', `/projects/${owner.slug}/orders?status=placed`)
    const { id } = (waiting as unknown as { id: number }[])[0] ?? {}
    await owner.ask('POST', `/projects/${owner.slug}/orders/${id}/decline`)
    await page.getByText('Nothing waits for you').waitFor()
    await context.close()
  })

  test('are read by a viewer, who cannot decide', async () => {
    await orderFor(owner, 'Otis', { name: 'Noa', contact: 'evenings only, 12', message: '' })
    const { page, complaints, context } = await stage.open(inbox(), { as: viewer })
    await orderOf(page, 'Otis').getByText('evenings only, 12').waitFor()
    await page.getByText('Admins and owners of the project decide.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: /Approve|Decline/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'evenings' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('go on page after page', async () => {
    const shop = await stage.makeOwner()
    for (let at = 1; at <= 60; at += 1)
      await orderFor(shop, `Animal ${at}`, { name: 'Ben', contact: 'ben@visitor.example', message: '' })
    const { page, complaints, context } = await stage.open(`/projects/${shop.slug}/orders?show=all`, { as: shop })
    const items = page.getByRole('group', { name: 'All orders' }).getByRole('listitem')
    await items.nth(24).waitFor()
    expect(await items.count()).toBe(25)
    await page.getByRole('button', { name: 'Show more' }).click()
    await items.nth(49).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await items.nth(59).waitFor()
    expect(await items.count()).toBe(60)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

/** An order of a shop that has no site. */
async function orderFor(shop: Owner, animal: string, visitor: { name: string; contact: string; message: string }) {
  const project = await inDirectoryOf(stage.database)((db) => directory.findSlug(db, shop.slug))
  if (project === undefined) throw new Error('the project is gone')
  const { id } = await shop.ask('POST', `/projects/${shop.slug}/animals`, { name: animal, categoryId: 1 })
  return inProjectOf(stage.database)(project, (db) =>
    orders.insert(db, project, { petId: BigInt(Number(id)), status: 'placed', ...visitor, hold: 86_400 }),
  )
}

const keysPage = (of: { slug: string } = owner) => `/projects/${of.slug}/settings/keys`
const keyOf = (page: Page, label: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })

async function makeKey(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('What it is for').fill(label)
  await page.getByRole('button', { name: 'Make key' }).click()
  return secretIn(page, label)
}

async function secretIn(page: Page, label: string): Promise<string> {
  const note = page.getByRole('group', { name: `The key for “${label}”` })
  await note.waitFor()
  return note.getByText(/^pets_/).innerText()
}

const asking = async (key: string, path = '/pets') =>
  (await fetch(`${stage.origin}/v1${path}`, { headers: { Authorization: `Bearer ${key}` } })).status

describe('API keys', () => {
  test('are shown once, do what they may, and are refused once they are revoked', async () => {
    const { page, complaints, context } = await stage.open(keysPage(), { as: owner })
    await page.getByText('No keys yet').waitFor()
    await page.getByText('0 of 10 keys in use.').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('checkbox', { name: 'Read animals' }).uncheck()
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText('Please say what the key is for.').waitFor()
    await page.getByText('Choose at least one of these.').waitFor()
    await page.getByRole('checkbox', { name: 'Read animals' }).check()
    await page.getByLabel('What it is for').fill('Price list')
    await page.getByLabel('Last day').fill('2020-01-31')
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText('This day is over.', { exact: false }).waitFor()
    await page.getByLabel('Last day').fill('2049-01-31')
    await page.getByRole('button', { name: 'Make key' }).click()
    const key = await secretIn(page, 'Price list')
    expect(await asking(key)).toBe(200)
    expect(await asking(key, '/store/orders')).toBe(403)
    await page.getByText('1 of 10 keys in use.').waitFor()
    expect(await keyOf(page, 'Price list').innerText()).toMatch(/Read animals[^]*31 January 2049 at 23:59/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.getByText(key).count()).toBe(0)
    await page.reload()
    await keyOf(page, 'Price list')
      .getByText(/^Today|today at/)
      .first()
      .waitFor()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: /^Revoke: Price list/ }).click()
    await dialog(page).getByText('This cannot be taken back', { exact: false }).waitFor()
    await dialog(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No key works at the moment.').waitFor()
    await expect.poll(() => asking(key), { timeout: 2000 }).toBe(401)
    await page.getByText('1 key that has ended').click()
    await keyOf(page, 'Price list').getByText('Revoked').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are replaced while the old one goes on working, or ends at once', async () => {
    const shop = await stage.makeOwner()
    const { page, complaints, context } = await stage.open(keysPage(shop), { as: shop })
    const first = await makeKey(page, 'Stock system')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: /^Replace: Stock system/ }).click()
    expect(await dialog(page).getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true)
    await dialog(page).getByRole('radio', { name: '1 hour' }).check()
    await dialog(page).getByRole('button', { name: 'Replace key' }).click()
    const second = await secretIn(page, 'Stock system')
    await page.getByText(/The old key pets_\S+ works until (today|tomorrow) at/).waitFor()
    expect([await asking(first), await asking(second)]).toEqual([200, 200])
    expect(await keyOf(page, 'Stock system').count()).toBe(2)

    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: new RegExp(`^Replace: Stock system, .*…${second.slice(-4)}$`) }).click()
    await dialog(page).getByRole('radio', { name: 'no longer: it ends at once' }).check()
    await dialog(page).getByRole('button', { name: 'Replace key' }).click()
    const third = await secretIn(page, 'Stock system')
    await page.getByText(/The old key pets_\S+ does not work any more\./).waitFor()
    await expect.poll(() => asking(second), { timeout: 2000 }).toBe(401)
    expect([await asking(first), await asking(third)]).toEqual([200, 200])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('fill in the reference, and tell of outdated calls', async () => {
    const shop = await stage.makeOwner()
    const { page, complaints, context } = await stage.open(keysPage(shop), { as: shop })
    const key = await makeKey(page, 'App')
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open the API reference with this key' }).click()
    const reference = await opening
    await reference.getByRole('complementary').getByText('List animals').click()
    await reference
      .locator('section[id$="/animals/listPets"]')
      .getByRole('button', { name: /test request/i })
      .click()
    const sent = reference.waitForRequest((request) => request.url().startsWith(`${stage.origin}/v1/pets`))
    await reference
      .getByRole('dialog', { name: 'API Client' })
      .getByRole('button', { name: /^Send get request to/ })
      .click()
    expect((await sent).headers()['authorization']).toBe(`Bearer ${key}`)
    expect(reference.url()).not.toContain(key)
    expect(await reference.evaluate(() => window.opener === null)).toBe(true)

    await asking(key, '/pets/1')
    // Counted together with others, every few seconds; the list is read again by itself.
    await keyOf(page, 'App').getByText('1 outdated call').waitFor()
    await page.getByText('That ends on 5 December 2030.', { exact: false }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are as many as the plan includes, and the page says what to do about more', async () => {
    const shop = await stage.makeOwner()
    for (let at = 1; at <= 10; at += 1) await shop.ask('POST', `/projects/${shop.slug}/keys`, { label: `Key ${at}` })
    const { page, context } = await stage.open(keysPage(shop), { as: shop })
    await page.getByText('10 of 10 keys in use.').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('What it is for').fill('One more')
    await page.getByRole('button', { name: 'Make key' }).click()
    const told = page.getByRole('alert').filter({ hasText: 'includes 10 API keys; 10 are in use.' })
    await told.getByRole('link', { name: 'Go to your plan' }).waitFor()
    expect(await page.getByLabel('What it is for').inputValue()).toBe('One more')
    await context.close()
  })

  test('are seen by a viewer, who can change none', async () => {
    await owner.ask('POST', `/projects/${owner.slug}/keys`, { label: 'Seen by all' })
    const { page, complaints, context } = await stage.open(keysPage(), { as: viewer })
    await keyOf(page, 'Seen by all').waitFor()
    await page.getByText('Admins and owners of the project make and revoke them.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: /New key|Revoke|Replace/ }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the pages', () => {
  test.each([
    ['light', desk],
    ['dark', desk],
    ['light', phone],
    ['dark', phone],
  ] as const)('have no barrier and fit, %s and %j', async (scheme, size) => {
    const { page, complaints, context } = await stage.open(`/projects/${looked.slug}/orders`, {
      as: looked,
      scheme,
      size,
    })
    const look = async () => {
      expect(await barriersOn(page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await orderOf(page, 'Animal').first().waitFor()
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    await opened(page)
    await look()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All' }).click()
    await page.getByText('Approved by Mia', { exact: false }).waitFor()
    await look()
    await page.goto(`${stage.origin}${keysPage(looked)}`)
    await keyOf(page, 'Price list').first().waitFor()
    await page.getByText('1 key that has ended').click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('What it is for').waitFor()
    await look()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('button', { name: /^Replace: Price list/ })
      .first()
      .click()
    await opened(page)
    await look()
    await dialog(page).getByRole('button', { name: 'Replace key' }).click()
    await secretIn(page, 'Price list')
    await look()
    await page.goto(`${stage.origin}/projects/${bare.slug}/orders`)
    await page.getByText('Nothing waits for you').waitFor()
    await look()
    await page.goto(`${stage.origin}${keysPage(bare)}`)
    await page.getByText('No keys yet').waitFor()
    await look()
    expect(complaints).toEqual([])
    await context.close()
  })
})

let looked: Owner
const bare = { slug: `bare-${randomBytes(4).toString('hex')}` }
beforeAll(async () => {
  looked = await stage.makeOwner({ plan: 'pro' })
  const long = 'Averylongnameofsomething'
  const approved = await orderFor(looked, 'Rex', { name: 'Ben', contact: 'ben@visitor.example', message: 'May I?' })
  await looked.ask('POST', `/projects/${looked.slug}/orders/${approved}/approve`)
  await orderFor(looked, `Animal ${long.repeat(9)}`, {
    name: long.repeat(4),
    contact: `${long.repeat(2)}@${long}.example`,
    message: `${long.repeat(30)}\n\nWe have a garden, and two children who cannot wait.`,
  })
  await orderFor(looked, 'Biscuit', { name: 'Ana Lopez', contact: '+44 20 7946 0958', message: '' })
  await looked.ask('POST', '/projects', { slug: bare.slug, name: 'Nothing yet' })
  const keys = `/projects/${looked.slug}/keys`
  const { id } = await looked.ask('POST', keys, { label: 'Old till' })
  await looked.ask('DELETE', `${keys}/${String(id)}`)
  await looked.ask('POST', keys, { label: long.repeat(4) })
  const { key } = await looked.ask('POST', keys, { label: 'Price list', scopes: ['pets:read'] })
  expect(await asking(String(key), '/pets/1')).toBe(404)
})
