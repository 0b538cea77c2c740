// The site of a store as its owner makes it, in a real browser: what is typed is saved
// and drawn, what is deployed is what visitors see, what fails says why, what was shown
// before can be shown again, and two people at the same draft lose nothing.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingsJson } from '../../server/src/deployments/content.ts'
import { findCurrent, publishAgain } from '../../server/src/deployments/queries.ts'
import { changeSettings, holdSite } from '../../server/src/deployments/site-queries.ts'
import { furnishStore } from '../../server/dev/demo.ts'
import { firstSettings } from '../../contract/src/platform/site.ts'
import * as directory from '../../server/src/projects/directory.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.ts'
import { png, webpLossless } from '../../server/src/deployments/images.fake.ts'
import { barriersOn } from '../sites-stage.ts'
import { desk, overflowOf, phone, startDashboard, type Dashboard, type Owner } from './stage.ts'

let stage: Dashboard

beforeAll(async () => {
  stage = await startDashboard()
})
afterAll(() => stage?.close())

const sitePath = ({ slug }: Owner) => `/projects/${slug}/site`
const historyPath = (owner: Owner) => `${sitePath(owner)}/history`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const preview = (page: Page) => page.frameLocator('iframe.shown')
const isSaved = (page: Page) => page.getByText('Draft saved at').waitFor()

/** Another person in the same project. */
async function join(owner: Owner, role: 'admin' | 'viewer'): Promise<Owner> {
  const other = await stage.makeOwner()
  const { secret } = await owner.ask('POST', `/projects/${owner.slug}/invitations`, { role })
  await other.ask('POST', '/invitations/accept', { secret })
  return { ...other, slug: owner.slug }
}

async function change(owner: Owner, settings: object): Promise<void> {
  const { logo: _, ...site } = await owner.ask('GET', `/projects/${owner.slug}/site`)
  await owner.ask('PUT', `/projects/${owner.slug}/site`, { ...site, ...settings })
}

async function deployed(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText(`Visitors see version ${number},`).waitFor()
}

async function publish(owner: Owner, settings: object): Promise<void> {
  await change(owner, settings)
  const { id } = await owner.ask('POST', `/projects/${owner.slug}/deployments`)
  const stateOf = async () => (await owner.ask('GET', `/projects/${owner.slug}/deployments/${String(id)}`))['state']
  await expect.poll(stateOf, { timeout: 10_000 }).toBe('succeeded')
}

async function projectOf({ slug }: Owner): Promise<ProjectId> {
  const project = await inDirectoryOf(stage.database)((db) => directory.findSlug(db, slug))
  if (project === undefined) throw new Error(`no project ${slug}`)
  return project
}

/** What a visitor reads there. */
async function visited({ slug }: Owner): Promise<string> {
  const page = await stage.browser.newPage()
  await page.goto(stage.siteUrlOf(slug))
  const text = await page.locator('body').innerText()
  await page.close()
  return text
}

describe('the draft', () => {
  test('is saved by itself, is drawn beside what is typed, and is not published', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').fill('Paws by the River')
    await field(page, 'About your store').fill('We are open on **Saturdays**.')
    await field(page, 'E-mail').fill('mia@paws.example')
    await isSaved(page)
    await preview(page).getByRole('heading', { name: 'Paws by the River' }).waitFor()
    await preview(page).locator('strong', { hasText: 'Saturdays' }).waitFor()
    await page.getByText('Nothing is published yet.').waitFor()
    await page.reload()
    expect(await field(page, 'Title').inputValue()).toBe('Paws by the River')
    expect(await field(page, 'E-mail').inputValue()).toBe('mia@paws.example')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows a title that wants to be a program as text, here and in the preview', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    const hostile = `<img src=x onerror=alert(1)><script>alert(2)</script>`
    await field(page, 'Title').fill(hostile)
    await isSaved(page)
    await preview(page).getByText(hostile).first().waitFor()
    await deployed(page, 1)
    await change(owner, { title: 'Calm' })
    await page.goto(`${stage.origin}${historyPath(owner)}`)
    await page.getByRole('cell', { name: hostile }).waitFor()
    expect(await visited(owner)).toContain(hostile)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('tells beside a field what is wrong with it, and saves again once it is right', async () => {
    const owner = await stage.makeOwner()
    const { page, context } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').fill('')
    await page.getByText('This must have 1 to 100 characters').waitFor()
    expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Not saved: something has to be changed first.').waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
    await field(page, 'Title').fill('Right again')
    await field(page, 'Theme colour').fill('#AA3311')
    await isSaved(page)
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({
      title: 'Right again',
      themeColor: '#aa3311',
    })
    await context.close()
  })

  test('is saved at once when somebody goes elsewhere', async () => {
    const owner = await stage.makeOwner()
    const { page, context } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Tagline').fill('Typed at the last moment')
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('heading', { name: 'Versions of the site' }).waitFor()
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({
      tagline: 'Typed at the last moment',
    })
    await context.close()
  })

  test('keeps what is typed while the server is away, and saves it when it is back', async () => {
    const owner = await stage.makeOwner()
    const { page, context } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').waitFor()
    await stage.restart(async () => {
      await field(page, 'Title').fill('Typed in the dark')
      await page.getByText('It is saved as soon as Petstore can be reached.').waitFor()
    })
    await isSaved(page)
    expect(await field(page, 'Title').inputValue()).toBe('Typed in the dark')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Typed in the dark' })
    await context.close()
  })

  test('has a logo that can be uploaded and removed, and says why a file is none', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    const upload = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
    await page.getByText('PNG, JPEG or WebP, at most 512 KB').waitFor()
    await upload('logo.png', 'image/png', Buffer.from('not a picture'))
    await page.getByRole('alert').filter({ hasText: 'neither PNG, JPEG nor WebP' }).waitFor()
    await upload('huge.png', 'image/png', Buffer.alloc(2_000_000))
    await page.getByRole('alert').filter({ hasText: 'larger than 512 KB' }).waitFor()
    await upload('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'))
    await page.getByRole('alert').filter({ hasText: 'not a PNG, JPEG or WebP' }).waitFor()
    await upload('logo.png', 'image/png', png)
    const picture = page.getByRole('img', { name: 'The logo of the draft' })
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3)
    const replaced = page.waitForResponse(
      (answer) => answer.url().endsWith('/logo') && answer.request().method() === 'GET',
    )
    await upload('logo.webp', 'image/webp', webpLossless)
    expect((await replaced).headers()['content-type']).toBe('image/webp')
    await preview(page).locator('img.logo').waitFor()
    await field(page, 'Tagline').fill('With a logo')
    await isSaved(page)
    await page.getByRole('group', { name: 'Logo' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No logo yet.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('deploying', () => {
  test('shows the draft to visitors, and the page says what they see and what they do not see yet', async () => {
    const owner = await stage.makeOwner()
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').fill('Open to everybody')
    // Not a moment later: what was typed goes first.
    await deployed(page, 1)
    await page.getByText('The draft is what visitors see.').waitFor()
    await page.getByRole('status').getByText('Version 1 is published.').waitFor()
    expect(await visited(owner)).toContain('Open to everybody')
    expect(await page.getByRole('link', { name: 'Open the site' }).getAttribute('href')).toBe(
      stage.siteUrlOf(owner.slug),
    )
    await field(page, 'Tagline').fill('Not yet')
    await page.getByText('changes that visitors do not see yet: Tagline.').waitFor()
    await isSaved(page)
    expect(await visited(owner)).not.toContain('Not yet')
    await deployed(page, 2)
    expect(await visited(owner)).toContain('Not yet')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is told of while it runs', async () => {
    const owner = await stage.makeOwner()
    await publish(owner, { title: 'First' })
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    await page.getByText('Visitors see version 1,').waitFor()
    const project = await projectOf(owner)
    await inProjectOf(stage.database)(project, async (db) => {
      const shown = await findCurrent(db, project)
      // Whoever wants to show another one waits until this ends.
      await publishAgain(db, project, shown?.id ?? '')
      await page.getByRole('button', { name: 'Deploy', exact: true }).click()
      await page.getByText('Version 2 is on its way.').waitFor()
      await page.locator('[aria-current=step]', { hasText: 'Being made and checked' }).waitFor()
      await page.getByRole('link', { name: 'Versions' }).click()
      await page.getByRole('row', { name: 'Version 2' }).getByText('Being made').waitFor()
    })
    await page.getByRole('row', { name: 'Version 2' }).getByText('Visitors see this').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('that fails says why, and visitors keep seeing what they saw', async () => {
    const owner = await stage.makeOwner()
    await publish(owner, { title: 'Still here' })
    // A text of a time before there was a limit: nobody could send it today.
    const project = await projectOf(owner)
    await inProjectOf(stage.database)(project, async (db) => {
      await holdSite(db, project)
      await changeSettings(db, project, settingsJson({ ...firstSettings('Too much'), about: '"'.repeat(40_000) }))
    })
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    const told = page.getByRole('status').filter({ hasText: 'Version 2 could not be published.' })
    await told.waitFor()
    expect(await told.textContent()).toMatch(/the home page: it has \d+ bytes, and 200000 is the most/)
    await page.getByText('Visitors see version 1,').waitFor()
    expect(await visited(owner)).toContain('Still here')
    await page.getByRole('link', { name: 'Versions' }).click()
    const row = page.getByRole('row', { name: 'Version 2' })
    await row.getByText('Failed').waitFor()
    expect(await row.getByRole('button', { name: /^Show this version/ }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the versions', () => {
  test('can be compared with each other and with the draft, and an earlier one shown again', async () => {
    const owner = await stage.makeOwner()
    await publish(owner, { title: 'First', about: 'Cats\nDogs\nBirds' })
    await publish(owner, { title: 'Second', about: 'Cats\nRabbits\nBirds', language: 'de' })
    await change(owner, { title: 'Third' })
    const { page, context, complaints } = await stage.open(historyPath(owner), { as: owner })
    await page.getByRole('row', { name: 'Version 2' }).getByText('Visitors see this').waitFor()
    await page.getByRole('row', { name: 'Version 1' }).getByText('Mia').waitFor()
    const table = page.getByRole('table', { name: 'What differs' })
    await table.getByRole('row', { name: 'Title Second Third' }).waitFor()
    expect(await table.getByRole('row').count()).toBe(2)

    await page.getByRole('combobox', { name: 'Before' }).selectOption('Version 1')
    await page.getByRole('combobox', { name: 'After' }).selectOption('Version 2')
    await table.getByRole('row', { name: 'Language English Deutsch' }).waitFor()
    expect(await table.getByRole('deletion').allTextContents()).toEqual(['Dogs'])
    expect(await table.getByRole('insertion').allTextContents()).toEqual(['Rabbits'])

    await page.getByRole('button', { name: 'Compare with the draft: version 1' }).click()
    await table.getByRole('row', { name: 'Title First Third' }).waitFor()

    await page.getByRole('button', { name: 'Show this version again: version 1' }).click()
    const question = page.getByRole('dialog', { name: 'Show version 1 again?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await visited(owner)).toContain('Second')
    await page.getByRole('button', { name: 'Show this version again: version 1' }).click()
    await question.getByRole('button', { name: 'Show this version again' }).click()
    await page.getByRole('row', { name: 'Version 1' }).getByText('Visitors see this').waitFor()
    await page.getByText('Visitors see version 1 again.').waitFor()
    expect(await visited(owner)).toContain('First')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are none before the first deployment, and the page says how one comes to be', async () => {
    const owner = await stage.makeOwner()
    const { page, context } = await stage.open(historyPath(owner), { as: owner })
    await page.getByRole('heading', { name: 'There are no versions yet' }).waitFor()
    await context.close()
  })
})

describe('two people at the same draft', () => {
  test('choose between what both changed, and neither loses a word', async () => {
    const owner = await stage.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').waitFor()
    await change(other, { title: 'Theirs', tagline: 'From the other one' })
    await field(page, 'Title').fill('Mine')
    const clash = page.getByRole('alert', { name: 'Somebody else changed the same' })
    await clash.getByRole('row', { name: 'Title Mine Theirs' }).waitFor()
    expect(await clash.getByRole('row').count()).toBe(2)
    await field(page, 'Phone').fill('12345')
    expect(await field(page, 'Title').inputValue()).toBe('Mine')
    await clash.getByRole('button', { name: 'Keep mine' }).click()
    await isSaved(page)
    await page.getByText('Another member changed: Tagline.').waitFor()
    const kept = { title: 'Mine', tagline: 'From the other one', contact: { phone: '12345' } }
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject(kept)

    await change(other, { title: 'Theirs again' })
    await field(page, 'Title').fill('Mine again')
    await clash.getByRole('button', { name: 'Take theirs' }).click()
    expect(await field(page, 'Title').inputValue()).toBe('Theirs again')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Theirs again' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are not asked where each changed something else', async () => {
    const owner = await stage.makeOwner()
    const other = await join(owner, 'admin')
    const { page, context } = await stage.open(sitePath(owner), { as: owner })
    await field(page, 'Title').waitFor()
    await change(other, { tagline: 'Theirs' })
    await field(page, 'Title').fill('Mine')
    await isSaved(page)
    expect(await field(page, 'Tagline').inputValue()).toBe('Theirs')
    expect(await owner.ask('GET', `/projects/${owner.slug}/site`)).toMatchObject({ title: 'Mine', tagline: 'Theirs' })
    await context.close()
  })

  test('of whom one may only look sees everything and can change nothing', async () => {
    const owner = await stage.makeOwner()
    await publish(owner, { title: 'First' })
    await publish(owner, { title: 'Second' })
    const viewer = await join(owner, 'viewer')
    const { page, context, complaints } = await stage.open(sitePath(viewer), { as: viewer })
    await page.getByText('Only admins and owners of the project can change it.').waitFor()
    expect(await field(page, 'Title').inputValue()).toBe('Second')
    expect(await field(page, 'Title').isEditable()).toBe(false)
    await preview(page).getByRole('heading', { name: 'Second' }).waitFor()
    await page.getByText('The draft is what visitors see.').waitFor()
    expect(await page.getByRole('button', { name: /Deploy|Upload|Remove/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare with the draft: version 1' }).waitFor()
    expect(await page.getByRole('button', { name: /^Show this version/ }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('both pages', () => {
  let owner: Owner
  beforeAll(async () => {
    owner = await stage.makeOwner({ name: 'Willow Street Animal Shelter' })
    await furnishStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 20_000 })
    await change(owner, { tagline: 'W'.repeat(200), about: `${'x'.repeat(300)}\n\nWe are open.` })
  })

  test.each([
    ['light', desk],
    ['light', phone],
    ['dark', desk],
    ['dark', phone],
  ] as const)('in %s on %o can be used by everybody, and nothing is too wide', async (scheme, size) => {
    const { page, context, complaints } = await stage.open(sitePath(owner), { as: owner, scheme, size })
    await page.getByText('changes that visitors do not see yet').waitFor()
    await preview(page).getByRole('heading', { name: 'Willow Street Animal Shelter' }).waitFor()
    for (const width of ['Desktop', 'Phone']) {
      await page.getByRole('button', { name: width }).click()
      expect(await overflowOf(page)).toEqual([])
    }
    expect(await barriersOn(page)).toEqual([])
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('table', { name: 'What differs' }).waitFor()
    expect(await overflowOf(page)).toEqual([])
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})
