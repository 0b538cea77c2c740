// `pageOf` builds the response of every list: newest first, continuing from a key, fetching one row
// more than the limit to detect a next page, with the pages in a Link header. The body stays the
// bare array.
//
// Rows arrive as JSON text, each beginning with its id, and are sent unchanged. Their boundaries
// can be found without parsing the JSON: inside a string a quotation mark is always preceded by a
// backslash.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import type { OperationResponse } from './operation.io.ts'
import { Refusal } from '../refusal.ts'

/*
 * Cursors and Link headers (RFC 8288) of paginated lists. A cursor identifies the last row of a
 * page; the Link header carries it to the next request.
 *
 * A cursor is opaque to clients but neither secret nor signed: the project comes from the key, so a
 * forged cursor reveals no data of another project. It contains the filter of the first request, so
 * that the caller can reject a cursor used with another filter. `readCursor` accepts exactly what
 * `writeCursor` produces, byte for byte, and nothing else.
 */

type Cursor = { after: bigint; filter: string | undefined }

const VERSION = 1
const DECIMAL = /^-?\d{1,19}$/

export function writeCursor({ after, filter }: Cursor): string {
  return Buffer.from(JSON.stringify({ v: VERSION, k: String(after), s: filter })).toString('base64url')
}

export function readCursor(text: string): Cursor | undefined {
  const content = parse(Buffer.from(text, 'base64url').toString())
  if (typeof content !== 'object' || content === null) return undefined
  const { k, s }: { k?: unknown; s?: unknown } = content
  if (typeof k !== 'string' || !DECIMAL.test(k)) return undefined
  if (s !== undefined && typeof s !== 'string') return undefined
  const after = BigInt(k)
  if (after !== BigInt.asIntN(64, after)) return undefined

  // Writing it again checks the rest at once: alphabet and padding, UTF-8, version, leading zeros,
  // further members.
  const cursor = { after, filter: s }
  return writeCursor(cursor) === text ? cursor : undefined
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/**
 * The value of the Link header, or undefined when everything fits one page. `query` is the query of
 * the request without its cursor; `cursor` is that of this page and `next` that of the following
 * one.
 */
export function pageLinks(
  base: string,
  query: readonly (readonly [string, string])[],
  { cursor, next }: { cursor: string | undefined; next: string | undefined },
): string | undefined {
  const first = `<${address(base, query)}>; rel="first"`
  if (next !== undefined) return `<${address(base, [...query, ['cursor', next]])}>; rel="next", ${first}`
  return cursor === undefined ? undefined : first
}

function address(base: string, query: readonly (readonly [string, string])[]): string {
  const pairs = query.map((pair) => pair.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}

export type PageRequest = {
  url: string
  limit: number | undefined
  cursor: string | undefined
  filter?: string | undefined
  filterName?: string
  /** Further filters, by name. */
  filters?: Readonly<Record<string, string | undefined>>
}

/** JSON objects separated by commas, or null if there are none. */
export type Rows = { json: string | null; count: number }

/** No id is this large, so the first page begins below it. */
const BEGINNING = 2n ** 63n - 1n

export async function pageOf(
  { url, limit = LIMIT_DEFAULT, cursor, filter, filterName = 'filter', filters = {} }: PageRequest,
  rowsBefore: (before: bigint, count: number) => Promise<Rows>,
): Promise<OperationResponse> {
  const further = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  // Without further filters it is the bare value of the one.
  const wanted = further.length === 0 ? filter : JSON.stringify([filter, ...further])
  const { json, count } = await rowsBefore(beginningOf(cursor, wanted), limit + 1)
  const hasMore = count > limit
  // Most lists fit one page and need no links.
  if (!hasMore && cursor === undefined) return { json: `[${json ?? ''}]` }

  const shown = hasMore ? withoutLast(json ?? '') : (json ?? '')
  const next = hasMore ? writeCursor({ after: lastId(shown), filter: wanted }) : undefined
  const query: (readonly [string, string])[] = [['limit', String(limit)]]
  if (filter !== undefined) query.push([filterName, filter])
  query.push(...further)
  const link = pageLinks(url, query, { cursor, next })
  return { json: `[${shown}]`, ...(link !== undefined && { headers: { Link: link } }) }
}

const OPENING = '{"id":'

const withoutLast = (rows: string) => rows.slice(0, rows.lastIndexOf(`},${OPENING}`) + 1)

function lastId(rows: string): bigint {
  const from = rows.lastIndexOf(OPENING) + OPENING.length
  return BigInt(rows.slice(from, rows.indexOf(',', from)))
}

/** A cursor continues the list that issued it: the filter must be that of the first request. */
function beginningOf(cursor: string | undefined, filter: string | undefined): bigint {
  if (cursor === undefined) return BEGINNING
  const read = readCursor(cursor)
  if (!read || read.filter !== filter) throw new Refusal('invalid_cursor')
  return read.after
}
