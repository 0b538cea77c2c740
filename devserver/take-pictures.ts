// Takes the pictures of the demo for the README into docs/images/, from a demo that runs: `npm run dev`, then
// `node devserver/take-pictures.ts`. The machine needs Chromium.

import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { DEMO_SLUG, demoOwner } from './demo.ts'

const dashboard = 'http://localhost:3000'
const site = `http://${DEMO_SLUG}.localhost:3080`
const folder = join(import.meta.dirname, '../docs/images')
const desk = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
/** For the photos, and the preview. */
const PAUSE_MS = 3000

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: desk, locale: 'en-GB', timezoneId: 'UTC' })
await page.goto(`${dashboard}/sign-in`)
await page.getByLabel('Email').fill(demoOwner.email)
await page.getByLabel('Password', { exact: true }).fill(demoOwner.password)
await page.keyboard.press('Enter')
await page.waitForURL(/projects/)

const api = `${dashboard}/platform/v1/projects/${DEMO_SLUG}`
const firstOf = async (list: string): Promise<number | undefined> =>
  ((await (await page.request.get(`${api}/${list}`)).json()) as { id: number }[])[0]?.id
// The name ends in a sign that few machines have a typeface for.
const named = { data: { name: 'Koko' }, headers: { Origin: dashboard } }
await page.request.patch(`${api}/animals/${await firstOf('animals?name=Koko')}`, named)
const marlow = await firstOf('animals?name=Marlow')
const store = `${dashboard}/projects/${DEMO_SLUG}`
const animals = `${store}/animals`
const editor = `${animals}/${marlow}`
const requests = `${store}/requests`
const ofVisitors = `${site}/animals/marlow-${marlow}`

for (const [name, url, size, colorScheme] of [
  ['dashboard-home', store, desk, 'light'],
  ['dashboard-home-phone', store, phone, 'light'],
  ['dashboard-site', `${store}/site`, desk, 'light'],
  ['dashboard-animals', animals, desk, 'light'],
  ['dashboard-animal', editor, desk, 'light'],
  ['dashboard-animal-phone', editor, phone, 'dark'],
  ['dashboard-requests', requests, desk, 'light'],
  ['dashboard-request-phone', `${requests}/${await firstOf('orders?stage=visit')}`, phone, 'dark'],
  ['site-home-1280', `${site}/`, desk, 'light'],
  ['site-animals-1280', `${site}/animals?sex=female`, desk, 'light'],
  ['site-animal-390', ofVisitors, phone, 'light'],
] as const) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(size)
  await page.goto(url)
  if (name === 'dashboard-home' || name === 'dashboard-site') await reloadForTypeface()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take(name)
}

/** With a kind that is new, and two problems. */
const spreadsheet = [
  'No;Name;Type;Breed;Kennel;Gender;Weight (kg)',
  'A-1;Nala;Cats;Tabby;4A;f;4,2',
  'A-2;Momo;Gerbils;;1;m;0,1',
  'A-3;;Dogs;Beagle;2;m;16',
  'A-4;Otis;Dogs;Dachshund;3;m;heavy',
  'A-5;Wanda;Dogs;Whippet;3;f;13',
].join('\n')
await page.emulateMedia({ colorScheme: 'light' })
await page.goto(`${animals}/import`)
const file = { name: 'our animals.csv', mimeType: 'text/csv', buffer: Buffer.from(spreadsheet) }
await page.locator('input[type=file]').setInputFiles(file)
await page.waitForURL(/columns$/)
await take('dashboard-import-phone')
await page.setViewportSize(desk)
for (const step of ['values', 'review']) {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(new RegExp(`${step}$`))
}
await take('dashboard-import')
await browser.close()

/** A preview does not wait for its typeface. With it, the title in it has two lines. */
async function reloadForTypeface(): Promise<void> {
  for (let attempt = 1; attempt <= 30; attempt += 1) {
    await page.waitForTimeout(1000)
    const title = await page.frameLocator('iframe').locator('h1').first().boundingBox()
    if (title && title.height < 150) return
    await page.reload()
  }
}

async function take(name: string): Promise<void> {
  await page.waitForTimeout(PAUSE_MS)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
