// The page of an animal: its profile is filled in, saved automatically and found again; two
// members who change the same one; what the server rejects; and members who may only look.

import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { publishAtOnce } from '../../testbed/harness/publish.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { barriersOn } from '../accessibility.ts'
import { ANY, like, press } from './text-patterns.ts'
import { overflowOf, phone, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'

const { animals, projects, profiles: t, start, storeKind } = texts
const { fields } = t

/** Timeout for a machine under other load. */
const patient = { timeout: 60_000 }

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard.close())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const answer = (page: Page, question: string, words: string) =>
  page.getByRole('radiogroup', { name: question, exact: true }).getByText(words, { exact: true })
const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const isSaved = (page: Page) => status(page, like(t.savedAt(ANY))).waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function animalOf(owner: BrowserOwner, name: string): Promise<{ path: string; api: string }> {
  const { id: categoryId } = await owner.ask('POST', `/projects/${owner.slug}/categories`, { name: 'Dogs' })
  const { id } = await owner.ask('POST', `/projects/${owner.slug}/animals`, { name, categoryId })
  return {
    path: `/projects/${owner.slug}/animals/${String(id)}`,
    api: `/projects/${owner.slug}/animals/${String(id)}`,
  }
}

async function join(owner: BrowserOwner, role: 'admin' | 'viewer'): Promise<BrowserOwner> {
  const other = await dashboard.makeOwner()
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, { email: other.email, role })
  await other.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  return { ...other, slug: owner.slug }
}

const profileOf = async (owner: BrowserOwner, api: string) =>
  (await owner.ask('GET', api))['profile'] as Record<string, unknown>
const change = async (owner: BrowserOwner, api: string, changed: object) =>
  owner.ask('PUT', `${api}/profile`, { ...(await profileOf(owner, api)), ...changed })

test('an animal is added and described in one flow, saved automatically, and found again', async () => {
  const owner = await dashboard.makeOwner()
  const { page, complaints, context } = await dashboard.open(`/projects/${owner.slug}/animals`, { as: owner })
  await page.getByRole('button', { name: animals.add }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: animals.name, exact: true }).fill('Ada')
  await dialog.getByRole('textbox', { name: animals.dialog.newCategoryName }).fill('Dogs')
  await press(dialog, animals.dialog.add)
  await heading(page, 'Ada').waitFor()
  await page.getByRole('heading', { name: t.complete(0) }).waitFor()

  await field(page, fields.headline).fill('Walks like a lady')
  await field(page, fields.story).fill('Ada came in **October**.')
  await field(page, fields.breed).fill('Border collie')
  await page.getByRole('checkbox', { name: fields.isMixed }).check()
  await field(page, fields.secondBreed).fill('Poodle')
  await choice(page, fields.sex).selectOption(t.sexes.female)
  await field(page, fields.born).fill('2 years')
  expect(await page.getByRole('checkbox', { name: fields.isBornEstimated }).isChecked()).toBe(true)
  await choice(page, fields.size).selectOption(t.sizes.medium)
  await field(page, fields.weightGrams).fill('17,5')
  await answer(page, fields.goodWithChildren, t.answers.yes).click()
  await answer(page, fields.isNeutered, t.answers.yes).click()
  await press(page, 'calm')
  await field(page, t.addTrait).fill('a good listener')
  await page.keyboard.press('Enter')
  await field(page, t.fee('shop')).fill('240.50')
  await choice(page, t.currency).selectOption('CHF')
  await page.getByLabel(fields.inCareSince).fill('2026-03-14')
  await field(page, fields.internalNotes).fill('Vet on Thursday.')
  await isSaved(page)
  // Everything but a photo.
  await page.getByRole('heading', { name: t.complete(91) }).waitFor()
  const card = page.getByRole('region', { name: t.groups.preview })
  await card.getByText(`${t.cross('Border collie', 'Poodle')} · female · ${t.about('2 years')}`).waitFor()

  await page.reload()
  await heading(page, 'Ada').waitFor()
  expect(await field(page, fields.story).inputValue()).toBe('Ada came in **October**.')
  expect(await field(page, fields.weightGrams).inputValue()).toBe('17.5 kg')
  expect(await field(page, fields.born).inputValue()).toBe(String(new Date().getFullYear() - 2))
  expect(await field(page, t.fee('shop')).inputValue()).toBe('240.50')
  await page.getByRole('button', { name: t.removeTrait('a good listener') }).waitFor()
  const id = page.url().split('/').at(-1)
  expect(await profileOf(owner, `/projects/${owner.slug}/animals/${id}`)).toMatchObject({
    breed: 'Border collie',
    secondBreed: 'Poodle',
    isMixed: true,
    sex: 'female',
    weightGrams: 17_500,
    born: { precision: 'year', isEstimated: true },
    traits: ['calm', 'a good listener'],
    fee: { amount: 24_050, currency: 'CHF' },
    inCareSince: '2026-03-14',
    internalNotes: 'Vet on Thursday.',
  })

  // The list counts as the page does.
  await page.getByRole('main').getByRole('link', { name: t.back, exact: true }).click()
  const row = page.getByRole('grid').getByRole('row', { name: 'Ada' })
  await row.getByText(`Border collie · ${t.about('2 years')}`).waitFor()
  await row.getByText(animals.complete(91)).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('an age, a date, a weight and a fee are understood in the words of other languages', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Ada')
  const { page, complaints, context } = await dashboard.open(path, { as: owner })
  const estimated = page.getByRole('checkbox', { name: fields.isBornEstimated })
  const stored = async () => {
    const { born, weightGrams, fee } = await profileOf(owner, api)
    return { born, weightGrams, fee }
  }
  const year = new Date().getFullYear() - 3
  await choice(page, t.currency).selectOption('CHF')
  await field(page, fields.born).fill('3 Jahre')
  expect(await estimated.isChecked()).toBe(true)
  await field(page, fields.weightGrams).fill('12 lb')
  await field(page, t.fee('shop')).fill('120  €')
  expect(await choice(page, t.currency).inputValue()).toBe('EUR')
  await expect.poll(stored, patient).toEqual({
    born: { date: `${year}-01-01`, precision: 'year', isEstimated: true },
    weightGrams: 5443,
    fee: { amount: 12_000, currency: 'EUR' },
  })

  // The age was estimated; the date is not.
  await field(page, fields.born).fill('März 2022')
  expect(await estimated.isChecked()).toBe(false)
  await field(page, fields.weightGrams).fill('800 Gramm')
  await choice(page, t.currency).selectOption('CHF')
  expect(await field(page, t.fee('shop')).inputValue()).toBe('120')
  await expect.poll(stored, patient).toEqual({
    born: { date: '2022-03-01', precision: 'month', isEstimated: false },
    weightGrams: 800,
    fee: { amount: 12_000, currency: 'CHF' },
  })
  await page.reload()
  await heading(page, 'Ada').waitFor()
  expect(await field(page, fields.born).inputValue()).toBe('March 2022')
  expect(complaints).toEqual([])
  await context.close()
})

test('words for the character of an animal are offered in the language of the site', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Rex')
  await owner.ask('PUT', `/projects/${owner.slug}/site`, { version: 0, ...firstSettings('Tierheim'), language: 'de' })
  const { page, context } = await dashboard.open(path, { as: owner })
  await page.getByRole('group', { name: t.traitsOffered }).getByRole('button', { name: 'verspielt' }).click()
  await isSaved(page)
  expect(await profileOf(owner, api)).toMatchObject({ traits: ['verspielt'] })
  await context.close()
})

test('the list and the page agree on how complete a profile is', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Rex')
  const parts = [{ breed: 'Pug' }, { sex: 'male' }, { goodWithCats: 'no' }, { traits: ['calm'] }, { location: 'Bern' }]
  const { page, context } = await dashboard.open(path, { as: owner })
  await heading(page, 'Rex').waitFor()
  for (const [at, part] of parts.entries()) {
    await change(owner, api, part)
    await page.reload()
    // The place is not among the eleven questions.
    const percent = Math.round((Math.min(4, at + 1) / 11) * 100)
    await page.getByRole('heading', { name: t.complete(percent) }).waitFor()
    const [listed] = (await owner.ask('GET', `/projects/${owner.slug}/animals`)) as unknown as {
      profile: { completeness: number }
    }[]
    expect(listed?.profile.completeness).toBe(percent)
  }
  await context.close()
})

test('what cannot be read or is rejected is shown at its field, and nothing is lost', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Rex')
  const { id: other } = await owner.ask('POST', `/projects/${owner.slug}/animals`, { name: 'Mia', categoryId: 1 })
  await owner.ask('PUT', `/projects/${owner.slug}/animals/${String(other)}/profile`, {
    ...emptyProfile,
    externalId: 'A-1',
  })
  const { page, complaints, context } = await dashboard.open(path, { as: owner })
  await field(page, fields.weightGrams).fill('heavy')
  await page.getByText(t.unreadable.weightGrams).waitFor()
  await status(page, t.saving.refused).waitFor()
  // The other fields are saved.
  await field(page, fields.breed).fill('Pug')
  await expect.poll(async () => (await profileOf(owner, api))['breed'], patient).toBe('Pug')
  await status(page, t.saving.refused).waitFor()
  expect(await field(page, fields.weightGrams).inputValue()).toBe('heavy')
  await press(page, t.correct)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), patient).toBe('profile-weightGrams')
  await field(page, fields.weightGrams).fill('40 g')
  await isSaved(page)
  await field(page, fields.externalId).fill('A-1')
  await page.getByText('Another animal of this project has this number').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await field(page, fields.externalId).fill('A-2')
  await isSaved(page)
  await field(page, fields.name).fill('')
  await page.getByText(t.saving.refused).waitFor()
  expect(await field(page, fields.name).getAttribute('aria-invalid')).toBe('true')
  // Leaving now would lose it, so it is asked about.
  await page.getByRole('main').getByRole('link', { name: t.back, exact: true }).click()
  await page.getByRole('dialog', { name: t.leave }).waitFor()
  await page.keyboard.press('Escape')
  await field(page, fields.name).fill('Rexi')
  await isSaved(page)
  expect(await owner.ask('GET', api)).toMatchObject({ name: 'Rexi', profile: { weightGrams: 40, externalId: 'A-2' } })
  // The rejected requests are the only complaints.
  expect(complaints.filter((complaint) => !/40[09]/.test(complaint))).toEqual([])
  await context.close()
})

test('two members who change the same fields choose, in two browsers, and neither loses input', async () => {
  const owner = await dashboard.makeOwner()
  const other = await join(owner, 'admin')
  const { path, api } = await animalOf(owner, 'Rex')
  const mine = await dashboard.open(path, { as: owner })
  const theirs = await dashboard.open(path, { as: other })
  await field(mine.page, fields.breed).waitFor()
  await field(theirs.page, fields.breed).fill('Poodle')
  await field(theirs.page, fields.color).fill('black')
  await isSaved(theirs.page)
  await field(mine.page, fields.breed).fill('Pug')
  const conflict = mine.page.getByRole('alert', { name: t.conflict.conflict })
  await conflict.getByRole('row', { name: `${fields.breed} Pug Poodle` }).waitFor()
  expect(await conflict.getByRole('row').count()).toBe(2)
  await field(mine.page, fields.location).fill('Bern')
  expect(await field(mine.page, fields.breed).inputValue()).toBe('Pug')
  expect(await barriersOn(mine.page)).toEqual([])
  await press(conflict, t.conflict.keepMine)
  await isSaved(mine.page)
  await status(mine.page, t.conflict.taken(fields.color)).waitFor()
  expect(await profileOf(owner, api)).toMatchObject({ breed: 'Pug', color: 'black', location: 'Bern' })

  await field(theirs.page, fields.breed).fill('Setter')
  const other2 = theirs.page.getByRole('alert', { name: t.conflict.conflict })
  await press(other2, t.conflict.takeTheirs)
  expect(await field(theirs.page, fields.breed).inputValue()).toBe('Pug')
  expect(await profileOf(owner, api)).toMatchObject({ breed: 'Pug' })
  await mine.context.close()
  await theirs.context.close()
})

test('a viewer reads everything and changes nothing', async () => {
  const owner = await dashboard.makeOwner()
  const viewer = await join(owner, 'viewer')
  const { path, api } = await animalOf(owner, 'Rex')
  await change(owner, api, { story: 'A story.', internalNotes: 'Vet.', traits: ['calm'] })
  const { page, complaints, context } = await dashboard.open(path, { as: viewer, size: phone })
  await status(page, t.viewer).waitFor()
  expect(await field(page, fields.story).inputValue()).toBe('A story.')
  for (const box of await page.getByRole('textbox').all()) expect(await box.isEditable()).toBe(false)
  for (const box of await page.getByRole('radio').all()) expect(await box.isDisabled()).toBe(true)
  for (const box of await page.getByRole('checkbox').all()) expect(await box.isDisabled()).toBe(true)
  for (const name of [t.choosePortrait, t.menu('Rex'), t.removeTrait('calm')])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  expect(await overflowOf(page)).toEqual([])
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('another drawing is chosen by keyboard, and an animal is hidden', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Rex')
  const { page, complaints, context } = await dashboard.open(path, { as: owner })
  const dialog = page.getByRole('dialog', { name: t.portraitTitle })
  const opener = page.getByRole('button', { name: t.choosePortrait })
  // A key that is pressed while the page still loads its parts may be lost.
  const isOpen = async () => {
    if (!(await dialog.isVisible())) await opener.press('Enter', patient)
    return dialog.isVisible()
  }
  await expect.poll(isOpen, patient).toBe(true)
  await dialog.getByRole('radio', { name: t.ownPortrait }).focus()
  expect(await barriersOn(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await press(dialog, t.portraitDone)
  await isSaved(page)
  await page.getByRole('checkbox', { name: fields.isHidden }).uncheck()
  await expect.poll(async () => (await profileOf(owner, api))['isHidden'], patient).toBe(true)
  expect(await profileOf(owner, api)).toMatchObject({ portrait: 'dog-1', isHidden: true })
  expect(complaints).toEqual([])
  await context.close()
})

test('the printable page is offered once visitors can see the animal, and opens on the site', async () => {
  const owner = await dashboard.makeOwner()
  const { path, api } = await animalOf(owner, 'Ada')
  const { page, complaints, context } = await dashboard.open(path, { as: owner })
  const link = page.getByRole('region', { name: t.groups.site }).getByRole('link', { name: t.print })
  const item = page.getByRole('menuitem', { name: t.print })
  const toggleMenu = () => press(page, t.menu('Ada'))
  await toggleMenu()
  await page.getByRole('menuitem', { name: t.duplicate }).waitFor()
  expect([await item.count(), await link.count()]).toEqual([0, 0])

  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, owner.slug))
  if (project === undefined) throw new Error('the project is gone')
  const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(dashboard.database), project, content)
  await page.reload()
  await link.waitFor(patient)
  await toggleMenu()
  const [opened] = await Promise.all([context.waitForEvent('page'), item.click()])
  await opened.getByRole('heading', { level: 1, name: 'Ada', exact: true }).waitFor(patient)
  expect(opened.url()).toMatch(new RegExp(`^${dashboard.siteUrlOf(owner.slug)}/animals/ada-\\d+/print$`))
  await opened.close()

  await change(owner, api, { isHidden: true })
  await page.reload()
  await heading(page, 'Ada').waitFor()
  await page.getByText(t.hints.hidden).first().waitFor()
  expect(await link.count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('an animal that is not there has a page that says so', async () => {
  const owner = await dashboard.makeOwner()
  for (const id of ['4711', 'rex']) {
    const { page, context } = await dashboard.open(`/projects/${owner.slug}/animals/${id}`, { as: owner })
    await page.getByRole('heading', { name: texts.common.notThere }).waitFor()
    await context.close()
  }
})

test('the kind of store is asked once on the home page, and changed in the settings', async () => {
  const owner = await dashboard.makeOwner()
  const { path } = await animalOf(owner, 'Rex')
  const { page, complaints, context } = await dashboard.open(`/projects/${owner.slug}`, { as: owner })
  const note = page.getByRole('region', { name: storeKind.label })
  await press(note, storeKind.kinds.shelter.short)
  await note.waitFor({ state: 'detached' })
  expect(await owner.ask('GET', `/projects/${owner.slug}`)).toMatchObject({ kind: 'shelter', isKindChosen: true })
  await page.goto(`${dashboard.origin}${path}`)
  await field(page, t.fee('shelter')).waitFor()
  await page.goto(`${dashboard.origin}/projects/${owner.slug}/settings`)
  const shop = page.getByRole('radio', { name: storeKind.kinds.shop.name })
  // It is checked once the server has stored it.
  await shop.click({ force: true })
  await expect.poll(async () => (await owner.ask('GET', `/projects/${owner.slug}`))['kind'], patient).toBe('shop')
  expect(complaints).toEqual([])
  await context.close()
})

test('the question about the kind can be put off, and a new project can answer it', async () => {
  const owner = await dashboard.makeOwner()
  const { page, context } = await dashboard.open(`/projects/${owner.slug}`, { as: owner })
  const note = page.getByRole('region', { name: storeKind.label })
  await press(note, storeKind.close)
  await note.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: start.site.title }).waitFor()
  expect(await note.count()).toBe(0)

  await page.goto(`${dashboard.origin}/projects`)
  await press(page, projects.add)
  await page.getByRole('textbox', { name: projects.create.name }).fill(`Second ${owner.slug}`)
  await page.getByRole('radio', { name: storeKind.kinds.shelter.name }).check({ force: true })
  await press(page, projects.create.action)
  await page.waitForURL('**/projects/second-*')
  const slug = page.url().split('/').at(-1)
  expect(await owner.ask('GET', `/projects/${slug}`)).toMatchObject({ kind: 'shelter', isKindChosen: true })
  await context.close()
})
