// The animals pages: searching, adding, changing one or many at once; by mouse, by keyboard and on a phone. Imports have
// tests of their own.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { barriersIn, barriersOn } from '../accessibility.ts'
import { ANY, alertOf, like, press } from './text-patterns.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'
import { askFor } from './visitor-requests.ts'

const { animals: t, common, profiles } = texts

/** Timeout for a machine under other load. */
const patient = { timeout: 60_000 }

let dashboard: Dashboard
let owner: BrowserOwner

beforeAll(async () => {
  dashboard = await startDashboard()
  owner = await dashboard.makeOwner()
})
afterAll(() => dashboard.close())

const grid = (page: Page) => page.getByRole('grid', { name: t.title })
const rowOf = (page: Page, name: string) => grid(page).getByRole('row', { name })
const open = (page: Page, name: string) => rowOf(page, name).locator('.animal-name').click()
const dialog = (page: Page) => page.getByRole('dialog')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const nameOnPage = (page: Page) => page.getByRole('textbox', { name: profiles.fields.name, exact: true })
const toList = (page: Page) => page.getByRole('main').getByRole('link', { name: profiles.back, exact: true }).click()
const deleteOnPage = async (page: Page, name: string) => {
  await press(page, profiles.menu(name))
  await page.getByRole('menuitem', { name: profiles.delete }).click()
}
const chooseStatus = (page: Page, status: string) =>
  page.getByRole('group', { name: t.status }).getByText(status, { exact: true }).click()
const chip = (page: Page, category: string) =>
  page.getByRole('group', { name: t.category }).getByRole('button', { name: category })
/** The status of the animals as the server has it. */
const countsOf = async (shop: BrowserOwner) => {
  const { animals } = (await shop.ask('GET', `/projects/${shop.slug}/overview`)) as Record<string, never>
  return Object.fromEntries(
    Object.entries<{ count: number }>(animals ?? {}).map(([status, { count }]) => [status, count]),
  )
}
const nameField = (page: Page) => dialog(page).getByRole('textbox', { name: t.name, exact: true })
const searchField = (page: Page) => page.getByRole('searchbox', { name: t.search })
const choiceOf = (within: Page | Locator, name: string) => within.getByRole('combobox', { name })
const counted = (page: Page, count: number) => page.getByText(t.counted(count), { exact: true })
const mark = (page: Page, status: string) => press(page.getByRole('group', { name: t.bulk.mark }), status)
const activeRow = (page: Page) =>
  grid(page).evaluate((element) => {
    const id = element.getAttribute('aria-activedescendant')
    return id === null ? null : (document.getElementById(id)?.querySelector('.animal-name')?.textContent ?? null)
  })

const isInWindow = (row: Locator) =>
  row.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

/** Creates a shop with this many animals in two categories, through the API. */
async function shopWith(count: number): Promise<{ shop: BrowserOwner; dogs: number; cats: number; ids: number[] }> {
  const shop = await dashboard.makeOwner()
  const category = async (name: string) =>
    Number((await shop.ask('POST', `/projects/${shop.slug}/categories`, { name }))['id'])
  const [dogs, cats] = [await category('Dogs'), await category('Cats')]
  const ids: number[] = []
  for (let at = 1; at <= count; at += 1) {
    const body = { name: `Animal ${String(at).padStart(2, '0')}`, categoryId: at % 2 === 0 ? cats : dogs }
    ids.push(Number((await shop.ask('POST', `/projects/${shop.slug}/animals`, body))['id']))
  }
  return { shop, dogs, cats, ids }
}

const pageOf = (shop: BrowserOwner, search = '') => `/projects/${shop.slug}/animals${search}`

describe('an animal', () => {
  test('is added together with a new category, changed, and deleted', async () => {
    const { page, complaints, context } = await dashboard.open(pageOf(owner), { as: owner })
    await page.getByRole('heading', { name: t.emptyTitle }).waitFor()
    await page.getByRole('button', { name: t.add }).first().click()
    await press(dialog(page), t.dialog.add)
    await dialog(page).getByText(t.dialog.needsName).waitFor()
    await nameField(page).fill('Rex')
    await dialog(page).getByRole('textbox', { name: t.dialog.newCategoryName }).fill('Dogs')
    await press(dialog(page), t.dialog.addAnother)
    await alertOf(page, t.dialog.wasAdded('Rex')).waitFor()
    await nameField(page).fill('Mia')
    await page.keyboard.press('Enter')
    // Adding leads to the page of the animal, and back to the list.
    await heading(page, 'Mia').waitFor()
    await toList(page)
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(3)
    expect(await rowOf(page, 'Rex').textContent()).toContain('Dogs')

    await open(page, 'Rex')
    await nameOnPage(page).fill('Rexi')
    await chooseStatus(page, t.statuses.shop.sold)
    await alertOf(page, profiles.wasMarked('Rex', t.statuses.shop.sold)).waitFor()
    await toList(page)
    await rowOf(page, 'Rexi').waitFor()
    expect(await rowOf(page, 'Rexi').textContent()).toContain(t.statuses.shop.sold)

    await open(page, 'Mia')
    await deleteOnPage(page, 'Mia')
    await dialog(page).getByText(t.dialog.deleteText).waitFor()
    await press(dialog(page), t.dialog.delete)
    await rowOf(page, 'Rexi').waitFor()
    expect(await rowOf(page, 'Mia').count()).toBe(0)
    await expect.poll(() => counted(page, 1).count(), patient).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is duplicated from its page and from the list, hidden, with everything typed, and its name is typed next', async () => {
    const { shop } = await shopWith(1)
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    const isInName = () =>
      nameOnPage(page).evaluate(
        (input) =>
          input instanceof HTMLInputElement &&
          document.activeElement === input &&
          input.selectionEnd === input.value.length &&
          input.selectionStart === 0,
      )
    const isSaved = () =>
      page
        .getByRole('status')
        .filter({ hasText: like(profiles.savedAt(ANY)) })
        .waitFor(patient)
    await rowOf(page, 'Animal 01').waitFor()
    await grid(page).press('Enter')
    await page.getByRole('textbox', { name: profiles.fields.headline, exact: true }).fill('Sleeps in every bowl')

    // By keyboard alone, and at once: what was typed is saved first.
    await page.getByRole('button', { name: profiles.menu('Animal 01') }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: profiles.duplicate }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByText(profiles.isCopy).waitFor(patient)
    await expect.poll(isInName, patient).toBe(true)
    await page.keyboard.type('Mimi')
    await heading(page, 'Mimi').waitFor()
    expect(await page.getByRole('textbox', { name: profiles.fields.headline }).inputValue()).toBe(
      'Sleeps in every bowl',
    )
    expect(await page.getByRole('checkbox', { name: profiles.fields.isHidden }).isChecked()).toBe(false)
    await isSaved()
    expect(await barriersOn(page)).toEqual([])
    await page.getByRole('checkbox', { name: profiles.fields.isHidden }).check()
    await page.getByText(profiles.isCopy).waitFor({ state: 'detached' })
    await isSaved()

    await toList(page)
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(3)
    await rowOf(page, 'Mimi').getByRole('checkbox').click()
    await press(page, t.bulk.more)
    await page.getByRole('menuitem', { name: profiles.duplicate }).click()
    await page.getByText(profiles.isCopy).waitFor(patient)
    await expect.poll(isInName, patient).toBe(true)
    expect(await overflowOf(page)).toEqual([])
    await toList(page)
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(4)
    // With two, it is not clear which one.
    await page.getByRole('checkbox', { name: t.selectAll }).check()
    await press(page, t.bulk.more)
    await page.getByRole('menuitem', { name: t.bulk.hide.label }).waitFor()
    expect(await page.getByRole('menuitem', { name: profiles.duplicate }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is added from another page, with a category that the store has, and closing the form leaves the list', async () => {
    const { shop } = await shopWith(1)
    const size = phone
    const { page, complaints, context } = await dashboard.open(`/projects/${shop.slug}/requests`, { as: shop, size })
    await page.getByRole('link', { name: t.add }).click()
    await nameField(page).waitFor()
    expect(await choiceOf(dialog(page), t.category).getByRole('option').allTextContents()).toContain('Cats')
    expect(await dialog(page).getByRole('textbox').count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await rowOf(page, 'Animal 01').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('with an order cannot be deleted, and the page shows why', async () => {
    const { shop, ids } = await shopWith(1)
    await askFor(dashboard.database, shop, BigInt(ids[0] ?? 0), { name: 'Ben', contact: 'ben@visitor.example' })
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    await rowOf(page, 'Animal 01').waitFor()
    await grid(page).press('Enter')
    await deleteOnPage(page, 'Animal 01')
    await press(dialog(page), t.dialog.delete)
    await alertOf(dialog(page), 'This animal has orders').filter({ hasText: t.dialog.deleteInstead.shop }).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await toList(page)
    await rowOf(page, 'Animal 01').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the list', () => {
  test('is filtered by name, status and category, and the URL contains the filter', async () => {
    const { shop, cats } = await shopWith(12)
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    await counted(page, 12).waitFor()
    await grid(page).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('animal 1')
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(4)
    expect(new URL(page.url()).searchParams.get('name')).toBe('animal 1')
    await chip(page, 'Cats').click()
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(3)
    expect(new URL(page.url()).searchParams.get('category')).toBe(String(cats))

    const shared = await dashboard.open(new URL(page.url()).pathname + new URL(page.url()).search, { as: shop })
    await rowOf(shared.page, 'Animal 12').waitFor()
    expect(await grid(shared.page).getByRole('row').count()).toBe(3)
    expect(await searchField(shared.page).inputValue()).toBe('animal 1')
    await shared.context.close()

    await choiceOf(page, t.status).selectOption(t.statuses.shop.sold)
    await page.getByRole('heading', { name: t.noneTitle }).waitFor()
    await press(page, t.clearFilters)
    await counted(page, 12).waitFor()
    expect(await searchField(page).inputValue()).toBe('')

    const first = grid(page).getByRole('row').filter({ hasText: 'Animal' }).first()
    await expect.poll(() => first.textContent(), patient).toContain('Animal 12')
    await choiceOf(page, t.order).selectOption(t.byName)
    await expect.poll(() => first.textContent(), patient).toContain('Animal 01')
    await choiceOf(page, t.photos).selectOption(t.noPhoto)
    await counted(page, 12).waitFor()
    expect(new URL(page.url()).search).toBe('?photo=none&sort=name')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('can be navigated, selected from and opened by keyboard', async () => {
    const { shop } = await shopWith(30)
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    await press(page, t.views.table)
    await rowOf(page, 'Animal 30').waitFor()
    await grid(page).focus()
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('31')
    expect(await activeRow(page)).toBe('Animal 30')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await activeRow(page)).toBe('Animal 28')
    await page.keyboard.press('End')
    await expect.poll(() => activeRow(page), patient).toBe('Animal 01')
    expect(await rowOf(page, 'Animal 01').getAttribute('aria-rowindex')).toBe('31')
    await expect.poll(() => rowOf(page, 'Animal 01').isVisible(), patient).toBe(true)
    await page.keyboard.press('PageUp')
    expect(await activeRow(page)).not.toBe('Animal 01')
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    expect(await rowOf(page, 'Animal 30').getAttribute('aria-selected')).toBe('true')
    await page.getByText(t.bulk.selected(1), { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Animal 30').waitFor()
    expect(await nameOnPage(page).inputValue()).toBe('Animal 30')
    await page.goBack()
    await rowOf(page, 'Animal 30').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is shown as cards, in which all arrow keys move, and remembers that a table was chosen', async () => {
    const { shop } = await shopWith(30)
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    await rowOf(page, 'Animal 30').waitFor()
    await grid(page).focus()
    await page.keyboard.press('ArrowRight')
    expect(await activeRow(page)).toBe('Animal 29')
    await page.keyboard.press('ArrowDown')
    expect(await activeRow(page)).toBe('Animal 25')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    expect(await activeRow(page)).toBe('Animal 30')
    await page.keyboard.press('End')
    await expect.poll(() => activeRow(page), patient).toBe('Animal 01')
    expect(await rowOf(page, 'Animal 01').getAttribute('aria-rowindex')).toBe('31')
    await expect.poll(() => isInWindow(rowOf(page, 'Animal 01')), patient).toBe(true)
    const isTable = async () =>
      (await page.getByRole('button', { name: t.views.table }).getAttribute('aria-pressed')) === 'true'
    expect(await isTable()).toBe(false)
    await press(page, t.views.table)
    await page.reload()
    await rowOf(page, 'Animal 30').waitFor()
    expect(await isTable()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('takes a status back that was set by hand, of one animal and of several', async () => {
    const { shop } = await shopWith(4)
    const { page, complaints, context } = await dashboard.open(pageOf(shop, '?status=available'), { as: shop })
    await open(page, 'Animal 02')
    await chooseStatus(page, t.statuses.shop.sold)
    await alertOf(page, profiles.wasMarked('Animal 02', t.statuses.shop.sold)).waitFor()
    expect(await countsOf(shop)).toEqual({ available: 3, pending: 0, sold: 1 })
    await press(page, common.undo)
    await alertOf(page, t.bulk.undone(1)).waitFor()
    await expect
      .poll(() => page.getByRole('radio', { name: t.statuses.shop.available }).isChecked(), patient)
      .toBe(true)
    expect(await countsOf(shop)).toEqual({ available: 4, pending: 0, sold: 0 })
    await page.goBack()
    await rowOf(page, 'Animal 02').waitFor()

    await page.getByRole('checkbox', { name: t.selectAll, exact: true }).check()
    await mark(page, t.statuses.shop.pending)
    await press(dialog(page), t.bulk.action)
    await alertOf(page, t.bulk.done(4, t.statuses.shop.pending)).waitFor()
    expect(await countsOf(shop)).toEqual({ available: 0, pending: 4, sold: 0 })
    await press(page, common.undo)
    await alertOf(page, t.bulk.undone(4)).waitFor()
    await rowOf(page, 'Animal 01').waitFor()
    expect(await countsOf(shop)).toEqual({ available: 4, pending: 0, sold: 0 })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('marks many animals at once, and hides those that no longer match the filter', async () => {
    const { shop } = await shopWith(12)
    const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
    await rowOf(page, 'Animal 11').getByRole('checkbox').click()
    await rowOf(page, 'Animal 08')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await page.getByText(t.bulk.selected(4), { exact: true }).waitFor()
    await mark(page, t.statuses.shop.sold)
    await dialog(page).getByText(t.bulk.sells).waitFor()
    await press(dialog(page), t.bulk.action)
    await alertOf(page, t.bulk.done(4, t.statuses.shop.sold)).waitFor()
    await expect
      .poll(() => grid(page).getByRole('gridcell', { name: t.statuses.shop.sold, exact: true }).count(), patient)
      .toBe(4)

    await choiceOf(page, t.status).selectOption(t.statuses.shop.available)
    await counted(page, 8).waitFor()
    await page.getByRole('checkbox', { name: t.selectAll, exact: true }).check()
    await mark(page, t.statuses.shop.pending)
    await press(dialog(page), t.bulk.action)
    await page.getByRole('heading', { name: t.noneTitle }).waitFor()
    const counts = (await shop.ask('GET', `/projects/${shop.slug}/overview`))['animals']
    expect(counts).toMatchObject({ available: { count: 0 }, pending: { count: 8 }, sold: { count: 4 } })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows that the server is unavailable, and continues automatically', async () => {
    const { shop } = await shopWith(3)
    const { page, context } = await dashboard.open(pageOf(shop), { as: shop })
    await counted(page, 3).waitFor()
    await dashboard.restart(async () => {
      await choiceOf(page, t.status).selectOption(t.statuses.shop.available)
      await page.getByRole('status').filter({ hasText: common.offline }).waitFor()
    })
    await rowOf(page, 'Animal 03').waitFor()
    await context.close()
  })
})

test('categories are created, renamed and deleted, unless animals use them', async () => {
  const { shop } = await shopWith(1)
  const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: shop })
  await press(page, t.categories)
  await dialog(page).getByRole('textbox', { name: t.categoriesDialog.newName }).fill('Birds')
  await page.keyboard.press('Enter')
  await press(dialog(page), t.categoriesDialog.renameOf('Birds'))
  await page.keyboard.type('Parrots')
  await page.keyboard.press('Enter')
  const number = await dialog(page).getByRole('listitem').filter({ hasText: 'Parrots' }).textContent()
  await press(dialog(page), t.categoriesDialog.deleteOf('Parrots'))
  await dialog(page).getByText('Parrots').waitFor({ state: 'detached' })
  await alertOf(page, t.categoriesDialog.wasDeleted('Parrots')).getByRole('button', { name: common.undo }).click()
  await dialog(page).getByText('Parrots').waitFor()
  expect(await dialog(page).getByRole('listitem').filter({ hasText: 'Parrots' }).textContent()).toBe(number)
  await press(dialog(page), t.categoriesDialog.deleteOf('Dogs'))
  await alertOf(dialog(page), 'Animals still use this category').waitFor()
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('a viewer sees the animals and cannot change them', async () => {
  const { shop } = await shopWith(2)
  const viewer = await dashboard.makeOwner()
  const invitation = { email: viewer.email, role: 'viewer' }
  const invited = await shop.ask('POST', `/projects/${shop.slug}/invitations`, invitation)
  await viewer.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  const { page, complaints, context } = await dashboard.open(pageOf(shop), { as: viewer })
  await rowOf(page, 'Animal 02').waitFor()
  expect(await page.getByRole('button', { name: t.add }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await grid(page).press('Enter')
  await heading(page, 'Animal 02').waitFor()
  expect(await nameOnPage(page).isEditable()).toBe(false)
  await toList(page)
  await page.getByRole('link', { name: t.import }).click()
  await page.getByText(common.needsAdmin).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

let checked: BrowserOwner
beforeAll(async () => {
  checked = await dashboard.makeOwner()
  const path = `/projects/${checked.slug}`
  const { id: dogs } = await checked.ask('POST', `${path}/categories`, { name: 'Dogs' })
  const { id: long } = await checked.ask('POST', `${path}/categories`, { name: 'Categoryname'.repeat(12) })
  const animals: [string, unknown, string?][] = [
    ['Rex', dogs, 'sold'],
    ['Biscuit', dogs, 'pending'],
    ['Averylongnameofananimal'.repeat(10), long],
    ['Juno', dogs],
    ['Old Tom', 77],
  ]
  for (const [name, categoryId, status = 'available'] of animals)
    await checked.ask('POST', `${path}/animals`, { name, categoryId, status })
})

describe.each([
  ['light', desk],
  ['dark', desk],
  ['light', phone],
  ['dark', phone],
] as const)('the animals pages in %s mode at %o', (scheme, size) => {
  test('have no accessibility violation and fit the window, with their dialogs', async () => {
    const { page, complaints, context } = await dashboard.open(pageOf(checked), { as: checked, scheme, size })
    const checkPage = async () => {
      expect(await barriersIn(scheme, page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await rowOf(page, 'Biscuit').waitFor()
    await rowOf(page, 'Rex').getByRole('checkbox').click()
    await checkPage()
    await press(page, t.add)
    await dialog(page).waitFor()
    await page.waitForFunction(() => document.getAnimations().length === 0)
    await checkPage()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await open(page, 'Averylongname')
    await page.getByRole('heading', { level: 2, name: profiles.groups.story }).waitFor()
    await checkPage()
    expect(complaints).toEqual([])
    await context.close()
  })
})
