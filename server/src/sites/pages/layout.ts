// The layout of every page of a site: head, name, menu, contact. It uses published content and the names of
// categories that are newer, so it changes only with a deployment or with a new category.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import type { Language } from '@petstore-platform/contract/platform/site'
import type { SiteContent } from '../publishing/content.ts'
import { Html, html, type Part } from '../../foundation/html.ts'
import { allAnimals, home, hrefOf, privacyAddress, reportAddress, type Address } from './addresses.ts'
import { alternatesOf, hrefIn, languageMenu, localeOf } from '../strings/languages.ts'
import { sharedAt, sharedSize } from './shared-photo.ts'
import type { SiteFile } from './site-files.ts'
import { firstFontsOf, styleOf, type Style } from '../looks/style.ts'
import { wordsFor } from '../strings/strings.ts'
import type { Words } from '../strings/words.ts'

/** A site prepared for rendering, in one of its languages. */
export type RenderedSite = {
  content: SiteContent
  /** Scheme, host and port, as visitors enter them. */
  origin: string
  /** Selects words, and what search engines take the owner for. */
  kind: ProjectKind
  /** The day on which ages are computed, such as 2026-03-14. */
  today: string
  /** Whether visitors confirm their requests by mail. */
  isMailing: boolean
  /** Whether visitors can report it to the operator. */
  isReportable: boolean
  style: Style
  /** Of our words, dates and numbers. */
  language: Language
  words: Words
  /** Of an element with text of the owner: the attribute that names its language, where that is not the page's. */
  ownLang: Html | undefined
  /** The address of a page in this language, or of a file. */
  href: (address: Address) => string
  /** Categories that are shown, by name. */
  categories: readonly Category[]
  isHidden: (categoryId: bigint) => boolean
  nameOf: (categoryId: bigint) => string | undefined
}

export type Category = { id: bigint; name: string }

/** What a site shows besides its published content. */
export type Current = Pick<RenderedSite, 'origin' | 'kind' | 'today'> &
  Partial<Pick<RenderedSite, 'isMailing' | 'isReportable'>>

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

export function siteOf(
  content: SiteContent,
  { origin, kind, today, isMailing = false, isReportable = false }: Current,
): RenderedSite {
  const { settings } = content
  const hidden = new Set(settings.hiddenCategories)
  const categories = content.categories
    .filter(({ id }) => !hidden.has(id))
    .toSorted((one, other) => one.name.localeCompare(other.name, settings.language))
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return {
    content,
    origin,
    kind,
    today,
    isMailing,
    isReportable,
    style: styleOf(settings.themeColor, settings.look),
    ...spoken(content, settings.language, kind),
    categories,
    isHidden: (id) => hidden.has(id),
    nameOf: (id) => names.get(id),
  }
}

/** The site in the language that an address names; undefined if the owner has not chosen it. */
export function siteIn(site: RenderedSite, language: Language | undefined): RenderedSite | undefined {
  if (language === undefined) return site
  const { content, kind } = site
  return content.settings.languages.includes(language) ? { ...site, ...spoken(content, language, kind) } : undefined
}

const spoken = (
  { settings }: SiteContent,
  language: Language,
  kind: ProjectKind,
): Pick<RenderedSite, 'language' | 'words' | 'ownLang' | 'href'> => ({
  language,
  words: wordsFor(language, kind),
  ownLang: language === settings.language ? undefined : html` lang="${settings.language}"`,
  href: (address) => hrefIn(settings, language, address),
})

/** Text of the owner within ours: with a direction and a language of its own. */
export const owned = ({ ownLang }: RenderedSite, text: string): Html => html`<bdi${ownLang}>${text}</bdi>`

export type Frame = {
  title: string
  main: Part
  isHome?: boolean
  /** The address of the page, if it is another one than the canonical. */
  address?: Address | undefined
  /** The address under which search engines should list the page; without one they should not list it. */
  canonical?: Address | undefined
  /** It has a canonical address, but is only a part of what that shows. */
  isPart?: boolean
  /** In a sentence; without one, the tagline of the site. */
  description?: string | undefined
  /** What search engines read about the page. */
  data?: object | undefined
  /** What other services show of a shared link. */
  image?: PublicPhoto | undefined
  /** The page is a sheet of paper: nothing stands around its content, and it has this style besides that of the site. */
  sheet?: SiteFile | undefined
}

export function page(site: RenderedSite, frame: Frame): Html {
  const { title, main, isHome = false, canonical, isPart = false, data, image, sheet } = frame
  const { settings } = site.content
  const { words } = site
  const description = frame.description ?? settings.tagline
  return html`<!doctype html>
    <html lang="${site.language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${isHome ? isolated(settings.title) : `${isolated(title)} – ${isolated(settings.title)}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${description !== '' && html`<meta name="description" content="${description}" />`}
        ${canonical && html`<link rel="canonical" href="${site.origin}${site.href(canonical)}" />`}
        ${canonical && !isPart && alternates(site, canonical)}
        ${(!canonical || isPart) && html`<meta name="robots" content="noindex" />`}
        ${canonical && !isPart && shared(site, { title, description, canonical, isHome, image })}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${hrefOf({ kind: 'favicon' })}" type="image/svg+xml" />
        <link rel="stylesheet" href="${hrefOf({ kind: 'style', ...site.style })}" />
        ${sheet && html`<link rel="stylesheet" href="${hrefOf({ kind: 'file', file: sheet })}" />`}
        ${preloads(site)}${data && Html.ofData(data)}
      </head>
      <body>
        ${
          !sheet &&
          html`<a class="skip" href="#content">${words.skip}</a>
            <header class="wrap top">${brand(site)}${menu(site)}</header>`
        }
        <main id="content" tabindex="-1">${main}</main>
        ${!sheet && footer(site, frame.address ?? canonical ?? home)}
      </body>
    </html> `
}

const alternates = ({ content: { settings }, origin }: RenderedSite, canonical: Address): readonly Html[] =>
  alternatesOf(settings, canonical).map(
    ([language, href]) => html`<link rel="alternate" hreflang="${language}" href="${origin}${href}" />`,
  )

/** What other services show of a shared link. */
function shared(
  site: RenderedSite,
  {
    title,
    description,
    canonical,
    isHome,
    image,
  }: { title: string; description: string; canonical: Address; isHome: boolean; image: PublicPhoto | undefined },
): Html {
  const of = (property: string, value: string) =>
    value !== '' && html`<meta property="og:${property}" content="${value}" />`
  return html`${of('title', title)}${of('description', description)}${of('url', `${site.origin}${site.href(canonical)}`)}${of(
    'type',
    isHome ? 'website' : 'article',
  )}${of('locale', localeOf(site.language))}${of('site_name', site.content.settings.title)}${image && sharedImage(site, image, of)}`
}

function sharedImage(
  { origin }: RenderedSite,
  image: PublicPhoto,
  of: (property: string, value: string) => Part,
): Html {
  const { width, height } = sharedSize(image)
  return html`${of('image', `${origin}${sharedAt(image)}`)}${of('image:width', String(width))}${of(
      'image:height',
      String(height),
    )}${of('image:alt', image.alt.trim())}<meta name="twitter:card" content="summary_large_image" />`
}

/** Requested together with the style, so that text is set in its typeface from the beginning. */
export const preloads = ({ content: { settings } }: RenderedSite): readonly Html[] =>
  firstFontsOf(settings.look).map(
    (file) =>
      html`<link rel="preload" href="${hrefOf({ kind: 'file', file })}" as="font" type="font/woff2" crossorigin />`,
  )

export function brand(site: RenderedSite): Html {
  const { settings, logo } = site.content
  const mark =
    logo === null
      ? html`<span class="badge" aria-hidden="true">${initialOf(settings.title, settings.language)}</span>`
      : html`<img class="logo" src="${hrefOf({ kind: 'logo', digest: logo })}" alt="" width="44" height="44" />`
  return html`<a class="brand" href="${site.href(home)}">${mark}${owned(site, settings.title)}</a>`
}

export const hasAbout = ({ content: { settings } }: RenderedSite): boolean => settings.about.trim() !== ''
export const hasContact = ({ content: { settings } }: RenderedSite): boolean =>
  Object.values(settings.contact).some((line) => line !== '')

const menu = (site: RenderedSite): Html =>
  html`<nav aria-label="${site.words.menu}">
    <a href="${site.href(allAnimals)}">${site.words.everyone}</a>${
      hasAbout(site) && html`<a href="${site.href(home)}#about">${site.words.about}</a>`
    }${hasContact(site) && html`<a class="btn" href="#contact-us">${site.words.contact}</a>`}
  </nav>`

function footer(site: RenderedSite, address: Address): Html {
  const { content, words } = site
  const { settings } = content
  const { address: place } = settings.contact
  const ways = contactWays(site)
  return html`<footer id="contact-us">
    <div class="wrap foot">
      <div${site.ownLang}>
        <b><bdi>${settings.title}</bdi></b>
        ${place !== '' && html`<p><bdi>${place}</bdi></p>`}
      </div>
      ${
        ways.length > 0 &&
        html`<div>
          <b>${words.contact}</b>
          ${ways}
        </div>`
      }
      <div>
        <p><a href="${site.href(privacyAddress)}">${words.privacyPage.title}</a></p>
        ${site.isReportable && html`<p><a href="${site.href(reportAddress)}" rel="nofollow">${words.report.title}</a></p>`}
      </div>
    </div>
    ${languageMenu(settings, { current: site.language, address, label: words.language })}
  </footer>`
}

/** By telephone and by mail, as far as the owner publishes them. */
export function contactWays({ content }: RenderedSite): Html[] {
  const { email, phone } = content.settings.contact
  return [phone !== '' && html`<p>${phoneLink(phone)}</p>`, email !== '' && html`<p>${emailLink(email)}</p>`].filter(
    (way) => way !== false,
  )
}

/** How the owner can be reached, as published. */
export function contactLines(site: RenderedSite): Html[] {
  const { address } = site.content.settings.contact
  return [...(address === '' ? [] : [html`<p>${owned(site, address)}</p>`]), ...contactWays(site)]
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

export const scene = (file: SiteFile): Html =>
  html`<img src="${hrefOf({ kind: 'file', file })}" alt="" width="360" height="250" />`

export const arrow = html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">
  <path d="m12 19-7-7 7-7M19 12H5" />
</svg>`

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
