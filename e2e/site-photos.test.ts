// Sites with photos in a real browser: what the home page loads, the gallery by keyboard and by its links, and that both
// looks have no finding, light and dark. With SHOTS=<folder>, one of each is stored for a person to look at.

import { looks, type Look } from '@petstore-platform/contract/platform/site'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentWith } from '../testbed/samples/sites.ts'
import { wordsOf } from '../server/src/sites/strings/strings.ts'
import { drawnPhoto, type TestPhoto } from '../testbed/harness/photos.ts'
import { startBrowser } from '../testbed/harness/browser.ts'
import { cumulativeShift, largestPaint, onSlowLine } from './site-loading.ts'
import { findingsIn } from './accessibility.ts'
import { startSitesEnvironment, type SitesEnvironment } from './sites-environment.ts'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const desk = { viewport: { width: 1280, height: 900 } }
const narrow = { width: 320, height: 640 }
const ANIMALS = 48
const names = 'Ada Luna Biscuit Tom Clover Koko Juno Methuselah Whiskers Pip Hansi Snowdrop'.split(' ')
const ratios = [4 / 3, 3 / 4, 1]

let environment: SitesEnvironment
let browser: Browser
const pathOf: Record<Look, string> = { meadow: '', journal: '' }

const content = contentWith({
  title: 'Willow Street Animal Shelter',
  tagline: 'Come for an afternoon, stay for a cup of tea, and leave with the friend who picks you.',
  contact: { email: 'hello@willow.example', phone: '+1 555 010 4477', address: '12 Willow Street, Riverside' },
})

/** Few different ones, so that drawing them takes little time; each has an address of its own. */
function photosFor(index: number, count: number): TestPhoto[] {
  return Array.from({ length: count }, (_, position) => {
    const number = index + position
    const ratio = ratios[number % ratios.length] ?? 1
    const size = { width: ratio < 1 ? 960 : 1280, height: Math.round((ratio < 1 ? 960 : 1280) / ratio) }
    return {
      seed: `${index} ${position}`,
      ...size,
      alt: position === 1 ? 'In the garden, on the way to the river' : '',
      focal: { x: number % 5, y: 2 },
      bytesOf: once(`${number % 6}`, drawnPhoto((number % 6) * 60, ratio)),
    }
  })
}

type Make = NonNullable<TestPhoto['bytesOf']>
const known = new Map<string, Promise<Buffer>>()

/** Masters are never shown, and the largest variants hardly: they may be smaller than they say. */
const once =
  (face: string, make: Make): Make =>
  (name, width) => {
    const used = Math.min(width, 960)
    const key = `${face} ${used} ${name.endsWith('.jpg')}`
    const made = known.get(key) ?? make(name, used)
    known.set(key, made)
    return made
  }

beforeAll(async () => {
  environment = await startSitesEnvironment()
  browser = await startBrowser()
  for (const look of looks) {
    const animals = await Promise.all(
      Array.from({ length: ANIMALS }, async (_, index) => ({
        name: `${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`,
        categoryId: BigInt((index % 2) + 1),
        profile: {
          breed: index % 2 === 0 ? 'Labrador' : 'European Shorthair',
          isMixed: index % 3 === 0,
          sex: 'female' as const,
          headline: 'Walks like a queen, sleeps like a log',
          story: 'Came to us in **spring**.\n\nLikes long walks, and company for most of the day.',
          born: { date: '2022-03-01', precision: 'month' as const, isEstimated: false },
        },
        photos: photosFor(index, index === ANIMALS - 1 ? 7 : 1),
      })),
    )
    const themeColor = look === 'journal' ? '#9a3a22' : content.settings.themeColor
    const slug = `photos-${look}`
    const ids = await environment.publish(
      slug,
      { ...content, settings: { ...content.settings, look, themeColor } },
      animals,
    )
    pathOf[look] = `/a/${ids.at(-1)}`
  }
})
afterAll(async () => {
  await browser?.close()
  await environment?.stop()
})

async function visit<T>(look: Look, options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ baseURL: environment.originOf(`photos-${look}`), ...options })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    return await work(page)
  } finally {
    await context.close()
  }
}

const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
const words = wordsOf.en

describe.each(looks)('in %s', (look) => {
  test.each(['light', 'dark'] as const)('pages with photos have no finding in %s mode', async (colorScheme) => {
    await visit(look, { ...desk, colorScheme }, async (page) => {
      for (const [kind, path] of [
        ['animal', pathOf[look]],
        ['home', '/'],
        ['list', '/animals'],
      ] as const) {
        // Lists differ from those without photos in their pictures alone.
        if (kind !== 'animal' && !process.env['SHOTS']) continue
        await page.goto(path)
        for (const { viewport } of [desk, phone]) {
          await page.setViewportSize(viewport)
          expect(await findingsIn(colorScheme, page)).toEqual([])
          const shots = process.env['SHOTS']
          if (shots) await storeShot(page, `${shots}/photos-${look}-${kind}-${colorScheme}-${viewport.width}.png`)
        }
        await page.setViewportSize(narrow)
        expect([kind, await isTooWide(page)]).toEqual([kind, false])
      }
    })
  })
})

/** With every photo in it. */
async function storeShot(page: Page, path: string): Promise<void> {
  await cumulativeShift(page)
  await page.screenshot({ path, fullPage: true })
}

test('the gallery is led by its links, with a pointer and by keyboard, and nothing needs a script', async () => {
  await visit('meadow', phone, async (page) => {
    await page.goto(pathOf.meadow)
    const inView = () =>
      page.evaluate(() => {
        const reel = document.querySelector('.reel')
        return reel ? Math.round((reel.scrollLeft / reel.clientWidth) * 50) / 50 + 1 : 0
      })
    const shown = async (number: number) => {
      await expect.poll(inView, { timeout: 30_000 }).toBe(number)
    }
    await page.getByRole('link', { name: 'Photo 3 of 7', exact: true }).click()
    await shown(3)
    expect(await page.evaluate(() => scrollY)).toBeLessThan(60)
    await page.getByRole('link', { name: 'Photo 4 of 7', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#p4$/)
    await shown(4)
    await page.getByRole('group', { name: words.photosOf('Snowdrop 47') }).focus()
    expect(await page.locator('.reel:focus').count()).toBe(1)
    expect(await page.getByRole('img', { name: 'photo 4 of 7' }).count()).toBe(1)
    await page.getByRole('link', { name: /, photo 4 of 7$/ }).click()
    await page.waitForURL(/\/photos\/[0-9a-f]{64}\/1-\d+\.webp$/)
    const pixels = await page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)
    expect(pixels).toBeGreaterThan(640)
    await page.goBack()
    await page.waitForURL(/#p4$/)
  })
})

test.each(looks)('the menu is reached on a phone in %s, and in a narrow window', async (look) => {
  await visit(look, phone, async (page) => {
    await page.goto('/')
    for (const { width, height } of [phone.viewport, narrow]) {
      await page.setViewportSize({ width, height })
      const links = page.getByRole('navigation', { name: words.menu }).getByRole('link')
      expect(await links.count()).toBeGreaterThan(1)
      for (const link of await links.all()) {
        const box = await link.boundingBox()
        expect(box?.height).toBeGreaterThanOrEqual(44)
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true)
      }
      expect(await isTooWide(page)).toBe(false)
    }
    await page.getByRole('navigation', { name: words.menu }).getByRole('link', { name: words.everyone }).click()
    await page.waitForURL(/\/animals$/)
  })
})

type Load = { bytes: number; requests: number; outside: number; paint: number; shift: number }
const most = { bytes: 400_000, requests: 35, outside: 0, paint: 2500, shift: 0.02 }

/** What the home page loads until the browser has loaded all that it wants at first. */
async function loadOf(look: Look, { isLazy = true, isSlow = true } = {}): Promise<Load> {
  const eager = isLazy
    ? ''
    : await visit(look, phone, async (page) => {
        const response = await page.goto('/')
        return ((await response?.text()) ?? '').replaceAll('loading="lazy"', '')
      })
  return visit(look, phone, async (page) => {
    const origin = environment.originOf(`photos-${look}`)
    let outside = 0
    let requests = 0
    page.on('request', (request) => {
      requests += 1
      if (new URL(request.url()).origin !== origin) outside += 1
    })
    if (!isLazy) await page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: eager }))
    let bytes = 0
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
    if (isSlow) await onSlowLine(page)
    await page.goto('/', { waitUntil: 'networkidle' })
    const onLoad = { bytes, requests, outside }
    const paint = await largestPaint(page)
    return { ...onLoad, paint, shift: await shiftOnLoad(page) }
  })
}

/** The sum of all shifts until now. */
const shiftOnLoad = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    const entries = observer.takeRecords() as unknown as { value: number }[]
    observer.disconnect()
    return entries.reduce((sum, { value }) => sum + value, 0)
  })

const faultsOf = (load: Load) => (Object.keys(most) as (keyof Load)[]).filter((part) => load[part] > most[part])
const ATTEMPTS = 3

test.each(looks)('the home page in %s with 48 photos is within its budget on a slow line', async (look) => {
  let load = await loadOf(look)
  // Another attempt if the machine is busy: the fastest one is the page's own.
  for (let attempt = 2; attempt <= ATTEMPTS && load.paint > most.paint; attempt++) load = await loadOf(look)
  process.stdout.write(`${look}: ${JSON.stringify(load)}\n`)
  expect(faultsOf(load)).toEqual([])
})

test('a page that loads all photos at once is noticed (negative control)', async () => {
  const load = await loadOf('meadow', { isLazy: false, isSlow: false })
  expect(faultsOf(load)).toEqual(expect.arrayContaining(['bytes', 'requests']))
})
