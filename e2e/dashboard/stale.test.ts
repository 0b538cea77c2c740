// Pages that stay open while the service restarts, the network fails, or a new version is
// deployed. Guarantees:
// - the page shows the outage and continues automatically;
// - it shows what changed in the meantime;
// - no input is lost.
// The tests never reload a page.
//
// Concurrent edits of redirects: redirects.test.ts. A draft of the site: site.test.ts.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import * as pets from '../../server/src/animals/pet-queries.ts'
import { LIVE, startSeededProject, STORE, WAITING, type SeededProject } from './seeded-project.ts'

const { animals, common, domains, orders, projects } = texts

let seeded: SeededProject
beforeAll(async () => {
  seeded = await startSeededProject()
})
afterAll(() => seeded?.dashboard.close())

const at = (path = '') => `/projects/${seeded.owner.slug}${path}`
const patient = { timeout: 20_000 }

/** Opens a page and marks it: a reload removes the mark. */
async function openMarked(path: string) {
  const opened = await seeded.dashboard.open(path, { as: seeded.owner })
  await mark(opened.page)
  return opened
}
async function mark(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => document.documentElement.setAttribute('data-mark', 'the same page'))
}
/** Signs in without loading the dashboard. */
const signedIn = () => seeded.dashboard.open('/platform/v1/openapi.json', { as: seeded.owner })
const isSamePage = async (page: Page) => expect(await page.locator('html[data-mark]').count()).toBe(1)
const offline = (page: Page) => page.getByText(common.offline)

const addAnimal = (name: string) =>
  pets.insert(seeded.dashboard.database.run, [
    { project: seeded.project, pet: { name, categoryId: 1n, status: 'available' } },
  ])

test('The page of a domain shows an outage, and afterwards the new status of the domain', async () => {
  const { page, context } = await openMarked(at(`/settings/domains/${WAITING}`))
  const progress = page.getByRole('region', { name: domains.progress.title })
  await progress.waitFor()
  await seeded.dashboard.restart(async () => {
    await offline(page).waitFor(patient)
    await progress.waitFor()
    await seeded.makeLive(WAITING)
  })
  await offline(page).waitFor({ state: 'detached', ...patient })
  await page.getByText(domains.statuses.live.sentence).waitFor(patient)
  await isSamePage(page)
  await context.close()
})

test('The list of domains keeps unfinished input across an outage, and is up to date afterwards', async () => {
  await seeded.owner.ask('POST', at('/domains'), { hostname: 'late.happy-paws.com' })
  const { page, context } = await openMarked(at('/settings/domains'))
  const row = page.getByRole('listitem').filter({ hasText: 'late.happy-paws.com' })
  await row.waitFor()
  expect(await row.innerText()).not.toContain(domains.statuses.live.label)
  await page.getByRole('button', { name: domains.add }).click()
  const field = page.getByRole('textbox', { name: domains.adding.label })
  await seeded.dashboard.restart(async () => {
    await field.fill('half-typed.happy-paws.com')
    await offline(page).waitFor(patient)
    await seeded.makeLive('late.happy-paws.com')
  })
  await offline(page).waitFor({ state: 'detached', ...patient })
  await row.getByText(domains.statuses.live.label, { exact: true }).waitFor(patient)
  expect(await field.inputValue()).toBe('half-typed.happy-paws.com')
  await isSamePage(page)
  await context.close()
})

test('The list of animals keeps an unfinished form across an outage, and shows what others have added', async () => {
  const { page, context } = await openMarked(at('/animals'))
  await page.getByRole('grid').getByText('Nala').waitFor()
  await page.getByRole('button', { name: animals.add }).click()
  const form = page.getByRole('dialog')
  const name = form.getByRole('textbox', { name: animals.name })
  await name.fill('Half a name')
  await form.getByRole('combobox', { name: animals.category }).selectOption({ label: 'Dogs' })
  await seeded.dashboard.restart(async () => {
    await form.getByRole('button', { name: animals.dialog.add }).click()
    await page.getByText(common.noAnswer).first().waitFor(patient)
    await addAnimal('Came meanwhile')
  })
  await page.getByRole('grid', { includeHidden: true }).getByText('Came meanwhile').waitFor(patient)
  expect(await name.inputValue()).toBe('Half a name')
  await form.getByRole('button', { name: animals.dialog.add }).click()
  // Adding leads to the page of the animal.
  await page.getByRole('heading', { level: 1, name: 'Half a name' }).waitFor(patient)
  await page.goBack()
  await page.getByRole('grid').getByText('Half a name').waitFor(patient)
  expect(await page.getByRole('grid').getByText('Half a name').count()).toBe(1)
  await isSamePage(page)
  await context.close()
})

test('Without a network the page shows this at once, and a page that was not loaded yet opens later', async () => {
  const { page, context } = await openMarked(at(`/settings/domains/${LIVE}`))
  await page.getByRole('region', { name: domains.progress.title }).waitFor()
  await context.setOffline(true)
  await offline(page).waitFor(patient)
  await page
    .locator(`a[href="${at('/requests')}"]`)
    .first()
    .click()
  await offline(page).waitFor()
  await isSamePage(page)
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: orders.title }).waitFor(patient)
  await offline(page).waitFor({ state: 'detached', ...patient })
  const styles = () =>
    page
      .locator('link[rel=stylesheet]')
      .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).sheet !== null))
  await expect.poll(styles).not.toContain(false)
  await isSamePage(page)
  await context.close()
})

describe('a change by another member', () => {
  const members = () => at('/settings/members')
  const addressOf = (name: string) => `${name.toLowerCase()}@shop.example`
  const invite = (name: string) =>
    seeded.owner.ask('POST', at('/invitations'), { email: addressOf(name), role: 'viewer' })
  const invitation = (page: Page, name: string) =>
    page.getByRole('button', { name: projects.invitations.revokeOf(addressOf(name)) })
  const beHidden = (page: Page, isHidden: boolean) =>
    page.evaluate(
      (state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      },
      isHidden ? 'hidden' : 'visible',
    )

  test('appears on the open page at once, although the page does not poll while events are received', async () => {
    const { page, context } = await signedIn()
    const stream = page.waitForResponse((response) => response.url().includes('/watch?'))
    await page.goto(seeded.dashboard.origin + members())
    expect((await stream).status()).toBe(200)
    await mark(page)
    await invite('Jonas')
    await invitation(page, 'Jonas').waitFor(patient)
    await isSamePage(page)
    await context.close()
  })

  test('does not reach a hidden page, and appears when the page becomes visible', async () => {
    const { page, context } = await openMarked(members())
    const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/watch?'))
    await invite('Lena')
    await invitation(page, 'Lena').waitFor(patient)
    await beHidden(page, true)
    await left
    await invite('Ida')
    // Without an event the page sends no request, which the previous test relies on.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await invitation(page, 'Ida').count()).toBe(0)
    await beHidden(page, false)
    await invitation(page, 'Ida').waitFor(patient)
    await isSamePage(page)
    await context.close()
  })
})

describe('a menu that loads later than its page', () => {
  /** Opens the project page without the menus; `come` loads them and waits until they are there. */
  async function beforeMenus() {
    const { page, context } = await signedIn()
    const late = Promise.withResolvers<void>()
    await context.route(/\/assets\/menus.*\.js$/, (route) => late.promise.then(() => route.continue()))
    await page.goto(seeded.dashboard.origin + at())
    await page.getByRole('heading', { level: 1 }).waitFor()
    const person = page.getByRole('button', { name: seeded.owner.name, exact: true })
    const switcher = page.getByRole('button', { name: common.opensMenu(STORE), exact: true })
    const isComplete = (button: Locator) => button.evaluate((shown) => shown.hasAttribute('aria-expanded'))
    const come = async (button: Locator) => {
      late.resolve()
      await expect.poll(() => isComplete(button)).toBe(true)
    }
    return { page, context, person, switcher, isComplete, come }
  }
  const items = (page: Page) => page.getByRole('menuitem')
  const signOut = (page: Page) => page.getByRole('menuitem', { name: common.nav.signOut })

  test('opens once loaded, if it was clicked before', async () => {
    const { page, context, person, come } = await beforeMenus()
    await person.click()
    expect(await items(page).count()).toBe(0)
    await come(person)
    await signOut(page).waitFor()
    await page.keyboard.press('Escape')
    await items(page).first().waitFor({ state: 'detached' })
    await expect.poll(() => person.evaluate((shown) => shown === document.activeElement)).toBe(true)
    await context.close()
  })

  test.each([
    { by: 'mouse', hold: (page: Page) => page.mouse.down(), letGo: (page: Page) => page.mouse.up() },
    { by: 'space bar', hold: (page: Page) => page.keyboard.down(' '), letGo: (page: Page) => page.keyboard.up(' ') },
  ])('is not replaced between press and release: $by', async ({ hold, letGo }) => {
    const { page, context, person, switcher, isComplete, come } = await beforeMenus()
    await person.hover()
    await person.focus()
    await hold(page)
    await come(switcher)
    expect(await isComplete(person)).toBe(false)
    await letGo(page)
    await signOut(page).waitFor()
    await context.close()
  })

  test('does not move the focus', async () => {
    const { page, context, switcher, come } = await beforeMenus()
    await switcher.focus()
    await come(switcher)
    expect(await switcher.evaluate((shown) => shown === document.activeElement)).toBe(true)
    expect(await items(page).count()).toBe(0)
    await context.close()
  })
})

test('A page whose toasts script is gone, because of a new version, is shown nevertheless', async () => {
  const { page, context } = await signedIn()
  await context.route(/\/assets\/toasts-loaded.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
  const gone = page.waitForResponse(/toasts-loaded.*\.js$/)
  await page.goto(seeded.dashboard.origin + at('/requests'))
  expect((await gone).status()).toBe(404)
  await page.getByText('Ben Miller').first().waitFor(patient)
  await context.close()
})

test.each(['js', 'css'])(
  'A missing asset of an old version loads the new version, at the requested page: %s',
  async (kind) => {
    const { page, context } = await openMarked(at('/activity'))
    // A new version: the assets of the old one are gone, and its page references another script.
    let isNew = true
    await context.route(new RegExp(`/assets/orders(-page)?\\..*\\.${kind}$`), (route) =>
      isNew ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await context.route(
      ({ pathname }) => pathname.startsWith(at('/')),
      async (route) => {
        const response = await route.fetch()
        const isPage = route.request().resourceType() === 'document'
        if (isPage) isNew = false
        const text = await response.text()
        return route.fulfill({
          response,
          body: isPage ? text : text.replaceAll('/assets/index.', '/assets/other.'),
        })
      },
    )
    await page
      .locator(`a[href="${at('/requests')}"]`)
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: orders.title }).waitFor(patient)
    await page.getByText('Ben Miller').first().waitFor(patient)
    expect(await page.locator('html[data-mark]').count()).toBe(0)
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  },
)
