// A page that was left open. The service is restarted under it, the network goes away, a
// new version takes the place of the old one: it says so, goes on by itself when it can,
// shows what changed meanwhile, and nothing that was typed is lost. Nobody reloads here.
//
// Two people at the same redirects: redirects.test.ts. A draft of the site: site.test.ts.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { texts } from '../../dashboard/src/texts/texts.ts'
import * as pets from '../../server/src/pets/pet-queries.ts'
import { LIVE, startSeededProject, STORE, WAITING, type SeededProject } from './seeded-project.ts'

const { animals, common, domains, orders, projects } = texts

let house: SeededProject
beforeAll(async () => {
  house = await startSeededProject()
})
afterAll(() => house?.stage.close())

const at = (path = '') => `/projects/${house.owner.slug}${path}`
const patient = { timeout: 20_000 }

/** Opened, and marked: a page that was loaded anew has lost the mark. */
async function openMarked(path: string) {
  const opened = await house.stage.open(path, { as: house.owner })
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  await opened.page.evaluate(() => document.documentElement.setAttribute('data-mark', 'the same page'))
  return opened
}
/** Signed in, and nothing of the dashboard loaded yet. */
const signedIn = () => house.stage.open('/platform/v1/openapi.json', { as: house.owner })
const isSamePage = async (page: Page) => expect(await page.locator('html[data-mark]').count()).toBe(1)
const offline = (page: Page) => page.getByText(common.offline)

const addAnimal = (name: string) =>
  pets.insert(house.stage.database.run, [
    { project: house.project, pet: { name, categoryId: 1n, status: 'available' } },
  ])

test('The page of a domain says that nobody answers, and shows afterwards what became of the domain', async () => {
  const { page, context } = await openMarked(at(`/settings/domains/${WAITING}`))
  const progress = page.getByRole('region', { name: domains.progress.title })
  await progress.waitFor()
  await house.stage.restart(async () => {
    await offline(page).waitFor(patient)
    await progress.waitFor()
    await house.makeLive(WAITING)
  })
  await offline(page).waitFor({ state: 'detached', ...patient })
  await progress.getByText(domains.statuses.live.sentence).waitFor(patient)
  await isSamePage(page)
  await context.close()
})

test('The list of domains keeps what is half typed, and is up to date again', async () => {
  await house.owner.ask('POST', at('/domains'), { hostname: 'late.happy-paws.com' })
  const { page, context } = await openMarked(at('/settings/domains'))
  const row = page.getByRole('row').filter({ hasText: 'late.happy-paws.com' })
  await row.waitFor()
  expect(await row.innerText()).not.toContain(domains.statuses.live.label)
  await page.getByRole('button', { name: domains.add }).click()
  const field = page.getByRole('textbox', { name: domains.adding.label })
  await house.stage.restart(async () => {
    await field.fill('half-typed.happy-paws.com')
    await offline(page).waitFor(patient)
    await house.makeLive('late.happy-paws.com')
  })
  await offline(page).waitFor({ state: 'detached', ...patient })
  await row.getByText(domains.statuses.live.label, { exact: true }).waitFor(patient)
  expect(await field.inputValue()).toBe('half-typed.happy-paws.com')
  await isSamePage(page)
  await context.close()
})

test('The list of animals keeps the form that is half filled in, and shows what others added meanwhile', async () => {
  const { page, context } = await openMarked(at('/animals'))
  await page.getByRole('grid').getByText('Juno').first().waitFor()
  await page.getByRole('button', { name: animals.add }).click()
  const form = page.getByRole('dialog')
  const name = form.getByRole('textbox', { name: animals.name })
  await name.fill('Half a name')
  await form.getByRole('combobox', { name: animals.category }).selectOption({ label: 'Dogs' })
  await house.stage.restart(async () => {
    await form.getByRole('button', { name: animals.dialog.add }).click()
    await page.getByText(common.noAnswer).first().waitFor(patient)
    await addAnimal('Came meanwhile')
  })
  await page.getByRole('grid', { includeHidden: true }).getByText('Came meanwhile').waitFor(patient)
  expect(await name.inputValue()).toBe('Half a name')
  await form.getByRole('button', { name: animals.dialog.add }).click()
  await form.waitFor({ state: 'detached', ...patient })
  await page.getByRole('grid').getByText('Half a name').waitFor(patient)
  expect(await page.getByRole('grid').getByText('Half a name').count()).toBe(1)
  await isSamePage(page)
  await context.close()
})

test('Without a network the page says so at once, a page that was not loaded yet comes when it can', async () => {
  const { page, context } = await openMarked(at(`/settings/domains/${LIVE}`))
  await page.getByRole('region', { name: domains.progress.title }).waitFor()
  await context.setOffline(true)
  await offline(page).waitFor(patient)
  await page.getByRole('link', { name: common.nav.orders, exact: true }).click()
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

describe('what others do', () => {
  const members = () => at('/settings/members')
  const invite = (note: string) => house.owner.ask('POST', at('/invitations'), { role: 'viewer', note })
  const invitation = (page: Page, note: string) =>
    page.getByRole('button', { name: projects.invitations.revokeOf(note) })
  const beHidden = (page: Page, isHidden: boolean) =>
    page.evaluate(
      (state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      },
      isHidden ? 'hidden' : 'visible',
    )

  test('is on the open page at once, though it never asks', async () => {
    const { page, context } = await openMarked(members())
    await invite('Jonas')
    await invitation(page, 'Jonas').waitFor(patient)
    await isSamePage(page)
    await context.close()
  })

  test('is not heard of on a page behind another one, and is there when it comes to the front', async () => {
    const { page, context } = await openMarked(members())
    const left = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'))
    await invite('Lena')
    await invitation(page, 'Lena').waitFor(patient)
    await beHidden(page, true)
    await left
    await invite('Ida')
    // Without news nobody asks, which is what the tests before rely on.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await invitation(page, 'Ida').count()).toBe(0)
    await beHidden(page, false)
    await invitation(page, 'Ida').waitFor(patient)
    await isSamePage(page)
    await context.close()
  })
})

describe('a menu that is loaded later than its page', () => {
  /** The project's page without the menus; `come` brings them, and ends when they are there. */
  async function beforeMenus() {
    const { page, context } = await signedIn()
    const late = Promise.withResolvers<void>()
    await context.route(/\/assets\/menus.*\.js$/, (route) => late.promise.then(() => route.continue()))
    await page.goto(house.stage.origin + at())
    await page.getByRole('heading', { level: 1 }).waitFor()
    const person = page.getByRole('button', { name: house.owner.name, exact: true })
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

  test('opens when it comes, if it was pressed before', async () => {
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
  ])('does not come between pressing and letting go: $by', async ({ hold, letGo }) => {
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

  test('leaves the keyboard where it is', async () => {
    const { page, context, switcher, come } = await beforeMenus()
    await switcher.focus()
    await come(switcher)
    expect(await switcher.evaluate((shown) => shown === document.activeElement)).toBe(true)
    expect(await items(page).count()).toBe(0)
    await context.close()
  })
})

test('A page whose notices are gone, because there is a new version, is there all the same', async () => {
  const { page, context } = await signedIn()
  await context.route(/\/assets\/notices-loaded.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
  const gone = page.waitForResponse(/notices-loaded.*\.js$/)
  await page.goto(house.stage.origin + at('/orders'))
  expect((await gone).status()).toBe(404)
  await page.getByText('Ben Miller').first().waitFor(patient)
  await context.close()
})

test.each(['js', 'css'])(
  'A part that a new version has replaced leads to the new version, at the page that was wanted: %s',
  async (kind) => {
    const { page, context } = await openMarked(at('/activity'))
    // A new version: the parts of the old one are gone, and its page names another script.
    let isNew = true
    await context.route(new RegExp(`/assets/orders-page.*\\.${kind}$`), (route) =>
      isNew ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await context.route(
      ({ pathname }) => pathname.startsWith(at('/')),
      async (route) => {
        const answer = await route.fetch()
        const isPage = route.request().resourceType() === 'document'
        if (isPage) isNew = false
        const text = await answer.text()
        return route.fulfill({
          response: answer,
          body: isPage ? text : text.replaceAll('/assets/index.', '/assets/other.'),
        })
      },
    )
    await page.getByRole('link', { name: common.nav.orders, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: orders.title }).waitFor(patient)
    await page.getByText('Ben Miller').first().waitFor(patient)
    expect(await page.locator('html[data-mark]').count()).toBe(0)
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  },
)
