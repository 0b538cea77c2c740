// Importing animals: the spreadsheet of a shelter, step by step, on a phone and on a desk, by mouse and by keyboard;
// thousands of rows; undone; exported and imported again. IMPORT_ROWS=10000 imports as many rows as a large shelter has.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { contrastsOn, findingsOn } from '../accessibility.ts'
import { desk, overflowOf, phone, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { takePictures } from './pictures.ts'
import { applyImport, reviewImport, xlsxOf } from './reviewed-imports.ts'
import { alertOf, ANY, counting, like, press } from './text-patterns.ts'

const { animals, imports: t, photos } = texts

const ROWS = Number(process.env['IMPORT_ROWS'] ?? 300)

/** Timeout for a machine under other load. */
const patient = { timeout: 120_000 }

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())

const pathOf = ({ slug }: BrowserOwner, rest = '') => `/projects/${slug}/animals/import${rest}`
const fileField = (page: Page) => page.getByRole('button', { name: t.choose })
const becomes = (page: Page, title: string) => page.getByRole('combobox', { name: t.becomesOf(title) })
const meaning = (page: Page, field: string, value: string) =>
  page.getByRole('combobox', { name: t.meaningOf(field, value) })
const chosenIn = (page: Page, title: string) =>
  becomes(page, title).evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent)
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })
const grid = (page: Page) => page.getByRole('grid', { name: t.rows })
const filter = (page: Page, name: string) =>
  page.getByRole('navigation', { name: t.filters }).getByRole('link', { name })
const saying = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const apply = (page: Page, count: number) => press(page, counting(count, t.apply))
const animalsOf = async ({ ask, slug }: BrowserOwner) => {
  const { animals: counts } = (await ask('GET', `/projects/${slug}/overview`)) as {
    animals: Record<string, { count: number }>
  }
  return Object.values(counts).reduce((sum, { count }) => sum + count, 0)
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '')

/** A store with one category of its own. */
async function storeWithDogs(): Promise<BrowserOwner> {
  const owner = await dashboard.makeOwner({ plan: 'enterprise' })
  await owner.ask('POST', `/projects/${owner.slug}/categories`, { name: 'Dogs' })
  return owner
}

/** With SHOTS=<folder>, for people to look at; the bar at the end of the page would cover what is behind it. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  const size = page.viewportSize()
  if (!folder || !size) return
  await page.evaluate(() => scrollTo(0, 0))
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...size, height: Math.max(size.height, height) })
  await page.screenshot({ path: `${folder}/import-${name}-${size.width}.png` })
  await page.setViewportSize(size)
}

/** The narrowest window that has to do, light and dark. */
async function faultsAt320(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? desk
  await page.setViewportSize({ width: 320, height: 640 })
  const found = [...(await overflowOf(page)), ...(await findingsOn(page))]
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  found.push(...(await contrastsOn(page)))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  await page.setViewportSize(size)
  return found
}

const semicolons = [
  'No;Name;Type;Breed;Kennel;Gender;Weight (kg)',
  'A-1;Rex;Dogs;Labrador;3B;m;17,5',
  'A-2;Mia;Cats;Tabby;4A;f;4,2',
  'A-3;;Dogs;Beagle;1;m;heavy',
  'A-4;Émile;Dogs;;2;m;9',
].join('\r\n')
const asFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

describe('a file with semicolons, “Type”, “Breed” and “Dogs”', () => {
  test.for([
    ['phone', phone],
    ['desk', desk],
  ] as const)('is imported on a %s by clicking through, and undone', async ([_, size]) => {
    const owner = await storeWithDogs()
    const { page, complaints, context } = await dashboard.open(pathOf(owner), { as: owner, size })
    // The window is as narrow in both.
    const faults = () => (size === phone ? faultsAt320(page) : [])
    await page.getByText(t.noneEarlier).waitFor()
    expect(await faults()).toEqual([])
    await shot(page, '1-choose')
    await fileField(page).setInputFiles(asFile('our animals.csv', semicolons))

    await heading(page, t.columnsTitle).waitFor(patient)
    expect(new URL(page.url()).pathname).toMatch(/\/imp_\w+\/columns$/)
    expect(await chosenIn(page, 'Type')).toBe(t.fields.category)
    expect(await chosenIn(page, 'Breed')).toBe(t.fields.breed)
    expect(await chosenIn(page, 'Gender')).toBe(t.fields.sex)
    expect(await chosenIn(page, 'Kennel')).toBe(t.notImported)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await faults()).toEqual([])
    await shot(page, '2-columns')
    await page.reload()
    await heading(page, t.columnsTitle).waitFor(patient)
    await press(page, t.continue)

    await heading(page, t.valuesTitle).waitFor(patient)
    expect(await meaning(page, t.fields.category, 'Dogs').inputValue()).toMatch(/^use:\d+$/)
    expect(await meaning(page, t.fields.category, 'Cats').inputValue()).toBe('create:Cats')
    expect(await faults()).toEqual([])
    await shot(page, '3-values')
    await page.goBack()
    await heading(page, t.columnsTitle).waitFor(patient)
    await page.goForward()
    await heading(page, t.valuesTitle).waitFor(patient)
    await press(page, t.continue)

    // First what needs a person, and the way to each cell.
    await page.getByText(t.problemsTitle(1)).waitFor(patient)
    expect(await faults()).toEqual([])
    await shot(page, '4-review')
    const links = page.getByRole('listitem').getByRole('link', { name: like(t.problemAt(4, ANY, ANY)) })
    expect(await links.count()).toBe(2)
    await page.getByRole('link', { name: like(t.problemAt(4, t.fields.name, ANY)) }).click()
    expect(await focused(page)).toBe('cell-4-1')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: t.editCell(t.fields.name, 4) }).fill('Bo')
    await page.keyboard.press('Enter')
    await expect.poll(() => links.count(), patient).toBe(1)
    expect(await focused(page)).toBe('cell-4-1')
    await page.getByRole('link', { name: like(t.problemAt(4, t.fields.weightKilograms, ANY)) }).click()
    await page.locator('#cell-4-6').click()
    await page.getByRole('textbox', { name: t.editCell(t.fields.weightKilograms, 4) }).fill('11')
    await page.keyboard.press('Tab')
    await saying(page, t.solved).waitFor(patient)
    expect(await faults()).toEqual([])
    await filter(page, t.filter.create).click()
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBe(5)
    expect(await filter(page, t.filter.create).textContent()).toContain('4')
    expect(await animalsOf(owner)).toBe(0)
    await apply(page, 4)

    await saying(page, t.done(4, 0)).waitFor(patient)
    expect(new URL(page.url()).pathname).toMatch(/\/done$/)
    expect(await animalsOf(owner)).toBe(4)
    expect(await faults()).toEqual([])
    await shot(page, '5-done')
    // Steps before are over, whatever the address says.
    await page.goto(page.url().replace(/done$/, 'columns'))
    await saying(page, t.done(4, 0)).waitFor(patient)
    await page.getByRole('link', { name: 'Bo', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Bo' }).waitFor(patient)
    await page.goBack()

    await press(page, t.undo)
    const question = page.getByRole('dialog')
    await question.getByText(t.undoText).waitFor()
    await press(question, t.undoDo)
    await saying(page, t.undone).waitFor(patient)
    expect(await animalsOf(owner)).toBe(0)
    expect(await faults()).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

test(`an Excel file of ${ROWS} rows is imported, exported and imported again without a change, and undone`, async () => {
  const owner = await storeWithDogs()
  const { page, complaints, context } = await dashboard.open(pathOf(owner), { as: owner })
  const kinds = ['Dogs', 'Cats', 'Rabbits']
  const head = ['Animal ID', 'Name', 'Species', 'Breed', 'Sex', 'DOB', 'Weight (kg)', 'Colour', 'Status', 'Story']
  const rows = Array.from({ length: ROWS }, (_, at) => [
    `S-${at}`,
    `Animal ${at}`,
    kinds[at % 3] ?? '',
    at % 2 === 0 ? 'Mixed breed' : 'Labrador',
    at % 2 === 0 ? 'F' : 'M',
    `20${String(10 + (at % 15))}-0${1 + (at % 9)}-1${at % 10}`,
    4 + (at % 40) / 2,
    'black',
    at % 10 === 0 ? 'Adopted' : 'Available',
    `Found in street ${at}.`,
  ])
  const started = performance.now()
  const steps: string[] = []
  const step = (name: string) => steps.push(`${name} ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const sheet = { name: 'animals.xlsx', mimeType: 'application/zip', buffer: xlsxOf([head, ...rows]) }
  await fileField(page).setInputFiles(sheet)
  await heading(page, t.columnsTitle).waitFor(patient)
  step('read')
  expect(await chosenIn(page, 'Species')).toBe(t.fields.category)
  await press(page, t.continue)
  await heading(page, t.valuesTitle).waitFor(patient)
  step('matched')
  await press(page, t.continue)
  await heading(page, t.reviewTitle).waitFor(patient)
  await apply(page, ROWS)
  const done = saying(
    page,
    counting(ROWS, (count) => t.done(count, 0)),
  )
  await done.waitFor(patient)
  step('applied')
  expect(await animalsOf(owner)).toBeGreaterThan(0)
  const first = page.url()

  await page.getByRole('link', { name: t.show }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: animals.export }).click()
  const exported = await readFile(await (await downloading).path())
  step('exported')
  await page.goto(`${dashboard.origin}${pathOf(owner)}`)
  await fileField(page).setInputFiles({ name: 'exported.csv', mimeType: 'text/csv', buffer: exported })
  await page.getByText(t.presets.petstore).waitFor(patient)
  await press(page, t.continue)
  await heading(page, t.valuesTitle).waitFor(patient)
  await press(page, t.continue)
  await page.getByText(t.nothingToDo).waitFor(patient)
  step('again')
  expect(await filter(page, t.filter.unchanged).textContent()).toContain(ROWS.toLocaleString('en-GB'))
  expect(await filter(page, t.filter.problem).count()).toBe(0)
  expect(await page.getByRole('button', { name: t.applyNone, exact: true }).isDisabled()).toBe(true)

  await page.goto(first)
  await press(page, t.undo)
  await press(page.getByRole('dialog'), t.undoDo)
  await saying(page, t.undone).waitFor(patient)
  step('undone')
  expect(await animalsOf(owner)).toBe(0)
  process.stdout.write(`import of ${ROWS} rows: ${steps.join(', ')}\n`)
  expect(complaints).toEqual([])
  await context.close()
})

test('what is not the same as exported is shown as a change, with what it was (negative control)', async () => {
  const owner = await storeWithDogs()
  const file = new Blob(['Animal ID,Name,Species,Breed\nA-1,Rex,Dogs,Labrador\nA-2,Mia,Dogs,Beagle\n'])
  await applyImport(owner, file, 'first.csv')
  const changed = new Blob(['Animal ID,Name,Species,Breed\nA-1,Rex,Dogs,Poodle\nA-2,Mia,Dogs,Beagle\n'])
  const id = await reviewImport(owner, changed, 'second.csv')
  const { page, complaints, context } = await dashboard.open(pathOf(owner, `/${id}/review?show=update`), { as: owner })
  await grid(page).getByText(t.was('Labrador')).waitFor(patient)
  expect(await grid(page).getByRole('row').count()).toBe(2)
  expect(await page.getByText(t.nothingToDo).count()).toBe(0)
  await apply(page, 1)
  await saying(page, t.done(0, 1)).waitFor(patient)
  // Changed since: it is kept, and the page shows why.
  const { id: rex } = (
    Object.values(await owner.ask('GET', `/projects/${owner.slug}/animals?name=Rex`)) as { id: number }[]
  )[0] ?? { id: 0 }
  await owner.ask('PATCH', `/projects/${owner.slug}/animals/${rex}`, { name: 'Rexi' })
  await press(page, t.undo)
  await press(page.getByRole('dialog'), t.undoDo)
  await saying(page, t.undoneExcept(1)).waitFor(patient)
  await page
    .getByRole('listitem')
    .filter({ hasText: t.keptReasons.changed })
    .getByRole('link', { name: 'Rexi' })
    .waitFor()
  expect(await faultsAt320(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('photos are found by their file names, and those that fit no animal are listed', async () => {
  const owner = await storeWithDogs()
  const file = new Blob(['Name;Species;Photo\nRex;Dogs;IMG_1.jpg\nMia;Dogs;\n'])
  const id = await applyImport(owner, file, 'with photos.csv')
  const { page, complaints, context } = await dashboard.open(pathOf(owner, `/${id}/done`), { as: owner })
  const [rex, mia, other] = await takePictures(dashboard.browser, ['dog-1', 'cat-1', 'dog-2'])
  if (!rex || !mia || !other) throw new Error('no pictures')
  await page.getByRole('button', { name: t.choosePhotos }).setInputFiles([
    { ...other, name: 'holiday.jpg' },
    { ...rex, name: 'img_1.JPG' },
    { ...mia, name: 'mia-2.jpg' },
  ])
  await saying(page, t.allSent(2)).waitFor(patient)
  await alertOf(page, t.unmatched(1)).filter({ hasText: 'holiday.jpg' }).waitFor()
  expect(await page.getByRole('alert', { name: photos.problems }).textContent()).toBe('')
  const list = Object.values(await owner.ask('GET', `/projects/${owner.slug}/animals`)) as { id: number }[]
  for (const { id: animal } of list) {
    const { photos: own } = (await owner.ask('GET', `/projects/${owner.slug}/animals/${animal}`)) as {
      photos: object[]
    }
    expect(own.length).toBe(1)
  }
  expect(await faultsAt320(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

describe('a file', () => {
  test('of several parts resumes where the upload stopped, and can be given up', async () => {
    const owner = await storeWithDogs()
    const { page, complaints, context } = await dashboard.open(pathOf(owner), { as: owner })
    // Long names: more than two parts, and a part that ends inside a character.
    const line = (at: number) => `${'é'.repeat(200)} ${at},Dogs`
    const text = ['name,category', ...Array.from({ length: 6000 }, (_, at) => line(at))].join('\n')
    const sent: string[] = []
    await page.route('**/parts/*', async (route) => {
      const number = route.request().url().split('/').at(-1) ?? ''
      sent.push(number)
      if (number === '2' && sent.length === 2) await route.abort()
      else await route.continue()
    })
    await fileField(page).setInputFiles(asFile('large.csv', text))
    await alertOf(page, t.uploadStopped).waitFor(patient)
    await press(page, t.goOn)
    await heading(page, t.columnsTitle).waitFor(patient)
    expect(sent).toEqual(['1', '2', '2', '3'])
    await press(page, t.startOver)
    await press(page.getByRole('dialog'), t.startOver)
    await fileField(page).waitFor(patient)
    await page.getByText(t.states.discarded).waitFor(patient)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('of another type is not uploaded, one that cannot be read gets a reason, and there is an example', async () => {
    const owner = await storeWithDogs()
    const { page, complaints, context } = await dashboard.open(pathOf(owner), { as: owner })
    await fileField(page).setInputFiles({ name: 'animals.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%') })
    await alertOf(page, t.otherFile).waitFor()
    const downloading = page.waitForEvent('download')
    await press(page, t.example)
    const example = await readFile(await (await downloading).path(), 'utf8')
    await fileField(page).setInputFiles({
      name: 'broken.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK\u0003\u0004'),
    })
    await page.getByRole('heading', { level: 2, name: t.states.failed }).waitFor(patient)
    await page.getByRole('link', { name: t.another }).click()
    await fileField(page).setInputFiles(asFile('example.csv', example))
    await heading(page, t.columnsTitle).waitFor(patient)
    expect(await page.getByText(t.mapped(7, 7)).count()).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that a script has sent is shown with its rows that were not valid', async () => {
    const owner = await storeWithDogs()
    const api = `/projects/${owner.slug}/imports`
    const { id } = await owner.ask('POST', api, { onBadLine: 'refuse' })
    const body = new Blob(['name,categoryId\n,1\nRex,dogs\n'], { type: 'text/csv' })
    await owner.ask('PUT', `${api}/${String(id)}/parts/1`, body)
    await owner.ask('POST', `${api}/${String(id)}/start`, { parts: 1 })
    const { page, complaints, context } = await dashboard.open(pathOf(owner), { as: owner })
    await page.getByRole('link', { name: t.openOf(t.unnamedFile) }).click()
    const bad = page.getByRole('region', { name: t.reason }).getByRole('row')
    await bad.last().waitFor(patient)
    expect(await bad.count()).toBe(3)
    expect(await bad.nth(1).textContent()).toMatch(/^2'name' must/)
    expect(await faultsAt320(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('the rows are corrected by keyboard alone', async () => {
  const owner = await storeWithDogs()
  const file = new Blob(['Name;Species;Breed\nRex;Dogs;Labrador\n;Dogs;Beagle\nMia;Dogs;Poodle\n'])
  const id = await reviewImport(owner, file, 'keys.csv')
  const { page, complaints, context } = await dashboard.open(pathOf(owner, `/${id}/review?show=all`), { as: owner })
  await page.locator('#cell-2-0').focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'Home']) await page.keyboard.press(key)
  expect(await focused(page)).toBe('cell-3-0')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Bo')
  await page.keyboard.press('Escape')
  expect(await focused(page)).toBe('cell-3-0')
  await page.getByText(t.leftOut(1)).waitFor(patient)
  await page.keyboard.press('F2')
  await page.keyboard.type('Bo')
  await page.keyboard.press('Enter')
  await page.getByText(t.leftOut(1)).waitFor({ state: 'detached', ...patient })
  // One place for the whole grid: the next one is behind it.
  await page.keyboard.press('Tab')
  expect(await focused(page)).not.toMatch(/^cell-/)
  expect(complaints).toEqual([])
  await context.close()
})
