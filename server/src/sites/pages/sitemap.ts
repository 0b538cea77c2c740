// What search engines read of a site: which addresses there are, and which of them are not for them.

import type { ShownAnimal } from '../publishing/content.ts'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { allAnimals, animalAt, categoryAt, home, hrefOf, privacyAddress, type Address } from './addresses.ts'
import { alternatesOf, hrefIn, languagesOf } from '../strings/languages.ts'
import type { RenderedSite } from './layout.ts'
import { sharedAt } from './shared-photo.ts'

export function robots({ origin, content: { settings } }: RenderedSite): string {
  const closed = languagesOf(settings).map(
    (language) => `Disallow: ${hrefIn(settings, language, { kind: 'thanks', id: undefined })}\n`,
  )
  return `User-agent: *\n${closed.join('')}\nSitemap: ${origin}${hrefOf({ kind: 'sitemap' })}\n`
}

/** So many addresses of animals, and of categories, in all languages together. */
export const SITEMAP_ANIMALS_MAX = 1000
const SITEMAP_CATEGORIES_MAX = 1000

/** The start, the list, the privacy page, the categories and the newest animals, each with its photo, in every language. */
export function sitemap({ origin, categories, content }: RenderedSite, animals: readonly ShownAnimal[]): Html {
  const { settings } = content
  const languages = languagesOf(settings)
  const most = (count: number) => Math.floor(count / languages.length)
  const image = ({ cover }: ShownAnimal) =>
    cover && html`<image:image><image:loc>${origin}${sharedAt(cover)}</image:loc></image:image>`
  const entries = (address: Address, more?: Part): Html[] => {
    const others = alternatesOf(settings, address).map(
      ([language, href]) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${href}" />`,
    )
    return languages.map(
      (language) => html`<url><loc>${origin}${hrefIn(settings, language, address)}</loc>${others}${more}</url> `,
    )
  }
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <urlset
      xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
      xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
      xmlns:xhtml="http://www.w3.org/1999/xhtml"
    >
      ${[home, allAnimals, privacyAddress].map((address) => entries(address))}${categories
        .slice(0, most(SITEMAP_CATEGORIES_MAX))
        .map((category) => entries(categoryAt(category)))}${animals
        .slice(0, most(SITEMAP_ANIMALS_MAX))
        .map((animal) => entries(animalAt(animal), image(animal)))}</urlset
    > `
}
