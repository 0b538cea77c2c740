// The domain pages in a real browser, while the records on real nameservers are edited. No
// page is reloaded.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { platformClient } from '../../devserver/demo.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { inviteTo, invitationSecret } from '../../testbed/harness/session.ts'
import { worksInEveryVariant } from './display-variants.ts'
import { startDomainsEnvironment, type DomainsEnvironment } from './domains-environment.ts'
import { refused } from './advice-assertions.ts'
import { ANY, like } from './text-patterns.ts'

const { common, domains: t, redirects } = texts

const ZONE = 'willow-street.test'
const OTHER_ZONE = 'elm-road.test'
const SHOP = `shop.${ZONE}`
const PETS = `pets.${ZONE}`
const TARGET = 'happy-paws.petstore.test'
const LIST = '/projects/happy-paws/settings/domains'

let dashboard: DomainsEnvironment

beforeAll(async () => {
  const servers = [
    { name: `ns1.${ZONE}`, role: 'first' as const },
    { name: `ns2.${ZONE}`, role: 'second' as const },
  ]
  dashboard = await startDomainsEnvironment([
    { zone: ZONE, servers, records: [`old.${ZONE}. 60 A 127.0.80.20`] },
    { zone: OTHER_ZONE, records: [] },
  ])
})
afterAll(() => dashboard?.close())

const edit = (change: { add?: string[]; remove?: string[] }) => dashboard.environment.world.edit(ZONE, change)
const field = (page: Page) => page.getByRole('textbox', { name: t.adding.label })
const form = (page: Page) => page.getByRole('form', { name: 'Add domain' })
const addButton = (page: Page) => form(page).getByRole('button', { name: 'Add domain' })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const notice = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true })
/** The result of Verify, or that the server is unavailable. */
const status = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })
const allDomains = (page: Page) => page.getByRole('link', { name: t.page.all })

test('Without the plan, the page shows the requirement at once, and the refusal links to Plan', async () => {
  await dashboard.owner.ask('POST', '/projects', { slug: 'small-shop', name: 'Small Shop' })
  const { page, context, complaints } = await dashboard.open('/projects/small-shop/settings/domains')
  await page.getByText(t.wayOut.plan.title, { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: t.wayOut.plan.link }).getAttribute('href')).toBe(
    '/projects/small-shop/settings/plan',
  )
  await page.getByRole('heading', { name: t.empty.title }).waitFor()
  await field(page).fill(SHOP)
  const refusal = await refused(page, 'plan_required', () => addButton(page).click())
  const shown = page.getByRole('alert')
  await shown.getByText(refusal, { exact: true }).waitFor()
  await shown.getByRole('link', { name: t.wayOut.plan.link }).waitFor()
  await worksInEveryVariant(page, 'domains-plan')
  expect(complaints).toEqual([])
  await context.close()
})

test('Without a published site, the page and the refusal link to Site', async () => {
  const { database } = dashboard.environment.service
  const project = await inDirectoryOf(database)((db) => directory.findSlug(db, 'small-shop'))
  if (project === undefined) throw new Error('the project is not there')
  await setPlan({ inProject: inProjectOf(database) }, project, 'pro', 'operator')
  const { page, context } = await dashboard.open('/projects/small-shop/settings/domains')
  await page.getByText(t.wayOut.deploy.title, { exact: true }).waitFor()
  await field(page).fill(SHOP)
  const refusal = await refused(page, 'deploy_required', () => addButton(page).click())
  const shown = page.getByRole('alert')
  await shown.getByText(refusal, { exact: true }).waitFor()
  const toSite = shown.getByRole('link', { name: t.wayOut.deploy.link })
  expect(await toSite.getAttribute('href')).toBe('/projects/small-shop/site')
  await context.close()
})

test('A typed hostname is checked after a pause, and an invalid one shows an error at the field', async () => {
  const { page, context, complaints } = await dashboard.open(LIST)
  await field(page).fill(`https://www.${ZONE}/puppies?page=2`)
  await page.getByRole('heading', { name: `www.${ZONE}` }).waitFor()
  await page.getByText(t.adding.kinds.subdomain.label, { exact: true }).waitFor()
  await page.getByRole('heading', { name: t.adding.needs }).waitFor()
  expect(await form(page).innerText()).toContain('a CNAME for www')
  await field(page).fill(ZONE)
  await page.getByText(t.adding.kinds.apex.label, { exact: true }).waitFor()
  const refusal = await refused(page, 'name_invalid_chars', () => field(page).fill(`a_b.${ZONE}`))
  await page.getByRole('alert').getByText(refusal, { exact: true }).waitFor()
  expect(await field(page).getAttribute('aria-invalid')).toBe('true')
  await field(page).fill('')
  await addButton(page).click()
  await page.getByRole('alert').getByText(t.adding.empty, { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('A pasted URL becomes a domain, with its record to copy', async () => {
  const { page, context, complaints } = await dashboard.open(LIST)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await field(page).fill(`https://${SHOP}/`)
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: SHOP }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${LIST}/${SHOP}`)
  await page.getByText(t.statuses.pending_dns.label, { exact: true }).waitFor()
  const record = part(page, t.records.title)
  expect(await record.getByRole('row').nth(1).innerText()).toMatch(new RegExp(`CNAME\\s+shop[^]*${TARGET}[^]*3600`))
  expect(await record.innerText()).toContain('up to 48 hours')
  await record.getByRole('button', { name: `${common.copy}: ${t.records.copyOf(t.records.value, 'CNAME')}` }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(TARGET)
  await record.getByRole('button', { name: t.records.copyAll }).click()
  // The number of spaces depends on the other lines.
  const line = new RegExp(`${RegExp.escape(t.records.value)}: +${RegExp.escape(TARGET)}\\n`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(line)
  expect(complaints).toEqual([])
  await context.close()
})

test('A check that learned nothing says so, and does not say that there is nothing to do', async () => {
  const { page, context, complaints } = await dashboard.open(LIST)
  await page.getByRole('button', { name: 'Add domain' }).click()
  // No server of this test internet has the top-level domain.
  await field(page).fill('www.willow-street.org')
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'www.willow-street.org' }).waitFor()
  await page.getByText('We could not query the DNS of www.willow-street.org', { exact: false }).waitFor()
  await page.getByText(t.statuses.waiting.label, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await status(page, t.verify.unknown).waitFor()
  expect(await part(page, t.records.title).innerText()).toContain(t.records.unlessThere)
  const shown = await page.getByRole('main').innerText()
  expect(shown).not.toContain('Nothing to do')
  expect(shown).not.toContain(t.verify.found.waiting)
  expect(complaints).toEqual([])
  await dashboard.owner.ask('DELETE', '/projects/happy-paws/domains/www.willow-street.org')
  await context.close()
})

test('Verify shows the cause, and names the conflicting record', async () => {
  await edit({ add: [`${SHOP}. 60 A 127.0.80.20`] })
  const { page, context, complaints } = await dashboard.open(`${LIST}/${SHOP}`)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await status(page, t.verify.found.action_required).waitFor()
  await page.getByRole('heading', { name: t.trouble.failed, exact: true }).waitFor()
  await page.getByText('It blocks the CNAME: delete it').waitFor()
  const deletion = part(page, t.records.title).getByRole('listitem').filter({ hasText: '127.0.80.20' })
  expect(await deletion.first().innerText()).toContain(t.records.delete(1))
  await page.getByRole('heading', { name: t.records.changes(2, null) }).waitFor()
  const evidence = page.getByRole('heading', { name: t.evidence.title })
  await evidence.click()
  await page
    .getByRole('cell', { name: `A ${SHOP}` })
    .first()
    .waitFor()
  await evidence.click()
  await worksInEveryVariant(page, 'domain-failed')
  expect(complaints).toEqual([])
  await context.close()
})

test('A record fixed at the registrar updates the open page, up to Live, without a reload', async () => {
  const { page, context, complaints } = await dashboard.open(`${LIST}/${SHOP}`)
  await page.getByRole('heading', { name: t.trouble.failed, exact: true }).waitFor()
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  // Changes must arrive on the event stream: requests are blocked.
  await context.route(`**/platform/v1/projects/happy-paws/domains/${SHOP}`, (route) => route.abort())
  await edit({ remove: [`${SHOP}. A`], add: [`${SHOP}. 60 CNAME ${TARGET}.`] })
  await page.getByText(t.progress.routing.pointing, { exact: true }).waitFor({ timeout: 20_000 })
  await page.getByText(t.statuses.live.label, { exact: true }).first().waitFor({ timeout: 30_000 })
  await page.getByText(t.progress.live.live, { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Re-verify' }).click()
  await status(page, t.verify.found.live).waitFor()
  await page.getByText(t.records.allRight, { exact: true }).waitFor()
  const certificate = (await part(page, t.certificate.title).innerText()).replaceAll(/\s+/g, ' ')
  expect(certificate).toContain(`${t.certificate.authority} letsencrypt.org ${t.certificate.validUntil}`)
  await part(page, t.history.title).getByText(t.history.kinds['certificate.issued']).waitFor()
  expect(await page.locator('body[data-not-reloaded]').count()).toBe(1)
  await worksInEveryVariant(page, 'domain-live')
  expect(complaints).toEqual([])
  await context.close()
})

test('Without an event stream the page polls, and keeps its data while the server is unavailable', async () => {
  const { page, context } = await dashboard.open(LIST)
  await context.route('**/watch?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(PETS)
  await field(page).press('Enter')
  await page.getByText(t.progress.routing.missing, { exact: true }).waitFor()
  await context.route('**/platform/v1/**', (route) => route.abort())
  await status(page, common.offline).waitFor()
  await page.getByText(t.progress.routing.missing, { exact: true }).waitFor()
  await edit({ add: [`${PETS}. 60 CNAME ${TARGET}.`] })
  await context.unroute('**/platform/v1/**')
  await status(page, common.offline).waitFor({ state: 'detached' })
  await page.getByText(t.progress.routing.pointing, { exact: true }).waitFor({ timeout: 20_000 })
  await context.close()
})

const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
const chooseInList = async (page: Page, hostname: string, item: string) => {
  await row(page, hostname)
    .getByRole('button', { name: t.page.menu(hostname) })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('The list shows the status and the cause of each domain; the first one that went live is primary', async () => {
  await dashboard.owner.ask('POST', '/projects/happy-paws/domains', { hostname: `old.${ZONE}` })
  const { page, context, complaints } = await dashboard.open(`${LIST}/${SHOP}`)
  await page.getByText(t.list.primary, { exact: true }).first().waitFor()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await allDomains(page).click()
  await row(page, SHOP).getByText(t.list.primary, { exact: true }).waitFor()
  await page.getByText(t.list.defaultRedirects(SHOP)).waitFor()
  await row(page, SHOP)
    .getByText(like(common.at(common.today, ANY)))
    .waitFor()
  await row(page, `old.${ZONE}`).getByText(t.statuses.action_required.label, { exact: true }).waitFor()
  await row(page, `old.${ZONE}`).getByText('It blocks the CNAME').waitFor()
  // One request for all domains, however many there are.
  expect(paths.filter((path) => path.endsWith('/domains'))).not.toEqual([])
  expect(paths.filter((path) => path.endsWith(`/domains/old.${ZONE}`))).toEqual([])
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(SHOP)
  const refusal = await refused(page, 'domain_already_added', () => addButton(page).click())
  await page.getByRole('alert').getByText(refusal, { exact: true }).waitFor()
  await page.getByRole('heading', { level: 3, name: SHOP }).waitFor()
  await worksInEveryVariant(page, 'domains')
  expect(complaints).toEqual([])
  await context.close()
})

test('"In Project settings, Domains, open the menu of the domain": primary and redirects from the list', async () => {
  const { page, context, complaints } = await dashboard.open(LIST)
  await row(page, PETS).getByText(t.statuses.live.label, { exact: true }).waitFor({ timeout: 30_000 })
  await chooseInList(page, PETS, t.page.makePrimary)
  await notice(page, t.page.madePrimary(PETS)).waitFor()
  await row(page, PETS).getByText(t.list.primary, { exact: true }).waitFor()
  await page.getByText(t.list.defaultRedirects(PETS)).waitFor()
  await chooseInList(page, SHOP, t.page.makePrimary)
  await row(page, SHOP).getByText(t.list.primary, { exact: true }).waitFor()
  await chooseInList(page, PETS, t.page.redirects)
  await page.getByRole('heading', { level: 1, name: redirects.title }).waitFor()
  await page.getByRole('combobox', { name: redirects.editor.visitors(PETS), exact: true }).selectOption(SHOP)
  await page.getByRole('button', { name: redirects.editor.save, exact: true }).click()
  await notice(page, redirects.editor.saved).waitFor()
  await page.getByRole('link', { name: redirects.all }).click()
  const { live, degraded, redirects: redirecting } = t.statuses
  await row(page, PETS).getByText(redirecting.active(SHOP), { exact: true }).waitFor()
  // It must not claim that visitors see the site there.
  const rowText = await row(page, PETS).innerText()
  for (const untrue of [live.sentence, degraded.sentence, redirecting.waits(SHOP)])
    expect(rowText).not.toContain(untrue)
  await row(page, SHOP).getByText(live.sentence, { exact: true }).waitFor()
  await page.getByRole('link', { name: PETS, exact: true }).click()
  await part(page, t.progress.title).getByText(t.progress.redirects, { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('"open the menu of the domain and choose Remove", in the list, where the keyboard stays', async () => {
  const old = `old.${ZONE}`
  const { page, context, complaints } = await dashboard.open(LIST)
  const menu = row(page, old).getByRole('button', { name: t.page.menu(old) })
  await chooseInList(page, old, t.page.share)
  await page.getByRole('dialog', { name: redirects.share.title }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true)
  // "choose Verify", from the list as well: the name of a domain that was never verified, then of one that is.
  await chooseInList(page, old, 'Verify')
  await notice(page, t.verify.resultOf(old, t.verify.found.action_required)).waitFor()
  await chooseInList(page, SHOP, 'Re-verify')
  await notice(page, t.verify.resultOf(SHOP, t.verify.found.live)).waitFor()
  await worksInEveryVariant(page, 'domains-list')
  await chooseInList(page, old, 'Remove')
  const confirmation = page.getByRole('dialog', { name: redirects.remove.title(old) })
  await confirmation.getByRole('button', { name: 'Remove', exact: true }).click()
  const done = page.getByRole('dialog', { name: redirects.remove.done(old) })
  await done.waitFor()
  // The row is gone, and the dialog still shows the outcome of the removal.
  await row(page, old).waitFor({ state: 'detached' })
  await done.getByRole('button', { name: redirects.remove.close }).click()
  await done.waitFor({ state: 'detached' })
  await page.locator(':focus').getByRole('list', { name: t.list.title }).waitFor()
  await dashboard.owner.ask('POST', '/projects/happy-paws/domains', { hostname: old })
  expect(complaints).toEqual([])
  await context.close()
})

test('Adding an apex domain offers its www, with the redirect between them', async () => {
  const www = `www.${OTHER_ZONE}`
  const { page, context, complaints } = await dashboard.open(LIST)
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(SHOP)
  await page.getByRole('heading', { level: 3, name: SHOP }).waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await field(page).fill(www)
  await page.getByRole('checkbox', { name: t.adding.sibling.label(OTHER_ZONE), exact: true }).waitFor()
  await field(page).fill(OTHER_ZONE)
  await page.getByRole('checkbox', { name: t.adding.sibling.label(www), exact: true, checked: true }).waitFor()
  await worksInEveryVariant(page, 'domains-sibling')
  await addButton(page).click()
  await page.getByRole('heading', { level: 1, name: OTHER_ZONE }).waitFor()
  await notice(page, t.adding.sibling.added(www, OTHER_ZONE)).waitFor()
  await allDomains(page).click()
  await row(page, www).getByText(t.list.redirectsTo(OTHER_ZONE), { exact: true }).waitFor()
  const settings = (await dashboard.owner.ask('GET', '/projects/happy-paws/domains/settings')) as {
    redirects: object[]
  }
  expect(settings.redirects).toContainEqual({ from: www, to: OTHER_ZONE, status: 301 })
  // Once both exist, neither is offered again.
  await page.getByRole('button', { name: 'Add domain' }).click()
  await field(page).fill(OTHER_ZONE)
  await page.getByRole('heading', { level: 3, name: OTHER_ZONE }).waitFor()
  await page.getByRole('checkbox').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await context.close()
})

test('"A browser warning about a private connection" and a connection that fails are both explained', async () => {
  const read = async (hostname: string) => {
    const { page, context } = await dashboard.open(`${LIST}/${hostname}`)
    const help = part(page, t.help.title)
    await help.getByRole('heading', { name: t.help.title }).click()
    const shown = []
    // The browser's message, which people search for.
    for (const warning of ['Your connection is not private', 'ERR_SSL_PROTOCOL_ERROR']) {
      // The help is a group itself, around them.
      const fold = help.getByRole('group').filter({ hasText: warning }).last()
      await fold.getByText(warning).click()
      shown.push(await fold.getByRole('paragraph').innerText())
    }
    await context.close()
    return shown
  }
  const live = await read(SHOP)
  expect(live).toEqual(t.help.warnings.map((warning) => warning.live))
  expect(live[1]).toContain('Re-verify')
  expect(await read(OTHER_ZONE)).toEqual(t.help.warnings.map((warning) => warning.soon))
})

test('A viewer sees everything, and the reason why they cannot change it', async () => {
  const ask = platformClient(`${dashboard.origin}/platform/v1`, { Origin: dashboard.origin })
  const person = { email: 'tom@shop.example', password: 'another long password', name: 'Tom' }
  const { email, ...own } = person
  await ask('POST', '/accounts', { secret: await inviteTo(dashboard.environment.service.database, email), ...own })
  const invited = await dashboard.owner.ask('POST', '/projects/happy-paws/invitations', { email, role: 'viewer' })
  await ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  const { page, context } = await dashboard.open(LIST, { as: { ...person, slug: 'happy-paws', ask } })
  await page.getByRole('link', { name: SHOP }).waitFor()
  expect(await page.getByRole('button', { name: 'Add domain' }).count()).toBe(0)
  await page.getByRole('button', { name: t.page.menu(SHOP) }).click()
  expect(await page.getByRole('menuitem', { name: 'Remove' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: SHOP }).click()
  expect(await page.getByRole('button', { name: 'Re-verify' }).isDisabled()).toBe(true)
  await page.getByText(common.needsAdmin, { exact: true }).waitFor()
  await context.close()
})

test('After half an hour without a certificate, the page shows the results of the checks that the help suggests', async () => {
  type Added = { records: { type: string; value: string }[] }
  const added = (await dashboard.owner.ask('POST', '/projects/happy-paws/domains', { hostname: ZONE })) as Added
  const token = added.records.find(({ type }) => type === 'TXT')?.value
  const caa = `${ZONE}. 60 CAA 0 issue "elsewhere.example"`
  await edit({ add: [`${ZONE}. 60 A 127.0.80.1`, `_petstore.${ZONE}. 60 TXT "${token}"`, caa] })
  const { page, context } = await dashboard.open(`${LIST}/${ZONE}`)
  await page.getByText(t.progress.proofs.txt, { exact: true }).waitFor({ timeout: 20_000 })
  await page.getByRole('heading', { name: t.trouble.needsYou }).waitFor()
  const late = page.getByRole('heading', { name: t.help.late })
  expect(await late.count()).toBe(0)
  await page.clock.setSystemTime(Date.now() + 31 * 60_000)
  await late.waitFor()
  await page.getByText(t.help.stillYes, { exact: true }).waitFor()
  await page.getByText(t.help.caaYes, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Re-verify' }).waitFor()
  await worksInEveryVariant(page, 'domain-late')
  await context.close()
})
