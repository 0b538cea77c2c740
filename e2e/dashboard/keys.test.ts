// The API keys in the dashboard. A key is shown once, works, is replaced without a gap, and is
// rejected as soon as it is revoked.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { defaultRules } from '../../server/src/plans/limits.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { buildReference } from '../../tools/build-reference.ts'
import { barriersIn } from '../accessibility.ts'
import { ANY, alertOf, like, press, saying } from './text-patterns.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { keys: ofKeys, common } = texts

let dashboard: Dashboard
let owner: BrowserOwner
let viewer: BrowserOwner

beforeAll(async () => {
  await buildReference(join(import.meta.dirname, '../../server/public/reference'))
  dashboard = await startDashboard({ RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000' })
  owner = await dashboard.makeOwner({ name: 'Willow Street' })
  viewer = await dashboard.makeOwner()
  const invitation = { email: viewer.email, role: 'viewer' }
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, invitation)
  await viewer.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
})
afterAll(() => dashboard.close())

const dialog = (page: Page) => page.getByRole('dialog')
/** Waits until the dialog is opaque: while it fades in, its colours differ. */
async function opened(page: Page): Promise<void> {
  const opacity = () => dialog(page).evaluate((element) => getComputedStyle(element).opacity)
  await expect.poll(opacity).toBe('1')
}

const keysPage = (of: { slug: string } = owner) => `/projects/${of.slug}/settings/keys`
const keyOf = (page: Page, label: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })
const labelField = (page: Page) => page.getByRole('textbox', { name: ofKeys.label })

async function makeKey(page: Page, label: string): Promise<string> {
  await press(page, ofKeys.make)
  await labelField(page).fill(label)
  await press(page, ofKeys.action)
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
    await press(page, ofKeys.action)
    await page.getByText(ofKeys.labelNeeded).waitFor()
    await page.getByText(ofKeys.scopesNeeded).waitFor()
    await page.getByRole('checkbox', { name: reads }).check()
    await labelField(page).fill('Price list')
    await page.getByRole('textbox', { name: ofKeys.end }).fill('2020-01-31')
    await press(page, ofKeys.action)
    await page.getByText(ofKeys.endPast).waitFor()
    await page.getByRole('textbox', { name: ofKeys.end }).fill('2049-01-31')
    await press(page, ofKeys.action)
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
    await press(page, ofKeys.action)
    const refusal = defaultRules.overLimit('free', 'keys', 10)
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

describe('the page of API keys', () => {
  test.each([
    ['light', desk],
    ['dark', desk],
    ['light', phone],
    ['dark', phone],
  ] as const)('has no accessibility violation and fits the window, in %s mode at %j', async (scheme, size) => {
    const { page, complaints, context } = await dashboard.open(keysPage(checked), { as: checked, scheme, size })
    const checkPage = async () => {
      expect(await barriersIn(scheme, page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
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
  await checked.ask('POST', '/projects', { slug: bare.slug, name: 'Nothing yet' })
  const keys = `/projects/${checked.slug}/keys`
  const { id } = await checked.ask('POST', keys, { label: 'Old till' })
  await checked.ask('DELETE', `${keys}/${String(id)}`)
  await checked.ask('POST', keys, { label: 'Averylongnameofsomething'.repeat(4) })
  const { key } = await checked.ask('POST', keys, { label: 'Price list', scopes: ['pets:read'] })
  expect(await statusWith(String(key), '/pets/1')).toBe(404)
})
