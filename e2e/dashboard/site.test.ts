// The site editor in a real browser:
// - input is saved automatically and shown in the preview;
// - visitors see what was deployed;
// - a failed deployment shows why;
// - an earlier version can be published again;
// - two people who edit the same draft lose no input.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { settingsJson } from '../../server/src/sites/publishing/content.ts'
import { findCurrent, publishAgain } from '../../server/src/sites/publishing/deployment-queries.ts'
import { changeSettings, lockSite } from '../../server/src/sites/publishing/site-queries.ts'
import { seedStore } from '../../devserver/demo.ts'
import { contactFaults, firstSettings, putSite } from '../../contract/src/platform/site.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { png, webpLossless } from '../../testbed/photos/images.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { barriersIn, barriersOn } from '../accessibility.ts'
import { ANY, like } from './text-patterns.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { common, site: words } = texts

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())

const sitePath = ({ slug }: BrowserOwner) => `/projects/${slug}/site`
const historyPath = (owner: BrowserOwner) => `${sitePath(owner)}/history`
const field = (page: Page, name: keyof typeof words.fields) =>
  page.getByRole('textbox', { name: words.fields[name], exact: true })
const version = (page: Page, number: number) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: words.version(number), exact: true }) })
const statusOf = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text, { exact: true })
const refused = (page: Page, why: string) => page.getByRole('alert').filter({ hasText: why })
const preview = (page: Page) => page.frameLocator('iframe.shown')
const isSaved = (page: Page) => statusOf(page, like(words.savedAt(ANY))).waitFor()
const toVersions = (page: Page) => page.getByRole('link', { name: words.toHistory }).click()

/** Adds another member to the project. */
async function join(owner: BrowserOwner, role: 'admin' | 'viewer'): Promise<BrowserOwner> {
  const other = await dashboard.makeOwner()
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, { email: other.email, role })
  await other.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  return { ...other, slug: owner.slug }
}

async function change(owner: BrowserOwner, settings: object): Promise<void> {
  const { logo: _, ...site } = await owner.ask('GET', `/projects/${owner.slug}/site`)
  await owner.ask('PUT', `/projects/${owner.slug}/site`, { ...site, ...settings })
}

async function deployed(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: words.deploy, exact: true }).click()
  await page.getByText(words.visitorsSee(number)).waitFor()
}

async function publish(owner: BrowserOwner, settings: object): Promise<void> {
  await change(owner, settings)
  const { id } = await owner.ask('POST', `/projects/${owner.slug}/deployments`)
  const stateOf = async () => (await owner.ask('GET', `/projects/${owner.slug}/deployments/${String(id)}`))['state']
  await expect.poll(stateOf).toBe('succeeded')
}

async function projectOf({ slug }: BrowserOwner): Promise<ProjectId> {
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, slug))
  if (project === undefined) throw new Error(`no project ${slug}`)
  return project
}

/** The text that a visitor of the site sees. */
async function visited({ slug }: BrowserOwner): Promise<string> {
  const page = await dashboard.browser.newPage()
  await page.goto(dashboard.siteUrlOf(slug))
  const text = await page.locator('body').innerText()
  await page.close()
  return text
}

describe('the draft', () => {
  test('is saved automatically, is shown in the preview, and is not published', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').fill('Paws by the River')
    await field(page, 'about').fill('We are open on **Saturdays**.')
    await field(page, 'email').fill('mia@paws.example')
    await isSaved(page)
    await preview(page).getByRole('heading', { name: 'Paws by the River' }).waitFor()
    await preview(page).getByRole('strong').filter({ hasText: 'Saturdays' }).waitFor()
    await page.getByText(words.notPublished, { exact: true }).waitFor()
    await page.reload()
    expect(await field(page, 'title').inputValue()).toBe('Paws by the River')
    expect(await field(page, 'email').inputValue()).toBe('mia@paws.example')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows a title that contains a script as text, in the editor and in the preview', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    const hostile = `<img src=x onerror=alert(1)><script>alert(2)</script>`
    await field(page, 'title').fill(hostile)
    await isSaved(page)
    await preview(page).getByText(hostile).first().waitFor()
    await deployed(page, 1)
    await change(owner, { title: 'Calm' })
    await page.goto(`${dashboard.origin}${historyPath(owner)}`)
    await page.getByRole('cell', { name: hostile }).waitFor()
    expect(await visited(owner)).toContain(hostile)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows an error at an invalid field, and saves again once it is valid', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').fill('')
    await page.getByText(words.fault(putSite.body.faults.title.replace(/^'title' /, '')), { exact: true }).waitFor()
    expect(await field(page, 'title').getAttribute('aria-invalid')).toBe('true')
    await statusOf(page, words.saving.refused).waitFor()
    await toVersions(page)
    await page.getByRole('dialog', { name: words.leave }).getByRole('button', { name: common.cancel }).click()
    // Everything else is saved, and what is wrong stays as it was typed.
    await field(page, 'email').fill('hello at willow')
    await page.getByText(words.fault(contactFaults.email.replace(/^'email' /, '')), { exact: true }).waitFor()
    await field(page, 'tagline').fill('Right already')
    await expect
      .poll(() => owner.ask('GET', `/projects/${owner.slug}/site`))
      .toMatchObject({
        tagline: 'Right already',
        contact: { email: '' },
      })
    await statusOf(page, words.saving.refused).waitFor()
    expect(await field(page, 'email').inputValue()).toBe('hello at willow')
    await field(page, 'email').fill('hello@willow.example')
    await field(page, 'title').fill('Right again')
    await field(page, 'themeColor').fill('#AA3311')
    await isSaved(page)
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({
      title: 'Right again',
      themeColor: '#aa3311',
      contact: { email: 'hello@willow.example' },
    })
    await context.close()
  })

  test('is saved at once when the user leaves the page', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'tagline').fill('Typed at the last moment')
    await toVersions(page)
    await page.getByRole('heading', { name: words.history }).waitFor()
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({
      tagline: 'Typed at the last moment',
    })
    await context.close()
  })

  test('keeps the input while the server is unavailable, and saves it afterwards', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').waitFor()
    await dashboard.restart(async () => {
      await field(page, 'title').fill('Typed in the dark')
      await statusOf(page, words.saving.unsent).waitFor()
    })
    await isSaved(page)
    expect(await field(page, 'title').inputValue()).toBe('Typed in the dark')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Typed in the dark' })
    await context.close()
  })

  test('has a logo that can be uploaded and removed, and shows why a file is rejected', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    const upload = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
    await page.getByText(words.logoHelp, { exact: true }).waitFor()
    await upload('logo.png', 'image/png', Buffer.from('not a picture'))
    await refused(page, 'neither PNG, JPEG nor WebP').waitFor()
    await upload('huge.png', 'image/png', Buffer.alloc(2_000_000))
    await refused(page, words.logoTooLarge).waitFor()
    await upload('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'))
    await refused(page, words.logoWrongKind).waitFor()
    await upload('logo.png', 'image/png', png)
    const picture = page.getByRole('img', { name: words.logoAlt })
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3)
    const replaced = page.waitForResponse(
      (response) => response.url().endsWith('/logo') && response.request().method() === 'GET',
    )
    await upload('logo.webp', 'image/webp', webpLossless)
    expect((await replaced).headers()['content-type']).toBe('image/webp')
    await preview(page).locator('img.logo').waitFor()
    await field(page, 'tagline').fill('With a logo')
    await isSaved(page)
    await page.getByRole('group', { name: words.fields.logo }).getByRole('button', { name: words.removeLogo }).click()
    await page.getByText(words.noLogo, { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('further languages', () => {
  const language = (page: Page, name: keyof typeof words.languages) =>
    page
      .getByRole('group', { name: words.fields.languages })
      .getByRole('checkbox', { name: words.languages[name], exact: true })

  test('are chosen next to the main one, saved with the draft, published, and compared between versions', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await language(page, 'de').check()
    await language(page, 'es').check()
    await isSaved(page)
    expect(await language(page, 'en').count()).toBe(0)
    await preview(page).getByText(words.languages.de, { exact: true }).waitFor()
    await deployed(page, 1)
    const visitor = await dashboard.browser.newPage()
    await visitor.goto(`${dashboard.siteUrlOf(owner.slug)}/de/`)
    expect(await visitor.locator('html').getAttribute('lang')).toBe('de')
    await visitor.close()

    await page.getByRole('combobox', { name: words.fields.language, exact: true }).selectOption('de')
    await statusOf(page, words.draftDiffers(`${words.fields.language}, ${words.fields.languages}`)).waitFor()
    expect(await language(page, 'de').count()).toBe(0)
    expect(await language(page, 'es').isChecked()).toBe(true)
    await expect
      .poll(() => owner.ask('GET', `/projects/${owner.slug}/site`), { timeout: 30_000 })
      .toMatchObject({ language: 'de', languages: ['es'] })
    await toVersions(page)
    await page
      .getByRole('row', { name: `${words.fields.languages} ${words.languages.de}, ${words.languages.es}` })
      .waitFor()
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that another member chose are taken over, but for the one that becomes the main language', async () => {
    const owner = await dashboard.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await language(page, 'fr').waitFor()
    await change(other, { languages: ['fr', 'es'] })
    await page.getByRole('combobox', { name: words.fields.language, exact: true }).selectOption('fr')
    await isSaved(page)
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ language: 'fr', languages: ['es'] })
    await context.close()
  })
})

describe('the look', () => {
  const look = (page: Page, name: keyof typeof words.looks) =>
    page.getByRole('radio', { name: words.looks[name].name, exact: true })
  const headlineOf = (place: Pick<Page, 'locator'>) =>
    place
      .locator('h1')
      .first()
      .evaluate((headline) => getComputedStyle(headline).fontFamily)

  test('is chosen by mouse or keyboard, shown in the preview, published, and compared between versions', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    expect(await look(page, 'meadow').isChecked()).toBe(true)
    await look(page, 'journal').check()
    await isSaved(page)
    await expect.poll(() => headlineOf(preview(page))).toContain('Young Serif')
    await deployed(page, 1)
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ look: 'journal' })
    const visitor = await dashboard.browser.newPage()
    await visitor.goto(dashboard.siteUrlOf(owner.slug))
    expect(await headlineOf(visitor)).toContain('Young Serif')
    await visitor.close()

    await look(page, 'journal').press('ArrowLeft')
    await statusOf(page, words.draftDiffers(words.fields.look)).waitFor()
    await expect.poll(() => headlineOf(preview(page))).not.toContain('Young Serif')
    await toVersions(page)
    const { meadow, journal } = words.looks
    await page.getByRole('row', { name: `${words.fields.look} ${journal.name} ${meadow.name}` }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that another member chose is taken over next to own changes', async () => {
    const owner = await dashboard.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await look(page, 'meadow').waitFor()
    await change(other, { look: 'journal', title: 'Theirs' })
    await field(page, 'title').fill('Mine')
    const conflict = page.getByRole('alert', { name: words.conflict })
    await conflict.getByRole('button', { name: words.keepMine }).click()
    await isSaved(page)
    await statusOf(page, words.taken(words.fields.look)).waitFor()
    expect(await look(page, 'journal').isChecked()).toBe(true)
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ look: 'journal', title: 'Mine' })
    await context.close()
  })
})

describe('a deployment', () => {
  test('publishes the draft, and the page shows what visitors see and what is not published yet', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').fill('Open to everybody')
    // Deploy at once: the pending input must be saved first.
    await deployed(page, 1)
    await statusOf(page, words.draftSame).waitFor()
    await statusOf(page, words.done(1)).waitFor()
    expect(await visited(owner)).toContain('Open to everybody')
    expect(await page.getByRole('link', { name: words.openSite }).getAttribute('href')).toBe(
      dashboard.siteUrlOf(owner.slug),
    )
    await field(page, 'tagline').fill('Not yet')
    await statusOf(page, words.draftDiffers(words.fields.tagline)).waitFor()
    await isSaved(page)
    expect(await visited(owner)).not.toContain('Not yet')
    await deployed(page, 2)
    expect(await visited(owner)).toContain('Not yet')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows its progress while it runs', async () => {
    const owner = await dashboard.makeOwner()
    await publish(owner, { title: 'First' })
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await page.getByText(words.visitorsSee(1)).waitFor()
    const project = await projectOf(owner)
    await inProjectOf(dashboard.database)(project, async (db) => {
      const shown = await findCurrent(db, project)
      // This transaction locks the current version, so the deployment waits until it ends.
      await publishAgain(db, project, shown?.id ?? '')
      await page.getByRole('button', { name: words.deploy, exact: true }).click()
      await statusOf(page, words.deploying(2)).waitFor()
      await page.locator('[aria-current=step]', { hasText: words.steps.building }).waitFor()
      await toVersions(page)
      await version(page, 2).getByText(words.states.building).waitFor()
    })
    await version(page, 2).getByText(words.current).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that fails shows why, and visitors keep seeing the previous version', async () => {
    const owner = await dashboard.makeOwner()
    await publish(owner, { title: 'Still here' })
    // A text from before the limit existed: the API would reject it today.
    const project = await projectOf(owner)
    await inProjectOf(dashboard.database)(project, async (db) => {
      await lockSite(db, project)
      await changeSettings(db, project, settingsJson({ ...firstSettings('Too much'), about: '"'.repeat(40_000) }))
    })
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await page.getByRole('button', { name: words.deploy, exact: true }).click()
    const outcome = page.getByRole('status').filter({ hasText: words.failed(2) })
    await outcome.waitFor()
    expect(await outcome.textContent()).toMatch(/the home page: it has \d+ bytes, and 200000 is the most/)
    await page.getByText(words.visitorsSee(1)).waitFor()
    expect(await visited(owner)).toContain('Still here')
    await toVersions(page)
    const row = version(page, 2)
    await row.getByText(words.states.failed).waitFor()
    expect(await row.getByRole('button', { name: words.showAgainOf(2) }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the versions', () => {
  test('can be compared with each other and with the draft, and an earlier one can be published again', async () => {
    const owner = await dashboard.makeOwner()
    await publish(owner, { title: 'First', about: 'Cats\nDogs\nBirds' })
    await publish(owner, { title: 'Second', about: 'Cats\nRabbits\nBirds', language: 'de' })
    await change(owner, { title: 'Third' })
    const { page, context, complaints } = await dashboard.open(historyPath(owner), { as: owner })
    await version(page, 2).getByText(words.current).waitFor()
    await version(page, 1).getByText('Mia').waitFor()
    const table = page.getByRole('table', { name: words.whatDiffers })
    await table.getByRole('row', { name: `${words.fields.title} Second Third` }).waitFor()
    expect(await table.getByRole('row').count()).toBe(2)

    await page.getByRole('combobox', { name: words.earlier }).selectOption(words.version(1))
    await page.getByRole('combobox', { name: words.later }).selectOption(words.version(2))
    const { en, de } = words.languages
    await table.getByRole('row', { name: `${words.fields.language} ${en} ${de}` }).waitFor()
    expect(await table.getByRole('deletion').allTextContents()).toEqual(['Dogs'])
    expect(await table.getByRole('insertion').allTextContents()).toEqual(['Rabbits'])

    await page.getByRole('button', { name: words.compareDraftOf(1) }).click()
    await table.getByRole('row', { name: `${words.fields.title} First Third` }).waitFor()

    await page.getByRole('button', { name: words.showAgainOf(1) }).click()
    const confirmation = page.getByRole('dialog', { name: words.showAgainAsk(1) })
    await confirmation.getByRole('button', { name: common.cancel }).click()
    expect(await visited(owner)).toContain('Second')
    await page.getByRole('button', { name: words.showAgainOf(1) }).click()
    await confirmation.getByRole('button', { name: words.showAgain }).click()
    await version(page, 1).getByText(words.current).waitFor()
    await page.getByRole('alert').getByText(words.shownAgain(1), { exact: true }).waitFor()
    expect(await visited(owner)).toContain('First')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are empty before the first deployment, and the page shows how to create one', async () => {
    const owner = await dashboard.makeOwner()
    const { page, context } = await dashboard.open(historyPath(owner), { as: owner })
    await page.getByRole('heading', { name: words.noHistory }).waitFor()
    await context.close()
  })
})

describe('two editors of the same draft', () => {
  test('choose between conflicting changes, and neither loses input', async () => {
    const owner = await dashboard.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').waitFor()
    await change(other, { title: 'Theirs', tagline: 'From the other one' })
    await field(page, 'title').fill('Mine')
    const conflict = page.getByRole('alert', { name: words.conflict })
    await conflict.getByRole('row', { name: `${words.fields.title} Mine Theirs` }).waitFor()
    expect(await conflict.getByRole('row').count()).toBe(2)
    await field(page, 'phone').fill('12345')
    expect(await field(page, 'title').inputValue()).toBe('Mine')
    await conflict.getByRole('button', { name: words.keepMine }).click()
    await isSaved(page)
    await statusOf(page, words.taken(words.fields.tagline)).waitFor()
    const kept = { title: 'Mine', tagline: 'From the other one', contact: { phone: '12345' } }
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject(kept)

    await change(other, { title: 'Theirs again' })
    await field(page, 'title').fill('Mine again')
    await conflict.getByRole('button', { name: words.takeTheirs }).click()
    expect(await field(page, 'title').inputValue()).toBe('Theirs again')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Theirs again' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('need not choose if they changed different fields', async () => {
    const owner = await dashboard.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context } = await dashboard.open(sitePath(owner), { as: owner })
    await field(page, 'title').waitFor()
    await change(other, { tagline: 'Theirs' })
    await field(page, 'title').fill('Mine')
    await isSaved(page)
    expect(await field(page, 'tagline').inputValue()).toBe('Theirs')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Mine', tagline: 'Theirs' })
    await context.close()
  })

  test('do not include a viewer, who sees everything and cannot change it', async () => {
    const owner = await dashboard.makeOwner()
    await publish(owner, { title: 'First' })
    await publish(owner, { title: 'Second' })
    const viewer = await join(owner, 'viewer')
    const { page, context, complaints } = await dashboard.open(sitePath(viewer), { as: viewer })
    await page.getByText(words.viewer, { exact: true }).waitFor()
    expect(await field(page, 'title').inputValue()).toBe('Second')
    expect(await field(page, 'title').isEditable()).toBe(false)
    await preview(page).getByRole('heading', { name: 'Second' }).waitFor()
    await statusOf(page, words.draftSame).waitFor()
    for (const name of [words.deploy, words.uploadLogo, words.removeLogo]) {
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    }
    await toVersions(page)
    await page.getByRole('button', { name: words.compareDraftOf(1) }).waitFor()
    for (const number of [1, 2]) {
      expect(await page.getByRole('button', { name: words.showAgainOf(number) }).count()).toBe(0)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the pages of the site', () => {
  let owner: BrowserOwner
  beforeAll(async () => {
    owner = await dashboard.makeOwner({ name: 'Willow Street Animal Shelter' })
    await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 60_000, photosMax: 6 })
    await change(owner, { tagline: 'W'.repeat(200), about: `${'x'.repeat(300)}\n\nWe are open.` })
  })

  test.each([
    ['light', desk],
    ['light', phone],
    ['dark', desk],
    ['dark', phone],
  ] as const)('have no accessibility violation and fit the window, in %s mode at %o', async (scheme, size) => {
    const { page, context, complaints } = await dashboard.open(sitePath(owner), { as: owner, scheme, size })
    await statusOf(page, like(words.draftDiffers(ANY))).waitFor()
    await preview(page).getByRole('heading', { name: 'Willow Street Animal Shelter' }).waitFor()
    for (const width of [words.widths.desk, words.widths.phone]) {
      await page.getByRole('button', { name: width }).click()
      expect(await overflowOf(page)).toEqual([])
    }
    expect(await barriersIn(scheme, page)).toEqual([])
    await toVersions(page)
    await page.getByRole('table', { name: words.whatDiffers }).waitFor()
    expect(await overflowOf(page)).toEqual([])
    expect(await barriersIn(scheme, page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})
