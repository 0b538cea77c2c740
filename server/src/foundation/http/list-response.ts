// A page of a list, the same for every list: newest first, on from a key, one
// row more than asked for to learn whether there is a next page, and the way
// there in a Link header. The body stays the bare array.
//
// Rows arrive as JSON text, each beginning with its id, and are sent as they
// came. Where one ends and the next begins can be seen without reading the JSON:
// inside a string a quotation mark never stands without a backslash before it.

import { LIMIT_DEFAULT } from '@petstore/contract/parameters'
import type { OperationResponse } from './operation.io.ts'
import { pageLinks, readCursor, writeCursor } from './cursor.ts'
import { Refusal } from '../refusal.ts'

export type PageRequest = {
  url: string
  limit: number | undefined
  cursor: string | undefined
  filter?: string | undefined
  filterName?: string
}

/** JSON objects divided by commas, or null if there are none. */
export type Rows = { json: string | null; count: number }

/** No id is this large, so the first page begins below it. */
const BEGINNING = 2n ** 63n - 1n

export async function pageOf(
  { url, limit = LIMIT_DEFAULT, cursor, filter, filterName = 'filter' }: PageRequest,
  rowsBefore: (before: bigint, count: number) => Promise<Rows>,
): Promise<OperationResponse> {
  const { json, count } = await rowsBefore(beginningOf(cursor, filter), limit + 1)
  const hasMore = count > limit
  // Most lists fit one page, and then there is nothing to link.
  if (!hasMore && cursor === undefined) return { json: `[${json ?? ''}]` }

  const shown = hasMore ? withoutLast(json ?? '') : (json ?? '')
  const next = hasMore ? writeCursor({ after: lastId(shown), filter }) : undefined
  const query: [string, string][] = [['limit', String(limit)]]
  if (filter !== undefined) query.push([filterName, filter])
  const link = pageLinks(url, query, { cursor, next })
  return { json: `[${shown}]`, ...(link !== undefined && { headers: { Link: link } }) }
}

const OPENING = '{"id":'

const withoutLast = (rows: string) => rows.slice(0, rows.lastIndexOf(`},${OPENING}`) + 1)

function lastId(rows: string): bigint {
  const from = rows.lastIndexOf(OPENING) + OPENING.length
  return BigInt(rows.slice(from, rows.indexOf(',', from)))
}

/** A cursor goes on with the list that gave it out: the filter must be the one of the first call. */
function beginningOf(cursor: string | undefined, filter: string | undefined): bigint {
  if (cursor === undefined) return BEGINNING
  const read = readCursor(cursor)
  if (!read || read.filter !== filter) throw new Refusal('invalid_cursor')
  return read.after
}
