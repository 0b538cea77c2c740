// The preview of a site in a real browser, in a frame as in the dashboard. It looks like the
// site, shows its logo, and its links and its form do nothing. Pages of other origins cannot
// frame it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../testbed/photos/images.ts'
import { wordsOf } from '../server/src/sites/strings/strings.ts'
import { PLATFORM, startTestPlatform, type PlatformOwner, type TestPlatform } from '../testbed/harness/platform.ts'
import { startBrowser } from '../testbed/harness/browser.ts'

/** A new site is in English. */
const words = wordsOf.en

let platform: TestPlatform
let owner: PlatformOwner
let browser: Browser
let token: string

beforeAll(async () => {
  platform = await startTestPlatform()
  owner = await platform.owner()
  token = ((await owner.send('POST', '/account/tokens', { label: 'Browser' })).json as { token: string }).token
  await owner.send('POST', `/projects/${owner.slug}/animals`, { name: 'Rex', categoryId: 1 })
  await owner.send('PUT', `/projects/${owner.slug}/site/logo`, png, { 'Content-Type': 'image/png' })
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const framed = (query = '') =>
  `<iframe width="900" height="700" sandbox src="${platform.test.origin}${PLATFORM}/projects/${owner.slug}/site/preview${query}"></iframe>`

const newPage = () => browser.newPage({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } })

/** A page of the same origin which frames the preview, and the console messages of the browser. */
async function framing(query = ''): Promise<{ page: Page; messages: string[] }> {
  const page = await newPage()
  const messages: string[] = []
  page.on('console', (message) => void messages.push(message.text()))
  const address = `${platform.test.origin}/frame`
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: framed(query) }))
  await page.goto(address)
  return { page, messages }
}

const frameOf = (page: Page) => {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  if (!frame) throw new Error('there is no frame')
  return frame
}

test('a frame of the same origin shows the site with its style and its logo, and loads nothing else', async () => {
  const { page, messages } = await framing()
  const body = page.frameLocator('iframe').locator('body')
  await body.getByText('Rex').waitFor()
  // The style is that of the site: a page is a column of full height.
  expect(await body.evaluate((element) => getComputedStyle(element).display)).toBe('flex')
  const logo = page.frameLocator('iframe').locator('img.logo')
  expect(await logo.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(3)
  expect(messages).toEqual([])
  await page.close()
})

test('the links and the form of the preview do nothing', async () => {
  const { page } = await framing('?page=animal')
  const inside = page.frameLocator('iframe')
  const form = inside.getByRole('form', { name: words.ask('Rex').join('') })
  await form.waitFor()
  const address = frameOf(page).url()
  const requests: string[] = []
  page.on('request', (request) => void requests.push(request.url()))
  page.context().on('page', (other) => void requests.push(`a window: ${other.url()}`))
  // Without href, they do not have the role of a link.
  await inside.locator('a.brand').click()
  await inside.locator('a.back').click()
  await inside.locator('a.back').click({ modifiers: ['Control'] })
  await form.evaluate((element) => {
    for (const field of element.querySelectorAll('input, textarea')) (field as HTMLInputElement).value = 'Ben'
  })
  await form.getByRole('button', { name: words.send }).click()
  // Requests started by those clicks would be recorded before the response to this one.
  await page.evaluate(() => fetch('/frame'))
  expect(requests).toEqual([expect.stringMatching(/\/frame$/)])
  expect(frameOf(page).url()).toBe(address)
  await page.close()
})

test('a page of another origin cannot frame the preview', async () => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(framed()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = await newPage()
  const failed: unknown[] = []
  page.on('requestfailed', (request) => void failed.push(request.failure()?.errorText))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(failed).toEqual(['net::ERR_BLOCKED_BY_RESPONSE'])
  expect(frameOf(page).url()).toMatch(/^chrome-error:/)
  await page.close()
  server.close()
})
