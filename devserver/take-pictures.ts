// Takes the pictures of the demo for the README into docs/images/, from a demo that runs: `npm run dev`, then
// `node devserver/take-pictures.ts`. The machine needs Chromium, and a typeface for emoji.

import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { DEMO_SLUG, demoOwner } from './demo.ts'

const dashboard = 'http://localhost:3000'
const site = `http://${DEMO_SLUG}.localhost:3080`
const folder = join(import.meta.dirname, '../docs/images')
const desk = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: desk })
await page.goto(`${dashboard}/sign-in`)
await page.getByLabel('Email').fill(demoOwner.email)
await page.getByLabel('Password', { exact: true }).fill(demoOwner.password)
await page.keyboard.press('Enter')
await page.waitForURL(/projects/)

const answer = await page.request.get(`${dashboard}/platform/v1/projects/${DEMO_SLUG}/animals?name=Marlow`)
const [marlow] = (await answer.json()) as { id: number }[]
const animals = `${dashboard}/projects/${DEMO_SLUG}/animals`
const editor = `${animals}/${marlow?.id}`
const ofVisitors = `${site}/animals/marlow-${marlow?.id}`

for (const [name, url, size, colorScheme] of [
  ['dashboard-animals', animals, desk, 'light'],
  ['dashboard-animal', editor, desk, 'light'],
  ['dashboard-animal-phone', editor, phone, 'dark'],
  ['site-home-1280', `${site}/`, desk, 'light'],
  ['site-animals-1280', `${site}/animals?sex=female`, desk, 'light'],
  ['site-animal-390', ofVisitors, phone, 'light'],
] as const) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(size)
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // For the photos, and the preview.
  await page.waitForTimeout(3000)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
await browser.close()
