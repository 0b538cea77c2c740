// A site in several languages: every page is in the language of its address, marks what the owner wrote, stays in its
// language wherever it leads, and names the same page in the others.

import { languages, type Language } from '@petstore-platform/contract/platform/site'
import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { describe, expect, test } from 'vitest'
import type { PresentedAnimal } from '../publishing/content.ts'
import { readTarget } from '../pages/addresses.ts'
import { faultsOfPage, pagesOf } from '../pages/check.ts'
import { languagesOf } from './languages.ts'
import { siteIn, type RenderedSite } from '../pages/layout.ts'
import { robots, sitemap } from '../pages/sitemap.ts'
import { animals as plainAnimals, contentWith, faultsOfSite, siteWith } from '../../../../testbed/samples/sites.ts'
import { wordsFor, wordsOf } from './strings.ts'
import { elementsOf } from '../pages/well-formed.ts'
import type { Words } from './words.ts'

const ORIGIN = 'https://willow.example'
/** Part of everything that the owner has written, and of nothing else. */
const OWN = 'Ωwn'

const content = (main: Language, further = languages.filter((one) => one !== main)) =>
  contentWith(
    {
      language: main,
      languages: further,
      title: `${OWN} title`,
      tagline: `${OWN} tagline`,
      about: `# ${OWN} heading\n\n${OWN} **${OWN} about**`,
      contact: { email: 'a@b.example', phone: '555 010', address: `${OWN} street` },
    },
    {
      categories: [
        { id: 1n, name: `${OWN} dogs` },
        { id: 2n, name: `${OWN} cats` },
      ],
    },
  )

const photo = {
  digest: 'ab'.repeat(32),
  recipe: 1,
  widths: [320, 640],
  width: 640,
  height: 480,
  focal: { x: 2, y: 2 },
  alt: `${OWN} in the garden`,
}
const described: PresentedAnimal = {
  id: 7n,
  name: `${OWN} Rex`,
  categoryId: 1n,
  status: 'available',
  profile: {
    ...emptyProfile,
    headline: `${OWN} headline`,
    story: `${OWN} story\n\n- ${OWN} item`,
    breed: `${OWN} retriever`,
    isMixed: true,
    sex: 'male',
    size: 'large',
    coat: 'long',
    color: `${OWN} gold`,
    weightGrams: 28_000,
    born: { date: '2023-06-01', precision: 'month', isEstimated: true },
    goodWithChildren: 'yes',
    goodWithCats: 'no',
    goodWithNote: `${OWN} note`,
    isNeutered: 'yes',
    isVaccinated: 'no',
    specialNeeds: `${OWN} needs`,
    traits: [`${OWN} calm`, `${OWN} curious`],
    fee: { amount: 24_050, currency: 'EUR' },
    location: `${OWN} riverside`,
    inCareSince: '2025-03-14',
  },
  photos: [photo, { ...photo, alt: '' }],
}
const animals: PresentedAnimal[] = [
  described,
  { ...described, id: 8n, profile: { ...emptyProfile, isMixed: true }, photos: [] },
  ...plainAnimals(2, () => `${OWN} plain`),
]

/** The site in each of its languages. */
const inEach = (main: Language, kind: 'shop' | 'shelter' = 'shop'): RenderedSite[] => {
  const site = siteWith(content(main), ORIGIN, { kind })
  return languagesOf(site.content.settings).map((one) => siteIn(site, one === main ? undefined : one) ?? site)
}
const pagesIn = (site: RenderedSite, shown = animals) =>
  [...pagesOf(site, shown)].filter(({ text }) => text.startsWith('<!doctype html>'))

type TextNode = { text: string; language: string; isMenu: boolean }

/** The text of the body, with the language that a screen reader takes each part for. */
function textsOf(page: string): TextNode[] {
  const open: { name: string; language: string; isMenu: boolean }[] = []
  const found: TextNode[] = []
  const body = page.slice(page.indexOf('<body>'))
  const [, outer = ''] = /<html lang="([^"]*)"/.exec(page) ?? []
  for (const [, closing, opening, attributes = '', text = ''] of body.matchAll(
    /<(\/)?([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g,
  )) {
    const around = open.at(-1) ?? { language: outer, isMenu: false }
    if (opening === undefined) {
      if (text.trim() !== '') found.push({ text: text.trim(), language: around.language, isMenu: around.isMenu })
    } else if (closing !== undefined) open.pop()
    else if (!['img', 'input', 'path', 'br', 'hr'].includes(opening)) {
      const [, language = around.language] = / lang="([^"]*)"/.exec(attributes) ?? []
      open.push({ name: opening, language, isMenu: around.isMenu || attributes.includes(' hreflang=') })
    }
  }
  return found
}

/** Texts of the owner that are not marked as such, and texts of ours that are. */
const wronglyMarked = (main: Language, page: string): string[] =>
  textsOf(page)
    .filter(({ text, language, isMenu }) => !isMenu && text.includes(OWN) !== (language === main))
    .map(({ text }) => text)

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : []
const own = (words: Words) => new Set(stringsOf(words))
const of = (language: Language) => new Set([...own(wordsFor(language, 'shop')), ...own(wordsFor(language, 'shelter'))])

/** Words that only other languages have. */
function foreignTo(language: Language): Set<string> {
  const known = of(language)
  const others = languages.filter((one) => one !== language).flatMap((one) => [...of(one)])
  return new Set(others.filter((text) => !known.has(text)))
}

const wordsOn = (page: string): string[] => [
  ...textsOf(page)
    .filter(({ isMenu }) => !isMenu)
    .map(({ text }) => text),
  ...elementsOf(page).flatMap(({ attributes }) => attributes.get('aria-label') ?? []),
]
const foreignOn = (language: Language, page: string): string[] => {
  const foreign = foreignTo(language)
  return wordsOn(page).filter((text) => foreign.has(text))
}

describe.each(languages)('a site whose owner writes in %s', (main) => {
  test('has no faults in any language', () => {
    expect(faultsOfSite(content(main), animals)).toEqual([])
  })

  test('is in the language of each page, and marks the texts of the owner', () => {
    for (const site of inEach(main).slice(1)) {
      for (const { name, text } of pagesIn(site)) {
        expect([name, site.language, wronglyMarked(main, text)]).toEqual([name, site.language, []])
        expect(text).toContain(`<html lang="${site.language}" dir="ltr">`)
      }
    }
  })

  test.each(['shop', 'shelter'] as const)('has no word of another language, as a %s', (kind) => {
    for (const site of inEach(main, kind)) {
      const pages = pagesIn(site)
      for (const { name, text } of pages)
        expect([name, site.language, foreignOn(site.language, text)]).toEqual([name, site.language, []])
      const met = new Set(pages.flatMap(({ text }) => wordsOn(text)))
      const known = of(site.language)
      expect([...met].filter((text) => known.has(text)).length).toBeGreaterThan(60)
    }
  })

  test('names the same page in every language on every indexed page, and on no other', () => {
    const sites = inEach(main)
    const headsOf = (site: RenderedSite) =>
      // In a further language, the pages of one animal are rendered.
      pagesIn(site, [described]).map(({ name, text }) => {
        const links = elementsOf(text).filter((element) => element.name === 'link')
        const hrefs = (rel: string) =>
          links
            .filter(({ attributes }) => attributes.get('rel') === rel)
            .map(({ attributes }) => [attributes.get('hreflang') ?? '', attributes.get('href') ?? ''] as const)
        const [canonical] = hrefs('canonical')
        const isIndexed = !text.includes('content="noindex"')
        return { name, canonical: canonical?.[1], isIndexed, alternates: new Map(hrefs('alternate')) }
      })
    const [first = [], ...others] = sites.map(headsOf)
    expect(first.some(({ isIndexed }) => isIndexed)).toBe(true)
    for (const [index, site] of sites.entries()) {
      for (const [at, head] of [first, ...others][index]?.entries() ?? []) {
        const inMain = first[at]
        expect(head.alternates).toEqual(inMain?.alternates)
        expect([...head.alternates.keys()]).toEqual(
          head.isIndexed ? [...languagesOf(site.content.settings), 'x-default'] : [],
        )
        if (!head.isIndexed) continue
        expect(head.alternates.get(site.language)).toBe(head.canonical)
        expect(head.alternates.get('x-default')).toBe(inMain?.canonical)
      }
    }
  })

  test('has a menu that leads to the same page in every language', () => {
    for (const site of inEach(main)) {
      // On paper there is nothing to choose; the link back leads to a page that has the menu.
      for (const { name, text } of pagesIn(site).filter((page) => !page.name.startsWith('the printable page'))) {
        const links = elementsOf(text).filter((element) => element.name === 'a' && element.attributes.has('hreflang'))
        const codes = links.map(({ attributes }) => attributes.get('hreflang'))
        expect([name, codes]).toEqual([name, languagesOf(site.content.settings)])
        expect(links.filter(({ attributes }) => attributes.has('aria-current'))).toEqual([
          expect.objectContaining({
            attributes: expect.toSatisfy((of: Map<string, string>) => of.get('lang') === site.language),
          }),
        ])
        const targets = links.map(({ attributes }) => readTarget(attributes.get('href') ?? ''))
        expect(new Set(targets.map(({ address }) => JSON.stringify(address, String))).size).toBe(1)
      }
    }
  })
})

test('numbers, dates, ages and money are written as the language of the page does', () => {
  const [, german = siteWith(content('en'))] = inEach('en')
  expect(german.language).toBe('de')
  const page = pagesIn(german).find(({ name }) => name === 'the page of an animal')?.text ?? ''
  const texts = textsOf(page).map(({ text }) => text)
  for (const written of ['etwa 3 Jahre', '28 kg', 'seit März 2025', '240,50\u00A0€']) expect(texts).toContain(written)
})

test('the page of an animal has a locale for shared links, and a site in one language says nothing of others', () => {
  const [english, german] = inEach('en')
  for (const [site, locale] of [
    [english, 'en_GB'],
    [german, 'de_DE'],
  ] as const)
    expect(site && pagesIn(site)[0]?.text).toContain(`<meta property="og:locale" content="${locale}" />`)
  const single = siteWith(content('en', []), ORIGIN)
  for (const { text } of pagesIn(single)) {
    expect(text).not.toMatch(/hreflang/)
    expect(text.slice(text.indexOf('<body>'))).not.toMatch(/ lang=/)
  }
  expect(sitemap(single, []).text).not.toContain('<xhtml:link')
})

test('the site map has every page in every language, within its bounds', () => {
  const site = siteWith(content('en', ['de', 'fr']), ORIGIN)
  const { text } = sitemap(site, plainAnimals(5000))
  expect(text).toContain(
    `<url><loc>${ORIGIN}/de/animals</loc>` +
      `<xhtml:link rel="alternate" hreflang="en" href="${ORIGIN}/animals" />` +
      `<xhtml:link rel="alternate" hreflang="de" href="${ORIGIN}/de/animals" />` +
      `<xhtml:link rel="alternate" hreflang="fr" href="${ORIGIN}/fr/animals" />` +
      `<xhtml:link rel="alternate" hreflang="x-default" href="${ORIGIN}/animals" /></url>`,
  )
  // Three languages of three pages, two categories and a third of a thousand animals.
  expect(text.match(/<loc>/g)).toHaveLength(3 * (3 + 2 + 333))
  expect(robots(site)).toContain('Disallow: /thanks\nDisallow: /de/thanks\nDisallow: /fr/thanks\n')
})

test('a language that the owner has not chosen does not exist', () => {
  const site = siteWith(content('en', ['de']))
  expect([siteIn(site, 'fr'), siteIn(site, 'en')]).toEqual([undefined, undefined])
  expect(siteIn(site, 'de')?.language).toBe('de')
  expect(siteIn(site, undefined)).toBe(site)
})

describe('a page in German of a site in English', () => {
  const german = siteIn(siteWith(content('en', ['de']), ORIGIN), 'de')
  if (!german) throw new Error('the site has no German')
  const faults = (text: string) => faultsOfPage(german, { name: 'x', text })

  test.each([
    ['<a href="/animals">x</a>', '<a> names /animals, which is in another language'],
    ['<a href="/">x</a>', '<a> names /, which is in another language'],
    ['<a href="/fr/">x</a>', '<a> names /fr/, which is in another language'],
    ['<form action="/animals/rex-7"></form>', '<form> names /animals/rex-7, which is in another language'],
    ['<a href="/de/animals" hreflang="en">x</a>', '<a> names /de/animals, which is in another language'],
    [
      `<link rel="alternate" hreflang="x-default" href="${ORIGIN}/de/" />`,
      '<link> names /de/, which is in another language',
    ],
    [`<link rel="canonical" href="${ORIGIN}/" />`, '<link> names /, which is in another language'],
    ['<img src="/de/favicon.svg" alt="" />', '<img> names /de/favicon.svg, which leads nowhere'],
  ])('with %s is reported (negative control)', (text, fault) => {
    expect(faults(text)).toContain(fault)
  })

  test.each([
    '<a href="/de/animals?sex=female#animals">x</a>',
    '<a href="/animals" hreflang="en">x</a>',
    `<link rel="alternate" hreflang="x-default" href="${ORIGIN}/" />`,
    '<img src="/favicon.svg" alt="" />',
  ])('with %s has no fault', (text) => {
    expect(faults(text)).toEqual([])
  })

  test('with English words, or without a mark on texts of the owner, is noticed (negative control)', () => {
    const mixed = pagesIn({ ...german, words: wordsOf.en })
    expect(mixed.flatMap(({ text }) => foreignOn('de', text))).toContain(wordsOf.en.everyone)
    const unmarked = pagesIn({ ...german, ownLang: undefined })
    expect(unmarked.flatMap(({ text }) => wronglyMarked('en', text))).toContain(`${OWN} title`)
    const [page = { text: '' }] = pagesIn(german)
    const overmarked = page.text.replace('<main ', '<main lang="en" ')
    expect(wronglyMarked('en', overmarked)).toContain(wordsOf.de.newest)
  })
})
