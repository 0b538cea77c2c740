// The user journey to a store on a custom domain, with only the dashboard and the registrar:
// from signing up to visitors who are redirected to the right address over HTTPS, with the
// three most common mistakes. Everything is real, the page is never reloaded, and every wait is
// for text on the screen. Records entered at the registrar are read from the screen. Each step
// depends on the previous ones.
//
// Names that the requirement fixes are literals here: Project settings, Domains, Add domain,
// Verify and Remove. All other texts are imported from the dashboard.
//
//   SHOTS=<folder>            a screenshot after each step
//   SCREENSHOTS=docs/images   the pictures of the dashboard in the README

import { refusals } from '@petstore-platform/contract/errors'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { platformClient } from '../../devserver/demo.ts'
import { causes } from '../../server/src/domains/causes/causes.ts'
import { ANY, like } from './text-patterns.ts'
import { settled } from '../accessibility.ts'
import type { Opened } from './browser-environment.ts'
import { expectAdvice } from './advice-assertions.ts'
import { stepsOf } from './steps.ts'
import { startOwnersWorld, type OwnersWorld } from './world.ts'

const { account, animals, common, domains, projects, redirects, site: siteTexts, start } = texts

const ZONE = 'willow-street.test'
const SHOP = `shop.${ZONE}`
const SLUG = 'willow-street'
const TARGET = `${SLUG}.petstore.test`
const TITLE = 'Willow Street Animal Shelter'
/** Address of a previous hosting provider. */
const ELSEWHERE = '127.0.80.20'
const LONG = { timeout: 40_000 }

let world: OwnersWorld
let owner: Opened
let page: Page
const { step, picture, note } = stepsOf('journey', () => page)

beforeAll(async () => {
  const began = performance.now()
  world = await startOwnersWorld(ZONE)
  note(began, 'the world is ready')
})
afterAll(() => world?.close())

/** In a window of its own, which shows no notifications. */
async function takeReadmePictures(): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  const window = await owner.context.newPage()
  const take = async (name: string, width: number, colorScheme: 'light' | 'dark') => {
    await window.setViewportSize({ width, height: 1000 })
    await window.emulateMedia({ colorScheme })
    await settled(window)
    await window.screenshot({ path: `${folder}/${name}.png` })
  }
  await window.goto(page.url())
  await window.getByRole('region', { name: domains.records.title }).waitFor()
  await take('dashboard-domain-trouble', 1100, 'light')
  await take('dashboard-domain-phone', 390, 'dark')
  await window.close()
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const part = (name: string) => page.getByRole('region', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const statusText = (text: string | RegExp) => page.getByRole('status').getByText(text, { exact: true })
const notice = (text: string) => page.getByRole('alert').getByText(text, { exact: true })
const progress = (text: string) => part(domains.progress.title).getByText(text, { exact: true })
const records = () => part(domains.records.title)
const allDomains = () => link(domains.page.all)
const domainField = () => field(domains.adding.label)
const sendDomain = () => page.getByRole('form', { name: 'Add domain' }).getByRole('button', { name: 'Add domain' })

async function choose(hostname: string, item: string): Promise<void> {
  await button(domains.page.menu(hostname)).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Follows a link of the page to the window that it opens. */
async function opened(name: string): Promise<Page> {
  const [shown] = await Promise.all([owner.context.waitForEvent('page'), link(name).first().click()])
  await shown.waitForLoadState()
  return shown
}

type Shown = { type: string; name: string; value: string }

/** The records on the screen. */
async function recordsShown(): Promise<Shown[]> {
  const rows = await records()
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .all()
  return Promise.all(
    rows.map(async (row) => {
      const [type, name, value] = [0, 1, 2].map((at) => row.getByRole('cell').nth(at))
      const read = (cell: Locator | undefined) => cell?.innerText() ?? ''
      return {
        type: await read(type),
        name: await read(name?.getByRole('code')),
        value: await read(value?.getByRole('code')),
      }
    }),
  )
}

/** The secret of the link with which a person creates an account. */
async function invitedBy(email: string): Promise<string> {
  const link = await world.operator('accounts', 'invite', '--email', email)
  return new URL(link).hash.slice(1)
}

/** Enters a record at the registrar as shown. The registrar answers an ALIAS with the addresses of its target. */
async function enter({ type, name, value }: Shown): Promise<void> {
  if (type !== 'ALIAS') return world.registrar(type === 'CNAME' ? 'set' : 'add', name, type, value)
  expect(value).toBe(TARGET)
  await world.registrar('set', name, 'A', '127.0.80.1')
}

test('A domain needs a published site: the page shows this, links to Site, and continues once it is published', async () => {
  const [slug, person] = ['small-shop', { email: 'mia@shop.example', password: 'a good long password', name: 'Mia' }]
  const ask = platformClient(`${world.origin}/platform/v1`, { Origin: world.origin })
  const { email, ...own } = person
  await ask('POST', '/accounts', { secret: await invitedBy(email), ...own })
  await ask('POST', '/projects', { slug, name: 'Small Shop' })
  await world.operator('plans', 'set', '--project', slug, '--plan', 'pro')
  const mia = await world.open(`/projects/${slug}/settings/domains`, { as: { ...person, slug, ask } })
  page = mia.page
  await page.getByText(domains.wayOut.deploy.title, { exact: true }).waitFor()
  await domainField().fill(SHOP)
  await sendDomain().click()
  const refusal = page.getByRole('alert').filter({ hasText: refusals.deploy_required.message })
  await picture('a published site is needed')
  await refusal.getByRole('link', { name: domains.wayOut.deploy.link }).click()
  await button(siteTexts.deploy).click()
  await page.getByText(siteTexts.visitorsSee(1)).waitFor(LONG)
  await link('Project settings').click()
  await link('Domains').click()
  await domainField().waitFor()
  await page.getByText(domains.wayOut.deploy.title).waitFor({ state: 'detached' })
  expect(mia.complaints).toEqual([])
  await mia.context.close()
})

step('A new user signs up and creates a project', async () => {
  // Without mail, the operator passes on a link.
  owner = await world.open(`/sign-up#${await invitedBy('robin@shop.example')}`)
  page = owner.page
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  await field(account.signUp.name).fill('Robin')
  await page.getByLabel(account.password, { exact: true }).fill('a good long password')
  await button(account.signUp.action).click()
  await heading(projects.welcome.title).waitFor()
  await field(projects.create.name).fill('Willow Street')
  await page.getByRole('status').getByText(projects.create.isFree).waitFor()
  await button(projects.create.action).click()
  await page.getByRole('heading', { level: 1, name: start.greeting.to('', 'Robin') }).waitFor()
  expect(await page.title()).toBe(`Willow Street · ${common.product}`)
})

step('Three animals are added, together with a new category', async () => {
  await link(common.nav.animals).click()
  await page.getByRole('heading', { name: animals.emptyTitle }).waitFor()
  await button(animals.add).first().click()
  const dialog = page.getByRole('dialog', { name: animals.dialog.addTitle })
  const name = dialog.getByRole('textbox', { name: animals.name, exact: true })
  await dialog.getByRole('textbox', { name: animals.dialog.newCategoryName }).fill('Dogs')
  for (const animal of ['Rex', 'Juno']) {
    await name.fill(animal)
    await dialog.getByRole('button', { name: animals.dialog.addAnother }).click()
    await notice(animals.dialog.wasAdded(animal)).waitFor()
  }
  await name.fill('Biscuit')
  await name.press('Enter')
  // The last one leads to its page, where it can be described.
  await field(texts.profiles.fields.headline).fill('Sleeps like a log')
  await statusText(like(texts.profiles.savedAt(ANY))).waitFor()
  await link(common.nav.animals).first().click()
  await page.getByText(animals.counted(3), { exact: true }).waitFor()
})

step('The site gets its title and is published at the default address', async () => {
  await link(common.nav.site).click()
  await field(siteTexts.fields.title).fill(TITLE)
  await statusText(like(siteTexts.savedAt(ANY))).waitFor()
  await button(siteTexts.deploy).click()
  await page.getByText(siteTexts.visitorsSee(1)).waitFor(LONG)
  const site = await opened(`${siteTexts.openSite} ${siteTexts.newWindow}`)
  expect(new URL(site.url()).host).toBe(TARGET)
  expect(await site.title()).toContain(TITLE)
  for (const animal of ['Rex', 'Juno', 'Biscuit']) await site.getByText(animal).first().waitFor()
  await picture('the site', site)
  await site.close()
})

step('A domain needs Pro: the page shows this, links to Plan, and continues once the operator has set it', async () => {
  await link('Project settings').click()
  await link('Domains').click()
  await page.getByText(domains.wayOut.plan.title, { exact: true }).waitFor()
  await domainField().fill(SHOP)
  await sendDomain().click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Custom domains need the Pro plan or above.' })
  await picture('Pro is needed')
  await refusal.getByRole('link', { name: domains.wayOut.plan.link }).click()
  await heading(projects.plan.title).waitFor()
  await page.getByText(projects.plan.cannotAsk).waitFor()
  await picture('Plan')
  const result = await world.operator('plans', 'set', '--project', SLUG, '--plan', 'pro')
  expect(result).toBe(`${SLUG} has moved from the plan free to pro.`)
  await statusText(projects.plans.pro.label).waitFor(LONG)
  await link('Domains').click()
  await domainField().waitFor()
  expect(await page.getByText(domains.wayOut.plan.title).count()).toBe(0)
})

const conflict = {
  host: SHOP,
  ip: ELSEWHERE,
  owner_hint: '',
  fix: `It blocks the CNAME: delete it, then add the CNAME record to ${TARGET}.`,
}

step('Mistake 1: a URL is pasted while an old A record conflicts', async () => {
  await world.registrar('set', 'shop', 'A', ELSEWHERE)
  await domainField().fill(`https://${SHOP}/puppies?page=2`)
  const pasted = causes['name.url_pasted'].text.replace('{host}', SHOP).replaceAll('`', '')
  await page.getByText(pasted, { exact: true }).waitFor()
  await picture('checked before it is added')
  await sendDomain().click()
  await heading(SHOP).waitFor()
  await expectAdvice(page, 'dns.conflict_a', conflict)
  const deletion = records().getByRole('listitem').filter({ hasText: ELSEWHERE }).first()
  expect(await deletion.innerText()).toContain(domains.records.delete(1))
  await takeReadmePictures()
})

step('A page that rewords the advice fails this test (negative control)', async () => {
  const other = await owner.context.newPage()
  const advice = 'Something is wrong with your DNS.'
  // It neither opens a stream nor receives the events of the other page.
  await other.addInitScript('delete globalThis.BroadcastChannel')
  await other.route('**/watch?*', (route) => route.abort())
  await other.route(`**/platform/v1/projects/*/domains/${SHOP}`, async (route) => {
    const response = await route.fetch()
    const { rootCause, ...domain } = (await response.json()) as { rootCause: object }
    await route.fulfill({ response, json: { ...domain, rootCause: { ...rootCause, advice } } })
  })
  await other.goto(page.url())
  await other.getByText(advice).waitFor()
  await expect(expectAdvice(other, 'dns.conflict_a', conflict, 300)).rejects.toThrow('Timeout')
  await expectAdvice(page, 'dns.conflict_a', conflict)
  await other.unrouteAll({ behavior: 'ignoreErrors' })
  await other.close()
})

step('Mistake 2: the CNAME that replaces it is misspelt', async () => {
  const [record] = await recordsShown()
  expect(record).toEqual({ type: 'CNAME', name: 'shop', value: TARGET })
  const found = TARGET.replace('street', 'stret')
  await world.registrar('set', 'shop', 'CNAME', found)
  await button('Verify').click()
  const difference = '`willow-stret` must be `willow-street`'
  await expectAdvice(page, 'dns.cname_typo', { host: SHOP, found, target: TARGET, difference })
  await statusText(domains.verify.found.action_required).waitFor()
  const line = records()
    .getByRole('listitem')
    .filter({ hasText: `CNAME ${found}` })
    .last()
  expect(await line.innerText()).toContain(domains.records.todos.change)
})

step('The open page shows the corrected record, up to Live, and visitors see the site on the domain', async () => {
  for (const record of await recordsShown()) await enter(record)
  await progress(domains.progress.routing.pointing).waitFor(LONG)
  await progress(domains.progress.live.live).waitFor(LONG)
  // The earlier result of Verify is no longer shown.
  for (const failed of [domains.trouble.failed, domains.verify.found.action_required]) {
    expect(await page.getByText(failed).count()).toBe(0)
  }
  const site = await opened(domains.page.visit)
  expect(site.url()).toBe(`https://${SHOP}/`)
  expect(await site.title()).toContain(TITLE)
  await picture('the site on the domain', site)
  await site.close()
  for (const met of await world.visitors(SHOP)) {
    expect(met).toMatchObject({ status: 200, issuer: expect.stringContaining('Pebble') as string })
    expect(met.body).toContain(TITLE)
  }
})

step('The domain replaces the default address wherever an address is shown, linked or published', async () => {
  await page.getByText(domains.list.primary, { exact: true }).waitFor()
  await expect.poll(async () => (await world.plainVisitors(TARGET)).map(({ status }) => status)).toEqual([307, 307])
  for (const { headers } of await world.plainVisitors(TARGET, '/c/1?x=%20')) {
    expect(headers.location).toBe(`https://${SHOP}/c/1?x=%20`)
  }
  for (const { body } of await world.visitors(SHOP, '/sitemap.xml')) {
    expect(body).toContain(`<loc>https://${SHOP}/</loc>`)
    expect(body).not.toContain(TARGET)
  }
  await link(common.nav.start).click()
  await page.getByRole('region', { name: start.site.title, exact: true }).getByRole('link', { name: SHOP }).waitFor()
  await page.locator(`a[href^="https://${SHOP}"]`).first().waitFor()
  await picture('Your site')
  await link('Project settings').click()
  await link('Domains').click()
  await page.getByText(domains.list.defaultRedirects(SHOP)).waitFor()
  await link(SHOP).click()
})

step('Mistake 3: an old CAA record at the apex domain forbids our authority', async () => {
  await world.registrar('set', '@', 'CAA', '0 issue "sectigo.com"')
  await allDomains().click()
  await button('Add domain').click()
  await domainField().fill(ZONE)
  await page.getByText(domains.adding.kinds.apex.label, { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: domains.adding.sibling.label(`www.${ZONE}`) }).uncheck()
  await sendDomain().click()
  await heading(ZONE).waitFor()
  await picture('the records of the domain itself')
  const shown = await recordsShown()
  expect(shown.map(({ type }) => type)).toEqual(['ALIAS', 'TXT', 'CAA'])
  for (const record of shown.filter(({ type }) => type !== 'CAA')) await enter(record)
  await button('Verify').click()
  await expectAdvice(page, 'caa.blocked', { at: ZONE, list: 'sectigo.com', name: '@', ca: 'letsencrypt.org' })
})

step('The required CAA record is added, and the apex domain is live', async () => {
  const record = (await recordsShown()).find(({ type }) => type === 'CAA')
  expect(record?.value).toBe('0 issue "letsencrypt.org"')
  // Without a click: the record is detected automatically.
  if (record) await enter(record)
  await progress(domains.progress.live.live).waitFor(LONG)
  for (const met of await world.visitors(ZONE)) expect(met).toMatchObject({ status: 200 })
})

step('The page shows the certificate that visitors get', async () => {
  const certificate = part(domains.certificate.title)
  const [by, until] = [domains.certificate.authority, domains.certificate.validUntil].map((text) => RegExp.escape(text))
  // Not escaped as a whole: that would change the first letter of DATE, too.
  const time = common.at('DATE', 'TIME').replace('DATE', '\\d+ \\w+ 20\\d\\d').replace('TIME', '\\d+:\\d+')
  const facts = String.raw`${by}\s+letsencrypt\.org\s+${until}\s+${time}`
  expect(await certificate.innerText()).toMatch(new RegExp(facts))
  const validUntil = await certificate.locator('time').first().getAttribute('datetime')
  const visitor = await world.open('/sign-in')
  const result = await visitor.page.goto(`https://${ZONE}/`)
  const seen = await result?.securityDetails()
  expect(seen?.issuer).toContain('Pebble')
  expect(Math.abs((seen?.validTo ?? 0) * 1000 - Date.parse(validUntil ?? ''))).toBeLessThan(2000)
  await visitor.context.close()
})

step('The apex domain becomes primary, and the other one redirects to it in one step', async () => {
  await choose(ZONE, domains.page.makePrimary)
  await notice(domains.page.madePrimary(ZONE)).waitFor()
  await choose(ZONE, domains.page.redirects)
  await page.getByRole('combobox', { name: redirects.editor.visitors(SHOP), exact: true }).selectOption(ZONE)
  await button(redirects.editor.save).click()
  await page.getByText(redirects.editor.saved, { exact: true }).waitFor()
  await expect.poll(async () => (await world.visitors(SHOP)).map(({ status }) => status)).toEqual([301, 301])
  const path = '/a//b%2F?c=%20&d'
  for (const { headers } of [...(await world.visitors(SHOP, path)), ...(await world.plainVisitors(SHOP, path))]) {
    expect(headers.location).toBe(`https://${ZONE}${path}`)
  }
  const visitor = await world.open('/sign-in')
  const result = await visitor.page.goto(`https://${SHOP}/?from=a%20card`)
  expect([result?.status(), visitor.page.url()]).toEqual([200, `https://${ZONE}/?from=a%20card`])
  const before = result?.request().redirectedFrom()
  expect([before?.url(), before?.redirectedFrom()]).toEqual([`https://${SHOP}/?from=a%20card`, null])
  expect(await visitor.page.title()).toContain(TITLE)
  expect(visitor.complaints).toEqual([])
  await visitor.context.close()
})

step('The person who manages the DNS reads the records by a link, without signing in', async () => {
  await allDomains().click()
  await link(SHOP).click()
  await choose(SHOP, domains.page.share)
  const dialog = page.getByRole('dialog', { name: redirects.share.title })
  await dialog.getByRole('button', { name: redirects.share.make }).click()
  const address = await dialog.getByRole('textbox', { name: redirects.share.link }).inputValue()
  expect(address.startsWith(`${world.origin}/dns/`)).toBe(true)
  const guest = await world.open(new URL(address).pathname)
  await guest.page.getByRole('heading', { level: 1, name: redirects.shared.title(SHOP) }).waitFor()
  await guest.page.getByText(redirects.shared.done, { exact: true }).waitFor()
  await guest.page.getByText(TARGET, { exact: true }).waitFor()
  await picture('the shared records', guest.page)
  expect(guest.complaints).toEqual([])
  await guest.context.close()
  await dialog.getByRole('button', { name: common.close }).click()
  await dialog.waitFor({ state: 'detached' })
})

step('A domain is removed: both edges confirm it, and it is no longer served', async () => {
  await choose(SHOP, 'Remove')
  const confirmation = page.getByRole('dialog', { name: redirects.remove.title(SHOP) })
  await confirmation.getByText(redirects.remove.isLive, { exact: true }).waitFor()
  await confirmation.getByText(redirects.remove.sends(ZONE), { exact: true }).waitFor()
  await picture('Remove asks')
  await confirmation.getByRole('button', { name: 'Remove', exact: true }).click()
  await statusText(like(redirects.removal.everywhere(ANY))).waitFor()
  for (const edge of ['edge-1', 'edge-2']) {
    const line = page
      .getByRole('list', { name: redirects.removal.title })
      .getByRole('listitem')
      .filter({ hasText: edge })
    expect(await line.getByText(like(redirects.removal.stopped(ANY))).count()).toBe(1)
  }
  for (const met of await world.visitors(SHOP)) expect(met.status).toBe(0)
  for (const met of await world.plainVisitors(SHOP)) expect(met.status).toBe(421)
  for (const met of await world.visitors(ZONE)) expect(met.status).toBe(200)
  const visitor = await world.open('/sign-in')
  await expect(visitor.page.goto(`https://${SHOP}/`)).rejects.toThrow(/net::ERR_/)
  await visitor.context.close()
  await link(common.nav.start).click()
  await page.getByText(start.domains.groups.live(1), { exact: true }).waitFor()
})

step('The last domain is removed from the list: the default address serves the site again at once', async () => {
  await link('Project settings').click()
  await link('Domains').click()
  await choose(ZONE, 'Remove')
  const confirmation = page.getByRole('dialog', { name: redirects.remove.title(ZONE) })
  await confirmation.getByText(redirects.remove.isPrimary(TARGET), { exact: true }).waitFor()
  await confirmation.getByRole('button', { name: 'Remove', exact: true }).click()
  await statusText(like(redirects.removal.everywhere(ANY))).waitFor()
  for (const met of await world.plainVisitors(TARGET)) {
    expect([met.status, met.body.includes(TITLE)]).toEqual([200, true])
  }
  await button(redirects.remove.close).click()
  await page.getByRole('heading', { name: domains.empty.title }).waitFor()
  await link(common.nav.start).click()
  await page.getByRole('region', { name: start.site.title, exact: true }).getByRole('link', { name: TARGET }).waitFor()
})

step('The journey causes no errors and no reload', async () => {
  expect(await page.locator('body[data-not-reloaded]').count()).toBe(1)
  expect(owner.complaints).toEqual([])
  expect(world.environment.service.errors).toEqual([])
})
