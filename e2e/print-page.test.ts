// The printable page of an animal in a real browser: one sheet of A4 or Letter, whatever was written about the animal, in
// both looks; nothing on it is cut off; and on a screen it has no finding. With SHOTS=<folder>, one of each is stored for
// a person to look at.

import { STORY_LENGTH_MAX, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { looks, type Look } from '@petstore-platform/contract/platform/site'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentWith } from '../testbed/samples/sites.ts'
import { drawnPhoto } from '../testbed/harness/photos.ts'
import { startBrowser } from '../testbed/harness/browser.ts'
import { findingsIn } from './accessibility.ts'
import { biscuit, startSitesEnvironment, type NewAnimal, type SitesEnvironment } from './sites-environment.ts'

/** Without its margins, at 96 pixels per inch. */
const papers = { A4: { width: 718, height: 1047 }, Letter: { width: 740, height: 980 } } as const
type Paper = keyof typeof papers
const paperNames = Object.keys(papers) as Paper[]

const prose =
  'Biscuit came to us in **spring**, when his family moved abroad. He learns a new trick in an afternoon and forgets it only if you forget the treats. Fireworks frighten him; a quiet street would suit him best.\n\n'

const usual: Partial<ProfileChange> = {
  ...biscuit,
  story: `${prose}### A good day\n\n- a long walk in the morning\n- a nap in the sun\n\n${prose}`,
}

const sentence = 'A calm friend for a quiet home with a garden, and with time for long walks. '
const words = (most: number) => sentence.repeat(Math.ceil(most / sentence.length)).slice(0, most)

const photo = { seed: 'print', width: 1280, height: 960, bytesOf: drawnPhoto(40, 4 / 3) }
const animals: Record<string, NewAnimal> = {
  usual: { name: 'Biscuit', categoryId: 1n, profile: usual, photos: [photo] },
  shortest: { name: 'Bo', categoryId: 1n },
  drawn: { name: 'Bo', categoryId: 2n, profile: { breed: 'Siamese' } },
  'only a story': { name: 'Bo', categoryId: 1n, profile: { story: prose.repeat(40) } },
  longest: {
    name: words(255),
    categoryId: 1n,
    photos: [{ ...photo, seed: 'print too' }],
    profile: {
      ...usual,
      headline: words(120),
      story: prose.repeat(60).slice(0, STORY_LENGTH_MAX),
      breed: words(80),
      secondBreed: words(80),
      color: words(60),
      goodWithNote: words(200),
      location: words(80),
    },
  },
  // No line can break where it would be best.
  unbreakable: {
    name: 'W'.repeat(255),
    categoryId: 1n,
    profile: {
      ...usual,
      headline: '犬'.repeat(120),
      story: 'W'.repeat(STORY_LENGTH_MAX),
      breed: 'W'.repeat(80),
      goodWithNote: '🐶'.repeat(100),
      location: 'W'.repeat(80),
    },
  },
}
const kinds = Object.keys(animals)
/** Those with texts as people write them, of which nothing may be cut off. */
const written = kinds.filter((kind) => kind !== 'unbreakable')

let environment: SitesEnvironment
let browser: Browser
const pathOf = new Map<string, string>()

const content = contentWith({
  title: 'Willow Street Animal Shelter',
  contact: { email: 'hello@willow.example', phone: '+1 555 010 4477', address: '12 Willow Street, Riverside' },
})

beforeAll(async () => {
  environment = await startSitesEnvironment()
  browser = await startBrowser()
  for (const look of looks) {
    const slug = `print-${look}`
    const ids = await environment.publish(
      slug,
      { ...content, settings: { ...content.settings, look } },
      Object.values(animals),
    )
    for (const [index, kind] of kinds.entries())
      pathOf.set(`${look} ${kind}`, `${environment.originOf(slug)}/animals/${ids[index]}/print`)
  }
})
afterAll(async () => {
  await browser?.close()
  await environment?.stop()
})

async function open<T>(look: Look, kind: string, work: (page: Page) => Promise<T>): Promise<T> {
  // Only the negative controls change the page, which its policy would not allow.
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(pathOf.get(`${look} ${kind}`) ?? '')
    await page.evaluate(() => document.fonts.ready)
    const result = await work(page)
    expect(complaints).toEqual([])
    return result
  } finally {
    await context.close()
  }
}

const sheetsOf = async (page: Page, format: Paper): Promise<number> =>
  ((await page.pdf({ format, preferCSSPageSize: false })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g) ?? [])
    .length

/** As it is laid out on paper: what stands on the sheet, and whether some of it is cut off. */
async function laidOut(page: Page, paper: Paper) {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(papers[paper])
  return page.evaluate(() => {
    const heightOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0
    const sheet = document.querySelector('.sheet')
    const end = document.querySelector('.sheet-end')?.getBoundingClientRect()
    return {
      isCut: sheet === null || sheet.scrollHeight > sheet.clientHeight + 1,
      isEndShown: end !== undefined && sheet !== null && end.bottom <= sheet.getBoundingClientRect().bottom + 1,
      photo: Math.round(heightOf('.sheet-photo')),
      code: Math.round(heightOf('.sheet-end svg')),
      isWide: document.documentElement.scrollWidth > innerWidth,
    }
  })
}

const withoutLimits = async (page: Page) => {
  await page.addStyleTag({ content: '@media print { .sheet { height: auto } .sheet-photo { min-height: 85mm } }' })
  await page.evaluate((story) => {
    const paragraph = document.querySelector('.sheet-story p')
    if (paragraph) paragraph.textContent = story
  }, prose.repeat(60))
}

describe.each(looks)('in %s', (look) => {
  test.each(kinds)('%s: one sheet of A4 or Letter', async (kind) => {
    await open(look, kind, async (page) => {
      for (const paper of paperNames) expect([paper, await sheetsOf(page, paper)]).toEqual([paper, 1])
    })
  })

  test.each(written)('%s: nothing is cut off, and the picture is large', async (kind) => {
    await open(look, kind, async (page) => {
      for (const paper of paperNames) {
        const sheet = await laidOut(page, paper)
        const shots = process.env['SHOTS']
        if (shots) await page.screenshot({ path: `${shots}/print-${look}-${kind}-${paper}.png` })
        expect([paper, sheet]).toEqual([paper, { ...sheet, isCut: false, isEndShown: true, isWide: false }])
        // 36 mm, and at least 40 mm.
        expect(sheet.code).toBe(136)
        expect(sheet.photo).toBeGreaterThan(kind === 'longest' ? 151 : 280)
      }
    })
  })
})

test('without its limits the page is more than one sheet, and what would be cut off is noticed (negative control)', async () => {
  await open('meadow', 'only a story', async (page) => {
    await withoutLimits(page)
    for (const paper of paperNames) expect(await sheetsOf(page, paper)).toBeGreaterThan(1)
  })
  await open('meadow', 'only a story', async (page) => {
    await page.addStyleTag({ content: '@media print { .sheet { height: 120mm } }' })
    expect(await laidOut(page, 'A4')).toMatchObject({ isCut: true, isEndShown: false })
  })
})

test.each(looks)('on a screen, in %s, the page has no finding, and leads back to the animal', async (look) => {
  await open(look, 'usual', async (page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ media: 'screen', colorScheme })
      for (const viewport of [
        { width: 1280, height: 900 },
        { width: 320, height: 640 },
      ]) {
        await page.setViewportSize(viewport)
        expect(await findingsIn(colorScheme, page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
        const shots = process.env['SHOTS']
        const file = `${shots}/print-screen-${look}-${colorScheme}-${viewport.width}.png`
        if (shots) await page.screenshot({ path: file, fullPage: true })
      }
    }
    await page.getByRole('link', { name: 'Biscuit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Biscuit' }).waitFor()
    await page.getByRole('link', { name: 'Print', exact: true }).click()
    await page.waitForURL(/\/animals\/biscuit-\d+\/print$/)
  })
})
