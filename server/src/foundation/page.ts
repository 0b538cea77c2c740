// A page of a list, the same for every list: newest first, on from a key, one
// row more than asked for to learn whether there is a next page, and the way
// there in a Link header. The body stays the bare array.

import { LIMIT_DEFAULT } from '@petstore/contract/parameters'
import type { Answer } from './operation.ts'
import { pageLinks, readCursor, writeCursor } from './paging.ts'
import { Refusal } from './refusal.ts'

export type PageRequest = {
  url: string
  limit: number | undefined
  cursor: string | undefined
  filter?: string | undefined
  filterName?: string
}

/** No id is this large, so the first page begins below it. */
const BEGINNING = 2n ** 63n - 1n

export async function pageOf<Row extends { id: bigint }>(
  { url, limit = LIMIT_DEFAULT, cursor, filter, filterName = 'filter' }: PageRequest,
  jsonOf: (row: Row) => string,
  rowsBefore: (before: bigint, count: number) => Promise<Row[]>,
): Promise<Answer> {
  const rows = await rowsBefore(beginningOf(cursor, filter), limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next = last && writeCursor({ after: last.id, filter })
  const query: [string, string][] = [
    ['limit', String(limit)],
    ...(filter ? [[filterName, filter] as [string, string]] : []),
  ]
  const link = pageLinks(url, query, { cursor, next })
  return { json: `[${shown.map(jsonOf).join(',')}]`, ...(link && { headers: { Link: link } }) }
}

/** A cursor goes on with the list that gave it out: the filter must be the one of the first call. */
function beginningOf(cursor: string | undefined, filter: string | undefined): bigint {
  if (cursor === undefined) return BEGINNING
  const read = readCursor(cursor)
  if (!read || read.filter !== filter) throw new Refusal('invalid_cursor')
  return read.after
}
