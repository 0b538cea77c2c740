// The pages of domains as the owner of a shop uses them: with a browser, while real
// nameservers are edited elsewhere. Nobody reloads a page here.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askingAt } from '../../server/dev/demo.ts'
import { setPlan } from '../../server/src/plans/plans.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.ts'
import { isForEverybody } from './everybody.ts'
import { startDomainsStage, type DomainsStage } from './domains-stage.ts'

const ZONE = 'willow-street.test'
const OTHER_ZONE = 'elm-road.test'
const SHOP = `shop.${ZONE}`
const PETS = `pets.${ZONE}`
const TARGET = 'happy-paws.petstore.test'
const LIST = '/projects/happy-paws/settings/domains'

let house: DomainsStage

beforeAll(async () => {
  const servers = [
    { name: `ns1.${ZONE}`, role: 'first' as const },
    { name: `ns2.${ZONE}`, role: 'second' as const },
  ]
  house = await startDomainsStage([
    { zone: ZONE, servers, records: [`old.${ZONE}. 60 A 127.0.80.20`] },
    { zone: OTHER_ZONE, records: [] },
  ])
})
afterAll(() => house?.close())

const edit = (change: { add?: string[]; remove?: string[] }) => house.stage.world.edit(ZONE, change)
const field = (page: Page) => page.getByLabel('Domain or subdomain')
const addButton = (page: Page) =>
  page.getByRole('form', { name: 'Add domain' }).getByRole('button', { name: 'Add domain' })

test('Without the plan the page says so at once, and the refusal leads to Plan', async () => {
  await house.owner.ask('POST', '/projects', { slug: 'small-shop', name: 'Small Shop' })
  const { page, context, complaints } = await house.open('/projects/small-shop/settings/domains')
  await page.getByText('Your plan has no custom domains').waitFor()
  expect(await page.getByRole('link', { name: 'Go to Plan' }).getAttribute('href')).toBe(
    '/projects/small-shop/settings/plan',
  )
  await page.getByText('Three steps to your own domain').waitFor()
  await field(page).fill(SHOP)
  await addButton(page).click()
  const said = page.getByRole('alert')
  expect(await said.innerText()).toContain('Custom domains need the Pro plan or above.')
  await said.getByRole('link', { name: 'Go to Plan' }).waitFor()
  await isForEverybody(page, 'domains-plan')
  expect(complaints).toEqual([])
  await context.close()
})

test('Without a published site the page leads to Site, and so does the refusal', async () => {
  const { database } = house.stage.service
  const project = await inDirectoryOf(database)((db) => directory.findSlug(db, 'small-shop'))
  if (project === undefined) throw new Error('the project is not there')
  await setPlan({ inProject: inProjectOf(database) }, project, 'pro', 'operator')
  const { page, context } = await house.open('/projects/small-shop/settings/domains')
  await page.getByText('Your site is not published yet').waitFor()
  await field(page).fill(SHOP)
  await addButton(page).click()
  const said = page.getByRole('alert')
  expect(await said.innerText()).toContain('Publish the project once before adding a domain.')
  expect(await said.getByRole('link', { name: 'Go to Site' }).getAttribute('href')).toBe('/projects/small-shop/site')
  await context.close()
})

test('What is typed is checked after a pause, and a name that cannot be is refused beside the field', async () => {
  const { page, context, complaints } = await house.open(LIST)
  await field(page).fill(`https://www.${ZONE}/puppies?page=2`)
  await page.getByRole('heading', { name: `www.${ZONE}` }).waitFor()
  await page.getByText('Subdomain', { exact: true }).waitFor()
  await page.getByText('What it needs').waitFor()
  expect(await page.getByRole('form').innerText()).toContain('a CNAME for www')
  await field(page).fill(ZONE)
  await page.getByText('Domain itself', { exact: true }).waitFor()
  await field(page).fill(`a_b.${ZONE}`)
  await page.getByRole('alert').getByText('Use letters, digits and hyphens').waitFor()
  expect(await field(page).getAttribute('aria-invalid')).toBe('true')
  await field(page).fill('')
  await addButton(page).click()
  await page.getByRole('alert').getByText('Type the name of the domain first.').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('An address that is pasted becomes a domain, with the record to copy', async () => {
  const { page, context, complaints } = await house.open(LIST)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await field(page).fill(`https://${SHOP}/`)
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: SHOP }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${LIST}/${SHOP}`)
  await page.getByText('Waiting for your DNS record').waitFor()
  const record = page.getByRole('region', { name: 'DNS records' })
  expect(await record.getByRole('row').nth(1).innerText()).toMatch(new RegExp(`CNAME\\s+shop[^]*${TARGET}[^]*3600`))
  expect(await record.innerText()).toContain('up to 48 hours')
  await record.getByRole('button', { name: 'Copy: Value of the CNAME record' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(TARGET)
  await record.getByRole('button', { name: 'Copy for your DNS provider' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`Value: ${TARGET}\n`)
  expect(complaints).toEqual([])
  await context.close()
})

test('Verify says why not, and names the line that is in the way', async () => {
  await edit({ add: [`${SHOP}. 60 A 127.0.80.20`] })
  const { page, context, complaints } = await house.open(`${LIST}/${SHOP}`)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByText('Verification failed, for the reason above.').waitFor()
  await page.getByRole('heading', { name: 'Verification failed' }).waitFor()
  await page.getByText('It blocks the CNAME: delete it').waitFor()
  const line = page.getByRole('listitem').filter({ hasText: 'A 127.0.80.20' })
  expect(await line.last().innerText()).toContain('delete this one')
  await page.getByText('What we saw').click()
  await page
    .getByRole('cell', { name: `A ${SHOP}` })
    .first()
    .waitFor()
  await page.getByText('What we saw').click()
  await isForEverybody(page, 'domain-failed')
  expect(complaints).toEqual([])
  await context.close()
})

test('A record that is mended elsewhere is seen on the open page, up to Live, without a reload', async () => {
  const { page, context, complaints } = await house.open(`${LIST}/${SHOP}`)
  await page.getByRole('heading', { name: 'Verification failed' }).waitFor()
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  // What is new must come by the stream: nobody could ask for it.
  await context.route(`**/platform/v1/projects/happy-paws/domains/${SHOP}`, (route) => route.abort())
  await edit({ remove: [`${SHOP}. A`], add: [`${SHOP}. 60 CNAME ${TARGET}.`] })
  await page.getByText('Points to your site').waitFor({ timeout: 20_000 })
  await page.getByText('Live', { exact: true }).first().waitFor({ timeout: 30_000 })
  await page.getByText('Visitors see your site', { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Re-verify' }).click()
  await page.getByText('Everything is right.').waitFor()
  await page.getByText('Every record is as it must be.').waitFor()
  const certificate = page.getByRole('region', { name: 'Certificate' })
  expect(await certificate.innerText()).toMatch(/Issued by\s+letsencrypt.org\s+Valid until/)
  await page.getByRole('region', { name: 'History' }).getByText('Certificate issued').waitFor()
  expect(await page.locator('body[data-not-reloaded]').count()).toBe(1)
  await isForEverybody(page, 'domain-live')
  expect(complaints).toEqual([])
  await context.close()
})

test('Without a stream the page asks by itself, and keeps what it knew while nobody answers', async () => {
  const { page, context } = await house.open(LIST)
  await context.route('**/events', (route) => route.abort())
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(PETS)
  await field(page).press('Enter')
  await page.getByText('There is no record yet', { exact: true }).waitFor()
  await context.route('**/platform/v1/**', (route) => route.abort())
  await page.getByText('This page shows what it last knew').waitFor()
  await page.getByText('There is no record yet', { exact: true }).waitFor()
  await edit({ add: [`${PETS}. 60 CNAME ${TARGET}.`] })
  await context.unroute('**/platform/v1/**')
  await page.getByText('This page shows what it last knew').waitFor({ state: 'detached' })
  await page.getByText('Points to your site').waitFor({ timeout: 20_000 })
  await context.close()
})

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const chooseInList = async (page: Page, hostname: string, item: string) => {
  await row(page, hostname)
    .getByRole('button', { name: `Menu of ${hostname}` })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('The list tells how each domain stands and why; the first one that went live is primary', async () => {
  await house.owner.ask('POST', '/projects/happy-paws/domains', { hostname: `old.${ZONE}` })
  const { page, context, complaints } = await house.open(`${LIST}/${SHOP}`)
  await page.getByText('Primary', { exact: true }).first().waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'All domains' }).click()
  await row(page, SHOP).getByText('Primary').waitFor()
  await page.getByText(`(redirects to ${SHOP})`).waitFor()
  expect(await row(page, SHOP).innerText()).toContain('today at')
  await row(page, `old.${ZONE}`).getByText('Needs you').waitFor()
  await row(page, `old.${ZONE}`).getByText('It blocks the CNAME').waitFor()
  // One question for all of them, however many there are.
  expect(asked.filter((path) => path.endsWith('/domains'))).not.toEqual([])
  expect(asked.filter((path) => path.endsWith(`/domains/old.${ZONE}`))).toEqual([])
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(SHOP)
  await addButton(page).click()
  await page.getByRole('alert').getByText('is already in this project').waitFor()
  await page.getByRole('heading', { level: 3, name: SHOP }).waitFor()
  await isForEverybody(page, 'domains')
  expect(complaints).toEqual([])
  await context.close()
})

test('"In Project settings, Domains, open the menu of the domain": primary and redirects from the list', async () => {
  const { page, context, complaints } = await house.open(LIST)
  await row(page, PETS).getByText('Live', { exact: true }).waitFor({ timeout: 30_000 })
  await chooseInList(page, PETS, 'Make primary')
  await page.getByText(`${PETS} is the primary domain now.`).waitFor()
  await row(page, PETS).getByText('Primary').waitFor()
  await page.getByText(`(redirects to ${PETS})`).waitFor()
  await chooseInList(page, SHOP, 'Make primary')
  await row(page, SHOP).getByText('Primary').waitFor()
  await chooseInList(page, PETS, 'Redirects')
  await page.getByRole('heading', { level: 1, name: 'Redirects' }).waitFor()
  await page.getByLabel(`Visitors of ${PETS}`, { exact: true }).selectOption(SHOP)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Primary and redirects are saved.').waitFor()
  await page.getByRole('link', { name: 'All domains' }).click()
  // Not "Visitors see your site there": they do not.
  await row(page, PETS).getByText(`Visitors are redirected to ${SHOP}.`).waitFor()
  expect(await row(page, PETS).innerText()).not.toContain('Visitors see your site')
  await row(page, SHOP).getByText('Visitors see your site there.').waitFor()
  await page.getByRole('link', { name: PETS, exact: true }).click()
  await page.getByRole('region', { name: 'Progress' }).getByText('Visitors are redirected', { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('"open the menu of the domain and choose Remove", in the list, where the keyboard stays', async () => {
  const old = `old.${ZONE}`
  const { page, context, complaints } = await house.open(LIST)
  const menu = row(page, old).getByRole('button', { name: `Menu of ${old}` })
  await chooseInList(page, old, 'Share with whoever manages the DNS')
  await page.getByRole('dialog', { name: 'Share the DNS records' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true)
  await isForEverybody(page, 'domains-list')
  await chooseInList(page, old, 'Remove')
  const question = page.getByRole('dialog', { name: `Remove ${old}?` })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  const done = page.getByRole('dialog', { name: `${old} is removed` })
  await done.waitFor()
  // The row is gone, and the dialog still says what became of the domain.
  await row(page, old).waitFor({ state: 'detached' })
  await done.getByRole('button', { name: 'Done' }).click()
  await done.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.querySelector('table.domains') !== null))
    .toBe(true)
  await house.owner.ask('POST', '/projects/happy-paws/domains', { hostname: old })
  expect(complaints).toEqual([])
  await context.close()
})

test('Adding a domain itself offers its www, with the redirect between them', async () => {
  const www = `www.${OTHER_ZONE}`
  const { page, context, complaints } = await house.open(LIST)
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(SHOP)
  await page.getByRole('heading', { level: 3, name: SHOP }).waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await field(page).fill(www)
  await page.getByRole('checkbox', { name: `Also add ${OTHER_ZONE}` }).waitFor()
  await field(page).fill(OTHER_ZONE)
  await page.getByRole('checkbox', { name: `Also add ${www}`, checked: true }).waitFor()
  await isForEverybody(page, 'domains-sibling')
  await addButton(page).click()
  await page.getByRole('heading', { level: 1, name: OTHER_ZONE }).waitFor()
  await page.getByText(`${www} has been added, too. It will redirect to ${OTHER_ZONE}.`).waitFor()
  await page.getByRole('link', { name: 'All domains' }).click()
  await row(page, www).getByText(`Redirects to ${OTHER_ZONE}`).waitFor()
  const settings = (await house.owner.ask('GET', '/projects/happy-paws/domains/settings')) as { redirects: object[] }
  expect(settings.redirects).toContainEqual({ from: www, to: OTHER_ZONE, status: 301 })
  // Once both are there, neither is offered again.
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(OTHER_ZONE)
  await page.getByRole('heading', { level: 3, name: OTHER_ZONE }).waitFor()
  await page.getByRole('checkbox').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await context.close()
})

test('"A browser warning about a private connection" and a connection that fails are both explained', async () => {
  const read = async (hostname: string) => {
    const { page, context } = await house.open(`${LIST}/${hostname}`)
    const help = page.getByRole('region', { name: 'Help' })
    const said = []
    for (const warning of ['Your connection is not private', 'ERR_SSL_PROTOCOL_ERROR']) {
      const fold = help.getByRole('group').filter({ hasText: warning })
      await fold.getByText(warning).click()
      said.push(await fold.getByRole('paragraph').innerText())
    }
    await context.close()
    return said
  }
  const live = await read(SHOP)
  const waiting = await read(OTHER_ZONE)
  expect(live[0]).toMatch(/has cached an old one. Wait a few minutes, then retry in a fresh browser session/)
  expect(live[1]).toMatch(/choose Re-verify/)
  expect(waiting[0]).toMatch(/has not been issued yet, or an old one is cached. Wait a few minutes/)
  expect(waiting[1]).toMatch(/There is no certificate for this domain yet/)
})

test('A viewer sees everything, and reads why they cannot change it', async () => {
  const { secret } = await house.owner.ask('POST', '/projects/happy-paws/invitations', { role: 'viewer' })
  const ask = askingAt(`${house.origin}/platform/v1`, { Origin: house.origin })
  const person = { email: 'tom@shop.example', password: 'another long password', name: 'Tom' }
  await ask('POST', '/accounts', person)
  await ask('POST', '/invitations/accept', { secret })
  const { page, context } = await house.open(LIST, { as: { ...person, slug: 'happy-paws', ask } })
  await page.getByRole('link', { name: SHOP }).waitFor()
  expect(await page.getByRole('button', { name: 'Add domain' }).count()).toBe(0)
  await page.getByRole('button', { name: `Menu of ${SHOP}` }).click()
  expect(await page.getByRole('menuitem', { name: 'Remove' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: SHOP }).click()
  expect(await page.getByRole('button', { name: 'Re-verify' }).isDisabled()).toBe(true)
  await page.getByText('Only admins and owners of the project can do this.').waitFor()
  await context.close()
})

test('After half an hour without a certificate, what people should check has been checked for them', async () => {
  type Added = { records: { type: string; value: string }[] }
  const added = (await house.owner.ask('POST', '/projects/happy-paws/domains', { hostname: ZONE })) as Added
  const token = added.records.find(({ type }) => type === 'TXT')?.value
  const caa = `${ZONE}. 60 CAA 0 issue "elsewhere.example"`
  await edit({ add: [`${ZONE}. 60 A 127.0.80.1`, `_petstore.${ZONE}. 60 TXT "${token}"`, caa] })
  const { page, context } = await house.open(`${LIST}/${ZONE}`)
  await page.getByText('Proven by your TXT record').waitFor({ timeout: 20_000 })
  await page.getByRole('heading', { name: 'What to do' }).waitFor()
  expect(await page.getByText('The certificate is late').count()).toBe(0)
  await page.clock.setSystemTime(Date.now() + 31 * 60_000)
  await page.getByText('The certificate is late').waitFor()
  await page.getByText('Yes, it points here and is yours.').waitFor()
  await page.getByText('Yes. Follow the advice, then go on.').waitFor()
  await page.getByRole('button', { name: 'Re-verify' }).waitFor()
  await isForEverybody(page, 'domain-late')
  await context.close()
})
