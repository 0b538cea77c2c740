// Queries about what the rows of an import remember: the animals that they added or changed, and the photos that they name.
// Every query takes the project as its second argument and names it in its `where`.

import type { RowOutcome, RowPhoto } from '@petstore-platform/contract/platform/import-shapes'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

/** What a row remembers of its animal; identifiers as text. */
export type Remembered = {
  row: number
  petId: string
  before: string | null
  after: string
  isFetching: boolean
}

const rememberRows = statement<never, [project: ProjectId, id: string, rows: string]>(
  'remember-import-rows',
  `update import_rows
   set pet_id = given."petId", before = given.before::jsonb, after = given.after::jsonb,
     is_fetching = given."isFetching"
   from jsonb_to_recordset($3::jsonb)
     as given (row integer, "petId" bigint, before text, after text, "isFetching" boolean)
   where import_rows.project_id = $1 and import_id = $2 and import_rows.row = given.row`,
)

export const remember = (db: Db, project: ProjectId, id: string, rows: readonly Remembered[]) =>
  db(rememberRows, project, id, JSON.stringify(rows))

export type WrittenRow = { row: number; petId: bigint; outcome: RowOutcome; before: unknown; after: unknown }

const writtenRows = statement<WrittenRow, [project: ProjectId, id: string, after: number, count: number]>(
  'list-written-rows',
  `select row, pet_id as "petId", outcome, before, after
   from import_rows
   where project_id = $1 and import_id = $2 and row > $3 and after is not null and pet_id is not null
   order by row
   limit $4`,
)

/** Those that added or changed an animal. */
export const listWritten = (db: Db, project: ProjectId, id: string, after: number, count: number) =>
  db(writtenRows, project, id, after, count)

export type FetchingRow = { row: number; petId: bigint; photos: RowPhoto[] }

const fetchingRows = statement<FetchingRow, [project: ProjectId, id: string, count: number]>(
  'list-fetching-rows',
  `select row, pet_id as "petId", photos
   from import_rows
   where project_id = $1 and import_id = $2 and is_fetching and pet_id is not null
   order by row
   limit $3`,
)

export const listFetching = (db: Db, project: ProjectId, id: string, count: number) =>
  db(fetchingRows, project, id, count)

const fetchedRow = statement<never, [project: ProjectId, id: string, row: number, photos: string, isFetching: boolean]>(
  'write-fetched-photos',
  `update import_rows
   set photos = $4, is_fetching = $5
   where project_id = $1 and import_id = $2 and row = $3`,
)

export const writeFetched = (db: Db, project: ProjectId, id: string, row: number, photos: readonly RowPhoto[]) => {
  const isFetching = photos.some(({ state }) => state === 'pending')
  return db(fetchedRow, project, id, row, JSON.stringify(photos), isFetching)
}

const lateHostsRow = statement<{ late: Record<string, number> }, [project: ProjectId, id: string]>(
  'find-late-hosts',
  `select late_hosts as late
   from imports
   where project_id = $1 and id = $2`,
)

/** How often each host took too long. */
export const lateHosts = async (db: Db, project: ProjectId, id: string) =>
  new Map(Object.entries((await db(lateHostsRow, project, id))[0]?.late ?? {}))

const lateHostRow = statement<never, [project: ProjectId, id: string, host: string]>(
  'count-late-host',
  `update imports
   set late_hosts = jsonb_set(late_hosts, array[$3::text], to_jsonb(coalesce((late_hosts ->> $3)::integer, 0) + 1))
   where project_id = $1 and id = $2`,
)

export const countLate = (db: Db, project: ProjectId, id: string, host: string) => db(lateHostRow, project, id, host)

const photoCountRows = statement<{ state: string; count: number }, [project: ProjectId, id: string]>(
  'count-import-photos',
  `select photo ->> 'state' as state, count(*)::integer as count
   from import_rows
   cross join lateral jsonb_array_elements(photos) as photo
   where project_id = $1 and import_id = $2 and photos <> '[]' and pet_id is not null
   group by 1`,
)

export const countPhotos = async (db: Db, project: ProjectId, id: string) =>
  new Map((await db(photoCountRows, project, id)).map(({ state, count }) => [state, count]))

const foreignPhotoRows = statement<{ id: bigint }, [project: ProjectId, pets: readonly bigint[], prefix: string]>(
  'find-other-photos',
  `select distinct pet_id as id
   from photos
   where project_id = $1 and pet_id = any ($2::bigint[]) and not starts_with(coalesce(idempotency_key, ''), $3)`,
)

/** Those of the animals that have photos which do not belong to the import. */
export const withOtherPhotos = async (db: Db, project: ProjectId, pets: readonly bigint[], prefix: string) =>
  new Set(pets.length === 0 ? [] : (await db(foreignPhotoRows, project, pets, prefix)).map(({ id }) => id))

const ownPhotoRows = statement<
  { pet: bigint; id: string },
  [project: ProjectId, pets: readonly bigint[], prefix: string]
>(
  'find-imported-photos',
  `select pet_id as pet, id
   from photos
   where project_id = $1 and pet_id = any ($2::bigint[]) and starts_with(coalesce(idempotency_key, ''), $3)`,
)

export const ownPhotos = async (db: Db, project: ProjectId, pets: readonly bigint[], prefix: string) =>
  pets.length === 0 ? [] : db(ownPhotoRows, project, pets, prefix)
