// Which animals of a project a visitor's search finds, by the indexes of names and words.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { SCAN_MAX } from './visitor-queries.ts'

// Searched by name and by word in the indexes; a status that visitors do not see is not searched.
const firstName = `(select lower($2::text collate "pg_c_utf8"))`
const lastName = `(select lower($2::text collate "pg_c_utf8") || repeat(chr(1114111), 256))`
const firstWord = `(select left(lower($2::text collate "pg_c_utf8"), 40))`
const lastWord = `(select left(lower($2::text collate "pg_c_utf8"), 40) || repeat(chr(1114111), 41))`

const foundIds = statement<{ id: bigint }, [project: ProjectId, text: string, max: number]>(
  'find-site-animals',
  `select distinct id
   from (
     (select id
      from pets
      where project_id = $1 and (status, name_key) >= ('available', ${firstName}) and (status, name_key) < ('available', ${lastName})
      order by status, name_key
      limit $3)
     union all
     (select id
      from pets
      where project_id = $1 and (status, name_key) >= ('pending', ${firstName}) and (status, name_key) < ('pending', ${lastName})
      order by status, name_key
      limit $3)
     union all
     (select pet_id
      from pet_words
      where project_id = $1 and key >= ${firstWord} and key < ${lastWord} and source <> 'chip'
      order by key
      limit $3)
   ) as found
   limit $3`,
)

/** What a search finds, whatever else is wanted; undefined without a text, and if there is too much of it. */
export const findMatches = async (db: Db, project: ProjectId, q: string): Promise<readonly bigint[] | undefined> => {
  const found = q === '' ? [] : await db(foundIds, project, q, SCAN_MAX)
  return q === '' || found.length === SCAN_MAX ? undefined : found.map(({ id }) => id)
}
