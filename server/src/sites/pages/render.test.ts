// The pages of a site: the right animals, the right texts, nothing that is hidden, and
// names displayed as they were written.

import { expect, test } from 'vitest'
import { emptyForm } from './form.ts'
import { initialOf, shortened } from './layout.ts'
import { animalPage } from './animal-page.ts'
import { noFilters } from './filters.ts'
import { animalsPage, categoryPage } from './list-page.ts'
import { favicon, homePage, thanksPage } from './render.ts'
import { robots, sitemap } from './sitemap.ts'
import { HOSTILE, animals, contentWith, hostileContent, siteWith } from '../../../../testbed/samples/sites.ts'
import { elementsOf } from './well-formed.ts'

const site = siteWith(contentWith({ tagline: 'A home for all' }), 'https://willow.petstore.example')
const listing = { animals: animals(3), newer: undefined, older: undefined }
const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'available' as const }

test('the home page shows name, tagline and every animal with a link', () => {
  const page = homePage(site, listing).text
  expect(page).toContain('<h1><bdi>Willow Street Shelter</bdi></h1>')
  expect(page).toContain('A home for all')
  const links = elementsOf(page).filter(({ attributes }) => attributes.get('class') === 'card')
  expect(links.map(({ attributes }) => attributes.get('href'))).toEqual([
    '/animals/rex-3-3',
    '/animals/rex-2-2',
    '/animals/rex-1-1',
  ])
})

test('an animal whose category has no name shows none', () => {
  const page = animalPage(site, { ...rex, categoryId: 99n }, { form: emptyForm('t') }).text
  expect(page).not.toContain('/categories/99')
})

test('a hidden category is not listed', () => {
  const hiding = siteWith(contentWith({ hiddenCategories: [2n] }), 'https://x.example')
  expect(homePage(hiding, listing).text).not.toContain('Cats')
  expect(sitemap(hiding, []).text).not.toContain('/categories/cats-2')
  expect([hiding.isHidden(2n), hiding.isHidden(1n), hiding.nameOf(2n)]).toEqual([true, false, undefined])
})

test('an animal can be asked for until it has a home', () => {
  for (const status of ['available', 'pending'] as const) {
    expect(animalPage(site, { ...rex, status }, { form: emptyForm('t') }).text).toContain('<form')
  }
  expect(animalPage(site, { ...rex, status: 'sold' }, { form: emptyForm('t') }).text).not.toContain('<form')
})

test('a form with mistakes keeps the input, and shows each message next to its field', () => {
  const typed = { name: '', contact: '"nobody"', message: '\n two\nlines' }
  const mistakes = { name: 'name_missing', contact: 'contact_unusable' } as const
  const form = { ...emptyForm('t'), typed, mistakes }
  const page = animalPage(site, rex, { form }).text
  const fields = new Map(elementsOf(page).map(({ attributes }) => [attributes.get('id') ?? '', attributes]))
  expect(fields.get('contact')?.get('value')).toBe('"nobody"')
  expect(fields.get('name')?.get('aria-describedby')).toBe('name-wrong')
  expect(fields.get('message')?.has('aria-invalid')).toBe(false)
  expect(page).toContain('<p class="wrong" id="name-wrong">Please enter your name.</p>')
  // The first line break in a text area is not part of its value: a browser drops it.
  expect(page).toMatch(/<textarea[^>]*>\n\n two\nlines<\/textarea/)
})

test('names cannot change the direction of the surrounding text', () => {
  const name = 'בלה'
  expect(animalPage(site, { ...rex, name }, { form: emptyForm('t') }).text).toContain(`<h1><bdi>${name}</bdi></h1>`)
  expect(thanksPage(site, { ...rex, name }).text).toContain(`<bdi>${name}</bdi>`)
  expect(thanksPage(siteWith(contentWith({ title: name }), ''), rex).text).toContain(`\u2068${name}\u2069</title>`)
})

test('hostile text stays text everywhere', () => {
  const hostile = siteWith(hostileContent, 'https://x.example')
  const pages = [
    homePage(hostile, { ...listing, animals: animals(2, () => HOSTILE) }),
    categoryPage(hostile, { id: 1n, name: HOSTILE }, listing),
    animalPage(
      hostile,
      { ...rex, name: HOSTILE },
      { form: { ...emptyForm(HOSTILE), typed: { name: HOSTILE, contact: HOSTILE, message: HOSTILE } } },
    ),
    thanksPage(hostile, { ...rex, name: HOSTILE }),
    favicon(hostile),
  ]
  for (const { text } of pages) {
    expect(text).not.toMatch(/<script(?! type="application.ld.json">)|<img src=x|onerror=alert\(1\)>|href="javascript/i)
    for (const { attributes } of elementsOf(text)) {
      expect([...attributes.keys()].filter((name) => name.startsWith('on'))).toEqual([])
    }
  }
})

test('the site map and robots.txt contain absolute URLs', () => {
  expect(robots(site)).toContain('Sitemap: https://willow.petstore.example/sitemap.xml')
  expect(sitemap(site, [rex]).text).toContain('<loc>https://willow.petstore.example/animals/rex-7</loc>')
  expect(sitemap(site, animals(5000)).text.match(/<loc>/g)).toHaveLength(1005)
})

test('initials are graphemes', () => {
  expect(['rex', 'élan', '  "Bo"', '🐶 Dog', 'ßa', '', '👩‍👩‍👧 x', '7up'].map((name) => initialOf(name, 'en'))).toEqual([
    'R',
    'É',
    'B',
    '🐶',
    'SS',
    '',
    '👩‍👩‍👧',
    '7',
  ])
  expect(initialOf(`a${'\u0301'.repeat(200)}`, 'en').length).toBeLessThan(3)
})

test('long names are shortened between characters', () => {
  expect(shortened('🐶'.repeat(50), 10)).toBe(`${'🐶'.repeat(9)}…`)
  expect(shortened('short', 10)).toBe('short')
})

test('a listed page has a canonical URL, and any other is excluded from indexing', () => {
  const canonicalOf = (page: { text: string }) =>
    elementsOf(page.text)
      .find(({ attributes }) => attributes.get('rel') === 'canonical')
      ?.attributes.get('href')
  const origin = 'https://willow.petstore.example'
  const listed = [
    [homePage(site, listing), '/'],
    [categoryPage(site, { id: 1n, name: 'Dogs' }, listing), '/categories/dogs-1'],
    [categoryPage(site, { id: 1n, name: 'Dogs', span: { before: 9n } }, listing), '/categories/dogs-1?before=9'],
    [animalPage(site, rex, { form: emptyForm('t') }), '/animals/rex-7'],
    [animalsPage(site, { filters: noFilters, span: undefined }, listing), '/animals'],
    [animalsPage(site, { filters: noFilters, span: { before: 9n } }, listing), '/animals?before=9'],
  ] as const
  for (const [page, path] of listed) {
    expect(canonicalOf(page)).toBe(`${origin}${path}`)
    expect(page.text).not.toContain('noindex')
  }
  const others = [animalPage(site, { ...rex, status: 'sold' }, {}), thanksPage(site, rex)]
  for (const page of others) {
    expect(canonicalOf(page)).toBeUndefined()
    expect(page.text).toContain('<meta name="robots" content="noindex" />')
  }
})

test('a filtered list is not indexed, and names the whole list as its canonical address', () => {
  const filters = { ...noFilters, sex: 'female' as const }
  const { text } = animalsPage(site, { filters, span: undefined }, listing)
  expect(text).toContain('<meta name="robots" content="noindex" />')
  expect(text).toContain('<link rel="canonical" href="https://willow.petstore.example/animals" />')
})
