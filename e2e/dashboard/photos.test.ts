// The photos of an animal: from a phone to the site, by keyboard alone, dropped and pasted, and everything that can go
// wrong on the way.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedStore } from '../../devserver/demo.ts'
import { wordsOf } from '../../server/src/sites/strings/strings.ts'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { barriersOn } from '../accessibility.ts'
import { overflowOf, phone, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { faultsInEveryVariant, storeShot, twoForms, worksInEveryVariant } from './display-variants.ts'
import { takePictures, type PictureFile } from './pictures.ts'
import { alertOf, press } from './text-patterns.ts'

const { animals, photos: t, profiles } = texts

/** Timeout for a machine under other load. */
const patient = { timeout: 60_000 }
const narrow = { width: 320, height: 640 }

let dashboard: Dashboard
let pictures: PictureFile[]
beforeAll(async () => {
  dashboard = await startDashboard()
  pictures = await takePictures(dashboard.browser, ['dog-1', 'cat-2', 'rabbit-1', 'dog-3'])
})
afterAll(() => dashboard?.close())

const section = (page: Page) => page.getByRole('region', { name: t.title, exact: true })
const tiles = (page: Page) => section(page).locator('[data-photo]')
const ready = (page: Page) => section(page).locator('[data-photo][data-state=ready]')
const status = (page: Page) => section(page).getByRole('status')
const photoAt = (page: Page, place: number, count: number, alt = ''): Locator =>
  page.getByRole('button', { name: t.name(place, count, alt), exact: true })
const idsOn = (page: Page) =>
  tiles(page).evaluateAll((found) => found.map((tile) => tile.getAttribute('data-photo') ?? ''))

type Animal = { id: string; path: string; api: string }

async function animalOf(owner: BrowserOwner, name = 'Rex'): Promise<Animal> {
  const { id: categoryId } = await owner.ask('POST', `/projects/${owner.slug}/categories`, { name: `Dogs of ${name}` })
  const { id } = await owner.ask('POST', `/projects/${owner.slug}/animals`, { name, categoryId })
  const path = `/projects/${owner.slug}/animals/${String(id)}`
  return { id: String(id), path, api: path }
}

type StoredPhoto = {
  id: string
  digest: string
  alt: string
  turn: number
  state: string
  focal: { x: number; y: number }
}
const photosOf = async (owner: BrowserOwner, { api }: Animal) =>
  (await owner.ask('GET', api))['photos'] as StoredPhoto[]

async function choose(page: Page, files: readonly PictureFile[], button = t.add): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await section(page).getByRole('button', { name: button, exact: true }).click()
  await (await chooser).setFiles([...files])
}

/** Opens the page of an animal, with these photos. */
async function openWith(files: readonly PictureFile[], size?: typeof phone) {
  const owner = await dashboard.makeOwner()
  const animal = await animalOf(owner)
  const opened = await dashboard.open(animal.path, { as: owner, ...(size && { size }) })
  // Loaded after the page.
  await status(opened.page).waitFor({ state: 'attached' })
  if (files.length > 0) await choose(opened.page, files)
  await expect.poll(() => ready(opened.page).count(), patient).toBe(files.length)
  return { ...opened, owner, animal }
}

/** A visitor without scripts finds the animal by a filter, and sees this photo of it. */
async function isFoundOnSite({ slug }: BrowserOwner, name: string, digest: string): Promise<void> {
  const words = wordsOf.en
  const context = await dashboard.browser.newContext({ viewport: phone, javaScriptEnabled: false })
  const page = await context.newPage()
  const loaded = page.waitForResponse((response) => response.url().includes(`/photos/${digest}/`))
  await page.goto(`${dashboard.siteUrlOf(slug)}/animals`)
  await page.getByText(words.filters).click()
  await page.getByLabel(words.search).fill(name)
  await page.getByRole('button', { name: words.show }).click()
  await page.waitForURL(/q=/)
  await page.locator(`.card img[src*="${digest}"]`).waitFor()
  const response = await loaded
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/webp'])
  await context.close()
}

test('an owner with a phone adds an animal with three photos in at most twelve steps, and visitors find it', async () => {
  const owner = await dashboard.makeOwner()
  await seedStore(owner.ask, owner.slug, { isEmpty: true, patienceMs: 60_000 })
  await owner.ask('POST', `/projects/${owner.slug}/categories`, { name: 'Cats' })
  const { page, complaints, context } = await dashboard.open(`/projects/${owner.slug}`, { as: owner, size: phone })
  let steps = 0
  const step = async (act: Promise<unknown>) => {
    steps += 1
    await act
  }
  await step(
    page
      .getByRole('link', { name: animals.add })
      .or(page.getByRole('button', { name: animals.add }))
      .first()
      .click(),
  )
  const dialog = page.getByRole('dialog')
  await step(dialog.getByRole('textbox', { name: animals.name, exact: true }).fill('Mia'))
  await step(press(dialog, animals.dialog.add))
  await page.getByRole('heading', { level: 1, name: 'Mia', exact: true }).waitFor()
  // The buttons are in sight, without scrolling.
  const button = section(page).getByRole('button', { name: t.add, exact: true })
  await status(page).waitFor({ state: 'attached' })
  const box = await button.boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(phone.height)
  await step(choose(page, pictures.slice(0, 3)))
  // In the album of the phone: each photo, and Done.
  steps += 4
  await expect.poll(() => ready(page).count(), patient).toBe(3)
  expect(steps).toBeLessThanOrEqual(12)

  const id = page.url().split('/').at(-1)
  const animal = { id: String(id), path: '', api: `/projects/${owner.slug}/animals/${id}` }
  // In the order in which they were chosen, whichever arrived first.
  await expect
    .poll(async () => {
      const [stored, shown] = [await photosOf(owner, animal), await idsOn(page)]
      return stored.map((photo) => photo.id).join() === shown.join()
    }, patient)
    .toBe(true)
  await storeShot(page, 'photos-phone', 'light', phone)
  expect(await overflowOf(page)).toEqual([])
  await page.setViewportSize(narrow)
  expect(await overflowOf(page)).toEqual([])
  await page.setViewportSize(phone)
  // By keyboard, the last one becomes the cover.
  const last = (await idsOn(page))[2]
  await photoAt(page, 2, 3).press('Space')
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await photosOf(owner, animal))[0]?.id, patient).toBe(last)
  const [cover] = await photosOf(owner, animal)
  await isFoundOnSite(owner, 'Mia', cover?.digest ?? '')
  // The list shows the cover.
  await page.getByRole('main').getByRole('link', { name: profiles.back, exact: true }).click()
  const picture = page.getByRole('row', { name: 'Mia' }).locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), patient).toBeGreaterThan(0)
  expect(await picture.getAttribute('src')).toContain('/photos/')
  expect(complaints).toEqual([])
  await context.close()
})

test('photos are put in order by keyboard alone, every move is announced, and the focus stays', async () => {
  const { page, owner, animal, complaints, context } = await openWith(pictures.slice(0, 3))
  const [first = '', second = '', third = ''] = await idsOn(page)
  const says = async (text: string) => {
    await expect.poll(() => status(page).textContent(), patient).toBe(text)
  }
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-photo]')?.getAttribute('data-photo'))
  await photoAt(page, 2, 3).focus()
  await page.keyboard.press('Space')
  await says(t.pickedUp(2, 3))
  await page.keyboard.press('ArrowLeft')
  await says(t.at(1, 3))
  await page.keyboard.press('ArrowUp')
  await says(t.at(0, 3))
  expect(await focused()).toBe(third)
  await page.keyboard.press('Space')
  await says(t.dropped(0, 3))
  expect(await focused()).toBe(third)
  await expect
    .poll(async () => (await photosOf(owner, animal)).map(({ id }) => id), patient)
    .toEqual([third, first, second])
  // Escape puts it back.
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await says(t.at(2, 3))
  await page.keyboard.press('Escape')
  await says(t.putBack(0, 3))
  expect([await idsOn(page), await focused()]).toEqual([[third, first, second], third])
  // The menu does the same.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: t.later, exact: true }).press('Enter')
  await says(t.at(1, 3))
  await expect
    .poll(async () => (await photosOf(owner, animal)).map(({ id }) => id), patient)
    .toEqual([first, third, second])
  // Enter opens the details.
  await photoAt(page, 0, 3).press('Enter')
  const dialog = page.getByRole('dialog', { name: t.details })
  await dialog.getByRole('textbox', { name: t.alt }).fill('Rex in the garden')
  await dialog.getByRole('radio', { name: t.cell(2, 2), exact: true }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  expect(await dialog.getByRole('radio', { name: t.cell(3, 1), exact: true }).isChecked()).toBe(true)
  await worksInEveryVariant(page, 'photo-details', twoForms)
  await press(dialog, t.save)
  await photoAt(page, 0, 3, 'Rex in the garden').waitFor()
  await expect
    .poll(async () => (await photosOf(owner, animal))[0], patient)
    .toMatchObject({ alt: 'Rex in the garden', focal: { x: 3, y: 1 } })
  expect(complaints).toEqual([])
  await context.close()
})

test('photos are dragged, rotated and deleted with a mouse', async () => {
  const { page, owner, animal, complaints, context } = await openWith(pictures)
  const [first, , third, fourth] = await idsOn(page)
  const from = await photoAt(page, 3, 4).boundingBox()
  const to = await photoAt(page, 0, 4).boundingBox()
  if (!from || !to) throw new Error('the photos are not there')
  await page.mouse.move(from.x + 20, from.y + 60)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y, { steps: 3 })
  await page.mouse.move(to.x + 40, to.y + 40, { steps: 3 })
  await storeShot(page, 'photo-drag', 'light', { width: 1280, height: 900 })
  await page.mouse.up()
  // It was no click.
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expect.poll(async () => (await photosOf(owner, animal))[0]?.id, patient).toBe(fourth)

  await press(section(page), t.menu(1))
  await page.getByRole('menuitem', { name: t.turnRight }).click()
  await expect
    .poll(async () => (await photosOf(owner, animal)).find(({ id }) => id === first), patient)
    .toMatchObject({ turn: 90, state: 'ready' })
  await expect.poll(() => ready(page).count(), patient).toBe(4)
  await press(section(page), t.menu(3))
  await page.getByRole('menuitem', { name: t.delete }).click()
  await press(page.getByRole('dialog', { name: t.deleteTitle }), t.deleteDo)
  await alertOf(page, t.wasDeleted).waitFor()
  await expect.poll(() => tiles(page).count(), patient).toBe(3)
  expect((await photosOf(owner, animal)).map(({ id }) => id)).not.toContain(third)
  expect(complaints).toEqual([])
  await context.close()
})

test('photos are dropped on the section, and pasted anywhere', async () => {
  const { page, complaints, context } = await openWith([])
  const bytes = pictures.map(({ buffer }) => buffer.toString('base64'))
  const transfer = (data: string) =>
    page.evaluateHandle((text) => {
      const transferred = new DataTransfer()
      const file = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
      transferred.items.add(new File([file], 'dropped.jpg', { type: 'image/jpeg' }))
      return transferred
    }, data)
  const dropped = await transfer(bytes[0] ?? '')
  await section(page).dispatchEvent('dragover', { dataTransfer: dropped })
  await page.getByText(t.dropHere).waitFor()
  await storeShot(page, 'photos-over', 'light', { width: 1280, height: 900 })
  await section(page).dispatchEvent('drop', { dataTransfer: dropped })
  await expect.poll(() => ready(page).count(), patient).toBe(1)
  const pasted = await transfer(bytes[1] ?? '')
  await pasted.evaluate((clipboardData) => {
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => ready(page).count(), patient).toBe(2)
  expect(complaints).toEqual([])
  await context.close()
})

test('an upload is repeated with the same key until it succeeds, and adds one photo', async () => {
  const owner = await dashboard.makeOwner()
  const animal = await animalOf(owner)
  const { page, complaints, context } = await dashboard.open(animal.path, { as: owner })
  const keys: string[] = []
  let isDown = true
  await page.route('**/photos', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (!isDown) return route.continue()
    if (keys.length === 1) return route.abort()
    const json = { code: 'rate_limited', message: 'Too many uploads.', status: 429 }
    return route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json })
  })
  await choose(page, pictures.slice(0, 1))
  const problem = section(page).getByRole('alert').filter({ hasText: t.pausingText })
  await problem.waitFor()
  await expect.poll(() => keys.length, patient).toBe(2)
  await problem.waitFor()
  expect(await barriersOn(page)).toEqual([])
  // Leaving now would lose it, so it is asked about.
  await page.getByRole('main').getByRole('link', { name: profiles.back, exact: true }).click()
  await page.getByRole('dialog', { name: t.leave }).waitFor()
  await page.keyboard.press('Escape')
  isDown = false
  await press(section(page), t.retryOf('dog-1.jpg'))
  await expect.poll(() => ready(page).count(), patient).toBe(1)
  expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  expect(await photosOf(owner, animal)).toHaveLength(1)
  expect(complaints).toEqual([])
  await context.close()
})

test('what is not a photo is shown with the reason, and the others are added', async () => {
  const { page, owner, animal, complaints, context } = await openWith([])
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') }
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') }
  await choose(page, [note, broken, ...pictures.slice(0, 1)])
  await expect.poll(() => ready(page).count(), patient).toBe(1)
  const problems = section(page).getByRole('alert')
  await problems.getByText(t.notAPhoto).waitFor()
  expect(await problems.getByText('broken.jpg').count()).toBe(1)
  expect(await faultsInEveryVariant(page, 'photo-problems')).toEqual({})
  await press(section(page), t.removeOf('broken.jpg'))
  await press(section(page), t.removeOf('note.txt'))
  expect(await problems.getByRole('button').count()).toBe(0)
  expect(await photosOf(owner, animal)).toHaveLength(1)
  expect(complaints).toEqual([])
  await context.close()
})

test('an order that another member made impossible is fetched again, and the page says so', async () => {
  const { page, owner, animal, context } = await openWith(pictures.slice(0, 3))
  const [first] = await idsOn(page)
  await owner.ask('DELETE', `${animal.api}/photos/${first}`)
  await press(section(page), t.menu(2))
  await page.getByRole('menuitem', { name: t.earlier }).click()
  await alertOf(page, t.conflict).waitFor()
  await expect.poll(() => tiles(page).count(), patient).toBe(2)
  await context.close()
})

test('an upload of several photos is one line of the activity', async () => {
  const { page, owner, complaints, context } = await openWith(pictures.slice(0, 3))
  await page.goto(new URL(`/projects/${owner.slug}/activity`, page.url()).href)
  const lines = page.getByRole('listitem').filter({ hasText: 'added' }).filter({ hasText: 'photo' })
  await lines.first().waitFor()
  expect(await lines.allInnerTexts()).toEqual([expect.stringContaining('added 3 photos of animal')])
  expect(complaints).toEqual([])
  await context.close()
})

test('a viewer sees the photos, and a drawing that stands in only where there are none', async () => {
  const { owner, animal, context: first } = await openWith(pictures.slice(0, 1))
  const bare = await animalOf(owner, 'Bo')
  const viewer = await dashboard.makeOwner()
  const invitation = { email: viewer.email, role: 'viewer' }
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, invitation)
  await viewer.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  const { page, context, complaints } = await dashboard.open(animal.path, { as: viewer })
  await section(page).getByText(t.counted(1, 20), { exact: true }).waitFor()
  await section(page).getByRole('listitem').getByRole('img').waitFor()
  expect(await page.getByText(t.standIn, { exact: true }).count()).toBe(0)
  await page.goto(new URL(bare.path, page.url()).href)
  await section(page).getByText(t.emptyViewer, { exact: true }).waitFor()
  await page.getByText(t.standIn, { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await Promise.all([context.close(), first.close()])
})

test('a photo without a name for its button is reported (negative control)', async () => {
  const { page, context } = await openWith(pictures.slice(0, 1))
  await photoAt(page, 0, 1).evaluate((button) => button.removeAttribute('aria-label'))
  expect((await barriersOn(page)).some((barrier) => barrier.startsWith('button-name: '))).toBe(true)
  await context.close()
})
