// Pagination of animals by name or completeness, and of those without a photo. The cursor holds a key, an id and a digest of the
// filters: a cursor continues the list that issued it, and no other.

import { hash } from 'node:crypto'
import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import type { PetStatus } from '@petstore-platform/contract/pets'
import { pageLinks, readCursor, writeCursor } from '../foundation/http/list-response.ts'
import { Refusal } from '../foundation/refusal.ts'

export type NameFilters = {
  name: string | undefined
  status: PetStatus | undefined
  categoryId: bigint | undefined
  photo: 'none' | undefined
  sort: 'name' | 'completeness' | undefined
}
/** `isWord`: among those that are found by a further word, which follow those whose names begin with the text. */
export type Position = { key: string; id: bigint; isWord: boolean }

/** Where a page begins: after the last animal of the one before. */
export function positionOf(cursor: string | undefined, filters: NameFilters): Position | undefined {
  if (cursor === undefined) return undefined
  const read = readCursor(cursor)
  const isWord = read?.filter?.startsWith(digestOf(filters, true)) === true
  const mark = digestOf(filters, isWord)
  if (!read?.filter?.startsWith(mark)) throw new Refusal('invalid_cursor')
  // No text in PostgreSQL contains this character, nor does any cursor that was issued.
  const key = read.filter.slice(mark.length)
  if (key.includes('\0') || !key.isWellFormed()) throw new Refusal('invalid_cursor')
  return { key, id: read.after, isWord }
}

export type NamePage<Row> = { shown: Row[]; link: string | undefined }

/** The rows to show, of one more than requested, and the cursor of the next page: after `scanned` if there are not as many. */
export function pageByName<Row extends Position>(
  { rows, scanned }: { rows: readonly Row[]; scanned: Position | undefined },
  { url, limit = LIMIT_DEFAULT, cursor, ...filters }: NameFilters & PageRequest,
): NamePage<Row> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : scanned
  const next = last && writeCursor({ after: last.id, filter: `${digestOf(filters, last.isWord)}${last.key}` })
  const query: [string, string][] = [['limit', String(limit)]]
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.push([name, String(value)])
  return { shown, link: pageLinks(url, query, { cursor, next }) }
}

type PageRequest = { url: string; limit: number | undefined; cursor: string | undefined }

const digestOf = ({ name, status, categoryId, photo, sort }: NameFilters, isWord: boolean): string => {
  const more = [isWord && 'word', photo, sort].filter(Boolean)
  const filters = [name, status, categoryId === undefined ? null : String(categoryId), ...more]
  return hash('sha256', JSON.stringify(filters), 'base64url')
}
