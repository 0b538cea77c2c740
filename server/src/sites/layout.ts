// The layout of every page of a site: head, name, menu, contact. It uses published content only, so it changes only
// with a deployment.

import type { SiteContent } from '../deployments/content.ts'
import { hrefOf, type Address } from './addresses.ts'
import { html, type Html, type Part } from '../foundation/html.ts'
import { firstFontsOf, styleOf, type Style } from './style.ts'
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
    style: styleOf(settings.themeColor, settings.look),
    words: wordsOf[settings.language],
    categories,
    isHidden: (id) => hidden.has(id),
    nameOf: (id) => names.get(id),
  }
}

export type Frame = {
  title: string
  main: Part
  isHome?: boolean
  /** The address under which search engines should list the page; without one they should not list it. */
  canonical?: Address | undefined
}

export function page(site: RenderedSite, { title, main, isHome = false, canonical }: Frame): Html {
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
        ${preloads(site)}
      </head>
      <body>
        <a class="skip" href="#content">${words.skip}</a>
        <header class="wrap top">${brand(site)}${menu(site)}</header>
        <main id="content" tabindex="-1">${main}</main>
        ${footer(site)}
      </body>
    </html> `
}

/** Requested together with the style, so that text is set in its typeface from the beginning. */
export const preloads = ({ content: { settings } }: RenderedSite): readonly Html[] =>
  firstFontsOf(settings.look).map(
    (file) =>
      html`<link rel="preload" href="${hrefOf({ kind: 'file', file })}" as="font" type="font/woff2" crossorigin />`,
  )

function brand({ content: { settings, logo } }: RenderedSite): Html {
  const mark =
    logo === null
      ? html`<span class="badge" aria-hidden="true">${initialOf(settings.title, settings.language)}</span>`
      : html`<img class="logo" src="${hrefOf({ kind: 'logo', digest: logo })}" alt="" width="44" height="44" />`
  return html`<a class="brand" href="/">${mark}<bdi>${settings.title}</bdi></a>`
}

export const hasAbout = ({ content: { settings } }: RenderedSite): boolean => settings.about.trim() !== ''
export const hasContact = ({ content: { settings } }: RenderedSite): boolean =>
  Object.values(settings.contact).some((line) => line !== '')

const menu = (site: RenderedSite): Html =>
  html`<nav aria-label="${site.words.menu}">
    <a href="/#animals">${site.words.everyone}</a>${
      hasAbout(site) && html`<a href="/#about">${site.words.about}</a>`
    }${hasContact(site) && html`<a class="btn" href="#contact-us">${site.words.contact}</a>`}
  </nav>`

function footer(site: RenderedSite): Html {
  const { content, words } = site
  const { email, phone, address } = content.settings.contact
  const ways = [
    phone !== '' && html`<p>${phoneLink(phone)}</p>`,
    email !== '' && html`<p>${emailLink(email)}</p>`,
  ].filter((way) => way !== false)
  return html`<footer id="contact-us">
    <div class="wrap foot">
      <div>
        <b><bdi>${content.settings.title}</bdi></b>
        ${address !== '' && html`<p><bdi>${address}</bdi></p>`}
      </div>
      ${
        ways.length > 0 &&
        html`<div>
          <b>${words.contact}</b>
          ${ways}
        </div>`
      }
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
