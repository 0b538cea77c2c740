// Turns a page of the site into a preview for a frame of the dashboard: the same page,
// without its canonical URL, its other languages and its data for search engines, and with its resources inlined, since a frame without an
// origin loads nothing with the member's session. Its policy allows it to be shown, with
// its own style, in our own pages, and nothing else. So its form cannot be sent. Its
// links are removed: a sandbox does not stop a member who opens one in a new window with
// a modifier key.
//
// Only the page's own markup is replaced: text by people is escaped in it, so none of it
// resembles markup.

import { hash } from 'node:crypto'
import type { ImageType } from '@petstore-platform/contract/platform/site'
import { addressOf, hrefOf } from './addresses.ts'
import type { Html } from '../../foundation/html.ts'
import { preloads, type RenderedSite } from './layout.ts'
import { typeOfPhoto } from '../../photos/photo-file.ts'
import { hrefOfFile, siteFiles, typeOfFile, type SiteFile } from './site-files.ts'

export type Logo = { type: ImageType; bytes: Uint8Array }

/** What a page would load. `photos`: the bytes of the smallest variant by digest, of the first few that it shows. */
export type Resources = {
  logo: Logo | undefined
  bytesOf: (file: SiteFile) => Uint8Array
  photos?: ReadonlyMap<string, Uint8Array>
}

/** Photos that a preview holds, each some 20 kB; others leave their ground empty. */
export const PREVIEWED_PHOTOS = 12

export type Preview = { text: string; policy: string }

export function previewOf(page: Html, site: RenderedSite, { logo, bytesOf, photos = new Map() }: Resources): Preview {
  const { style, content } = site
  const icon = `<link rel="icon" href="${hrefOf({ kind: 'favicon' })}" type="image/svg+xml" />`
  const sheet = `<link rel="stylesheet" href="${hrefOf({ kind: 'style', ...style })}" />`
  const css = withFonts(style.css, bytesOf)
  // A data block holds no `<` but its own.
  const published = page.text
    .replace(/<link rel="(canonical|alternate)" [^<>]*>/g, '')
    .replace(/<meta property="og:image[^<>]*>/g, '')
    .replace(/<script type="application\/ld\+json">[^<]*<\/script>/, '')
  const unlinked = [icon, ...preloads(site).map(({ text }) => text)].reduce(
    (text, one) => exchanged(text, one, ''),
    published,
  )
  const loaded = exchanged(unlinked, sheet, `<style>${css}</style>`)
  const dataAt = (src: string): string | undefined => {
    const address = addressOf(src)
    if (address?.kind === 'file') return dataOfFile(address.file, bytesOf)
    if (address?.kind !== 'photo') return undefined
    const bytes = photos.get(address.digest)
    return bytes ? dataOf({ type: typeOfPhoto(address.file), bytes }) : NOTHING
  }
  const drawn = loaded
    .replace(/(<img\b[^<>]*?)\ssrcset="[^"]*" sizes="[^"]*"/g, '$1')
    .replace(/(<img\b[^<>]*?\ssrc=")([^"]*)"/g, (whole, before: string, src: string) => {
      const data = dataAt(src)
      return data === undefined ? whole : `${before}${data}"`
    })
  const framed = drawn.replace(/(<a\b[^<>]*?)\shref="[^"]*"/g, '$1')
  const text =
    content.logo === null || !logo
      ? framed
      : exchanged(framed, `src="${hrefOf({ kind: 'logo', digest: content.logo })}"`, `src="${dataOf(logo)}"`)
  return { text, policy: policyOf(css) }
}

/** An empty picture. */
const NOTHING = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

const policyOf = (css: string) =>
  [
    "default-src 'none'",
    'img-src data:',
    'font-src data:',
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    'sandbox',
  ].join('; ')

const withFonts = (css: string, bytesOf: Resources['bytesOf']): string =>
  siteFiles
    .filter((file) => css.includes(hrefOfFile(file)))
    .reduce((text, file) => text.replace(hrefOfFile(file), dataOfFile(file, bytesOf)), css)

/** Their character set is part of the header of a response only. */
const dataOfFile = (file: SiteFile, bytesOf: Resources['bytesOf']) =>
  dataOf({ type: typeOfFile(file).replace(/;.*/, ''), bytes: bytesOf(file) })

const dataOf = ({ type, bytes }: { type: string; bytes: Uint8Array }) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

function exchanged(text: string, ours: string, other: string): string {
  const pieces = text.split(ours)
  if (pieces.length !== 2) throw new Error(`A page holds ${pieces.length - 1} of ${ours}`)
  return pieces.join(other)
}
