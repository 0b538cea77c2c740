// What a page shows of its look and its animals: pictures with a fixed size from the site's own origin, kinds with
// their numbers, badges, and the ways to the form.

import { looks, type Language } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { noFilters, type Sort } from './filters.ts'
import { emptyForm } from './form.ts'
import type { Count } from './cards.ts'
import { countsOf } from './listing.ts'
import { animalPage } from './animal-page.ts'
import { animalsPage, categoryPage } from './list-page.ts'
import { favicon, homePage, missingPage } from './render.ts'
import { animals, contentWith, siteWith } from '../../../../testbed/samples/sites.ts'
import { siteFiles } from './site-files.ts'
import { styleOf } from '../looks/style.ts'
import { elementsOf } from './well-formed.ts'

const site = siteWith(contentWith({ about: 'We *care*.' }), 'https://willow.petstore.example')
const listing = (count: number, counts?: ReadonlyMap<bigint, Count>) => ({
  animals: animals(count),
  newer: undefined,
  older: undefined,
  counts,
})
const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'available' as const }
const named = (page: { text: string }, element: string) => elementsOf(page.text).filter(({ name }) => name === element)
const chipsOf = (page: { text: string }) =>
  [...page.text.matchAll(/<a\s+class="chip"[^>]*>([^]*?)<\/a/g)].map(([, inner = '']) =>
    inner.replace(/<[^>]*>/g, '').trim(),
  )

test('every picture has a size, and is a file of the site', () => {
  const pictures = named(homePage(site, listing(12)), 'img')
  expect(pictures).toHaveLength(3 + 12)
  for (const { attributes } of pictures) {
    expect([attributes.get('width'), attributes.get('height'), attributes.get('alt')]).toEqual(['240', '240', ''])
    expect(attributes.get('src')).toMatch(/^\/portraits\/[a-z-]+-\d-[0-9a-f]{16}\.svg$/)
  }
})

test('pictures of the first rows are loaded at once, the others when a visitor comes near them', () => {
  const lazy = named(homePage(site, listing(12)), 'img').map(({ attributes }) => attributes.get('loading'))
  expect(lazy.indexOf('lazy')).toBe(3 + 4)
  expect(lazy.filter((value) => value === 'lazy')).toHaveLength(8)
})

test('the first pictures show different faces, as many as there are', () => {
  const heroOf = (count: number) => /<div class="pics n(\d)">([^]*?)<\/div>/.exec(homePage(site, listing(count)).text)
  const sources = [...(heroOf(12)?.[2] ?? '').matchAll(/src="([^"]+)"/g)].map(([, src]) => src)
  expect(new Set(sources).size).toBe(3)
  expect([heroOf(1)?.[1], heroOf(0)]).toEqual(['1', null])
})

const threeDogs = new Map([[1n, { available: 1, pending: 2 }]])

test('kinds have their numbers, and those without animals are left out', () => {
  expect(chipsOf(homePage(site, listing(3, threeDogs)))).toEqual(['All animals 3', 'Dogs 3'])
  expect(chipsOf(categoryPage(site, { id: 2n, name: 'Cats' }, listing(0, threeDogs)))).toEqual([
    'All animals 3',
    'Cats 0',
    'Dogs 3',
  ])
})

/** What a heading says of the numbers of available and reserved animals. */
const headingOf = (available: number, pending: number, language: Language = 'en', sort: Sort = 'newest') => {
  const own = siteWith(contentWith({ language }), '')
  const counts = new Map([
    [1n, { available, pending: 0 }],
    [2n, { available: 0, pending }],
  ])
  const { text } = animalsPage(own, { filters: { ...noFilters, sort }, span: undefined }, listing(1, counts))
  return /<\/h1>\s*(?:<span>(.*)<\/span>)?/.exec(text)?.[1]
}

test('a heading says how many animals are available, and how many of those below are reserved', () => {
  expect(headingOf(18, 4)).toBe('18 available, 4 reserved')
  expect([headingOf(1, 0), headingOf(0, 1), headingOf(0, 0)]).toEqual(['1 available', '1 reserved', undefined])
  expect(headingOf(18, 4, 'de')).toBe('18 verfügbar, 4 reserviert')
  expect([headingOf(18, 4, 'fr'), headingOf(1, 1, 'fr')]).toEqual([
    '18 disponibles, 4 réservés',
    '1 disponible, 1 réservé',
  ])
  expect([headingOf(18, 4, 'es'), headingOf(1, 1, 'es')]).toEqual([
    '18 disponibles, 4 reservados',
    '1 disponible, 1 reservado',
  ])
  // In the order of waiting, there are no reserved ones.
  expect(headingOf(18, 4, 'en', 'longest')).toBe('18 available')
})

test('kinds that are too many to be counted have no numbers, and all are shown', () => {
  expect(chipsOf(homePage(site, listing(3)))).toEqual(['All animals', 'Cats', 'Dogs'])
})

test('counts leave hidden categories out, and are unknown beyond the most that are counted', () => {
  const counted = [
    { categoryId: 1n, available: 0, pending: 5, scanned: 5 },
    { categoryId: 2n, available: 6, pending: 0, scanned: 6 },
    { categoryId: 3n, available: 0, pending: 0, scanned: 0 },
  ]
  expect(countsOf(counted, (id) => id === 2n, 11)).toEqual(new Map([[1n, { available: 0, pending: 5 }]]))
  expect(countsOf(counted, () => false, 10)).toBeUndefined()
})

test('a reserved animal has a badge with a word', () => {
  const reserved = { ...listing(0), animals: [{ ...rex, status: 'pending' as const }] }
  expect(homePage(site, reserved).text).toContain('<em>Reserved</em>')
  expect(homePage(site, { ...reserved, animals: [rex] }).text).not.toContain('Reserved')
})

test('a site without animals shows a scene, a sentence and a way to the store', () => {
  const withContact = siteWith(contentWith({ contact: { email: 'a@b.example', phone: '', address: '' } }), '')
  const { text } = homePage(withContact, listing(0))
  expect(text).toMatch(/class="empty"[^]*scenes\/box-[^]*href="#contact-us"/)
  expect(homePage(site, listing(0)).text).not.toContain('class="btn" href="#contact-us"')
})

test('an animal that can be reserved has two ways to its form, and another animal has none', () => {
  const free = animalPage(site, rex, { form: emptyForm('t'), others: animals(2) }).text
  expect(free).toMatch(/<a class="stick" href="#ask"[^]*Ask for <bdi>Rex<\/bdi>/)
  expect(free).toMatch(/<h2 id="others">Also waiting for you<\/h2>[^]*href="\/animals\/rex-2-2"/)
  const taken = animalPage(site, { ...rex, status: 'sold' }, { others: [] }).text
  expect(taken).not.toMatch(/#ask|id="others"/)
  expect(taken).toContain('<p class="state">Has a home</p>')
})

test.each(looks)('%s has its own style, typefaces and icon, and no page has a style of its own', (look) => {
  const own = siteWith(contentWith({ look }), 'https://willow.petstore.example')
  const page = homePage(own, listing(3))
  const fonts = named(page, 'link').filter(({ attributes }) => attributes.get('as') === 'font')
  expect(fonts.map(({ attributes }) => /fonts\/([a-z-]+)-latin-/.exec(attributes.get('href') ?? '')?.[1])).toEqual(
    look === 'journal' ? ['young-serif', 'figtree'] : ['figtree'],
  )
  expect(page.text).toContain(`href="/style-${look}-`)
  for (const { attributes } of elementsOf(page.text + missingPage(own).text))
    expect(attributes.has('style')).toBe(false)
  expect(favicon(own).text).toContain(look === 'journal' ? 'rx="2"' : 'rx="18"')
})

test('a style loads its typefaces from the site and nothing else, and never makes text wait or move', () => {
  for (const look of looks) {
    const { css } = styleOf('#0f766e', look)
    const loaded = [...css.matchAll(/url\(([^)]*)\)/g)].map(([, url = '']) => url)
    expect(loaded.length).toBe(look === 'journal' ? 3 : 2)
    for (const url of loaded)
      expect(siteFiles.map((file) => file.split('.')[0])).toContain(url.slice(1).replace(/-[0-9a-f]{16}\..*/, ''))
    expect(css.match(/font-display:optional/g)).toHaveLength(loaded.length)
    expect(css).not.toMatch(/@import|https?:|javascript|expression/)
  }
  expect(styleOf('#0f766e', 'meadow').digest).not.toBe(styleOf('#0f766e', 'journal').digest)
})
