// Checks a site before it is published: every kind of page is rendered with the store's
// own texts and animals, and parsed as strictly as possible. The messages are for the
// owner, who can change texts but not the program.

import { projectKinds } from '@petstore-platform/contract/platform/projects'
import type { CheckSite, PresentedAnimal } from '../publishing/content.ts'
import { isFile, readTarget } from './addresses.ts'
import { animalPage } from './animal-page.ts'
import type { Listing } from './cards.ts'
import { emptyForm } from './form.ts'
import { questionsOf } from './form-questions.ts'
import { noFilters, type Filters } from './filters.ts'
import { DEFAULT_LANGUAGE } from '../strings/languages.ts'
import { siteIn, siteOf, type RenderedSite } from './layout.ts'
import { animalsPage, categoryPage } from './list-page.ts'
import { withCover } from './photos.ts'
import { printPage, sheetsPage } from './print-page.ts'
import { privacyPage } from './privacy-page.ts'
import * as render from './render.ts'
import { sitemap } from './sitemap.ts'
import { confirmationPage, erasedPage, goneRequestPage, statusPage } from './request-pages.ts'
import { parseMarkup, type Element } from './well-formed.ts'

export const PAGE_BYTES_MAX = 200_000

/** No visitor waits for it, and it names every page in every language. */
const SITEMAP_BYTES_MAX = 2_000_000

type Rendered = { name: string; text: string; bytesMax?: number }

/** Any day: the structure of a page does not depend on ages. */
const TODAY = '2026-01-01'

/** Its parts are those of the page of an animal, but for a QR code, which takes longer than everything else. */
const PRINTED = 1

/**
 * In every language, and in both kinds, since an owner can change the kind without publishing again; as far as the first
 * language that has faults.
 */
export const checkSite: CheckSite = function* (content, animals) {
  for (const kind of projectKinds) {
    const main = siteOf(content, { origin: 'https://site.example', kind, today: TODAY })
    for (const language of [undefined, ...content.settings.languages]) {
      const site = siteIn(main, language) ?? main
      let isFaulty = false
      for (const page of pagesOf(site, animals)) {
        const faults = faultsOfPage(site, page).map((fault) => `${page.name}: ${fault}.`)
        isFaulty ||= faults.length > 0
        yield faults
      }
      if (isFaulty) return
    }
  }
}

/** Every kind of page of a site, with these animals; each is rendered when it is taken. */
export function* pagesOf(site: RenderedSite, animals: readonly PresentedAnimal[]): Generator<Rendered> {
  const shown = animals.filter(({ categoryId }) => !site.isHidden(categoryId)).slice(0, render.PAGE_SIZE)
  const counts = new Map(site.categories.map(({ id }) => [id, { available: 1, pending: 1 }]))
  const listing: Listing = { animals: shown.map(withCover), newer: { after: 1n }, older: { before: 1n }, counts }
  const filled: Filters = {
    kind: site.categories[0]?.id,
    sex: 'female',
    age: 'young',
    size: 'small',
    with: ['children', 'cats'],
    q: '"<&é🐶',
    sort: 'longest',
  }
  const place = { scannedAfter: 1n, since: '2025-01-01', id: 1n }
  const nothing: Listing = { animals: [], newer: 'start', older: place, counts, isCut: true }
  const [category = { id: 0n, name: '?' }] = site.categories
  // In a further language only our words differ: the pages of one animal show them all.
  const isMain = site.language === site.content.settings.language
  const ofAnimals = shown.slice(0, isMain ? shown.length : 1)
  yield { name: 'the home page', text: render.homePage(site, listing).text }
  yield { name: 'the page of a category', text: categoryPage(site, category, listing).text }
  yield { name: 'the list', text: animalsPage(site, { filters: noFilters, span: undefined }, listing).text }
  yield { name: 'the filtered list', text: animalsPage(site, { filters: filled, span: undefined }, listing).text }
  yield {
    name: 'the list without a match',
    text: animalsPage(site, { filters: filled, span: undefined }, nothing).text,
  }
  for (const animal of ofAnimals) yield* pagesOfAnimal(site, animal)
  for (const animal of shown.slice(0, PRINTED))
    yield { name: 'the printable page of an animal', text: printPage(site, animal).text }
  yield { name: 'the printable page of several animals', text: sheetsPage(site, []).text }
  yield* formWithMistakes(site, shown)
  yield* pagesOfRequest({ ...site, isMailing: true }, shown[0])
  yield { name: 'the page of thanks without an animal', text: render.thanksPage(site, undefined).text }
  yield { name: 'the page that is not there', text: render.missingPage(site).text }
  yield { name: 'the privacy page', text: privacyPage(site).text }
  if (isMain) yield* filesOf(site, shown)
}

/** The same in every language. */
const filesOf = (site: RenderedSite, shown: readonly PresentedAnimal[]): Rendered[] => [
  { name: 'the icon', text: render.favicon(site).text },
  { name: 'the site map', text: sitemap(site, shown.map(withCover)).text, bytesMax: SITEMAP_BYTES_MAX },
]

function* pagesOfAnimal(site: RenderedSite, animal: PresentedAnimal): Generator<Rendered> {
  // A profile is checked on one page: parsing its long texts again would find nothing new.
  const { profile: _, ...plain } = animal
  yield {
    name: 'the page of an animal',
    text: animalPage(
      site,
      { ...animal, status: 'available' },
      { form: emptyForm('token'), others: [withCover(animal)] },
    ).text,
  }
  yield {
    name: 'the page of a reserved animal',
    text: animalPage(site, { ...plain, status: 'pending' }, { notice: 'taken' }).text,
  }
  yield { name: 'the page of thanks', text: render.thanksPage(site, plain).text }
}

const SECRET = '0'.repeat(32)

/** Where requests are confirmed by mail. */
function pagesOfRequest(site: RenderedSite, animal: PresentedAnimal | undefined): Rendered[] {
  const name = animal?.name ?? '?'
  const visit = { at: new Date(0), offset: 60, place: name }
  return [
    {
      name: 'the page after the form',
      text: render.thanksPage(site, animal && { ...animal, profile: undefined }).text,
    },
    { name: 'the page that confirms a request', text: confirmationPage(site, SECRET, { animal: name }).text },
    {
      name: 'the page of a request that cannot be confirmed',
      text: confirmationPage(site, SECRET, { animal: name, mistake: 'queue_full' }).text,
    },
    {
      name: 'the page of a request',
      text: statusPage(site, SECRET, { animal: name, stage: 'visit', visit }).text,
    },
    { name: 'the page of a deleted request', text: erasedPage(site).text },
    { name: 'the page of a request that is not there', text: goneRequestPage(site).text },
  ]
}

/** Its mistakes do not depend on the animal. */
function formWithMistakes(site: RenderedSite, [animal]: readonly PresentedAnimal[]): Rendered[] {
  if (!animal) return []
  const mistakes = { name: 'name_missing', contact: 'contact_missing', message: 'message_long' } as const
  const wrongAnswers = new Map(questionsOf(site).map((_, index) => [index, 'answer_missing'] as const))
  const form = { ...emptyForm('token'), mistakes, wrongAnswers, notice: 'address' as const }
  return [{ name: 'the form with mistakes', text: animalPage(site, { ...animal, status: 'available' }, { form }).text }]
}

export function faultsOfPage(site: RenderedSite, { text, bytesMax = PAGE_BYTES_MAX }: Rendered): string[] {
  const { elements, faults } = parseMarkup(text)
  const ids = new Set(elements.flatMap(({ attributes }) => attributes.get('id') ?? []))
  const bytes = Buffer.byteLength(text)
  return [
    ...faultsOfScripts(text, elements),
    ...faults.map((fault) => `it is not well formed (${fault})`),
    ...elements.flatMap((element) => faultsOfElement(site, element, ids)),
    ...(bytes > bytesMax ? [`it has ${bytes} bytes, and ${bytesMax} is the most`] : []),
  ]
}

/** One data block for search engines is admitted, which a browser does not execute. */
function faultsOfScripts(text: string, elements: readonly Element[]): string[] {
  const count = elements.filter(({ name }) => name === 'script').length
  const blocks = [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
  if (count !== blocks.length || count > 1) return ['it holds a <script>']
  return blocks.flatMap(([, json = '']) => (isLinkedData(json) ? [] : ['its data for search engines cannot be read']))
}

function isLinkedData(json: string): boolean {
  try {
    const value = JSON.parse(json) as { '@context'?: unknown; '@type'?: unknown }
    return value['@context'] === 'https://schema.org' && typeof value['@type'] === 'string'
  } catch {
    return false
  }
}

const neverThere = new Set(['iframe', 'object', 'embed', 'base', 'style'])
const namingIds = new Set(['for', 'aria-labelledby', 'aria-describedby'])
const leading = new Set(['href', 'src', 'action', 'srcset', 'poster'])

function faultsOfElement(site: RenderedSite, element: Element, ids: ReadonlySet<string>): string[] {
  const { name, attributes } = element
  if (neverThere.has(name)) return [`it holds a <${name}>`]
  const faults: string[] = []
  for (const [attribute, value] of attributes) {
    if (attribute.startsWith('on') || attribute === 'style') faults.push(`<${name}> has the attribute ${attribute}`)
    else if (namingIds.has(attribute)) {
      if (!ids.has(value)) faults.push(`${attribute} names ${value}, which is not there`)
    } else if (leading.has(attribute)) {
      for (const link of linksIn(site, element, attribute, value)) faults.push(...faultsOfLink(site, link, ids))
    }
  }
  return faults
}

function linksIn({ origin }: RenderedSite, { name, attributes }: Element, attribute: string, value: string): Link[] {
  // Only the canonical URL and those in other languages contain the host as well.
  const isWhole = /^(canonical|alternate)$/.test(attributes.get('rel') ?? '') && value.startsWith(`${origin}/`)
  const links = attribute === 'srcset' ? value.split(', ').map((one) => one.replace(/ \d+w$/, '')) : [value]
  const language = attributes.get('hreflang')
  return links.map((link) => ({ element: name, value: isWhole ? link.slice(origin.length) : link, language }))
}

/** `language`: as the element names it; without one, its target is in the language of the page. */
type Link = { element: string; value: string; language: string | undefined }

/** A link may lead elsewhere if the owner wrote it; resources and form targets may not. */
function faultsOfLink(site: RenderedSite, { element, value, language }: Link, ids: ReadonlySet<string>): string[] {
  if (value.startsWith('#')) return ids.has(value.slice(1)) ? [] : [`a link leads to ${value}, which is not there`]
  if (element === 'a' && /^(https?:\/\/|mailto:|tel:)/i.test(value)) return []
  if (!value.startsWith('/') || value.startsWith('//'))
    return [`<${element}> names ${value}, which is not of this site`]
  // A browser keeps the part after # to itself.
  const { address, language: code } = readTarget(value.replace(/#[\w-]+$/, ''))
  const isStyleKnown = address?.kind !== 'style' || address.digest === site.style.digest
  const isLogoKnown = address?.kind !== 'logo' || address.digest === site.content.logo
  if (!address || !isStyleKnown || !isLogoKnown) return [`<${element}> names ${value}, which leads nowhere`]
  return isFile(address) || code === codeOf(site, language)
    ? []
    : [`<${element}> names ${value}, which is in another language`]
}

/** The code in the addresses of a language, which the main one does not have. */
function codeOf({ content: { settings }, language }: RenderedSite, named: string = language): string | undefined {
  return named === settings.language || named === DEFAULT_LANGUAGE ? undefined : named
}
