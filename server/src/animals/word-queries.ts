// Animals by the words of their names and breeds and by their chip numbers, inside one project: after those whose names
// begin with the text, in the order of what was found. A page scans a bounded number of words and continues there.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { BEGINNING, listByName, type NamedRequest, type NamedRow } from './animal-queries.ts'
import type { Position } from './name-pages.ts'

/** `isShown`: it fits the filters and was not found before. `isEnd` marks the last one that was scanned. */
type WordRow = NamedRow & { isShown: boolean; isEnd: boolean }

const SCAN_MAX = 5000

// Keys have at most 40 characters, in the order of "pg_c_utf8". Places in other lists are found as in animal-queries.ts.
const key = `left(lower($2::text collate "pg_c_utf8"), 40)`
const from = `(select coalesce($3::text, ${key})), $4::bigint`
const until = `(select ${key} || repeat(chr(1114111), 41))`

const wordRows = statement<
  WordRow,
  [
    project: ProjectId,
    text: string,
    key: string | undefined,
    id: bigint,
    scanMax: number,
    count: number,
    status: string | undefined,
    categoryId: bigint | undefined,
  ]
>(
  'list-animals-by-word',
  `select id, name, category_id as "categoryId", status, created_at as "createdAt", key, "isShown", n = $5 as "isEnd"
   from (
     select animal.id, name, category_id, status, created_at, found.key, row_number() over (order by found.key, found.pet_id) as n,
       not starts_with(name_key, (select lower($2::text collate "pg_c_utf8")))
         and ($7::text is null or status = $7) and ($8::bigint is null or category_id = $8)
         and not exists (
           select
           from (
             select key, 'name' as source
             from keys_of_name(name_key) as key
             union all
             select key, source
             from keys_of_profile(breed, second_breed, chip_number)
           ) as earlier
           where starts_with(earlier.key, (select ${key}))
             and (earlier.key collate "pg_c_utf8", earlier.source) < (found.key, found.source)
         ) as "isShown"
     from (
       select pet_id, key, source
       from pet_words
       where project_id = $1 and (key, pet_id) > (${from}) and key < ${until}
       order by key, pet_id
       limit $5
     ) as found
     cross join lateral (
       select id, name, name_key, category_id, status, created_at
       from pets
       where project_id = $1 and id = found.pet_id
       offset 0
     ) as animal
     left join lateral (
       select breed, second_breed, chip_number
       from pet_profiles
       where project_id = $1 and pet_id = found.pet_id
       offset 0
     ) as profile on true
   ) as numbered
   where "isShown" or n = $5
   order by key, id
   limit $6`,
)

export type FoundRow = NamedRow & Position
/** `scanned`: where the scan ended, if there may be more. */
type FoundPage = { rows: FoundRow[]; scanned: Position | undefined }

export const listByText = async (
  db: Db,
  project: ProjectId,
  { after, ...wanted }: Omit<NamedRequest, 'after'> & { after: Position | undefined },
): Promise<FoundPage> => {
  const { prefix, count, status, categoryId } = wanted
  const named = after?.isWord ? [] : await listByName(db, project, { ...wanted, after })
  const rows: FoundRow[] = named.map((row) => ({ ...row, isWord: false }))
  if (prefix === '' || rows.length >= count) return { rows, scanned: undefined }
  const place = after?.isWord ? after : undefined
  const [text, more] = [wordOf(prefix), count - rows.length]
  const found = await db(
    wordRows,
    project,
    text,
    place?.key,
    place?.id ?? BEGINNING,
    SCAN_MAX,
    more,
    status,
    categoryId,
  )
  rows.push(...found.filter(({ isShown }) => isShown).map((row) => ({ ...row, isWord: true })))
  const end = found.at(-1)
  return { rows, scanned: rows.length < count && end?.isEnd ? { key: end.key, id: end.id, isWord: true } : undefined }
}

/** Chip numbers are stored without the separators that people write. */
const wordOf = (text: string) => (/^[\d .-]{9,}$/.test(text) ? text.replaceAll(/[ .-]/g, '') : text)
