// The animals as an owner looks after them: found, added, changed, many at once, brought
// in from a table and taken out as one; by mouse, by keyboard and on a phone.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as orders from '../../server/src/orders/queries.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.ts'
import { barriersOn } from '../sites-stage.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type Owner } from './stage.ts'

/** On a machine that does other things as well. */
const patient = { timeout: 60_000 }

let stage: Dashboard
let owner: Owner

beforeAll(async () => {
  stage = await startDashboard()
  owner = await stage.makeOwner()
})
afterAll(() => stage.close())

const grid = (page: Page) => page.getByRole('grid', { name: 'Animals' })
const rowOf = (page: Page, name: string) => grid(page).getByRole('row', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const activeRow = (page: Page) =>
  grid(page).evaluate((element) => {
    const id = element.getAttribute('aria-activedescendant')
    return id === null ? null : (document.getElementById(id)?.querySelector('.animal-name')?.textContent ?? null)
  })

/** A shop with so many animals of two categories, by the interface. */
async function shopWith(count: number): Promise<{ shop: Owner; dogs: number; cats: number; ids: number[] }> {
  const shop = await stage.makeOwner()
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

const pageOf = (shop: Owner, search = '') => `/projects/${shop.slug}/animals${search}`

describe('one animal', () => {
  test('is added with a category that is made on the way, changed, and deleted', async () => {
    const { page, complaints, context } = await stage.open(pageOf(owner), { as: owner })
    await page.getByText('No animals yet').waitFor()
    await page.getByRole('button', { name: 'Add animal' }).first().click()
    await dialog(page).getByRole('button', { name: 'Add animal' }).click()
    await dialog(page).getByText('Give the animal a name.').waitFor()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Rex')
    await dialog(page).getByLabel('Name of the new category').fill('Dogs')
    await dialog(page).getByRole('button', { name: 'Add, and another one' }).click()
    await page.getByText('Rex was added').waitFor()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Mia')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(3)
    expect(await rowOf(page, 'Rex').textContent()).toContain('Dogs')

    await rowOf(page, 'Rex').getByRole('gridcell', { name: 'Rex', exact: true }).click()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Rexi')
    await dialog(page).getByLabel('Status').selectOption('Sold')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await rowOf(page, 'Rexi').textContent()).toContain('Sold')

    await rowOf(page, 'Mia').getByRole('gridcell', { name: 'Mia', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('This cannot be taken back.').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await rowOf(page, 'Mia').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText('1 animal', { exact: true }).count(), patient).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that somebody has asked for is not deleted, and the page says why', async () => {
    const { shop, ids } = await shopWith(1)
    const project = await inDirectoryOf(stage.database)((db) => directory.findSlug(db, shop.slug))
    if (project === undefined) throw new Error('the project is gone')
    await inProjectOf(stage.database)(project, (db) =>
      orders.insert(db, project, {
        petId: BigInt(ids[0] ?? 0),
        status: 'placed',
        name: 'Ben',
        contact: 'ben@visitor.example',
        message: '',
        hold: 600,
      }),
    )
    const { page, complaints, context } = await stage.open(pageOf(shop), { as: shop })
    await rowOf(page, 'Animal 01').waitFor()
    await grid(page).press('Enter')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('an order keeps its animal', { exact: false }).waitFor()
    await dialog(page).getByText('mark it as sold instead', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(await rowOf(page, 'Animal 01').count()).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the list', () => {
  test('is found by name, status and category, and the address says what is shown', async () => {
    const { shop, cats } = await shopWith(12)
    const { page, complaints, context } = await stage.open(pageOf(shop), { as: shop })
    await page.getByText('12 animals').waitFor()
    await grid(page).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('animal 1')
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(4)
    expect(new URL(page.url()).searchParams.get('name')).toBe('animal 1')
    await page.getByLabel('Category').selectOption('Cats')
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(3)
    expect(new URL(page.url()).searchParams.get('category')).toBe(String(cats))

    const shared = await stage.open(new URL(page.url()).pathname + new URL(page.url()).search, { as: shop })
    await rowOf(shared.page, 'Animal 12').waitFor()
    expect(await grid(shared.page).getByRole('row').count()).toBe(3)
    expect(await shared.page.getByLabel('Search by name').inputValue()).toBe('animal 1')
    await shared.context.close()

    await page.getByLabel('Status').selectOption('Sold')
    await page.getByText('No animal fits').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('12 animals').waitFor()
    expect(await page.getByLabel('Search by name').inputValue()).toBe('')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is walked through, selected from and opened by keys', async () => {
    const { shop } = await shopWith(30)
    const { page, complaints, context } = await stage.open(pageOf(shop), { as: shop })
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
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    expect(await dialog(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Animal 30')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => grid(page).evaluate((element) => element === document.activeElement), patient).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('marks many animals at once, and leaves those out that do not fit any more', async () => {
    const { shop } = await shopWith(12)
    const { page, complaints, context } = await stage.open(pageOf(shop), { as: shop })
    await rowOf(page, 'Animal 11').getByRole('checkbox').click()
    await rowOf(page, 'Animal 08')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await page.getByRole('group', { name: 'Mark as' }).getByRole('button', { name: 'Sold' }).click()
    await dialog(page).getByText('are declined', { exact: false }).waitFor()
    await dialog(page).getByRole('button', { name: 'Mark them' }).click()
    await page.getByText('4 animals marked as sold').waitFor()
    await expect.poll(() => grid(page).getByText('Sold').count(), patient).toBe(4)

    await page.getByLabel('Status').selectOption('Available')
    await page.getByText('8 animals').waitFor()
    await page.getByLabel('Select all').check()
    await page.getByRole('group', { name: 'Mark as' }).getByRole('button', { name: 'Reserved' }).click()
    await dialog(page).getByRole('button', { name: 'Mark them' }).click()
    await page.getByText('No animal fits').waitFor()
    const counts = (await shop.ask('GET', `/projects/${shop.slug}/overview`))['animals']
    expect(counts).toMatchObject({ available: { count: 0 }, pending: { count: 8 }, sold: { count: 4 } })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('says so while nobody answers, and goes on by itself', async () => {
    const { shop } = await shopWith(3)
    const { page, context } = await stage.open(pageOf(shop), { as: shop })
    await page.getByText('3 animals').waitFor()
    await stage.restart(async () => {
      await page.getByLabel('Status').selectOption('Available')
      await page.getByText('cannot be reached', { exact: false }).first().waitFor()
    })
    await rowOf(page, 'Animal 03').waitFor()
    await context.close()
  })
})

test('categories are named, renamed and deleted, unless animals carry them', async () => {
  const { shop } = await shopWith(1)
  const { page, complaints, context } = await stage.open(pageOf(shop), { as: shop })
  await page.getByRole('button', { name: 'Categories' }).click()
  await dialog(page).getByLabel('New category').fill('Birds')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Rename Birds' }).click()
  await page.keyboard.type('Parrots')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Delete Parrots' }).click()
  await dialog(page).getByText('Parrots').waitFor({ state: 'detached' })
  await dialog(page).getByRole('button', { name: 'Delete Dogs' }).click()
  await dialog(page).getByText('Animals carry this category', { exact: false }).waitFor()
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

describe('a table', () => {
  test('with bad lines is refused with their numbers, or imported without them, and exported again', async () => {
    const { shop, dogs } = await shopWith(0)
    const { page, complaints, context } = await stage.open(`/projects/${shop.slug}/animals/import`, { as: shop })
    const lines = ['name,categoryId', `Rex,${dogs}`, ',1', `Mia,${dogs}`, 'Tom,dogs', `Émile,${dogs}`]
    const file = { name: 'animals.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    const choose = () => page.locator('input[type=file]').setInputFiles(file)
    await choose()
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('Nothing was added.', { exact: false }).first().waitFor()
    const bad = page.getByRole('region', { name: 'What is wrong' }).getByRole('row')
    await bad.last().waitFor()
    expect(await bad.count()).toBe(3)
    expect(await bad.nth(1).textContent()).toMatch(/^3'name' must/)
    expect(await bad.nth(2).textContent()).toMatch(/^5'categoryId' must/)

    await page.getByRole('button', { name: 'Import another table' }).click()
    await choose()
    await page.getByLabel('Leave it out and add the others').check()
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('3 animals added.').waitFor()
    await page.getByText('2 lines were left out:').waitFor()
    await page.getByRole('link', { name: 'Show animals' }).click()
    await rowOf(page, 'Émile').waitFor()

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`${shop.slug}-animals.csv`)
    const table = await readFile(await download.path(), 'utf8')
    expect(table.split('\r\n').map((line) => line.split(',')[1])).toEqual(['name', 'Rex', 'Mia', 'Émile', undefined])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('of several parts goes on where sending it stopped', async () => {
    const { shop, dogs } = await shopWith(0)
    const { page, complaints, context } = await stage.open(`/projects/${shop.slug}/animals/import`, { as: shop })
    // Long names: more than two parts, and a part that ends inside of a character.
    const line = (at: number) => `${'é'.repeat(200)} ${at},${dogs}`
    const buffer = Buffer.from(['name,categoryId', ...Array.from({ length: 6000 }, (_, at) => line(at))].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer })
    const sent: string[] = []
    await page.route('**/parts/*', async (route) => {
      const number = route.request().url().split('/').at(-1) ?? ''
      sent.push(number)
      if (number === '2' && sent.length === 2) await route.abort()
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('it goes on where it stopped', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('6,000 animals added.').waitFor({ timeout: 60_000 })
    expect(sent).toEqual(['1', '2', '2', '3'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has an example with categories of the project, and a file that is none is not sent', async () => {
    const { shop, cats, dogs } = await shopWith(0)
    const { page, complaints, context } = await stage.open(`/projects/${shop.slug}/animals/import`, { as: shop })
    await page.getByText('Cats').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download an example' }).click()
    const text = await readFile(await (await downloading).path(), 'utf8')
    expect(text.split('\r\n')[1]).toBe(`Rex,${cats},available`)
    expect(text).toContain(`,${dogs},sold`)
    const sheet = { name: 'animals.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') }
    await page.locator('input[type=file]').setInputFiles(sheet)
    await page.getByText('This does not look like a CSV file', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('a viewer sees the animals and finds nothing to change', async () => {
  const { shop } = await shopWith(2)
  const viewer = await stage.makeOwner()
  const { secret } = await shop.ask('POST', `/projects/${shop.slug}/invitations`, { role: 'viewer' })
  await viewer.ask('POST', '/invitations/accept', { secret })
  const { page, complaints, context } = await stage.open(pageOf(shop), { as: viewer })
  await rowOf(page, 'Animal 02').waitFor()
  expect(await page.getByRole('button', { name: 'Add animal' }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await grid(page).press('Enter')
  await dialog(page).getByText('Animal 02').waitFor()
  expect(await dialog(page).getByRole('textbox').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByText('Only admins and owners of the project can do this.').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

let looked: Owner
beforeAll(async () => {
  looked = await stage.makeOwner()
  const path = `/projects/${looked.slug}`
  const { id: dogs } = await looked.ask('POST', `${path}/categories`, { name: 'Dogs' })
  const { id: long } = await looked.ask('POST', `${path}/categories`, { name: 'Categoryname'.repeat(12) })
  const animals: [string, unknown, string?][] = [
    ['Rex', dogs, 'sold'],
    ['Biscuit', dogs, 'pending'],
    ['Averylongnameofananimal'.repeat(10), long],
    ['Juno', dogs],
    ['Old Tom', 77],
  ]
  for (const [name, categoryId, status = 'available'] of animals)
    await looked.ask('POST', `${path}/animals`, { name, categoryId, status })
  const { id } = await looked.ask('POST', `${path}/imports`, { onBadLine: 'refuse' })
  const answer = await fetch(`${stage.origin}/platform/v1${path}/imports/${String(id)}/parts/1`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv', Origin: stage.origin, Cookie: await cookieOf(looked) },
    body: 'name,categoryId\n,1\nRex,dogs\n',
  })
  expect(answer.status).toBe(204)
  await looked.ask('POST', `${path}/imports/${String(id)}/start`, { parts: 1 })
})

async function cookieOf({ email, password }: Owner): Promise<string> {
  const answer = await fetch(`${stage.origin}/platform/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: stage.origin },
    body: JSON.stringify({ email, password }),
  })
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

describe.each([
  ['light', desk],
  ['dark', desk],
  ['light', phone],
  ['dark', phone],
] as const)('in %s colours at %o', (scheme, size) => {
  test('both pages and their dialogs have no barriers and fit the window', async () => {
    const { page, complaints, context } = await stage.open(pageOf(looked), { as: looked, scheme, size })
    const look = async () => {
      expect(await barriersOn(page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await rowOf(page, 'Biscuit').waitFor()
    await rowOf(page, 'Rex').getByRole('checkbox').click()
    await look()
    await rowOf(page, 'Biscuit').getByRole('gridcell', { name: 'Biscuit', exact: true }).click()
    await dialog(page).waitFor()
    await page.waitForFunction(() => document.getAnimations().length === 0)
    await look()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.goto(`${stage.origin}/projects/${looked.slug}/animals/import`)
    await page.getByText('Numbers of your categories').waitFor()
    await page.getByText('Show what was wrong').first().click()
    await look()
    expect(complaints).toEqual([])
    await context.close()
  })
})
