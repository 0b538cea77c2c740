// Queries for animals as members manage them. Every query takes the project as its second
// argument and names it in its `where`. A list is a range of an index, or three of them
// merged, one for each status: it never costs more than a few pages, however large the
// store is.

import type { NewPet, PetStatus } from '@petstore-platform/contract/pets'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type AnimalRow = { id: bigint; name: string; categoryId: bigint; status: PetStatus; createdAt: Date }

const columns = `id, name, category_id as "categoryId", status, created_at as "createdAt"`

export const find = queryFirst<AnimalRow, [project: ProjectId, id: bigint]>(
  'find-animal',
  `select ${columns}
   from pets
   where project_id = $1 and id = $2`,
)

const insertRow = statement<AnimalRow, [project: ProjectId, name: string, categoryId: bigint, status: PetStatus]>(
  'insert-animal',
  `insert into pets (project_id, name, category_id, status)
   values ($1, $2, $3, $4)
   returning ${columns}`,
)

export const insert = async (db: Db, project: ProjectId, pet: Required<NewPet>): Promise<AnimalRow> => {
  const [row] = await db(insertRow, project, pet.name, pet.categoryId, pet.status)
  if (!row) throw new Error('an insert gave no row')
  return row
}

const changeRow = statement<
  AnimalRow,
  [project: ProjectId, id: bigint, name: string | undefined, categoryId: bigint | undefined]
>(
  'change-animal',
  `update pets
   set name = coalesce($3, name), category_id = coalesce($4, category_id)
   where project_id = $1 and id = $2
   returning ${columns}`,
)

/** Undefined fields stay unchanged. */
export const change = async (db: Db, project: ProjectId, id: bigint, { name, categoryId }: Partial<NewPet>) =>
  (await db(changeRow, project, id, name, categoryId))[0]

/** PostgreSQL rejects it while there is an order for the animal. */
export const remove = queryFirst<{ name: string }, [project: ProjectId, id: bigint]>(
  'delete-animal',
  `delete from pets
   where project_id = $1 and id = $2
   returning name`,
)

export type NewestRequest = { before: bigint; count: number; status: PetStatus | undefined }

const listRows = statement<AnimalRow, [project: ProjectId, before: bigint, count: number]>(
  'list-animals',
  `select ${columns}
   from pets
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

// The status as a range that one index alone returns in order; pet-queries.ts explains why.
const listRowsByStatus = statement<AnimalRow, [project: ProjectId, before: bigint, count: number, status: PetStatus]>(
  'list-animals-by-status',
  `select ${columns}
   from pets
   where project_id = $1 and status >= $4 and (status, id) < ($4, $2)
   order by status desc, id desc
   limit $3`,
)

export const listNewest = (db: Db, project: ProjectId, { before, count, status }: NewestRequest) =>
  status === undefined ? db(listRows, project, before, count) : db(listRowsByStatus, project, before, count, status)

/** A position in a list by name: names as they are compared, and the id among those of the same name. */
export type NamedRow = AnimalRow & { key: string }
export type NamedRequest = {
  /** What the names begin with; '' for all. */
  prefix: string
  /** The last row of the previous page; undefined at the beginning. */
  after: { key: string; id: bigint } | undefined
  count: number
  status: PetStatus | undefined
  categoryId: bigint | undefined
}

// Every name has at most 255 characters, so none that begins with the prefix comes after the prefix and 256
// of the greatest character. The two ends are selects of their own because row-level security lets PostgreSQL
// search an index for values, but not for expressions computed per row. A status that is not wanted is a
// range that is not read.
const namedColumns = `id, name, category_id, status, created_at, name_key`
const from = `(select coalesce($3::text, lower($2::text collate "pg_c_utf8"))), $4::bigint`
const until = `(select lower($2::text collate "pg_c_utf8") || repeat(chr(1114111), 256))`

const listRowsByName = statement<
  NamedRow,
  [
    project: ProjectId,
    prefix: string,
    key: string | undefined,
    id: bigint,
    count: number,
    status: PetStatus | undefined,
  ]
>(
  'list-animals-by-name',
  `select ${columns}, name_key as key
   from (
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'available') = 'available'
        and (status, name_key, id) > ('available', ${from}) and (status, name_key) < ('available', ${until})
      order by status, name_key, id
      limit $5)
     union all
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'pending') = 'pending'
        and (status, name_key, id) > ('pending', ${from}) and (status, name_key) < ('pending', ${until})
      order by status, name_key, id
      limit $5)
     union all
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'sold') = 'sold'
        and (status, name_key, id) > ('sold', ${from}) and (status, name_key) < ('sold', ${until})
      order by status, name_key, id
      limit $5)
   ) as animals
   order by name_key, id
   limit $5`,
)

const listRowsByCategory = statement<
  NamedRow,
  [
    project: ProjectId,
    prefix: string,
    key: string | undefined,
    id: bigint,
    count: number,
    status: PetStatus | undefined,
    categoryId: bigint,
  ]
>(
  'list-animals-by-category',
  `select ${columns}, name_key as key
   from (
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'available') = 'available'
        and (category_id, status, name_key, id) > ($7, 'available', ${from})
        and (category_id, status, name_key) < ($7, 'available', ${until})
      order by category_id, status, name_key, id
      limit $5)
     union all
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'pending') = 'pending'
        and (category_id, status, name_key, id) > ($7, 'pending', ${from})
        and (category_id, status, name_key) < ($7, 'pending', ${until})
      order by category_id, status, name_key, id
      limit $5)
     union all
     (select ${namedColumns}
      from pets
      where project_id = $1 and coalesce($6, 'sold') = 'sold'
        and (category_id, status, name_key, id) > ($7, 'sold', ${from})
        and (category_id, status, name_key) < ($7, 'sold', ${until})
      order by category_id, status, name_key, id
      limit $5)
   ) as animals
   order by name_key, id
   limit $5`,
)

/** No animal has an id as small as this, so the first page begins above it. */
export const BEGINNING = 0n

export const listByName = (db: Db, project: ProjectId, { prefix, after, count, status, categoryId }: NamedRequest) =>
  categoryId === undefined
    ? db(listRowsByName, project, prefix, after?.key, after?.id ?? BEGINNING, count, status)
    : db(listRowsByCategory, project, prefix, after?.key, after?.id ?? BEGINNING, count, status, categoryId)

/** Oldest first: animals that are added during a long export come at its end. */
export const listOldest = query<AnimalRow, [project: ProjectId, after: bigint, count: number]>(
  'export-animals',
  `select ${columns}
   from pets
   where project_id = $1 and id > $2
   order by id
   limit $3`,
)
