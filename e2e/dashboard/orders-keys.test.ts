// The order inbox and the API keys in the dashboard. An order that a visitor sends from the
// published site appears automatically and is decided once. A key is shown once, works, is
// replaced without a gap, and is rejected as soon as it is revoked.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { seedStore } from '../../devserver/demo.ts'
import { decidedWords } from '../../server/src/orders/lifecycle.ts'
import * as orders from '../../server/src/orders/order-queries.ts'
import { overLimit } from '../../server/src/plans/limits.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { wordsOf } from '../../server/src/sites/strings.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { buildReference } from '../../tools/build-reference.ts'
import { barriersOn } from '../sites-environment.ts'
import { ANY, alertOf, like, press, saying } from './text-patterns.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { orders: ofOrders, keys: ofKeys, common } = texts

let dashboard: Dashboard
let owner: BrowserOwner
let viewer: BrowserOwner

beforeAll(async () => {
  await buildReference(join(import.meta.dirname, '../../server/public/reference'))
  dashboard = await startDashboard({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000' })
  owner = await dashboard.makeOwner({ name: 'Willow Street' })
  viewer = await dashboard.makeOwner()
  await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 20_000 })
  const invitation = { email: viewer.email, role: 'viewer' }
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, invitation)
  await viewer.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
})
afterAll(() => dashboard.close())

const inbox = (search = '') => `/projects/${owner.slug}/orders${search}`
const orderOf = (page: Page, animal: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: animal }) })
const dialog = (page: Page) => page.getByRole('dialog')
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: ofOrders.viewsLabel }).getByRole('link', { name })

/** Waits until the dialog is opaque: while it fades in, its colours differ. */
async function opened(page: Page): Promise<void> {
  const opacity = () => dialog(page).evaluate((element) => getComputedStyle(element).opacity)
  await expect.poll(opacity).toBe('1')
}

/** A visitor finds the animal on the published site and reserves it. */
async function reserve(animal: string, visitor: { name: string; contact: string; message?: string }): Promise<void> {
  const context = await dashboard.browser.newContext()
  const page = await context.newPage()
  await page.goto(dashboard.siteUrlOf(owner.slug))
  await page.getByRole('link', { name: animal }).first().click()
  await page.getByRole('textbox', { name: wordsOf.en.name }).fill(visitor.name)
  await page.getByRole('textbox', { name: wordsOf.en.reach }).fill(visitor.contact)
  await page.getByRole('textbox', { name: wordsOf.en.message }).fill(visitor.message ?? '')
  await press(page, wordsOf.en.send)
  await page.waitForURL(/\/thanks/)
  await context.close()
}

async function statusOf(animal: string): Promise<unknown> {
  const list = await owner.ask('GET', `/projects/${owner.slug}/animals?name=${encodeURIComponent(animal)}`)
  return (list as unknown as { status: string }[])[0]?.status
}

describe('orders', () => {
  test('appear automatically, are announced, and are approved or declined, which sells or releases the animal', async () => {
    const { page, complaints, context } = await dashboard.open(inbox(), { as: owner })
    await page.getByRole('heading', { name: ofOrders.empty.waiting }).waitFor()
    await page.getByText(ofOrders.emptyText).waitFor()
    await reserve('Juno', {
      name: 'Ben Miller',
      contact: 'ben@visitor.example',
      message: 'Saturday?\nWe have a garden.',
    })
    await page
      .getByRole('status')
      .filter({ hasText: ofOrders.arrived('Ben Miller', 'Juno') })
      .waitFor()
    await orderOf(page, 'Juno').getByText(ofOrders.fresh, { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'ben@visitor.example' }).getAttribute('href')).toBe(
      'mailto:ben@visitor.example',
    )
    expect(await orderOf(page, 'Juno').getByRole('blockquote').innerText()).toBe('Saturday?\nWe have a garden.')
    await orderOf(page, 'Juno').getByText(ofOrders.heldBefore('Juno', 'Ben Miller')).waitFor()
    expect(await statusOf('Juno')).toBe('pending')

    await reserve('Luna', { name: 'Ana', contact: '+44 20 7946 0958' })
    await orderOf(page, 'Luna').getByText(ofOrders.noMessage).waitFor()
    expect(await page.getByRole('link', { name: '+44 20' }).getAttribute('href')).toBe('tel:+442079460958')
    await tab(page, `${ofOrders.views.waiting} ${ofOrders.waitingCount('2')}`).waitFor()

    await press(page, ofOrders.approveOf('Juno', 'Ben Miller'))
    await dialog(page).getByText(ofOrders.approveText('Juno')).waitFor()
    await page.keyboard.press('Enter')
    await alertOf(
      page,
      ofOrders.approved('Juno', `${ofOrders.reaching.email('Ben Miller')} ben@visitor.example`),
    ).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await orderOf(page, 'Juno').count()).toBe(0)
    const list = page.getByRole('group', { name: ofOrders.listLabel.waiting })
    await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await statusOf('Juno')).toBe('sold')

    await press(page, ofOrders.declineOf('Luna', 'Ana'))
    await dialog(page).getByText(ofOrders.declineText('Luna')).waitFor()
    await press(dialog(page), ofOrders.decline)
    await page.getByRole('heading', { name: ofOrders.empty.waiting }).waitFor()
    expect(await statusOf('Luna')).toBe('available')

    await tab(page, ofOrders.views.decided).click()
    const today = common.at(common.today, ANY)
    await saying(orderOf(page, 'Juno'), ofOrders.outcomes.approved('Mia', today)).waitFor()
    await saying(orderOf(page, 'Luna'), ofOrders.outcomes.declined('Mia', today)).waitFor()
    await orderOf(page, 'Luna').getByRole('link', { name: 'Luna' }).click()
    await page.getByRole('grid', { name: texts.animals.title }).getByRole('row', { name: 'Luna' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that a colleague has decided in the meantime stay decided, and the slower user sees why', async () => {
    await reserve('Clover', { name: 'Eve', contact: 'eve@visitor.example' })
    const [fast, slow] = await Promise.all([
      dashboard.open(inbox(), { as: owner }),
      dashboard.open(inbox('?show=all'), { as: owner }),
    ])
    await press(slow.page, ofOrders.declineOf('Clover', 'Eve'))
    await press(fast.page, ofOrders.approveOf('Clover', 'Eve'))
    await press(dialog(fast.page), ofOrders.approve)
    await dialog(fast.page).waitFor({ state: 'detached' })
    await press(dialog(slow.page), ofOrders.decline)
    await alertOf(slow.page, ofOrders.late).getByText(ofOrders.lateText(decidedWords.approved)).waitFor()
    await saying(orderOf(slow.page, 'Clover'), ofOrders.outcomes.approved('Mia', ANY)).waitFor()
    expect(await statusOf('Clover')).toBe('sold')
    expect([...fast.complaints, ...slow.complaints]).toEqual([])
    await fast.context.close()
    await slow.context.close()
  })

  test('that a colleague decides leave the inbox automatically', async () => {
    await reserve('Squeak', { name: 'Kim', contact: 'kim@visitor.example' })
    const { page, context } = await dashboard.open(inbox(), { as: owner })
    await orderOf(page, 'Squeak').waitFor()
    const waiting = await owner.ask('GET', `/projects/${owner.slug}/orders?status=placed`)
    const { id } = (waiting as unknown as { id: number }[])[0] ?? {}
    await owner.ask('POST', `/projects/${owner.slug}/orders/${id}/decline`)
    await page.getByRole('heading', { name: ofOrders.empty.waiting }).waitFor()
    await context.close()
  })

  test('are visible to a viewer, who cannot decide', async () => {
    await orderFor(owner, 'Otis', { name: 'Noa', contact: 'evenings only, 12', message: '' })
    const { page, complaints, context } = await dashboard.open(inbox(), { as: viewer })
    await orderOf(page, 'Otis').getByText('evenings only, 12').waitFor()
    await page.getByText(ofOrders.viewer).waitFor()
    const deciding = like(
      ofOrders.approve,
      ofOrders.decline,
      ofOrders.approveOf(ANY, ANY),
      ofOrders.declineOf(ANY, ANY),
    )
    expect(await page.getByRole('button', { name: deciding }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'evenings' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are loaded page by page', async () => {
    const shop = await dashboard.makeOwner()
    for (let at = 1; at <= 60; at += 1)
      await orderFor(shop, `Animal ${at}`, { name: 'Ben', contact: 'ben@visitor.example', message: '' })
    const { page, complaints, context } = await dashboard.open(`/projects/${shop.slug}/orders?show=all`, { as: shop })
    const items = page.getByRole('group', { name: ofOrders.listLabel.all }).getByRole('listitem')
    await items.nth(24).waitFor()
    expect(await items.count()).toBe(25)
    await press(page, common.more)
    await items.nth(49).waitFor()
    await press(page, common.more)
    await items.nth(59).waitFor()
    expect(await items.count()).toBe(60)
    expect(await page.getByRole('button', { name: common.more }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

/** Inserts an order of a shop that has no site. */
async function orderFor(
  shop: BrowserOwner,
  animal: string,
  visitor: { name: string; contact: string; message: string },
) {
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, shop.slug))
  if (project === undefined) throw new Error('the project is gone')
  const { id } = await shop.ask('POST', `/projects/${shop.slug}/animals`, { name: animal, categoryId: 1 })
  return inProjectOf(dashboard.database)(project, (db) =>
    orders.insert(db, project, { petId: BigInt(Number(id)), status: 'placed', ...visitor, hold: 86_400 }),
  )
}

const keysPage = (of: { slug: string } = owner) => `/projects/${of.slug}/settings/keys`
const keyOf = (page: Page, label: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })
const labelField = (page: Page) => page.getByRole('textbox', { name: ofKeys.label })

async function makeKey(page: Page, label: string): Promise<string> {
  await press(page, ofKeys.make)
  await labelField(page).fill(label)
  await press(page, ofKeys.does)
  return secretIn(page, label)
}

async function secretIn(page: Page, label: string): Promise<string> {
  const note = page.getByRole('group', { name: ofKeys.fresh(label) })
  await note.waitFor()
  return note.getByText(/^pets_/).innerText()
}

/** A key as lists show it, for `like`. */
const shownOf = (key: string) => ofKeys.display(`pets_${ANY}`, key.slice(-4))

const statusWith = async (key: string, path = '/pets') =>
  (await fetch(`${dashboard.origin}/v1${path}`, { headers: { Authorization: `Bearer ${key}` } })).status

describe('API keys', () => {
  test('are shown once, are limited to their scopes, and are rejected once revoked', async () => {
    const { page, complaints, context } = await dashboard.open(keysPage(), { as: owner })
    await page.getByRole('heading', { name: ofKeys.noneTitle }).waitFor()
    await page.getByText(ofKeys.used(0, 10), { exact: true }).waitFor()
    await press(page, ofKeys.make)
    const reads = ofKeys.scopeViews['pets:read'].label
    await page.getByRole('checkbox', { name: reads }).uncheck()
    await press(page, ofKeys.does)
    await page.getByText(ofKeys.labelNeeded).waitFor()
    await page.getByText(ofKeys.scopesNeeded).waitFor()
    await page.getByRole('checkbox', { name: reads }).check()
    await labelField(page).fill('Price list')
    await page.getByRole('textbox', { name: ofKeys.end }).fill('2020-01-31')
    await press(page, ofKeys.does)
    await page.getByText(ofKeys.endPast).waitFor()
    await page.getByRole('textbox', { name: ofKeys.end }).fill('2049-01-31')
    await press(page, ofKeys.does)
    const key = await secretIn(page, 'Price list')
    expect(await statusWith(key)).toBe(200)
    expect(await statusWith(key, '/store/orders')).toBe(403)
    await page.getByText(ofKeys.used(1, 10), { exact: true }).waitFor()
    const facts = `${ANY}${reads}${ANY}${common.at('31 January 2049', '23:59')}`
    expect(await keyOf(page, 'Price list').innerText()).toMatch(like(facts))
    await press(page, ofKeys.kept)
    expect(await page.getByText(key).count()).toBe(0)
    await page.reload()
    await saying(keyOf(page, 'Price list'), common.at(common.today, ANY)).first().waitFor()
    expect(await page.content()).not.toContain(key)

    await press(page, like(ofKeys.revokeOf('Price list', ANY)))
    await saying(dialog(page), ofKeys.text(ANY)).waitFor()
    await press(dialog(page), ofKeys.revoke)
    await page.getByText(ofKeys.noneWorks).waitFor()
    await expect.poll(() => statusWith(key)).toBe(401)
    await page.getByText(ofKeys.ended(1)).click()
    await keyOf(page, 'Price list').getByText(ofKeys.standings.revoked, { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are replaced, while the old key keeps working or ends at once', async () => {
    const shop = await dashboard.makeOwner()
    const { page, complaints, context } = await dashboard.open(keysPage(shop), { as: shop })
    const first = await makeKey(page, 'Stock system')
    await press(page, ofKeys.kept)
    await press(page, like(ofKeys.replaceOf('Stock system', ANY)))
    expect(await dialog(page).getByRole('radio', { name: ofKeys.overlaps['86400'] }).isChecked()).toBe(true)
    await dialog(page).getByRole('radio', { name: ofKeys.overlaps['3600'] }).check()
    await press(dialog(page), ofKeys.replaceDoes)
    const second = await secretIn(page, 'Stock system')
    const ends = [common.today, common.tomorrow].map((day) => ofKeys.oldEnds(shownOf(first), common.at(day, ANY)))
    await saying(page, ...ends).waitFor()
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    expect(await keyOf(page, 'Stock system').count()).toBe(2)

    await press(page, ofKeys.kept)
    await press(page, like(ofKeys.replaceOf('Stock system', shownOf(second))))
    await dialog(page).getByRole('radio', { name: ofKeys.overlaps['0'] }).check()
    await press(dialog(page), ofKeys.replaceDoes)
    const third = await secretIn(page, 'Stock system')
    await saying(page, ofKeys.oldEnded(shownOf(second))).waitFor()
    await expect.poll(() => statusWith(second)).toBe(401)
    expect([await statusWith(first), await statusWith(third)]).toEqual([200, 200])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are filled into the API reference, and show deprecated calls', async () => {
    const shop = await dashboard.makeOwner()
    const { page, complaints, context } = await dashboard.open(keysPage(shop), { as: shop })
    const key = await makeKey(page, 'App')
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: ofKeys.tryIt }).click()
    const reference = await opening
    await reference.getByRole('complementary').getByText('List animals').click()
    await reference
      .locator('section[id$="/animals/listPets"]')
      .getByRole('button', { name: /test request/i })
      .click()
    const sent = reference.waitForRequest((request) => request.url().startsWith(`${dashboard.origin}/v1/pets`))
    await reference
      .getByRole('dialog', { name: 'API Client' })
      .getByRole('button', { name: /^Send get request to/ })
      .click()
    expect((await sent).headers()['authorization']).toBe(`Bearer ${key}`)
    expect(reference.url()).not.toContain(key)
    expect(await reference.evaluate(() => window.opener === null)).toBe(true)

    await statusWith(key, '/pets/1')
    // Counts are written in batches every few seconds; the list refreshes automatically.
    await keyOf(page, 'App').getByText(ofKeys.deprecated(1), { exact: true }).waitFor()
    // Whatever the text is, the date is that of the contract.
    await page.getByText(ofKeys.deprecatedText).filter({ hasText: '5 December 2030' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are limited by the plan, and the page links to Plan for more', async () => {
    const shop = await dashboard.makeOwner()
    for (let at = 1; at <= 10; at += 1) await shop.ask('POST', `/projects/${shop.slug}/keys`, { label: `Key ${at}` })
    const { page, context } = await dashboard.open(keysPage(shop), { as: shop })
    await page.getByText(ofKeys.used(10, 10), { exact: true }).waitFor()
    await press(page, ofKeys.make)
    await labelField(page).fill('One more')
    await press(page, ofKeys.does)
    const refusal = overLimit('free', 'keys', 10)
    if (!refusal) throw new Error('the plan includes more keys')
    await alertOf(page, refusal.message).getByRole('link', { name: ofKeys.toPlan }).waitFor()
    expect(await labelField(page).inputValue()).toBe('One more')
    await context.close()
  })

  test('are visible to a viewer, who cannot change them', async () => {
    await owner.ask('POST', `/projects/${owner.slug}/keys`, { label: 'Seen by all' })
    const { page, complaints, context } = await dashboard.open(keysPage(), { as: viewer })
    await keyOf(page, 'Seen by all').waitFor()
    await page.getByText(ofKeys.viewer).waitFor()
    const named = [ofKeys.revokeOf, ofKeys.replaceOf].map((of) => of(ANY, ANY))
    const changing = like(ofKeys.make, ofKeys.revoke, ofKeys.replace, ...named)
    expect(await page.getByRole('button', { name: changing }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the pages of orders and API keys', () => {
  test.each([
    ['light', desk],
    ['dark', desk],
    ['light', phone],
    ['dark', phone],
  ] as const)('have no accessibility violation and fit the window, in %s mode at %j', async (scheme, size) => {
    const { page, complaints, context } = await dashboard.open(`/projects/${checked.slug}/orders`, {
      as: checked,
      scheme,
      size,
    })
    const checkPage = async () => {
      expect(await barriersOn(page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await orderOf(page, 'Animal').first().waitFor()
    await page
      .getByRole('button', { name: like(ofOrders.approveOf(ANY, ANY)) })
      .first()
      .click()
    await opened(page)
    await checkPage()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await tab(page, ofOrders.views.all).click()
    await saying(page, ofOrders.outcomes.approved('Mia', ANY)).waitFor()
    await checkPage()
    await page.goto(`${dashboard.origin}${keysPage(checked)}`)
    await keyOf(page, 'Price list').first().waitFor()
    await page.getByText(ofKeys.ended(1)).click()
    await press(page, ofKeys.make)
    await labelField(page).waitFor()
    await checkPage()
    await press(page, common.cancel)
    await page
      .getByRole('button', { name: like(ofKeys.replaceOf('Price list', ANY)) })
      .first()
      .click()
    await opened(page)
    await checkPage()
    await press(dialog(page), ofKeys.replaceDoes)
    await secretIn(page, 'Price list')
    await checkPage()
    await page.goto(`${dashboard.origin}/projects/${bare.slug}/orders`)
    await page.getByRole('heading', { name: ofOrders.empty.waiting }).waitFor()
    await checkPage()
    await page.goto(`${dashboard.origin}${keysPage(bare)}`)
    await page.getByRole('heading', { name: ofKeys.noneTitle }).waitFor()
    await checkPage()
    expect(complaints).toEqual([])
    await context.close()
  })
})

let checked: BrowserOwner
const bare = { slug: `bare-${randomBytes(4).toString('hex')}` }
beforeAll(async () => {
  checked = await dashboard.makeOwner({ plan: 'pro' })
  const long = 'Averylongnameofsomething'
  const approved = await orderFor(checked, 'Rex', { name: 'Ben', contact: 'ben@visitor.example', message: 'May I?' })
  await checked.ask('POST', `/projects/${checked.slug}/orders/${approved}/approve`)
  await orderFor(checked, `Animal ${long.repeat(9)}`, {
    name: long.repeat(4),
    contact: `${long.repeat(2)}@${long}.example`,
    message: `${long.repeat(30)}\n\nWe have a garden, and two children who cannot wait.`,
  })
  await orderFor(checked, 'Biscuit', { name: 'Ana Lopez', contact: '+44 20 7946 0958', message: '' })
  await checked.ask('POST', '/projects', { slug: bare.slug, name: 'Nothing yet' })
  const keys = `/projects/${checked.slug}/keys`
  const { id } = await checked.ask('POST', keys, { label: 'Old till' })
  await checked.ask('DELETE', `${keys}/${String(id)}`)
  await checked.ask('POST', keys, { label: long.repeat(4) })
  const { key } = await checked.ask('POST', keys, { label: 'Price list', scopes: ['pets:read'] })
  expect(await statusWith(String(key), '/pets/1')).toBe(404)
})
