// Photos on pages: what a browser may choose from, when it is loaded, what is kept in view, and what is said about it.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { languages } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { animals, contentWith, faultsOfSite, siteWith } from '../../../../testbed/samples/sites.ts'
import { hostilePhotos } from '../publishing/hostile-animals.ts'
import { animalPage } from './animal-page.ts'
import { emptyForm } from './form.ts'
import { altOf } from './photos.ts'
import { previewOf } from './preview.ts'
import { homePage } from './render.ts'
import { sharedSize } from './shared-photo.ts'
import { sitemap } from './sitemap.ts'
import { elementsOf, faultsOfHtml } from './well-formed.ts'

const photo = (number: number, more: Partial<PublicPhoto> = {}): PublicPhoto => ({
  digest: number.toString(16).padStart(64, '0'),
  recipe: 1,
  widths: [320, 640],
  width: 800,
  height: 600,
  alt: '',
  focal: { x: 2, y: 2 },
  ...more,
})
const site = siteWith(contentWith(), 'https://site.example')
const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'available' as const }
const covered = animals(12).map((animal, index) => ({ ...animal, cover: photo(index + 1) }))
const listing = { animals: covered, newer: undefined, older: undefined }
const imagesOf = (page: { text: string }) =>
  elementsOf(page.text)
    .filter(({ name }) => name === 'img')
    .map(({ attributes }) => attributes)

test('the first picture comes first, the first rows at once, and the others when a visitor comes near them', () => {
  const images = imagesOf(homePage(site, listing))
  expect(images).toHaveLength(3 + 12)
  expect(images.map((one) => one.get('fetchpriority')).filter(Boolean)).toEqual(['high'])
  expect(images[0]?.get('fetchpriority')).toBe('high')
  expect(images.map((one) => one.get('loading')).indexOf('lazy')).toBe(3 + 4)
  for (const one of images) expect([one.get('width'), one.get('height')]).toEqual(['800', '600'])
})

test('a photo is cropped around its focal point, and offered in the widths that exist', () => {
  const shown = (cover: PublicPhoto) => imagesOf(homePage(site, { ...listing, animals: [{ ...rex, cover }] }))[0]
  expect(shown(photo(1))?.get('class')).toBe('ph')
  expect(shown(photo(1, { focal: { x: 0, y: 3 } }))?.get('class')).toBe('ph fx0 fy3')
  expect(shown(photo(1))?.get('srcset')).toMatch(/^\/photos\/0+1\/1-320\.webp 320w, \/photos\/0+1\/1-640\.webp 640w$/)
  expect(shown(photo(1, { widths: [320] }))?.has('srcset')).toBe(false)
  for (const cell of [0, 1, 3, 4]) expect(site.style.css).toContain(`.fx${cell}{--x:${cell * 25}%}`)
})

test.each([
  ['en', 'photo 2 of 5'],
  ['de', 'Foto 2 von 5'],
  ['fr', 'photo 2 sur 5'],
  ['es', 'foto 2 de 5'],
] as const)('a photo that its owner has not described is described in %s', (language, words) => {
  const own = siteWith(contentWith({ language }))
  expect(altOf(own, rex, photo(1), [2, 5])).toBe(`Rex, Dogs, ${words}`)
  expect(altOf(own, rex, photo(1, { alt: 'On the sofa' }), [2, 5])).toBe('On the sofa')
  expect(languages).toHaveLength(4)
})

test('an animal with several photos has a gallery whose links lead to them, one photo has none', () => {
  const page = animalPage(site, { ...rex, photos: [1, 2, 3].map((number) => photo(number)) }, { form: emptyForm('t') })
  expect(faultsOfHtml(page.text)).toEqual([])
  const links = elementsOf(page.text).flatMap(({ attributes }) => /^#p\d$/.exec(attributes.get('href') ?? '') ?? [])
  expect(links).toEqual(['#p1', '#p2', '#p3'])
  // Each photo leads to its largest file, where it is seen uncropped; a single one as well.
  const enlarged = (text: string) =>
    elementsOf(text).flatMap(({ attributes }) => /-\d+\.webp$/.exec(attributes.get('href') ?? '')?.input ?? [])
  expect(enlarged(page.text)).toEqual(
    [1, 2, 3].map((number) => `/photos/${photo(number).digest}/1-${photo(number).widths.at(-1)}.webp`),
  )
  expect(enlarged(animalPage(site, { ...rex, photos: [photo(1)] }, {}).text)).toHaveLength(1)
  expect(page.text).toContain('aria-label="Photos of Rex"')
  expect(page.text).toContain('property="og:image:alt" content="Rex, Dogs, photo 1 of 3"')
  expect(animalPage(site, { ...rex, photos: [photo(1)] }, {}).text).not.toContain('class="thumbs"')
})

test('the shared picture has its longest side, and is never enlarged', () => {
  expect(sharedSize(photo(1, { width: 2048, height: 1024 }))).toEqual({ width: 1200, height: 600 })
  expect(sharedSize(photo(1))).toEqual({ width: 800, height: 600 })
})

test('the site map lists the photo of each animal', () => {
  const map = sitemap(site, covered).text
  expect(map.match(/<image:loc>https:\/\/site\.example\/photos\/[0-9a-f]{64}\/1-shared\.jpg</g)).toHaveLength(12)
  expect(faultsOfHtml(map)).toEqual([])
})

test('hostile descriptions harm no page, and a file of elsewhere is found', () => {
  const hostile = { ...rex, photos: hostilePhotos(20) }
  expect(faultsOfSite(contentWith(), [hostile])).toEqual([])
  const broken = { ...rex, photos: [photo(1, { digest: `${'0'.repeat(63)}G` })] }
  expect(faultsOfSite(contentWith(), [broken])[0]).toMatch(/leads nowhere/)
})

test('a preview holds the first photos, and loads none', () => {
  const photos = new Map([[photo(1).digest, Buffer.from('bytes')]])
  const { text } = previewOf(homePage(site, listing), site, {
    logo: undefined,
    bytesOf: () => Buffer.from('file'),
    photos,
  })
  const sources = elementsOf(text).flatMap(({ attributes }) => attributes.get('src') ?? [])
  expect(sources.filter((source) => !source.startsWith('data:'))).toEqual([])
  expect(sources[0]).toBe(`data:image/webp;base64,${Buffer.from('bytes').toString('base64')}`)
  expect(text).not.toMatch(/srcset|\/photos\//)
})
