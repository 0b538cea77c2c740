// A page that an edge has received from the control plane: its status, the headers that pages of
// sites have, and its bytes. Nothing else is kept, so no header of the connection between the two,
// and no cookie, can reach a visitor.

import type { Coding } from '../../foundation/http/content-encoding.ts'

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
