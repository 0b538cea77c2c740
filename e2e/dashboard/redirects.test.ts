// How domains belong together, in a browser: primary and redirects with their picture,
// two people at once, removing, and the link for whoever manages the DNS. Domains are
// made live by hand here; that visitors are really led is seen on the whole world.

import { randomBytes } from 'node:crypto'
import type { Role } from '@petstore/contract/platform/operation'
import type { DomainSettings } from '@petstore/contract/platform/domain-shapes'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { publishAtOnce } from '../../server/dev/publish.ts'
import type { AccountId } from '../../server/src/accounts/queries.ts'
import { firstSettings } from '@petstore/contract/platform/site'
import * as fleet from '../../server/src/fleet/directory.ts'
import { newId } from '../../server/src/foundation/ids.ts'
import { statement } from '../../server/src/foundation/postgres.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { insertMember } from '../../server/src/projects/queries.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.ts'
import { isForEverybody, twoForms } from './everybody.ts'
import { startDashboard, type Dashboard, type Owner } from './stage.ts'

let house: Dashboard
let mia: Owner
let project: ProjectId

beforeAll(async () => {
  // Nobody is there to ask: what DNS says is not what this is about.
  house = await startDashboard({ DNS_RESOLVERS: 'nobody=127.0.0.1:1' })
  mia = await house.makeOwner({ plan: 'enterprise' })
  project = await projectOf(mia)
  const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(house.database), project, content)
  for (const name of [APEX, WWW, OLD, NEW]) await mia.ask('POST', domains(), { hostname: name })
  await makeLive(APEX, WWW, OLD)
})
afterAll(() => house?.close())

const [APEX, WWW, OLD, NEW] = ['happy-paws.com', 'www.happy-paws.com', 'old-name.com', 'new-name.com'] as const
const domains = (rest = '') => `/projects/${mia.slug}/domains${rest}`
const pageOf = (rest = '') => `/projects/${mia.slug}/settings/domains${rest}`

async function projectOf({ slug }: Owner): Promise<ProjectId> {
  const found = await inDirectoryOf(house.database)((db) => directory.findSlug(db, slug))
  if (found === undefined) throw new Error('the project is not there')
  return found
}

const liveRows = statement<never, [project: ProjectId, hostnames: readonly string[]]>(
  'make-live',
  `update domains
   set ownership = 'proven', generation = 1, certificate = 'deployed', routing = 'pointing', cause = null,
     cause_severity = null, live_at = now()
   where project_id = $1 and hostname = any ($2)`,
)
const makeLive = (...hostnames: string[]) =>
  inProjectOf(house.database)(project, (db) => db(liveRows, project, hostnames))

/** Somebody else in the same project. */
async function colleague(name: string, role: Role = 'admin'): Promise<Owner> {
  const { ask, ...rest } = await house.makeOwner()
  const account = (await ask('PATCH', '/account', { name })) as { id: AccountId }
  await inProjectOf(house.database)(project, async (db) => {
    await insertMember(db, project, account.id, role)
    await directory.addMember(db, account.id, project)
  })
  return { ...rest, ask, name, slug: mia.slug }
}

const settings = async () => (await mia.ask('GET', domains('/settings'))) as DomainSettings
/** As it is before a test; gives the version. */
async function arranged(change: Pick<DomainSettings, 'redirects'> & { primary?: string }): Promise<number> {
  const { version } = await settings()
  return ((await mia.ask('PUT', domains('/redirects'), { version, ...change })) as DomainSettings).version
}
const visitorsOf = (page: Page, name: string): Locator => page.getByLabel(`Visitors of ${name}`, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
/** As it is told to those who do not see the drawing. */
const said = (page: Page): Promise<string[]> =>
  page.getByRole('figure', { name: 'Who is led where' }).getByRole('listitem').allInnerTexts()

test('The picture follows every choice before it is saved, and all of it is saved in one go', async () => {
  const { page, context, complaints } = await house.open(pageOf('/redirects'), { as: mia })
  const host = `${mia.slug}.petstore.localhost`
  await visitorsOf(page, APEX).waitFor()
  expect(await said(page)).toContain(`The default address ${host} shows the site.`)
  await page.getByLabel('Primary domain').selectOption(WWW)
  await visitorsOf(page, APEX).selectOption(WWW)
  await visitorsOf(page, OLD).selectOption(APEX)
  await page.getByLabel(`Kind of redirect for ${OLD}`).selectOption({ label: 'For now (302)' })
  await page.getByText('Nobody remembers it.').waitFor()
  expect(await said(page)).toEqual([
    `${WWW} shows the site.`,
    `${APEX} sends visitors to ${WWW}.`,
    `${OLD} sends visitors to ${WWW}.`,
    `${NEW} shows the site.`,
    `The default address ${host} sends visitors to ${WWW}.`,
  ])
  expect((await settings()).version).toBe(0)
  await isForEverybody(page, 'redirects-draft')
  await save(page).click()
  await page.getByText('Primary and redirects are saved.').waitFor()
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

test('Primary and the domain that led to it change places in one go', async () => {
  const version = await arranged({ primary: WWW, redirects: [{ from: APEX, to: WWW }] })
  const { page, context } = await house.open(pageOf('/redirects'), { as: mia })
  await page.getByLabel('Primary domain').selectOption(APEX)
  await page.getByRole('button', { name: `Send all others to ${APEX}` }).click()
  await visitorsOf(page, NEW).selectOption('')
  await save(page).click()
  await page.getByText('Primary and redirects are saved.').waitFor()
  expect(await settings()).toMatchObject({
    version: version + 1,
    primary: APEX,
    redirects: [{ from: OLD }, { from: WWW }],
  })
  await context.close()
})

test('A circle is seen at once, and what the server refuses stands beside its row; nothing typed is lost', async () => {
  const version = await arranged({ primary: APEX, redirects: [{ from: OLD, to: APEX }] })
  const { page, context, complaints } = await house.open(pageOf('/redirects'), { as: mia })
  await visitorsOf(page, OLD).selectOption(WWW)
  await visitorsOf(page, WWW).selectOption(OLD)
  expect(await said(page)).toContain(`${OLD} sends visitors to ${WWW}, in a circle: nobody arrives.`)
  await page.getByText('These go in a circle, and nobody arrives').waitFor()
  await save(page).click()
  const row = page.getByRole('group', { name: OLD })
  await row.getByText(/These redirects form a circle/).waitFor()
  await isForEverybody(page, 'redirects-circle', twoForms)
  await visitorsOf(page, WWW).selectOption(NEW)
  expect(await row.getByText(/These redirects form a circle/).count()).toBe(0)
  await save(page).click()
  await page
    .getByRole('group', { name: WWW })
    .getByText(`${NEW} is not live yet. Save the redirect once it is.`)
    .waitFor()
  expect(await visitorsOf(page, OLD).inputValue()).toBe(WWW)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  expect(await visitorsOf(page, OLD).inputValue()).toBe(APEX)
  expect((await settings()).version).toBe(version)
  expect(complaints).toEqual([])
  await context.close()
})

test('Of two who edit at once the second is shown who changed what, and keeps theirs without undoing the other', async () => {
  const noah = await colleague('Noah')
  const leading = [OLD, WWW].map((from) => ({ from, to: APEX }))
  const version = await arranged({ primary: APEX, redirects: leading })
  const second = await house.open(pageOf('/redirects'), { as: mia, isDeaf: true })
  await visitorsOf(second.page, NEW).selectOption(APEX)
  await second.page.getByLabel(`Kind of redirect for ${WWW}`).selectOption('308')

  const first = await house.open(pageOf('/redirects'), { as: noah, isDeaf: true })
  await first.page.getByLabel(`Kind of redirect for ${WWW}`).selectOption('302')
  await visitorsOf(first.page, OLD).selectOption('')
  await save(first.page).click()
  await first.page.getByText('Primary and redirects are saved.').waitFor()

  const { page } = second
  await save(page).click()
  const told = page.getByRole('alert').filter({ hasText: 'Somebody else has changed these settings meanwhile' })
  await told.getByText(/^Noah saved/).waitFor()
  const rows = (await told.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(rows.slice(1)).toEqual([
    `${NEW} changed by you sends visitors to ${APEX} (301) shows the site`,
    `${OLD} changed by the other sends visitors to ${APEX} (301) shows the site`,
    `${WWW} changed by both of you sends visitors to ${APEX} (308) sends visitors to ${APEX} (302)`,
  ])
  expect(await visitorsOf(page, NEW).inputValue()).toBe(APEX)
  await isForEverybody(page, 'redirects-conflict')
  await told.getByRole('button', { name: 'Keep mine and save' }).click()
  await page.getByText('Primary and redirects are saved.').waitFor()
  await told.waitFor({ state: 'detached' })
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
  await first.page.getByRole('button', { name: 'Take theirs' }).click()
  expect(await visitorsOf(first.page, WWW).inputValue()).toBe(APEX)
  expect(await settings()).toEqual(kept)
  expect([...first.complaints, ...second.complaints]).toEqual([])
  await first.context.close()
  await second.context.close()
})

test('Whoever edits is told at once that somebody else has saved, and goes on with what is theirs', async () => {
  const version = await arranged({ primary: APEX, redirects: [{ from: OLD, to: APEX }] })
  const { page, context, complaints } = await house.open(pageOf('/redirects'), { as: mia })
  await visitorsOf(page, NEW).selectOption(APEX)
  await arranged({ primary: APEX, redirects: [OLD, WWW].map((from) => ({ from, to: APEX })) })
  const told = page.getByRole('alert').filter({ hasText: 'Somebody else has changed these settings meanwhile' })
  await told.getByText('changed by the other').waitFor()
  expect(await visitorsOf(page, NEW).inputValue()).toBe(APEX)
  await told.getByRole('button', { name: 'Keep mine and save' }).click()
  await page.getByText('Primary and redirects are saved.').waitFor()
  expect(await settings()).toMatchObject({
    version: version + 2,
    redirects: [NEW, OLD, WWW].map((from) => ({ from, to: APEX })),
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('A viewer sees the picture, and why nothing can be changed', async () => {
  const guest = await colleague('Vera', 'viewer')
  const { page, context } = await house.open(pageOf('/redirects'), { as: guest })
  await page.getByText('Only admins and owners of the project can do this.').waitFor()
  expect(await visitorsOf(page, WWW).isDisabled()).toBe(true)
  expect(await save(page).count()).toBe(0)
  await context.close()
})

const askToRemove = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: `Menu of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  return page.getByRole('dialog', { name: `Remove ${name}?` })
}

test('Before a domain is removed its owner reads what ends with it, and is offered a redirect', async () => {
  await arranged({ primary: APEX, redirects: [NEW, WWW].map((from) => ({ from, to: APEX })) })
  const { page, context, complaints } = await house.open(pageOf(`/${APEX}`), { as: mia })
  const dialog = await askToRemove(page, APEX)
  await dialog.getByText('Was this address shared?').waitFor()
  const effects = await dialog.getByRole('listitem').allInnerTexts()
  expect(effects).toEqual([
    'Visitors are served there right now. Once it is removed they see an error.',
    expect.stringContaining('It is your primary domain.') as string,
    `These domains send their visitors there, and will show the site themselves: ${NEW}, ${WWW}.`,
  ])
  await isForEverybody(page, 'remove-live', twoForms)
  await dialog.getByRole('button', { name: 'Set up a redirect first' }).click()
  await page.waitForURL(`**${pageOf('/redirects')}`)
  expect(complaints).toEqual([])
  await context.close()
})

test('Of a domain that was never live nobody is cut off', async () => {
  await arranged({ redirects: [{ from: NEW, to: APEX }] })
  const { page, context } = await house.open(pageOf(`/${NEW}`), { as: mia })
  const dialog = await askToRemove(page, NEW)
  await dialog.getByText('It is not live, so no visitor is cut off.').waitFor()
  await dialog.getByText(`It sends its visitors to ${APEX}. That redirect ends too.`).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await context.close()
})

test('After a removal each server is shown until it has stopped, and one that is cut off is explained', async () => {
  const { run } = house.database
  const edges = ['frankfurt-1', 'sydney-1', 'oslo-1'].map((name) => ({ id: newId('edg'), name }))
  for (const edge of edges) await fleet.insertEdge(run, { ...edge, digest: randomBytes(32).toString('hex') })
  const seq = await fleet.putRoute(run, OLD, 1n, { kind: 'site', slug: mia.slug, serial: 'ab' })
  // What each has; one that asks again and again is connected, and the last one does not.
  const [near, far, away] = edges.map(({ id }) => ({ edge: id, seq }))
  if (!near || !far || !away) throw new Error('there are three')
  const asking = setInterval(() => void fleet.acknowledge(run, [near, far]), 100)
  onTestFinished(() => clearInterval(asking))

  const { page, context, complaints } = await house.open(pageOf(`/${OLD}`), { as: mia })
  const dialog = await askToRemove(page, OLD)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Each of our servers confirms').waitFor()
  const stateOf = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  near.seq += 1
  await stateOf('frankfurt-1')
    .getByText(/^stopped at/)
    .waitFor()
  await stateOf('sydney-1').getByText('stopping').waitFor()
  await stateOf('oslo-1').getByText('It may go on serving the domain until it is back').waitFor()
  await isForEverybody(page, 'remove-progress', twoForms)
  far.seq += 1
  await page.getByText(/^Removed at .* from every server that we can reach\.$/).waitFor()
  await fleet.acknowledge(run, [{ ...away, seq: seq + 1 }])
  await page.getByText(/^Removed everywhere at/).waitFor({ timeout: 15_000 })
  expect(complaints).toEqual([])
  await context.close()
})

test('A link shows whoever manages the DNS what to do, without signing in, until it is revoked', async () => {
  const { page, context, complaints } = await house.open(pageOf(`/${NEW}`), { as: mia })
  await page.getByRole('button', { name: `Menu of ${NEW}` }).click()
  await page.getByRole('menuitem', { name: 'Share with whoever manages the DNS' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share the DNS records' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'The link' }).inputValue()
  await dialog.getByText(/^It works until/).waitFor()
  await isForEverybody(page, 'share-dialog', twoForms)

  const guest = await house.open(new URL(link).pathname)
  await guest.page.getByRole('heading', { level: 1, name: `DNS records for ${NEW}` }).waitFor()
  await guest.page.getByText(`Happy Paws wants to publish its site at ${NEW}.`).waitFor()
  await guest.page.getByText(`${mia.slug}.petstore.localhost`, { exact: true }).waitFor()
  await guest.page.getByText('We see your change by ourselves').waitFor()
  await isForEverybody(guest.page, 'shared')

  await dialog.getByRole('button', { name: 'Revoke all links' }).click()
  await dialog.getByText('No link to these records works any more.').waitFor()
  // By itself, when the page asks the next time.
  await guest.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor({ timeout: 15_000 })
  await isForEverybody(guest.page, 'shared-ended', twoForms)
  expect(new URL(guest.page.url()).pathname).toBe(new URL(link).pathname)
  expect([...complaints, ...guest.complaints]).toEqual([])
  await guest.context.close()
  await context.close()
})

test('What is served is shown hop by hop, also where nobody can be asked', async () => {
  const { page, context, complaints } = await house.open(pageOf(`/${APEX}`), { as: mia })
  await page.getByText('A redirect leads somewhere unexpected').click()
  await page.getByRole('button', { name: 'Show what is served now' }).click()
  await page.getByText('We could not see it').waitFor()
  await page.getByRole('list', { name: 'The way, one answer after the other' }).getByText(`http://${APEX}/`).waitFor()
  await page.getByText('Open a private window or another browser').waitFor()
  await isForEverybody(page, 'served', twoForms)
  expect(complaints).toEqual([])
  await context.close()
})
