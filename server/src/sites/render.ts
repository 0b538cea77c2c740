// Renders the pages of a site from published content and the current animals. Pure: the
// same content and the same animals give the same bytes.

import type { ShownAnimal } from '../deployments/content.ts'
import { home, hrefOf, type Span } from './addresses.ts'
import { lightPalette } from './color.ts'
import { reserveForm, type ReserveForm } from './form.ts'
import { html, type Html } from '../foundation/html.ts'
import { initialOf, page, shortened, tile, type RenderedSite } from './layout.ts'
import { markdown } from './markdown.ts'
import type { Mistake } from './strings.ts'

/** Newest first; where the neighbouring pages begin, if there are any. */
export type Listing = { animals: readonly ShownAnimal[]; newer: Span | 'start'; older: Span }

export const PAGE_SIZE = 100

export function homePage(site: RenderedSite, listing: Listing, isFirst: boolean): Html {
  const { title, tagline } = site.content.settings
  const hero = html`<div class="hero">
    <h1><bdi>${title}</bdi></h1>
    ${tagline !== '' && html`<p><bdi>${tagline}</bdi></p>`}
  </div>`
  const main = html`${hero}
    <section class="list" aria-labelledby="animals">
      <h2 id="animals">${site.words.newest}</h2>
      ${list(site, listing, (span) => hrefOf({ kind: 'home', span }))}
    </section>
    ${isFirst && about(site)}`
  return page(site, { title, main, isHome: true, canonical: isFirst ? home : undefined })
}

export function categoryPage(
  site: RenderedSite,
  { id, name, span }: { id: bigint; name: string; span?: Span },
  listing: Listing,
): Html {
  const main = html`<h1><bdi>${name}</bdi></h1>
    ${list(site, listing, (span) => hrefOf({ kind: 'category', id, span }), true)}`
  return page(site, {
    title: shortened(name, 80),
    main,
    category: id,
    canonical: { kind: 'category', id, span },
  })
}

function list(
  site: RenderedSite,
  { animals, newer, older }: Listing,
  href: (span: Span) => string,
  isOfOneKind = false,
): Html {
  const { words } = site
  const cards = animals.map((animal) => card(site, animal, isOfOneKind))
  const links = [
    newer !== undefined &&
      html`<a rel="prev" href="${href(newer === 'start' ? undefined : newer)}">← ${words.newer}</a>`,
    older !== undefined && html`<a rel="next" href="${href(older)}">${words.older} →</a>`,
  ]
  const hasLinks = newer !== undefined || older !== undefined
  return html`${
    cards.length > 0
      ? html`<ul class="grid">
          ${cards}
        </ul>`
      : html`<p class="empty">${words.nobody}</p>`
  }
  ${hasLinks && html`<nav class="pages" aria-label="${words.pages}">${links}</nav>`}`
}

function card(site: RenderedSite, animal: ShownAnimal, isOfOneKind: boolean): Html {
  const kind = isOfOneKind ? undefined : site.nameOf(animal.categoryId)
  return html`<li>
    <a class="card" href="${hrefOf({ kind: 'animal', id: animal.id })}"
      >${tile(animal, site)}<span class="name"><bdi>${shortened(animal.name, 60)}</bdi></span
      >${kind !== undefined && html`<span class="kind"><bdi>${shortened(kind, 40)}</bdi></span>`}</a
    >
  </li> `
}

function about({ content: { settings }, words }: RenderedSite): Html | false {
  return (
    settings.about.trim() !== '' &&
    html`<section class="about" aria-labelledby="about">
      <h2 id="about">${words.about}</h2>
      ${markdown(settings.about)}
    </section>`
  )
}

/** With a form if the animal can be reserved, and with a notice if it has just become unavailable. */
export function animalPage(site: RenderedSite, animal: ShownAnimal, form?: ReserveForm, notice?: Mistake): Html {
  const { words } = site
  const { categoryId, name, status } = animal
  const kind = site.nameOf(categoryId)
  const kindLink =
    kind !== undefined &&
    html`<a class="chip" href="${hrefOf({ kind: 'category', id: categoryId, span: undefined })}"><bdi>${kind}</bdi></a>`
  const main = html`<a class="back" href="/">← ${words.back}</a>
    <div class="animal">
      ${tile(animal, site)}
      <div>
        <h1><bdi>${name}</bdi></h1>
        <div class="facts"><span class="state ${status}">${words.status[status]}</span>${kindLink}</div>
        ${notice !== undefined && html`<p class="notice" role="alert">${words.wrong[notice]}</p>`}
        ${status === 'available' ? form && reserveForm(site, animal, form) : html`<div class="panel"><p>${words.unavailable[status]}</p></div>`}
      </div>
    </div>`
  const canonical = status === 'available' ? ({ kind: 'animal', id: animal.id } as const) : undefined
  return page(site, { title: shortened(name, 80), main, canonical })
}

/** Reveals nothing about the visitor who reserved: others may open the address of this page. */
export function thanksPage(site: RenderedSite, animal: ShownAnimal | undefined): Html {
  const { words } = site
  const said = animal && words.thanksFor(animal.name)
  const main = html`<div class="word">
    ${animal ? tile(animal, site) : undefined}
    <h1>${words.thanks}</h1>
    ${
      said &&
      html`<p>
        ${said[0]}<strong><bdi>${said[1]}</bdi></strong
        >${said[2]}
      </p>`
    }
    <p class="quiet">${words.next}</p>
    <a class="button" href="/">${words.back}</a>
  </div>`
  return page(site, { title: words.thanks, main })
}

export function missingPage(site: RenderedSite): Html {
  const { words } = site
  const main = html`<div class="word">
    <span class="tile t1" aria-hidden="true"><span>?</span></span>
    <h1>${words.missing}</h1>
    <p class="quiet">${words.missingHint}</p>
    <a class="button" href="/">${words.back}</a>
  </div>`
  return page(site, { title: words.missing, main })
}

export function favicon({ content: { settings } }: RenderedSite): Html {
  const { accent, onAccent } = lightPalette(settings.themeColor)
  const initial = initialOf(settings.title, settings.language)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
    <rect width="64" height="64" rx="18" fill="${accent}" />
    <text
      x="32"
      y="45"
      text-anchor="middle"
      font-family="system-ui,sans-serif"
      font-weight="800"
      font-size="38"
      fill="${onAccent}"
    >
      ${initial}
    </text>
  </svg> `
}

export const robots = ({ origin }: RenderedSite): string =>
  `User-agent: *\nDisallow: /thanks\n\nSitemap: ${origin}${hrefOf({ kind: 'sitemap' })}\n`

export const SITEMAP_ANIMALS_MAX = 1000
const SITEMAP_CATEGORIES_MAX = 1000

/** The start, the categories and the newest animals. */
export function sitemap({ origin, categories }: RenderedSite, animals: readonly ShownAnimal[]): Html {
  const addresses = [
    hrefOf({ kind: 'home', span: undefined }),
    ...categories.slice(0, SITEMAP_CATEGORIES_MAX).map(({ id }) => hrefOf({ kind: 'category', id, span: undefined })),
    ...animals.slice(0, SITEMAP_ANIMALS_MAX).map(({ id }) => hrefOf({ kind: 'animal', id })),
  ]
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      ${addresses.map((address) => html`<url><loc>${origin}${address}</loc></url> `)}</urlset
    > `
}
