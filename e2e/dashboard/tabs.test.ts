// The tabs of one browser and their event stream: which tab has it, when it moves, and what pages do without it. How many
// tabs one stream serves, and how soon, is the line `tabs` of the safety suite.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'

let dashboard: Dashboard
let owner: BrowserOwner
beforeAll(async () => {
  dashboard = await startDashboard({ DNS_RESOLVERS: 'unreachable=127.0.0.1:1' })
  owner = await dashboard.makeOwner({ slug: 'willow' })
})
afterAll(() => dashboard?.close())

const patient = { timeout: 60_000 }
const isStream = (url: string) => url.includes('/platform/v1/watch?')

/** A signed-in browser without a page of the dashboard, which lists the tabs that opened a stream, and those that closed it. */
async function openBrowser() {
  const { page, context } = await dashboard.open('/platform/v1/openapi.json', { as: owner })
  const [opened, closed]: [Page[], Page[]] = [[], []]
  context.on('response', (response) => {
    if (isStream(response.url()) && response.ok()) opened.push(response.frame().page())
  })
  context.on('requestfailed', (request) => {
    if (isStream(request.url())) closed.push(request.frame().page())
  })
  await page.close()
  return { context, opened, closed }
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${dashboard.origin}/projects/willow/settings/members`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

let names = 0
/** Gives the project a new name, which these tabs then show. */
async function showsChange(...pages: Page[]): Promise<void> {
  const name = `Willow ${(names += 1)}`
  await owner.ask('PATCH', '/projects/willow', { name })
  for (const page of pages) await page.getByText(name, { exact: true }).first().waitFor(patient)
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isHidden ? 'hidden' : 'visible',
  )

test('A tab that is hidden passes the stream on to the next one, and is up to date when it returns', async () => {
  const { context, opened, closed } = await openBrowser()
  const first = await openTab(context)
  await expect.poll(() => opened).toEqual([first])
  const second = await openTab(context)
  await showsChange(first, second)
  await setHidden(first, true)
  await expect.poll(() => opened).toEqual([first, second])
  expect(closed).toContain(first)
  await showsChange(second)
  await setHidden(first, false)
  await showsChange(first, second)
  expect(opened).toEqual([first, second])
  await context.close()
})

test('A page in the back-forward cache has no stream, and opens one when it is shown again', async () => {
  const { context, opened, closed } = await openBrowser()
  const page = await openTab(context)
  await expect.poll(() => opened).toHaveLength(1)
  const transition = (name: string) =>
    page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name)
  await transition('pagehide')
  await expect.poll(() => closed).toHaveLength(1)
  expect(await page.evaluate(async () => (await navigator.locks.query()).held)).toEqual([])
  await transition('pageshow')
  await expect.poll(() => opened).toHaveLength(2)
  await showsChange(page)
  await context.close()
})

test('Signing out in one tab ends the stream of all, and leads them to the sign-in page', async () => {
  const { context, opened, closed } = await openBrowser()
  const first = await openTab(context)
  await expect.poll(() => opened).toEqual([first])
  const second = await openTab(context)
  await second.getByRole('button', { name: owner.name, exact: true }).click()
  await second.getByRole('menuitem', { name: texts.common.nav.signOut }).click()
  await first.waitForURL(/\/sign-in/, patient)
  await second.waitForURL(/\/sign-in/, patient)
  expect(closed).toContain(first)
  expect(opened).toEqual([first])
  await context.close()
})

test('Without Web Locks, each tab has a stream of its own', async () => {
  const { context, opened } = await openBrowser()
  await context.addInitScript('delete Navigator.prototype.locks')
  const first = await openTab(context)
  const second = await openTab(context)
  await expect.poll(() => new Set(opened)).toEqual(new Set([first, second]))
  await showsChange(first, second)
  await context.close()
})

test.each([
  ['is not requested again before the time that the server names', '3600', 1],
  ['is requested again after it (negative control)', '1', 2],
])('A stream that is refused %s, and the page polls', async (_, retryAfter, requested) => {
  const { context } = await openBrowser()
  let requests = 0
  await context.route('**/watch?*', (route) => {
    requests += 1
    const json = { code: 'rate_limited', message: 'This account has 10 open event streams.', status: 429 }
    return route.fulfill({ status: 429, headers: { 'Retry-After': retryAfter }, json })
  })
  const page = await openTab(context)
  await expect.poll(() => requests).toBeGreaterThanOrEqual(requested)
  await showsChange(page)
  if (requested === 1) expect(requests).toBe(1)
  await context.close()
})
