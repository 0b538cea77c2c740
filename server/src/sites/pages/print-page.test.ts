// The printable page of an animal: its QR code is read back by another library, as a camera would read it; it has no
// script, nothing inline, and no place of its own in search engines. e2e/print-page.test.ts prints it.

import { languages, looks } from '@petstore-platform/contract/platform/site'
import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { HOSTILE, contentWith, hostileContent, siteWith } from '../../../../testbed/samples/sites.ts'
import type { PresentedAnimal } from '../publishing/content.ts'
import { hostilePhotos, hostileProfiles } from '../publishing/hostile-animals.ts'
import { animalPage } from './animal-page.ts'
import { faultsOfPage } from './check.ts'
import { emptyForm } from './form.ts'
import { printPage, sheetOf, sheetsPage } from './print-page.ts'
import { elementsOf } from './well-formed.ts'

const origin = 'https://willow.petstore.example'
const site = siteWith(contentWith({ contact: { email: 'hello@willow.example', phone: '', address: '' } }), origin)
const mimi: PresentedAnimal = { id: 12n, name: 'Mimi', categoryId: 2n, status: 'available' }
const [plain] = hostileProfiles
if (!plain) throw new Error('there is no empty profile')

const PIXELS = 5

/** What a camera reads in the picture that the path draws. */
function readBack(text: string): string | undefined {
  const [, size = '0'] = /<svg viewBox="0 0 (\d+) \d+" role="img"/.exec(text) ?? []
  const [, path = ''] = /<path fill="#000" d="([^"]*)"/.exec(text) ?? []
  const side = Number(size) * PIXELS
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * PIXELS; row < (Number(y) + 1) * PIXELS; row++) {
      const start = row * side + Number(x) * PIXELS
      for (let at = start; at < start + Number(run) * PIXELS; at++) pixels.fill(0, at * 4, at * 4 + 3)
    }
  }
  return jsqr.default(pixels, side, side)?.data
}

test.each([
  ['Mimi', `${origin}/animals/mimi-12`],
  ['בלה', `${origin}/animals/12`],
  ['one two three four five six seven eight nine', `${origin}/animals/one-two-three-four-five-six-seven-eight-12`],
])('the code of %s leads to the page of the animal, whose address is written below it', (name, address) => {
  const { text } = printPage(site, { ...mimi, name })
  expect(readBack(text)).toBe(address)
  expect(text).toContain(`<b>${address.replace('https://', '')}</b>`)
  expect(text).toContain(`<link rel="canonical" href="${address}" />`)
  expect(text).toContain('<meta name="robots" content="noindex" />')
})

test('a damaged code is not read (negative control)', () => {
  const { text } = printPage(site, mimi)
  const damaged = text.replace(/(<path fill="#000" d="[^"]{400})[^"]*"/, '$1"')
  expect(damaged).not.toBe(text)
  expect(readBack(damaged)).toBeUndefined()
})

test('the code has white around it, on which a camera finds it', () => {
  const { text } = printPage(site, mimi)
  const modules = [...text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].map((found) => found.slice(1).map(Number))
  const size = Number(/viewBox="0 0 (\d+)/.exec(text.slice(text.indexOf('role="img"') - 40))?.[1])
  expect(Math.min(...modules.map(([x = 0]) => x))).toBe(4)
  expect(Math.max(...modules.map(([x = 0, , run = 0]) => x + run))).toBe(size - 4)
})

test.each(languages)('the page in %s has no fault, and nothing that runs or is styled inline', (language) => {
  for (const look of looks) {
    const hostile = siteWith({ ...hostileContent, settings: { ...hostileContent.settings, language, look } }, origin)
    for (const profile of [undefined, ...hostileProfiles]) {
      const { text } = printPage(hostile, { ...mimi, name: HOSTILE, status: 'sold', profile, photos: hostilePhotos(2) })
      expect(faultsOfPage(hostile, { name: 'x', text })).toEqual([])
      expect(elementsOf(text).filter(({ name, attributes }) => name === 'script' || attributes.has('style'))).toEqual(
        [],
      )
    }
  }
})

test('the page has the style of the site and that of paper, and no menu around it', () => {
  const { text } = printPage(site, mimi)
  const styles = elementsOf(text).filter(({ attributes }) => attributes.get('rel') === 'stylesheet')
  expect(styles.map(({ attributes }) => attributes.get('href'))).toEqual([
    expect.stringMatching(/^\/style-meadow-/),
    expect.stringMatching(/^\/styles\/print-[0-9a-f]{16}\.css$/),
  ])
  expect(elementsOf(text).filter(({ name }) => ['nav', 'form', 'footer', 'header'].includes(name))).toEqual([])
  expect(animalPage(site, mimi, {}).text).not.toContain('/styles/print-')
})

test.each(languages)(
  'several sheets in %s are one page without a fault, which search engines do not list',
  (language) => {
    const hostile = siteWith({ ...hostileContent, settings: { ...hostileContent.settings, language } }, origin)
    const animals = hostileProfiles.map((profile, index) => ({ ...mimi, id: BigInt(index), name: HOSTILE, profile }))
    const sheets = animals.map((animal) => sheetOf(hostile, { ...animal, photos: hostilePhotos(2) }))
    const { text } = sheetsPage(hostile, sheets)
    expect(faultsOfPage(hostile, { name: 'x', text, bytesMax: 2_000_000 })).toEqual([])
    expect(text.match(/<article class="sheet">/g)).toHaveLength(animals.length)
    expect(text).toContain('<meta name="robots" content="noindex" />')
    expect(text).not.toContain('rel="canonical"')
  },
)

test('the page shows the facts, the owner and the contact, and a state that is not "available"', () => {
  const profile = { ...plain, headline: 'Sleeps in every bowl', breed: 'Siamese', goodWithCats: 'yes' as const }
  const { text } = printPage(site, { ...mimi, profile, status: 'pending' })
  for (const part of ['Sleeps in every bowl', 'Siamese', 'Cats', 'Ask us', 'Willow Street Shelter', 'Reserved'])
    expect(text).toContain(part)
  expect(text).toContain('href="mailto:hello@willow.example"')
  expect(printPage(site, { ...mimi, profile }).text).not.toContain('class="state"')
})

test('the page of an animal that can be reserved links to it, with and without a profile', () => {
  const isLinked = (animal: PresentedAnimal) =>
    animalPage(site, animal, { form: emptyForm('t') }).text.includes('href="/animals/mimi-12/print"')
  expect([isLinked(mimi), isLinked({ ...mimi, profile: plain }), isLinked({ ...mimi, status: 'sold' })]).toEqual([
    true,
    true,
    false,
  ])
})
