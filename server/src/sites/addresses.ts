// Writes and parses the addresses of a site. One address has one spelling, so that it is
// cached once; a path in another spelling is not found. Unknown query parameters (people
// add their own when they share a link) are ignored.

import { looks, type Look } from '@petstore/contract/platform/site'
import { fileAt, hrefOfFile, type SiteFile } from './site-files.ts'

export type Span = { before: bigint } | { after: bigint } | undefined

export type Address =
  | { kind: 'home'; span: Span }
  | { kind: 'category'; id: bigint; span: Span }
  | { kind: 'animal'; id: bigint }
  | { kind: 'thanks'; id: bigint | undefined }
  | { kind: 'robots' }
  | { kind: 'sitemap' }
  | { kind: 'favicon' }
  /** Of a look and a colour, without its #. */
  | { kind: 'style'; look: Look; color: string; digest: string }
  | { kind: 'logo'; digest: string }
  /** A file that all sites share. */
  | { kind: 'file'; file: SiteFile }

export function hrefOf(address: Address): string {
  switch (address.kind) {
    case 'home':
      return `/${queryOf(address.span)}`
    case 'category':
      return `/c/${address.id}${queryOf(address.span)}`
    case 'animal':
      return `/a/${address.id}`
    case 'thanks':
      return address.id === undefined ? '/thanks' : `/thanks?animal=${address.id}`
    case 'robots':
      return '/robots.txt'
    case 'sitemap':
      return '/sitemap.xml'
    case 'favicon':
      return '/favicon.svg'
    case 'style':
      return `/style-${address.look}-${address.color}-${address.digest}.css`
    case 'logo':
      return `/logo-${address.digest}`
    case 'file':
      return hrefOfFile(address.file)
  }
}

export const home: Address = { kind: 'home', span: undefined }

const queryOf = (span: Span) =>
  span === undefined ? '' : 'before' in span ? `?before=${span.before}` : `?after=${span.after}`

/** Undefined if there is no such address. `target` is a path with its query. */
export function addressOf(target: string): Address | undefined {
  if (target === '/') return home
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at))
  if (path === '/' || path.startsWith('/c/')) return listAddress(path, query)
  if (path.startsWith('/a/')) return withId(path.slice(3), (id) => ({ kind: 'animal', id }))
  if (path === '/thanks') {
    const animal = query.get('animal')
    return animal === null ? { kind: 'thanks', id: undefined } : withId(animal, (id) => ({ kind: 'thanks', id }))
  }
  return fileAddress(path)
}

function listAddress(path: string, query: URLSearchParams): Address | undefined {
  const before = query.get('before')
  const after = query.get('after')
  const bound = before ?? after
  const id = bound === null ? undefined : int64(bound)
  if (bound !== null && id === undefined) return undefined
  const span: Span = id === undefined ? undefined : before === null ? { after: id } : { before: id }
  return path === '/' ? { kind: 'home', span } : withId(path.slice(3), (id) => ({ kind: 'category', id, span }))
}

function fileAddress(path: string): Address | undefined {
  if (path === '/robots.txt') return { kind: 'robots' }
  if (path === '/sitemap.xml') return { kind: 'sitemap' }
  if (path === '/favicon.svg') return { kind: 'favicon' }
  const file = fileAt(path)
  if (file !== undefined) return { kind: 'file', file }
  const [, logo] = /^\/logo-([0-9a-f]{64})$/.exec(path) ?? []
  return logo === undefined ? styleAddress(path) : { kind: 'logo', digest: logo }
}

function styleAddress(path: string): Address | undefined {
  const [, named, color, digest] = /^\/style-([a-z]+)-([0-9a-f]{6})-([0-9a-f]{16})\.css$/.exec(path) ?? []
  const look = looks.find((one) => one === named)
  return look !== undefined && color !== undefined && digest !== undefined
    ? { kind: 'style', look, color, digest }
    : undefined
}

const withId = (text: string, make: (id: bigint) => Address): Address | undefined => {
  const id = int64(text)
  return id === undefined ? undefined : make(id)
}

function int64(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}
