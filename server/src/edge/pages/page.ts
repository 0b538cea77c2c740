// A page that the control plane has handed to an edge: its status, the headers that
// pages of sites have, and its bytes. Nothing else is taken over, so no header of the
// connection between the two, and no cookie, can reach a visitor.

import type { Coding } from '../../foundation/http/content-encoding.ts'

/** As it came: the head as names and values in turn. */
export type PageResponse = { status: number; heads: readonly string[]; body: Buffer }

/** Ready to be sent, over and over. */
export type CachedPage = {
  status: number
  heads: string[]
  /** For who has it already: without what describes the body. */
  headsUnchanged: string[]
  /** For when it may be old: nobody is to keep it. */
  headsStale: string[]
  body: Buffer
  etag: string | undefined
  coding: Coding | undefined
  /** The hostname to which a default address sends its visitors. */
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
  ].map((name) => [name.toLowerCase(), name]),
)

/** Of a raw head, what a page may have; each name once, the first one counts. */
export function pageHeads(rawHeaders: readonly string[]): string[] {
  const heads = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = names.get((rawHeaders[index] ?? '').toLowerCase())
    if (name !== undefined && !heads.has(name)) heads.set(name, rawHeaders[index + 1] ?? '')
  }
  return [...heads].flat()
}

export function heldPage({ status, heads, body }: PageResponse): CachedPage {
  const fields: [name: string, value: string][] = []
  for (let index = 0; index < heads.length; index += 2) fields.push([heads[index] ?? '', heads[index + 1] ?? ''])
  const value = (name: string) => fields.find(([known]) => known === name)?.[1]
  const without = (...left: readonly string[]) => fields.filter(([name]) => !left.includes(name)).flat()
  const length = ['Content-Length', String(body.length)]
  const coding = value('Content-Encoding')
  return {
    status,
    heads: [...heads, ...length],
    headsUnchanged: without('Content-Type', 'Content-Encoding'),
    headsStale: [...without('Cache-Control', 'ETag'), 'Cache-Control', 'no-store', ...length],
    body,
    etag: value('ETag'),
    coding: coding === 'br' || coding === 'gzip' ? coding : undefined,
    leadsTo: /^https:\/\/([^/:]+)/.exec(value('Location') ?? '')?.[1],
  }
}

/** The same page in other bytes. */
export const inPlainBytes = ({ status, heads }: CachedPage, body: Buffer): CachedPage =>
  heldPage({
    status,
    heads: heads.filter((_, index) => !/^content-(encoding|length)$/i.test(heads[index - (index % 2)] ?? '')),
    body,
  })
