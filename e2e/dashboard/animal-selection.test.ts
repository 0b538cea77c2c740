// The actions on selected animals: hidden, shown, moved to another category and printed, with what visitors see then; by
// keyboard and on a phone. And the list by completeness. With SHOTS=<folder>, screenshots are stored for a person to look at.

import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { publishAtOnce } from '../../testbed/harness/publish.ts'
import { barriersIn, settled } from '../accessibility.ts'
import { desk, overflowOf, phone, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { alertOf, press } from './text-patterns.ts'

const { animals: t, common } = texts
const { bulk } = t

/** Timeout for a machine under other load. */
const patient = { timeout: 60_000 }

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard.close())

const grid = (page: Page) => page.getByRole('grid', { name: t.title })
const rowOf = (page: Page, name: string) => grid(page).getByRole('row', { name })
const namesIn = (page: Page) => grid(page).locator('.animal-name').allTextContents()
const dialog = (page: Page) => page.getByRole('dialog')
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })
const select = async (page: Page, ...names: string[]) => {
  for (const name of names) await rowOf(page, name).getByRole('checkbox').click()
}
const choose = async (page: Page, action: string) => {
  await press(page, bulk.more)
  await item(page, action).click()
}

/** Rex and Mia are dogs; Bo, Cleo and Ada are cats. */
async function makeShop(): Promise<{ shop: BrowserOwner; path: string; ids: Record<string, number>; cats: number }> {
  const shop = await dashboard.makeOwner()
  const path = `/projects/${shop.slug}`
  const category = async (name: string) => Number((await shop.ask('POST', `${path}/categories`, { name }))['id'])
  const [dogs, cats] = [await category('Dogs'), await category('Cats')]
  const ids: Record<string, number> = {}
  for (const name of ['Rex', 'Mia', 'Bo', 'Cleo', 'Ada']) {
    const categoryId = ['Rex', 'Mia'].includes(name) ? dogs : cats
    ids[name] = Number((await shop.ask('POST', `${path}/animals`, { name, categoryId }))['id'])
  }
  return { shop, path, ids, cats }
}

async function publish({ slug }: BrowserOwner): Promise<void> {
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, slug))
  if (project === undefined) throw new Error('the project is gone')
  const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(dashboard.database), project, content)
}

/** What visitors see a moment later: pages are cached for less than a second. */
async function isOnSite(visitor: Page, { slug }: BrowserOwner, names: readonly string[]): Promise<void> {
  const seen = async () => {
    await visitor.goto(`${dashboard.siteUrlOf(slug)}/animals`)
    return (await visitor.locator('.card b').allTextContents()).map((name) => name.trim()).sort()
  }
  await expect.poll(seen, patient).toEqual([...names].sort())
}

test('selected animals leave the site, come back, and move to another category, and each can be taken back', async () => {
  const { shop, path, cats } = await makeShop()
  await publish(shop)
  const { page, complaints, context } = await dashboard.open(`${path}/animals`, { as: shop })
  const visitor = await context.newPage()
  await isOnSite(visitor, shop, ['Rex', 'Mia', 'Bo', 'Cleo', 'Ada'])

  await select(page, 'Rex', 'Mia', 'Bo')
  await choose(page, bulk.hide.label)
  await press(dialog(page), bulk.hide.action)
  await alertOf(page, bulk.hide.done(3)).waitFor()
  // In the list at once, which is not fetched again.
  expect(await rowOf(page, 'Rex').textContent()).toContain(t.hidden)
  expect(await rowOf(page, 'Ada').textContent()).not.toContain(t.hidden)
  await page.getByText(bulk.selected(3), { exact: true }).waitFor({ state: 'detached' })
  await isOnSite(visitor, shop, ['Cleo', 'Ada'])

  await page.bringToFront()
  await select(page, 'Rex', 'Ada')
  await choose(page, bulk.show.label)
  await press(dialog(page), bulk.show.action)
  await alertOf(page, bulk.show.done(2)).waitFor()
  await isOnSite(visitor, shop, ['Rex', 'Cleo', 'Ada'])
  await page.bringToFront()
  await press(alertOf(page, bulk.show.done(2)), common.undo)
  await alertOf(page, bulk.undone(1)).waitFor()
  await expect.poll(() => rowOf(page, 'Rex').textContent(), patient).toContain(t.hidden)

  await select(page, 'Rex', 'Mia', 'Cleo')
  await choose(page, bulk.category.label)
  expect(await dialog(page).getByRole('button', { name: bulk.category.action }).isEnabled()).toBe(false)
  await dialog(page).getByRole('combobox', { name: t.category }).selectOption('Cats')
  await press(dialog(page), bulk.category.action)
  await alertOf(page, bulk.category.done(3, 'Cats')).waitFor()
  const listed = (await shop.ask('GET', `${path}/animals?categoryId=${cats}`)) as unknown as { name: string }[]
  expect(listed.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cleo', 'Mia', 'Rex'])
  await press(alertOf(page, bulk.category.done(3, 'Cats')), common.undo)
  await alertOf(page, bulk.undone(2)).waitFor()
  await expect.poll(() => rowOf(page, 'Rex').textContent(), patient).toContain('Dogs')
  expect(complaints).toEqual([])
  await context.close()
})

test('selected animals are printed on one page, once there is a site, and hidden ones are left out', async () => {
  const { shop, path, ids } = await makeShop()
  const { page, complaints, context } = await dashboard.open(`${path}/animals`, { as: shop })
  await select(page, 'Rex', 'Bo', 'Mia')
  await press(page, bulk.more)
  const print = item(page, bulk.print(3))
  expect([await print.getAttribute('aria-disabled'), await print.getAttribute('href')]).toEqual(['true', null])
  await print.getByText(bulk.printUnpublished).waitFor()

  await publish(shop)
  await shop.ask('PATCH', `${path}/animals`, { ids: [ids['Bo']], isHidden: true })
  await page.reload()
  await select(page, 'Rex', 'Bo', 'Mia')
  await press(page, bulk.more)
  const [opened] = await Promise.all([context.waitForEvent('page'), item(page, bulk.print(2)).click()])
  await opened.getByRole('heading', { level: 1, name: 'Rex', exact: true }).waitFor(patient)
  // In the order of the list.
  expect(opened.url()).toBe(`${dashboard.siteUrlOf(shop.slug)}/print?animals=${ids['Mia']},${ids['Rex']}`)
  expect(await opened.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Mia', 'Rex'])
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = (await opened.pdf({ format, preferCSSPageSize: false })).toString('latin1')
    expect([format, pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length]).toEqual([format, 2])
  }
  expect(await overflowOf(opened)).toEqual([])
  for (const scheme of ['light', 'dark'] as const) {
    await opened.emulateMedia({ colorScheme: scheme })
    expect(await barriersIn(scheme, opened)).toEqual([])
  }
  const shots = process.env['SHOTS']
  if (shots) await opened.screenshot({ path: `${shots}/sheets.png`, fullPage: true })
  expect(complaints).toEqual([])
  await context.close()
})

test('the list begins with the animal about which the least is written, and says where it ends', async () => {
  const { shop, path, ids } = await makeShop()
  const write = (name: string, fields: object) =>
    shop.ask('PUT', `${path}/animals/${ids[name]}/profile`, { ...emptyProfile, ...fields })
  await write('Ada', { breed: 'Siamese' })
  await write('Cleo', { breed: 'Siamese', headline: 'Sleeps in every bowl' })
  const { page, complaints, context } = await dashboard.open(`${path}/animals`, { as: shop })
  await rowOf(page, 'Ada').waitFor()
  await page.getByRole('combobox', { name: t.order }).selectOption(t.leastComplete)
  await expect.poll(() => namesIn(page), patient).toEqual(['Bo', 'Mia', 'Rex', 'Ada', 'Cleo'])
  expect(new URL(page.url()).search).toBe('?sort=completeness')
  await page.getByRole('group', { name: t.category }).getByRole('button', { name: 'Cats' }).click()
  await expect.poll(() => namesIn(page), patient).toEqual(['Bo', 'Ada', 'Cleo'])
  expect(await page.getByText(t.sortedMost(5000)).count()).toBe(0)

  // More than can be sorted.
  const { animals } = (await shop.ask('GET', `${path}/overview`)) as Record<string, object>
  await page.route('**/overview', async (route) => {
    const overview = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...overview, animals: { ...animals, sold: { count: 5000, isMore: false } } } })
  })
  await page.reload()
  await page.getByText(t.sortedMost(5000)).waitFor(patient)
  expect(complaints).toEqual([])
  // The page may be asking again at this moment.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

describe.each([
  ['light', desk],
  ['dark', desk],
  ['light', phone],
  ['dark', phone],
] as const)('the selection in %s mode at %o', (scheme, size) => {
  test('is used by keyboard alone, has no accessibility violation and fits the window', async () => {
    const { shop, path } = await makeShop()
    const { page, complaints, context } = await dashboard.open(`${path}/animals`, { as: shop, scheme, size })
    const checkPage = async (name: string) => {
      await settled(page)
      const shots = process.env['SHOTS']
      if (shots) await page.screenshot({ path: `${shots}/selection-${name}-${scheme}-${size.width}.png` })
      expect(await barriersIn(scheme, page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await rowOf(page, 'Ada').waitFor()
    await grid(page).focus()
    await page.keyboard.press('Space')
    await page.getByText(bulk.selected(1), { exact: true }).waitFor()
    await checkPage('bar')
    await page.getByRole('button', { name: bulk.more }).focus()
    await page.keyboard.press('Enter')
    await item(page, bulk.hide.label).waitFor()
    await checkPage('menu')
    const hasFocus = async (text: string) => {
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patient).toContain(text)
    }
    await hasFocus(bulk.hide.label)
    // The reason why nothing can be printed is reached like every other item.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
    await hasFocus(bulk.printUnpublished)
    await page.keyboard.press('ArrowUp')
    await hasFocus(bulk.category.label)
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('combobox', { name: t.category }).waitFor()
    await checkPage('category')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText(bulk.selected(1), { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
