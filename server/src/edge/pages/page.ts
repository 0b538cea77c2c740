// A page that an edge has received from the control plane: its status, the headers that pages of
// sites have, and its bytes. Nothing else is kept, so no header of the connection between the two,
// and no cookie, can reach a visitor.

import type { Coding } from '../../foundation/http/negotiation.ts'
import { BoundedMap } from '../../foundation/load/bounded-map.ts'

/** As received: the headers as names and values in turn. */
export type PageResponse = { status: number; headers: readonly string[]; body: Buffer }

/** Ready to be sent repeatedly. */
export type CachedPage = {
  status: number
  headers: string[]
  /** For a client that has it cached: without the headers that describe the body. */
  headersUnchanged: string[]
  /** For a copy that may be outdated: not cacheable. */
  headersStale: string[]
  body: Buffer
  etag: string | undefined
  coding: Coding | undefined
  /** The hostname to which a default address redirects its visitors. */
  leadsTo: string | undefined
}

const names = new Map(
  [
    'Allow',
    'Cache-Control',
    'Content-Encoding',
    'Content-Security-Policy',
    'Content-Type',
    'Cross-Origin-Opener-Policy',
    'ETag',
    'Location',
    'Permissions-Policy',
    'Referrer-Policy',
    'Retry-After',
    'Vary',
    'X-Content-Type-Options',
    'X-Robots-Tag',
  ].map((name) => [name.toLowerCase(), name]),
)

/** Selects the headers that a page may have; each name once, the first one counts. */
export function pageHeaders(rawHeaders: readonly string[]): string[] {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = names.get((rawHeaders[index] ?? '').toLowerCase())
    if (name !== undefined && !headers.has(name)) headers.set(name, rawHeaders[index + 1] ?? '')
  }
  return [...headers].flat()
}

export function heldPage({ status, headers, body }: PageResponse): CachedPage {
  const fields: [name: string, value: string][] = []
  for (let index = 0; index < headers.length; index += 2) fields.push([headers[index] ?? '', headers[index + 1] ?? ''])
  const value = (name: string) => fields.find(([known]) => known === name)?.[1]
  const without = (...left: readonly string[]) => fields.filter(([name]) => !left.includes(name)).flat()
  const length = ['Content-Length', String(body.length)]
  const coding = value('Content-Encoding')
  return {
    status,
    headers: [...headers, ...length],
    headersUnchanged: without('Content-Type', 'Content-Encoding'),
    headersStale: [...without('Cache-Control', 'ETag'), 'Cache-Control', 'no-store', ...length],
    body,
    etag: value('ETag'),
    coding: coding === 'br' || coding === 'gzip' ? coding : undefined,
    leadsTo: /^https:\/\/([^/:]+)/.exec(value('Location') ?? '')?.[1],
  }
}

/** The same page without a coding. */
export const inPlainBytes = ({ status, headers }: CachedPage, body: Buffer): CachedPage =>
  heldPage({
    status,
    headers: headers.filter((_, index) => !/^content-(encoding|length)$/i.test(headers[index - (index % 2)] ?? '')),
    body,
  })

// `createPageCache` caches pages in the memory of an edge, bounded in number and bytes. A page is
// fresh for less than half a second after it was requested; after that it is only the last known
// version, used to revalidate it, and for visitors while the control plane is unreachable. The
// least recently requested pages are evicted first.

type PageCache = {
  /** The page, if it was requested a moment ago. */
  fresh(key: string): CachedPage | undefined
  /** The page, however old. */
  last(key: string): CachedPage | undefined
  put(key: string, page: CachedPage, requestedAt: number): void
  /** It may have changed: the next visitor's request revalidates it. */
  expire(key: string): void
  drop(key: string): void
  readonly bytes: number
}

type Entry = { page: CachedPage; requestedAt: number }

/** The cost of a page in addition to its body. */
const OVERHEAD = 2048

export function createPageCache({
  holdMs,
  countMax,
  bytesMax,
  now,
}: {
  holdMs: number
  countMax: number
  bytesMax: number
  now: () => number
}): PageCache {
  const entries = new BoundedMap<string, Entry>({
    countMax,
    weightMax: bytesMax,
    weightOf: ({ page }) => page.body.length + OVERHEAD,
  })
  return {
    get bytes() {
      return entries.weight
    },
    fresh(key) {
      const found = entries.get(key)
      return found && now() - found.requestedAt < holdMs ? found.page : undefined
    },
    last: (key) => entries.get(key)?.page,
    put: (key, page, requestedAt) => entries.set(key, { page, requestedAt }),
    expire(key) {
      const found = entries.get(key)
      if (found) found.requestedAt = Number.NEGATIVE_INFINITY
    },
    drop: (key) => entries.delete(key),
  }
}
