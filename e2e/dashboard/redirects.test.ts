// Primary domain and redirects in a real browser: the editor with its diagram, concurrent
// edits, removal, and the shared link for the person who manages the DNS. Domains are set live
// in the database here; domains.test.ts, journey.test.ts and custom-domains.test.ts test real
// redirects on the whole test internet.

import { randomBytes } from 'node:crypto'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { DomainSettings } from '@petstore-platform/contract/platform/domain-shapes'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { publishAtOnce } from '../../testbed/harness/publish.ts'
import type { AccountId } from '../../server/src/accounts/account-queries.ts'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import * as fleet from '../../server/src/fleet/directory.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { insertMember } from '../../server/src/projects/project-queries.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { worksInEveryVariant, twoForms } from './display-variants.ts'
import { startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'
import { refused } from './advice-assertions.ts'
import { ANY, like } from './text-patterns.ts'
import { liveRows } from './live-domains.ts'

const { common, domains: ofDomains, redirects: t } = texts

let dashboard: Dashboard
let mia: BrowserOwner
let project: ProjectId

beforeAll(async () => {
  // No resolver answers: DNS is not the subject of these tests.
  dashboard = await startDashboard({ DNS_RESOLVERS: 'unreachable=127.0.0.1:1' })
  mia = await dashboard.makeOwner({ plan: 'enterprise' })
  project = await projectOf(mia)
  const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(dashboard.database), project, content)
  for (const name of [APEX, WWW, OLD, NEW]) await mia.ask('POST', domains(), { hostname: name })
  await makeLive(APEX, WWW, OLD)
})
afterAll(() => dashboard?.close())

const [APEX, WWW, OLD, NEW] = ['happy-paws.com', 'www.happy-paws.com', 'old-name.com', 'new-name.com'] as const
const domains = (rest = '') => `/projects/${mia.slug}/domains${rest}`
const pageOf = (rest = '') => `/projects/${mia.slug}/settings/domains${rest}`

async function projectOf({ slug }: BrowserOwner): Promise<ProjectId> {
  const found = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, slug))
  if (found === undefined) throw new Error('the project is not there')
  return found
}

const makeLive = (...hostnames: string[]) =>
  inProjectOf(dashboard.database)(project, (db) => db(liveRows, project, hostnames))

/** Another member of the same project. */
async function colleague(name: string, role: Role = 'admin'): Promise<BrowserOwner> {
  const { ask, ...rest } = await dashboard.makeOwner()
  const account = (await ask('PATCH', '/account', { name })) as { id: AccountId }
  await inProjectOf(dashboard.database)(project, async (db) => {
    await insertMember(db, project, account.id, role)
    await directory.addMember(db, account.id, project)
  })
  return { ...rest, ask, name, slug: mia.slug }
}

const settings = async () => (await mia.ask('GET', domains('/settings'))) as DomainSettings
/** Sets the redirects before a test; returns the version. */
async function arranged(change: Pick<DomainSettings, 'redirects'> & { primary?: string }): Promise<number> {
  const { version } = await settings()
  return ((await mia.ask('PUT', domains('/redirects'), { version, ...change })) as DomainSettings).version
}
const choice = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true })
const visitorsOf = (page: Page, name: string): Locator => choice(page, t.editor.visitors(name))
const save = (page: Page) => page.getByRole('button', { name: t.editor.save, exact: true })
const saved = (page: Page): Locator => page.getByRole('alert').getByText(t.editor.saved, { exact: true })
/** The alert that another user has saved in the meantime. */
const conflictOn = (page: Page): Locator =>
  page.getByRole('alert').filter({ has: page.getByRole('heading', { name: t.conflict.title }) })
/** The text alternative of the diagram. */
const described = (page: Page): Promise<string[]> =>
  page.getByRole('figure', { name: t.picture.title }).getByRole('listitem').allInnerTexts()
const { sentence } = t.picture

test('The diagram follows every unsaved change, and all changes are saved in one request', async () => {
  const { page, context, complaints } = await dashboard.open(pageOf('/redirects'), { as: mia })
  const host = `${mia.slug}.petstore.localhost`
  await visitorsOf(page, APEX).waitFor()
  expect(await described(page)).toContain(sentence.defaultShows(host))
  await choice(page, t.editor.primary).selectOption(WWW)
  await visitorsOf(page, APEX).selectOption(WWW)
  await visitorsOf(page, OLD).selectOption(APEX)
  await choice(page, t.editor.kind(OLD)).selectOption({ label: t.statuses[302].label })
  await page.getByText(t.statuses[302].text, { exact: true }).waitFor()
  expect(await described(page)).toEqual([
    sentence.shows(WWW),
    sentence.sends(APEX, WWW),
    sentence.sends(OLD, WWW),
    sentence.shows(NEW),
    sentence.defaultSends(host, WWW),
  ])
  expect((await settings()).version).toBe(0)
  await worksInEveryVariant(page, 'redirects-draft')
  await save(page).click()
  await saved(page).waitFor()
  expect(await settings()).toEqual({
    version: 1,
    primary: WWW,
    redirects: [
      { from: APEX, to: WWW, status: 301 },
      { from: OLD, to: WWW, status: 302 },
    ],
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('The primary domain and a domain that redirects to it are swapped in one request', async () => {
  const version = await arranged({ primary: WWW, redirects: [{ from: APEX, to: WWW }] })
  const { page, context } = await dashboard.open(pageOf('/redirects'), { as: mia })
  await choice(page, t.editor.primary).selectOption(APEX)
  await page.getByRole('button', { name: t.editor.allToPrimary(APEX) }).click()
  await visitorsOf(page, NEW).selectOption('')
  await save(page).click()
  await saved(page).waitFor()
  expect(await settings()).toMatchObject({
    version: version + 1,
    primary: APEX,
    redirects: [{ from: OLD }, { from: WWW }],
  })
  await context.close()
})

test('A redirect loop is shown at once, and a refusal appears at its row without losing input', async () => {
  const version = await arranged({ primary: APEX, redirects: [{ from: OLD, to: APEX }] })
  const { page, context, complaints } = await dashboard.open(pageOf('/redirects'), { as: mia })
  await visitorsOf(page, OLD).selectOption(WWW)
  await visitorsOf(page, WWW).selectOption(OLD)
  expect(await described(page)).toContain(sentence.circle(OLD, WWW))
  await page.getByText(t.picture.circle, { exact: true }).waitFor()
  const refusal = await refused(page, 'redirect_cycle', () => save(page).click())
  const circle = page.getByRole('group', { name: OLD }).getByText(refusal, { exact: true })
  await circle.waitFor()
  await worksInEveryVariant(page, 'redirects-circle', twoForms)
  await visitorsOf(page, WWW).selectOption(NEW)
  expect(await circle.count()).toBe(0)
  const notLive = await refused(page, 'redirect_target_not_live', () => save(page).click())
  await page.getByRole('group', { name: WWW }).getByText(notLive, { exact: true }).waitFor()
  expect(await visitorsOf(page, OLD).inputValue()).toBe(WWW)
  await page.getByRole('button', { name: t.editor.discard }).click()
  expect(await visitorsOf(page, OLD).inputValue()).toBe(APEX)
  expect((await settings()).version).toBe(version)
  expect(complaints).toEqual([])
  await context.close()
})

test('Of two concurrent editors, the second sees who changed what, and keeps their change without undoing the other', async () => {
  const noah = await colleague('Noah')
  const leading = [OLD, WWW].map((from) => ({ from, to: APEX }))
  const version = await arranged({ primary: APEX, redirects: leading })
  const second = await dashboard.open(pageOf('/redirects'), { as: mia, hasNoEvents: true })
  await visitorsOf(second.page, NEW).selectOption(APEX)
  await choice(second.page, t.editor.kind(WWW)).selectOption('308')

  const first = await dashboard.open(pageOf('/redirects'), { as: noah, hasNoEvents: true })
  await choice(first.page, t.editor.kind(WWW)).selectOption('302')
  await visitorsOf(first.page, OLD).selectOption('')
  await save(first.page).click()
  await saved(first.page).waitFor()

  const { page } = second
  await save(page).click()
  const conflict = conflictOn(page)
  await conflict.getByText(like(t.conflict.who('Noah', ANY))).waitFor()
  const rows = (await conflict.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  const { by, sends, site } = t.conflict
  expect(rows.slice(1)).toEqual([
    `${NEW} ${by.me} ${sends(APEX, 301)} ${site}`,
    `${OLD} ${by.them} ${sends(APEX, 301)} ${site}`,
    `${WWW} ${by.both} ${sends(APEX, 308)} ${sends(APEX, 302)}`,
  ])
  expect(await visitorsOf(page, NEW).inputValue()).toBe(APEX)
  await worksInEveryVariant(page, 'redirects-conflict')
  await conflict.getByRole('button', { name: t.conflict.keep }).click()
  await saved(page).waitFor()
  await conflict.waitFor({ state: 'detached' })
  const kept = {
    version: version + 2,
    primary: APEX,
    redirects: [
      { from: NEW, to: APEX, status: 301 },
      { from: WWW, to: APEX, status: 308 },
    ],
  }
  expect(await settings()).toEqual(kept)

  await visitorsOf(first.page, WWW).selectOption('')
  await save(first.page).click()
  await first.page.getByRole('button', { name: t.conflict.take }).click()
  expect(await visitorsOf(first.page, WWW).inputValue()).toBe(APEX)
  expect(await settings()).toEqual(kept)
  expect([...first.complaints, ...second.complaints]).toEqual([])
  await first.context.close()
  await second.context.close()
})

test('An editor is notified at once that another user has saved, and continues with their own changes', async () => {
  const version = await arranged({ primary: APEX, redirects: [{ from: OLD, to: APEX }] })
  const { page, context, complaints } = await dashboard.open(pageOf('/redirects'), { as: mia })
  await visitorsOf(page, NEW).selectOption(APEX)
  await arranged({ primary: APEX, redirects: [OLD, WWW].map((from) => ({ from, to: APEX })) })
  const conflict = conflictOn(page)
  await conflict.getByText(t.conflict.by.them, { exact: true }).waitFor()
  expect(await visitorsOf(page, NEW).inputValue()).toBe(APEX)
  await conflict.getByRole('button', { name: t.conflict.keep }).click()
  await saved(page).waitFor()
  expect(await settings()).toMatchObject({
    version: version + 2,
    redirects: [NEW, OLD, WWW].map((from) => ({ from, to: APEX })),
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('A viewer sees the diagram, and why they cannot change it', async () => {
  const guest = await colleague('Vera', 'viewer')
  const { page, context } = await dashboard.open(pageOf('/redirects'), { as: guest })
  await page.getByText(common.needsAdmin, { exact: true }).waitFor()
  expect(await visitorsOf(page, WWW).isDisabled()).toBe(true)
  expect(await save(page).count()).toBe(0)
  await context.close()
})

const openRemoval = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: ofDomains.page.menu(name) }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  return page.getByRole('dialog', { name: t.remove.title(name) })
}

test('Before a domain is removed, its owner sees the effects, and is offered a redirect', async () => {
  await arranged({ primary: APEX, redirects: [NEW, WWW].map((from) => ({ from, to: APEX })) })
  const { page, context, complaints } = await dashboard.open(pageOf(`/${APEX}`), { as: mia })
  const dialog = await openRemoval(page, APEX)
  await dialog.getByText(t.remove.shared, { exact: true }).waitFor()
  const effects = await dialog.getByRole('listitem').allInnerTexts()
  expect(effects).toEqual([
    t.remove.isLive,
    t.remove.isPrimary(new URL(dashboard.siteUrlOf(mia.slug)).host),
    t.remove.receives(`${NEW}, ${WWW}`),
  ])
  await worksInEveryVariant(page, 'remove-live', twoForms)
  await dialog.getByRole('button', { name: t.remove.toRedirects }).click()
  await page.waitForURL(`**${pageOf('/redirects')}`)
  expect(complaints).toEqual([])
  await context.close()
})

test('Removing a domain that was never live affects no visitors', async () => {
  await arranged({ redirects: [{ from: NEW, to: APEX }] })
  const { page, context } = await dashboard.open(pageOf(`/${NEW}`), { as: mia })
  const dialog = await openRemoval(page, NEW)
  await dialog.getByText(t.remove.notLive, { exact: true }).waitFor()
  await dialog.getByText(t.remove.sends(APEX), { exact: true }).waitFor()
  await dialog.getByRole('button', { name: common.cancel }).click()
  await context.close()
})

test('After a removal, each edge is shown until it has stopped, and an isolated one is explained', async () => {
  const { run } = dashboard.database
  const edges = ['frankfurt-1', 'sydney-1', 'oslo-1'].map((name) => ({ id: newId('edg'), name }))
  for (const edge of edges) {
    await fleet.insertEdge(run, { ...edge, digest: randomBytes(32).toString('hex'), enrolmentSeconds: 0 })
  }
  const seq = await fleet.putRoute(run, OLD, 1n, { kind: 'site', slug: mia.slug, serial: 'ab' })
  // The sequence number of each edge. An edge that keeps polling is connected; the last one does not poll.
  const [near, far, away] = edges.map(({ id }) => ({ edge: id, seq }))
  if (!near || !far || !away) throw new Error('there are three')
  const polling = setInterval(() => void fleet.acknowledge(run, [near, far]), 100)
  onTestFinished(() => clearInterval(polling))

  const { page, context, complaints } = await dashboard.open(pageOf(`/${OLD}`), { as: mia })
  const dialog = await openRemoval(page, OLD)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  const progress = page.getByRole('status')
  await progress.getByText(t.removal.waiting, { exact: true }).waitFor()
  const stateOf = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  near.seq += 1
  await stateOf('frankfurt-1')
    .getByText(like(t.removal.stopped(ANY)))
    .waitFor()
  await stateOf('sydney-1').getByText(t.removal.stopping, { exact: true }).waitFor()
  await stateOf('oslo-1').getByText(t.removal.cutOffText, { exact: true }).waitFor()
  await worksInEveryVariant(page, 'remove-progress', twoForms)
  far.seq += 1
  await progress.getByText(like(t.removal.connectedOnly(ANY))).waitFor()
  await fleet.acknowledge(run, [{ ...away, seq: seq + 1 }])
  await progress.getByText(like(t.removal.everywhere(ANY))).waitFor({ timeout: 15_000 })
  expect(complaints).toEqual([])
  await context.close()
})

test('A shared link shows the DNS instructions without signing in, until it is revoked', async () => {
  const { page, context, complaints } = await dashboard.open(pageOf(`/${NEW}`), { as: mia })
  await page.getByRole('button', { name: ofDomains.page.menu(NEW) }).click()
  await page.getByRole('menuitem', { name: ofDomains.page.share }).click()
  const dialog = page.getByRole('dialog', { name: t.share.title })
  await dialog.getByRole('button', { name: t.share.make }).click()
  const link = await dialog.getByRole('textbox', { name: t.share.link }).inputValue()
  await dialog.getByText(like(t.share.until(ANY))).waitFor()
  await worksInEveryVariant(page, 'share-dialog', twoForms)

  const guest = await dashboard.open(new URL(link).pathname)
  await guest.page.getByRole('heading', { level: 1, name: t.shared.title(NEW) }).waitFor()
  await guest.page.getByText(t.shared.lead('Happy Paws', NEW), { exact: true }).waitFor()
  await guest.page.getByText(`${mia.slug}.petstore.localhost`, { exact: true }).waitFor()
  await guest.page.getByText(t.shared.nextText, { exact: true }).waitFor()
  await worksInEveryVariant(guest.page, 'shared')

  await dialog.getByRole('button', { name: t.share.revoke }).click()
  await dialog.getByText(t.share.revoked, { exact: true }).waitFor()
  // Automatically, when the page polls the next time.
  await guest.page.getByRole('heading', { name: t.shared.ended }).waitFor({ timeout: 15_000 })
  await worksInEveryVariant(guest.page, 'shared-ended', twoForms)
  expect(new URL(guest.page.url()).pathname).toBe(new URL(link).pathname)
  expect([...complaints, ...guest.complaints]).toEqual([])
  await guest.context.close()
  await context.close()
})

test('The redirect chain is shown step by step, even if no resolver answers', async () => {
  const { page, context, complaints } = await dashboard.open(pageOf(`/${APEX}`), { as: mia })
  await page.getByRole('heading', { name: ofDomains.help.title }).click()
  await page.getByText(ofDomains.help.redirectTitle, { exact: true }).click()
  await page.getByRole('button', { name: t.served.show }).click()
  await page.getByText(t.served.outcomes.untold, { exact: true }).waitFor()
  await page.getByRole('list', { name: t.served.hops }).getByText(`http://${APEX}/`).waitFor()
  await page.getByText(t.served.fresh, { exact: true }).waitFor()
  await worksInEveryVariant(page, 'served', twoForms)
  expect(complaints).toEqual([])
  await context.close()
})
