// Writes and parses the addresses of a site. One address has one spelling, so that it is
// cached once; a path in another spelling is not found. Unknown query parameters (people
// add their own when they share a link) are ignored. Every page exists in each language of its site, under the code of
// the language unless it is the main one; files exist once.

import { isCalendarDay } from '@petstore-platform/contract/calendar-day'
import { languages, looks, SHEETS_MAX, type Language, type Look } from '@petstore-platform/contract/platform/site'
import { fileNameOf, readFileName, type PhotoFileName } from '../../photos/photo-file.ts'
import { noFilters, readFilters, writtenFilters, type Filters } from './filters.ts'
import { namePartOf } from './name-part.ts'
import { fileAt, hrefOfFile, type SiteFile } from './site-files.ts'

/** Where a page of a list begins, newest first. */
export type Span = { before: bigint } | { after: bigint } | undefined
/**
 * Where a page begins in the order of waiting: after an animal, among those that are scanned after another one.
 * `since` is the day since which it has been waiting.
 */
export type Place = { scannedAfter: bigint | undefined; since: string; id: bigint }

export type Address =
  | { kind: 'home' }
  | { kind: 'animals'; filters: Filters; span: Span | Place }
  /** `name` is the readable part, which may be outdated. */
  | { kind: 'category'; id: bigint; name: string; span: Span }
  | { kind: 'animal'; id: bigint; name: string }
  /** The same on a sheet of paper. */
  | { kind: 'print'; id: bigint; name: string }
  /** Several, each on a sheet of its own. */
  | { kind: 'sheets'; ids: readonly bigint[] }
  /** Addresses of earlier versions, which lead to the current ones. */
  | { kind: 'former home'; span: Exclude<Span, undefined> }
  | { kind: 'former category'; id: bigint; span: Span }
  | { kind: 'former animal'; id: bigint }
  /** The code of a language alone, as people type it: leads to the home page, which has a slash. */
  | { kind: 'code' }
  | { kind: 'thanks'; id: bigint | undefined }
  | { kind: 'privacy' }
  /** Where a visitor reports the site to the operator, and the page after that. */
  | { kind: 'report' }
  | { kind: 'reported' }
  | RequestAddress
  | { kind: 'robots' }
  | { kind: 'sitemap' }
  | { kind: 'favicon' }
  /** Of a look and a colour, without its #. */
  | { kind: 'style'; look: Look; color: string; digest: string }
  | { kind: 'logo'; digest: string }
  | PhotoAddress
  /** A file that all sites share. */
  | { kind: 'file'; file: SiteFile }

/**
 * The pages of one visitor's request, by a secret: where it is confirmed, and where it stands. Nothing stores or logs
 * these addresses, and no cache holds their pages.
 */
export type RequestAddress = { kind: 'confirmation' | 'status'; secret: string }

/** A file of a photo. */
export type PhotoAddress = { kind: 'photo'; digest: string; file: PhotoFileName }

/** What visitors request. Without a language, it is the main one of the site; undefined if there is no such address. */
export type Target = { language: Language | undefined; address: Address | undefined }

const fileKinds = ['robots', 'sitemap', 'favicon', 'style', 'logo', 'photo', 'file'] as const

/** The same in all languages. */
export type FileAddress = Extract<Address, { kind: (typeof fileKinds)[number] }>

export const isFile = (address: Address): address is FileAddress => fileKinds.some((kind) => kind === address.kind)

export function hrefOf(file: FileAddress): string
/** `language`: undefined in the main one of the site. */
export function hrefOf(address: Address, language: Language | undefined): string
export function hrefOf(address: Address, language?: Language): string {
  const path = pathOf(address)
  return language === undefined || isFile(address) ? path : `/${language}${path}`
}

function pathOf(address: Address): string {
  switch (address.kind) {
    case 'home':
      return '/'
    case 'animals':
      return `/animals${queryOf([...writtenFilters(address.filters), ...writtenSpan(address.span)])}`
    case 'category':
      return `/categories/${named(address)}${queryOf(writtenSpan(address.span))}`
    case 'animal':
      return `/animals/${named(address)}`
    case 'print':
      return `/animals/${named(address)}${PRINT}`
    case 'sheets':
      return `${PRINT}?animals=${address.ids.join(',')}`
    case 'former home':
      return `/${queryOf(writtenSpan(address.span))}`
    case 'former category':
      return `/c/${address.id}${queryOf(writtenSpan(address.span))}`
    case 'former animal':
      return `/a/${address.id}`
    case 'code':
      return ''
    case 'thanks':
      return address.id === undefined ? '/thanks' : `/thanks?animal=${address.id}`
    case 'privacy':
      return '/privacy'
    case 'report':
      return REPORT
    case 'reported':
      return `${REPORT}/sent`
    case 'confirmation':
      return `${REQUESTS}confirm/${address.secret}`
    case 'status':
      return `${REQUESTS}${address.secret}`
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
    case 'photo':
      return `${PHOTOS}${address.digest}/${fileNameOf(address.file)}`
    case 'file':
      return hrefOfFile(address.file)
  }
}

export const home: Address = { kind: 'home' }
export const privacyAddress: Address = { kind: 'privacy' }
export const reportAddress: Address = { kind: 'report' }
export const allAnimals: Address = { kind: 'animals', filters: noFilters, span: undefined }
export const animalAt = ({ id, name }: { id: bigint; name: string }): Address => ({
  kind: 'animal',
  id,
  name: namePartOf(name),
})
export const printAt = ({ id, name }: { id: bigint; name: string }): Address => ({
  kind: 'print',
  id,
  name: namePartOf(name),
})
export const categoryAt = ({ id, name }: { id: bigint; name: string }, span?: Span): Address => ({
  kind: 'category',
  id,
  name: namePartOf(name),
  span,
})

const PHOTOS = '/photos/'
const PRINT = '/print'
const REQUESTS = '/requests/'
const REPORT = '/report'

/** Whether the address may contain the secret of a request, also in a spelling that leads nowhere. */
export const mayHoldSecret = (target: string): boolean => /^\/(?:[a-z]{2}\/)?requests(?:\/|%)/i.test(target)

/** Undefined for every address that is not one of a photo's files. */
export function photoAt(target: string): PhotoAddress | undefined {
  // Most addresses are not.
  if (!target.startsWith(PHOTOS)) return undefined
  const [, digest, name = ''] = /^\/photos\/([0-9a-f]{64})\/([^/?]+)(?:\?|$)/.exec(target) ?? []
  const file = readFileName(name)
  return digest !== undefined && file ? { kind: 'photo', digest, file } : undefined
}

const named = ({ id, name }: { id: bigint; name: string }) => (name === '' ? `${id}` : `${name}-${id}`)
const queryOf = (parts: readonly string[]) => (parts.length === 0 ? '' : `?${parts.join('&')}`)

function writtenSpan(span: Span | Place): string[] {
  if (span === undefined) return []
  if ('before' in span) return [`before=${span.before}`]
  if ('after' in span) return [`after=${span.after}`]
  const { scannedAfter, since, id } = span
  return [`at=${scannedAfter === undefined ? '' : `${scannedAfter}.`}${since}.${id}`]
}

/** `target` is a path with its query. */
export function readTarget(target: string): Target {
  const [, code, rest = target] = /^\/([a-z]{2})(\/.*|\?.*|)$/s.exec(target) ?? []
  const language = languages.find((one) => one === code)
  if (language === undefined) return { language, address: addressOf(target) }
  const address: Address | undefined = rest.startsWith('/') ? addressOf(rest) : { kind: 'code' }
  return { language, address: address && isFile(address) ? undefined : address }
}

/** In the main language. Undefined if there is no such address. `target` is a path with its query. */
export function addressOf(target: string): Address | undefined {
  if (target === '/') return home
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at))
  if (path.startsWith('/animals/') && path.endsWith(PRINT))
    return withName(path.slice(9, -PRINT.length), (one) => ({ kind: 'print', ...one }))
  if (path.startsWith('/animals/')) return withName(path.slice(9), (one) => ({ kind: 'animal', ...one }))
  if (path.startsWith('/a/')) return withId(path.slice(3), (id) => ({ kind: 'former animal', id }))
  if (path === '/privacy') return privacyAddress
  if (path === REPORT) return reportAddress
  if (path === `${REPORT}/sent`) return { kind: 'reported' }
  if (path === PRINT) return sheetsAddress(query.get('animals') ?? '')
  if (path.startsWith(REQUESTS)) return requestAddress(path.slice(REQUESTS.length))
  if (path === '/thanks') {
    const animal = query.get('animal')
    return animal === null ? { kind: 'thanks', id: undefined } : withId(animal, (id) => ({ kind: 'thanks', id }))
  }
  return listAddress(path, query) ?? fileAddress(path)
}

function sheetsAddress(text: string): Address | undefined {
  const ids = text
    .split(',')
    .map(int64)
    .filter((id) => id !== undefined)
  return ids.length === text.split(',').length && ids.length <= SHEETS_MAX ? { kind: 'sheets', ids } : undefined
}

function requestAddress(rest: string): RequestAddress | undefined {
  const [, confirm, secret] = /^(confirm\/)?([0-9a-f]{32})$/.exec(rest) ?? []
  return secret === undefined ? undefined : { kind: confirm === undefined ? 'status' : 'confirmation', secret }
}

function listAddress(path: string, query: URLSearchParams): Address | undefined {
  const isList = path === '/' || path === '/animals' || path.startsWith('/categories/') || path.startsWith('/c/')
  const span = isList ? readSpan(query) : 'wrong'
  if (span === 'wrong') return undefined
  if (path === '/') return span === undefined ? home : { kind: 'former home', span }
  if (path.startsWith('/c/')) return withId(path.slice(3), (id) => ({ kind: 'former category', id, span }))
  if (path !== '/animals') return withName(path.slice(12), (one) => ({ kind: 'category', ...one, span }))
  const filters = readFilters(query, int64)
  if (filters.sort === 'newest') return { kind: 'animals', filters, span }
  const place = query.get('at')
  const read = place === null ? undefined : readPlace(place)
  return place !== null && read === undefined ? undefined : { kind: 'animals', filters, span: read }
}

function readSpan(query: URLSearchParams): Span | 'wrong' {
  const before = query.get('before')
  const bound = before ?? query.get('after')
  if (bound === null) return undefined
  const id = int64(bound)
  if (id === undefined) return 'wrong'
  return before === null ? { after: id } : { before: id }
}

function readPlace(text: string): Place | undefined {
  const [, first, since = '', last = ''] = /^(?:(-?\d+)\.)?(\d{4}-\d\d-\d\d)\.(-?\d+)$/.exec(text) ?? []
  const scannedAfter = first === undefined ? undefined : int64(first)
  const id = int64(last)
  if (id === undefined || (first !== undefined && scannedAfter === undefined) || !isDay(since)) return undefined
  return { scannedAfter, since, id }
}

/** There was no year 0. */
const isDay = (text: string): boolean => !text.startsWith('0000') && isCalendarDay(text)

function fileAddress(path: string): Address | undefined {
  if (path === '/robots.txt') return { kind: 'robots' }
  if (path === '/sitemap.xml') return { kind: 'sitemap' }
  if (path === '/favicon.svg') return { kind: 'favicon' }
  const file = fileAt(path)
  if (file !== undefined) return { kind: 'file', file }
  const photo = photoAt(path)
  if (photo) return photo
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

/** The readable part may be any, since it may be outdated; the number is after its last hyphen. */
function withName(text: string, make: (found: { id: bigint; name: string }) => Address): Address | undefined {
  const [, name = '', digits = ''] = /^(?:([a-z0-9]+(?:-[a-z0-9]+)*)-)?(-?\d+)$/.exec(text) ?? []
  return name.length > 100 ? undefined : withId(digits, (id) => make({ id, name }))
}

function int64(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}
