// Renders the pages of a site from published content and the current animals. Pure: the
// same content and the same animals give the same bytes.

import type { ShownAnimal } from '../deployments/content.ts'
import { home, hrefOf, type Span } from './addresses.ts'
import { grid, heroPictures, pagesOf, picture, type Listing } from './cards.ts'
import { paletteOf } from './color.ts'
import { reserveForm, type ReserveForm } from './form.ts'
import { html, type Html, type Part } from '../foundation/html.ts'
import { kindsNav, totalOf } from './kinds.ts'
import { hasAbout, hasContact, initialOf, page, shortened, type RenderedSite } from './layout.ts'
import { markdown } from './markdown.ts'
import type { SiteFile } from './site-files.ts'
import type { Mistake } from './strings.ts'

export const PAGE_SIZE = 100

export function homePage(site: RenderedSite, listing: Listing, isFirst: boolean): Html {
  const main = html`${hero(site, listing, isFirst)}
    <section class="wrap list" id="animals" aria-labelledby="waiting">
      ${lineOf('h2', site.words.newest, site, totalOf(listing.counts))}${kindsNav(site, listing.counts, undefined)}
      ${list(site, listing, (span) => hrefOf({ kind: 'home', span }), false)}
    </section>
    ${isFirst && about(site)}`
  return page(site, {
    title: site.content.settings.title,
    main,
    isHome: true,
    canonical: isFirst ? home : undefined,
  })
}

/** Longer ones are in the footer alone. */
const ADDRESS_SHOWN_MAX = 60

function hero(site: RenderedSite, { animals }: Listing, isFirst: boolean): Html {
  const { words } = site
  const { title, tagline, contact } = site.content.settings
  const isNear = contact.address !== '' && contact.address.length <= ADDRESS_SHOWN_MAX
  const more = hasAbout(site)
    ? isFirst && html`<a class="btn" href="#about">${words.about}</a>`
    : hasContact(site) && html`<a class="btn" href="#contact-us">${words.contact}</a>`
  return html`<div class="wrap">
    <div class="hero">
      <div>
        ${isNear && html`<p class="over"><bdi>${contact.address}</bdi></p>`}
        <h1><bdi>${title}</bdi></h1>
        ${tagline !== '' && html`<p class="lead"><bdi>${tagline}</bdi></p>`}
        ${animals.length > 0 && html`<p class="acts"><a class="btn main" href="#animals">${words.meet}</a>${more}</p>`}
      </div>
      ${heroPictures(site, animals)}
    </div>
  </div>`
}

export function categoryPage(
  site: RenderedSite,
  { id, name, span }: { id: bigint; name: string; span?: Span },
  listing: Listing,
): Html {
  const main = html`<section class="wrap list first" id="animals" aria-labelledby="waiting">
    ${lineOf('h1', html`<bdi>${name}</bdi>`, site, listing.counts && (listing.counts.get(id) ?? 0))}${kindsNav(site, listing.counts, id)}
    ${list(site, listing, (span) => hrefOf({ kind: 'category', id, span }), true)}
  </section>`
  return page(site, { title: shortened(name, 80), main, canonical: { kind: 'category', id, span } })
}

function lineOf(level: 'h1' | 'h2', title: Part, { words }: RenderedSite, count: number | undefined): Html {
  const heading = level === 'h1' ? html`<h1 id="waiting">${title}</h1>` : html`<h2 id="waiting">${title}</h2>`
  return html`<div class="line">
    ${heading}${count !== undefined && count > 0 && html`<span>${words.animals(count)}</span>`}
  </div>`
}

function list(site: RenderedSite, listing: Listing, href: (span: Span) => string, isOfOneKind: boolean): Html {
  const cards =
    listing.animals.length > 0
      ? grid(site, listing.animals, isOfOneKind)
      : html`<div class="empty">
          ${scene('scenes/box.svg')}
          <p>${site.words.nobody}</p>
          ${hasContact(site) && html`<a class="btn" href="#contact-us">${site.words.contact}</a>`}
        </div>`
  return html`${cards} ${pagesOf(site, listing, href)}`
}

const scene = (file: SiteFile): Html =>
  html`<img src="${hrefOf({ kind: 'file', file })}" alt="" width="360" height="250" />`

const about = (site: RenderedSite): Html | false =>
  hasAbout(site) &&
  html`<section class="band" id="about" aria-labelledby="about-us">
    <div class="wrap">
      <h2 id="about-us">${site.words.about}</h2>
      <div class="prose">${markdown(site.content.settings.about)}</div>
    </div>
  </section>`

const arrow = html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="m12 19-7-7 7-7M19 12H5" /></svg>`

/** What an animal's page shows besides the animal. */
export type AnimalView = {
  /** If it can be reserved. */
  form?: ReserveForm
  /** If it has just become unavailable. */
  notice?: Mistake
  /** Others that can be reserved. */
  others?: readonly ShownAnimal[]
}

export function animalPage(site: RenderedSite, animal: ShownAnimal, { form, notice, others = [] }: AnimalView): Html {
  const { words } = site
  const { categoryId, name, status } = animal
  const kind = site.nameOf(categoryId)
  const isFree = status === 'available'
  const main = html`<div class="wrap">
      <a class="back" href="/">${arrow}${words.back}</a>
      <article class="animal">
        <div class="big">${picture(site, animal)}</div>
        <div class="side">
          ${
            kind !== undefined &&
            html`<p class="over">
              <a href="${hrefOf({ kind: 'category', id: categoryId, span: undefined })}"><bdi>${kind}</bdi></a>
            </p>`
          }
          <h1><bdi>${name}</bdi></h1>
          ${!isFree && html`<p class="state">${words.status[status]}</p>`}
          ${notice !== undefined && html`<p class="notice" role="alert">${words.wrong[notice]}</p>`}
          ${isFree ? form && reserveForm(site, animal, form) : html`<div class="panel"><p>${words.unavailable[status]}</p></div>`}
        </div>
      </article>
    </div>
    ${
      others.length > 0 &&
      html`<section class="wrap list" aria-labelledby="others">
        <h2 id="others">${words.others}</h2>
        ${grid(site, others, false, 0)}
      </section>`
    }
    ${isFree && form && sticky(site, animal)}`
  const canonical = isFree ? ({ kind: 'animal', id: animal.id } as const) : undefined
  return page(site, { title: shortened(name, 80), main, canonical })
}

/** On a phone, the way to the form is always in reach. */
function sticky(site: RenderedSite, animal: ShownAnimal): Html {
  const [before, name, after] = site.words.ask(shortened(animal.name, 24))
  return html`<a class="stick" href="#ask"
    >${picture(site, animal)}<span class="btn main"><span>${before}<bdi>${name}</bdi>${after}</span></span></a
  >`
}

/** Reveals nothing about the visitor who reserved: others may open the address of this page. */
export function thanksPage(site: RenderedSite, animal: ShownAnimal | undefined): Html {
  const { words } = site
  const said = animal && words.thanksFor(animal.name)
  const main = html`<div class="wrap word">
    ${animal && html`<div class="round">${picture(site, animal)}</div>`}
    <h1>${words.thanks}</h1>
    ${
      said &&
      html`<p>
        ${said[0]}<strong><bdi>${said[1]}</bdi></strong
        >${said[2]}
      </p>`
    }
    <p class="quiet">${words.next}</p>
    <a class="btn main" href="/">${words.back}</a>
  </div>`
  return page(site, { title: words.thanks, main })
}

export function missingPage(site: RenderedSite): Html {
  const { words } = site
  const main = html`<div class="wrap word">
    ${scene('scenes/glass.svg')}
    <h1>${words.missing}</h1>
    <p class="quiet">${words.missingHint}</p>
    <a class="btn main" href="/">${words.back}</a>
  </div>`
  return page(site, { title: words.missing, main })
}

export function favicon({ content: { settings } }: RenderedSite): Html {
  const { accent, onAccent } = paletteOf(settings.themeColor, settings.look, 'light')
  const initial = initialOf(settings.title, settings.language)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
    <rect width="64" height="64" rx="${settings.look === 'meadow' ? 18 : 2}" fill="${accent}" />
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
