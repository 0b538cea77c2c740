// Checks a site before it is published: every kind of page is rendered with the store's
// own texts and animals, and parsed as strictly as possible. The messages are for the
// owner, who can change texts but not the program.

import type { CheckSite, ShownAnimal } from '../deployments/content.ts'
import { addressOf } from './addresses.ts'
import type { Listing } from './cards.ts'
import { emptyForm } from './form.ts'
import { siteOf, type RenderedSite } from './layout.ts'
import * as render from './render.ts'
import { elementsOf, faultsOfHtml, type Element } from './well-formed.ts'

export const PAGE_BYTES_MAX = 200_000

type Rendered = { name: string; text: string }

export const checkSite: CheckSite = (content, animals) => {
  const site = siteOf(content, 'https://site.example')
  return pagesOf(site, animals).flatMap((page) => faultsOfPage(site, page).map((fault) => `${page.name}: ${fault}.`))
}

function pagesOf(site: RenderedSite, animals: readonly ShownAnimal[]): Rendered[] {
  const shown = animals.filter(({ categoryId }) => !site.isHidden(categoryId)).slice(0, render.PAGE_SIZE)
  const counts = new Map(site.categories.map(({ id }) => [id, 1]))
  const listing: Listing = { animals: shown, newer: { after: 1n }, older: { before: 1n }, counts }
  const [category = { id: 0n, name: '?' }] = site.categories
  const ofAnimals = shown.flatMap((animal) => pagesOfAnimal(site, animal))
  return [
    { name: 'the home page', text: render.homePage(site, listing, true).text },
    { name: 'the page of a category', text: render.categoryPage(site, category, listing).text },
    ...ofAnimals,
    { name: 'the page of thanks without an animal', text: render.thanksPage(site, undefined).text },
    { name: 'the page that is not there', text: render.missingPage(site).text },
    { name: 'the icon', text: render.favicon(site).text },
    { name: 'the site map', text: render.sitemap(site, shown).text },
  ]
}

function pagesOfAnimal(site: RenderedSite, animal: ShownAnimal): Rendered[] {
  const mistakes = { name: 'name_missing', contact: 'contact_missing', message: 'message_long' } as const
  const open: ShownAnimal = { ...animal, status: 'available' }
  return [
    {
      name: 'the page of an animal',
      text: render.animalPage(site, open, { form: emptyForm('token'), others: [animal] }).text,
    },
    {
      name: 'the form with mistakes',
      text: render.animalPage(site, open, { form: { ...emptyForm('token'), mistakes } }).text,
    },
    {
      name: 'the page of a reserved animal',
      text: render.animalPage(site, { ...animal, status: 'pending' }, { notice: 'taken' }).text,
    },
    { name: 'the page of thanks', text: render.thanksPage(site, animal).text },
  ]
}

function faultsOfPage(site: RenderedSite, { text }: Rendered): string[] {
  const elements = elementsOf(text)
  const ids = new Set(elements.flatMap(({ attributes }) => attributes.get('id') ?? []))
  const bytes = Buffer.byteLength(text)
  return [
    ...faultsOfHtml(text).map((fault) => `it is not well formed (${fault})`),
    ...elements.flatMap((element) => faultsOfElement(site, element, ids)),
    ...(bytes > PAGE_BYTES_MAX ? [`it has ${bytes} bytes, and ${PAGE_BYTES_MAX} is the most`] : []),
  ]
}

const neverThere = new Set(['script', 'iframe', 'object', 'embed', 'base', 'style'])

function faultsOfElement(site: RenderedSite, { name, attributes }: Element, ids: ReadonlySet<string>): string[] {
  if (neverThere.has(name)) return [`it holds a <${name}>`]
  return [...attributes].flatMap(([attribute, value]) => {
    if (attribute.startsWith('on') || attribute === 'style') return [`<${name}> has the attribute ${attribute}`]
    if (attribute === 'for' || attribute === 'aria-labelledby' || attribute === 'aria-describedby') {
      return ids.has(value) ? [] : [`${attribute} names ${value}, which is not there`]
    }
    if (!['href', 'src', 'action', 'srcset', 'poster'].includes(attribute)) return []
    // Only the canonical URL contains the host as well.
    const isCanonical = attributes.get('rel') === 'canonical' && value.startsWith(`${site.origin}/`)
    return faultsOfLink(site, name, isCanonical ? value.slice(site.origin.length) : value, ids)
  })
}

/** A link may lead elsewhere if the owner wrote it; resources and form targets may not. */
function faultsOfLink(site: RenderedSite, element: string, value: string, ids: ReadonlySet<string>): string[] {
  if (value.startsWith('#')) return ids.has(value.slice(1)) ? [] : [`a link leads to ${value}, which is not there`]
  if (element === 'a' && /^(https?:\/\/|mailto:|tel:)/i.test(value)) return []
  if (!value.startsWith('/') || value.startsWith('//'))
    return [`<${element}> names ${value}, which is not of this site`]
  // A browser keeps the part after # to itself.
  const address = addressOf(value.replace(/#[\w-]+$/, ''))
  const isStyleKnown = address?.kind !== 'style' || address.digest === site.style.digest
  const isLogoKnown = address?.kind !== 'logo' || address.digest === site.content.logo
  return address && isStyleKnown && isLogoKnown ? [] : [`<${element}> names ${value}, which leads nowhere`]
}
