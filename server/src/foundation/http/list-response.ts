// `pageOf` builds the response of every list: newest first, continuing from a key, fetching one row
// more than the limit to detect a next page, with the pages in a Link header. The body stays the
// bare array.
//
// Rows arrive as JSON text, each beginning with its id, and are sent unchanged. Their boundaries
// can be found without parsing the JSON: inside a string a quotation mark is always preceded by a
// backslash.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import type { OperationResponse } from './operation.io.ts'
import { pageLinks, readCursor, writeCursor } from './cursor.ts'
import { Refusal } from '../refusal.ts'

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
