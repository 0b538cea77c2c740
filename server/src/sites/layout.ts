// The layout of every page of a site: head, name, categories, contact. It uses published
// content only, so it changes only with a deployment.

import type { ShownAnimal, SiteContent } from '../deployments/content.ts'
import { home, hrefOf, type Address } from './addresses.ts'
import { html, type Html, type Part } from '../foundation/html.ts'
import { styleOf, type Style } from './style.ts'
import { wordsOf, type Words } from './strings.ts'

/** A site prepared for rendering. */
export type RenderedSite = {
  content: SiteContent
  /** Scheme, host and port, as visitors enter them. */
  origin: string
  style: Style
  words: Words
  /** Categories that are shown, by name. */
  categories: readonly Category[]
  isHidden: (categoryId: bigint) => boolean
  nameOf: (categoryId: bigint) => string | undefined
}

export type Category = { id: bigint; name: string }

export function siteOf(content: SiteContent, origin: string): RenderedSite {
  const { settings } = content
  const hidden = new Set(settings.hiddenCategories)
  const categories = content.categories
    .filter(({ id }) => !hidden.has(id))
    .toSorted((one, other) => one.name.localeCompare(other.name, settings.language))
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return {
    content,
    origin,
    style: styleOf(settings.themeColor),
    words: wordsOf[settings.language],
    categories,
    isHidden: (id) => hidden.has(id),
    nameOf: (id) => names.get(id),
  }
}

export type Frame = {
  title: string
  main: Part
  /** The current category, if any. */
  category?: bigint
  isHome?: boolean
  /** The address under which search engines should list the page; without one they should not list it. */
  canonical?: Address | undefined
}

export function page(site: RenderedSite, { title, main, category, isHome = false, canonical }: Frame): Html {
  const { settings } = site.content
  const { words } = site
  return html`<!doctype html>
    <html lang="${settings.language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${isHome ? isolated(settings.title) : `${isolated(title)} – ${isolated(settings.title)}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${settings.tagline !== '' && html`<meta name="description" content="${settings.tagline}" />`}
        ${
          canonical
            ? html`<link rel="canonical" href="${site.origin}${hrefOf(canonical)}" />`
            : html`<meta name="robots" content="noindex" />`
        }
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${hrefOf({ kind: 'favicon' })}" type="image/svg+xml" />
        <link rel="stylesheet" href="${hrefOf({ kind: 'style', ...site.style })}" />
      </head>
      <body>
        <a class="skip" href="#content">${words.skip}</a>
        <header class="wrap top">${brand(site)}${kinds(site, category, isHome)}</header>
        <main id="content" class="wrap" tabindex="-1">${main}</main>
        ${footer(site)}
      </body>
    </html> `
}

function brand({ content: { settings, logo } }: RenderedSite): Html {
  const mark =
    logo === null
      ? html`<span class="badge" aria-hidden="true">${initialOf(settings.title, settings.language)}</span>`
      : html`<img class="logo" src="${hrefOf({ kind: 'logo', digest: logo })}" alt="" width="42" height="42" />`
  return html`<a class="brand" href="/">${mark}<bdi>${settings.title}</bdi></a>`
}

const CHIPS = 8
const KINDS_MAX = 60

/**
 * A few at first, more behind a disclosure, and never so many that the animals get lost. The site map has
 * them all.
 */
function kinds({ categories, words }: RenderedSite, current: bigint | undefined, isHome: boolean): Html | undefined {
  if (categories.length === 0) return undefined
  const chip = ({ id, name }: Category) =>
    html`<li>
      <a
        class="chip"
        href="${hrefOf({ kind: 'category', id, span: undefined })}"
        ${id === current && html` aria-current="page"`}
        ><bdi>${shortened(name, 40)}</bdi></a
      >
    </li>`
  const all = html`<li>
    <a class="chip" href="${hrefOf(home)}" ${isHome && html` aria-current="page"`}>${words.everyone}</a>
  </li>`
  const rest = categories.slice(CHIPS, KINDS_MAX)
  return html`<nav class="kinds" aria-label="${words.categories}">
    <ul>
      ${all}${categories.slice(0, CHIPS).map(chip)}${
        rest.length > 0 &&
        html`<li>
          <details>
            <summary>${words.more}</summary>
            <ul>
              ${rest.map(chip)}
            </ul>
          </details>
        </li>`
      }
    </ul>
  </nav>`
}

function footer({ content: { settings }, words }: RenderedSite): Html {
  const { email, phone, address } = settings.contact
  const lines = [
    phone !== '' &&
      html`<div>
        <dt>${words.phone}</dt>
        <dd>${phoneLink(phone)}</dd>
      </div>`,
    email !== '' &&
      html`<div>
        <dt>${words.email}</dt>
        <dd>${emailLink(email)}</dd>
      </div>`,
    address !== '' &&
      html`<div>
        <dt>${words.address}</dt>
        <dd><bdi>${address}</bdi></dd>
      </div>`,
  ]
  const contact =
    lines.some((line) => line !== false) &&
    html`<h2>${words.contact}</h2>
      <dl>${lines}</dl>`
  return html`<footer>
    <div class="wrap">
      ${contact}
      <p><bdi>${settings.title}</bdi></p>
    </div>
  </footer>`
}

// Text that does not look like an address is shown, but not linked: such a link would not work.
const emailLink = (email: string) =>
  /^[^\s@<>"]+@[^\s@<>"]+$/.test(email)
    ? html`<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>`
    : html`<bdi>${email}</bdi>`

function phoneLink(phone: string): Html {
  const digits = phone.replace(/[^+\d]/g, '')
  return /^\+?\d{3,20}$/.test(digits)
    ? html`<a href="tel:${digits}"><bdi>${phone}</bdi></a>`
    : html`<bdi>${phone}</bdi>`
}

const TILES = 6n

/** An animal's picture: its initial on a colour that stays its own. */
export const tile = ({ id, name }: Pick<ShownAnimal, 'id' | 'name'>, { content: { settings } }: RenderedSite): Html =>
  html`<span class="tile t${((id % TILES) + TILES) % TILES}" aria-hidden="true"
    ><span>${initialOf(name, settings.language)}</span></span
  >`

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The first letter or digit, or otherwise the first character, as one grapheme. */
export function initialOf(name: string, language: string): string {
  const from = Math.max(0, name.search(/[\p{L}\p{N}\p{Extended_Pictographic}]/u))
  const [first] = graphemes.segment(name.slice(from, from + 64).trim())
  const letter = first?.segment ?? ''
  // A stack of combining marks on one letter would overflow the card.
  return letter.length > 16 ? Array.from(letter).slice(0, 1).join('') : letter.toLocaleUpperCase(language)
}

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Where no element can isolate the direction of a name: invisible isolate characters. */
const isolated = (text: string) =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(text)
    ? `\u2068${text}\u2069`
    : text
