// Queries about the rows of a reviewed import: their cells, how they were judged, and what they remember of the animals that
// they added or changed. Every query takes the project as its second argument and names it in its `where`.

import type { RowChange, RowOutcome, RowPhoto, RowProblem } from '@petstore-platform/contract/platform/import-shapes'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type StoredRow = { row: number; cells: string[]; outcome: RowOutcome | null }

const addRowRows = statement<never, [project: ProjectId, id: string, rows: string]>(
  'add-import-rows',
  `insert into import_rows (project_id, import_id, row, cells)
   select $1::bigint, $2::text, given.row, given.cells
   from jsonb_to_recordset($3::jsonb) as given (row integer, cells jsonb)`,
)

export const addRows = (
  db: Db,
  project: ProjectId,
  id: string,
  rows: readonly { row: number; cells: readonly string[] }[],
) => db(addRowRows, project, id, JSON.stringify(rows))

export const deleteRows = query<never, [project: ProjectId, id: string]>(
  'delete-import-rows',
  `delete from import_rows
   where project_id = $1 and import_id = $2`,
)

export const readRows = query<StoredRow, [project: ProjectId, id: string, after: number, count: number]>(
  'read-import-rows',
  `select row, cells, outcome
   from import_rows
   where project_id = $1 and import_id = $2 and row > $3
   order by row
   limit $4`,
)

export type JudgedRow = {
  row: number
  outcome: RowOutcome
  petId: string | null
  problems: readonly RowProblem[]
  changes: readonly RowChange[]
  photos: readonly RowPhoto[]
}

const judgeRowRows = statement<never, [project: ProjectId, id: string, rows: string]>(
  'judge-import-rows',
  `update import_rows
   set outcome = given.outcome, pet_id = given."petId", problems = given.problems, changes = given.changes,
     photos = given.photos
   from jsonb_to_recordset($3::jsonb)
     as given (row integer, outcome text, "petId" bigint, problems jsonb, changes jsonb, photos jsonb)
   where import_rows.project_id = $1 and import_id = $2 and import_rows.row = given.row`,
)

export const judgeRows = (db: Db, project: ProjectId, id: string, rows: readonly JudgedRow[]) =>
  db(judgeRowRows, project, id, JSON.stringify(rows))

export type ShownRow = {
  row: number
  outcome: RowOutcome
  petId: bigint | null
  cells: string[]
  problems: RowProblem[]
  changes: RowChange[]
  photos: RowPhoto[]
}

const shownColumns = `row, outcome, pet_id as "petId", cells, problems, changes, photos`

const listRowRows = statement<ShownRow, [project: ProjectId, id: string, after: number, count: number]>(
  'list-import-rows',
  `select ${shownColumns}
   from import_rows
   where project_id = $1 and import_id = $2 and row > $3 and outcome is not null
   order by row
   limit $4`,
)

const listOutcomeRows = statement<
  ShownRow,
  [project: ProjectId, id: string, after: number, count: number, outcome: RowOutcome]
>(
  'list-import-rows-by-outcome',
  `select ${shownColumns}
   from import_rows
   where project_id = $1 and import_id = $2 and outcome = $5 and row > $3
   order by row
   limit $4`,
)

export type RowsWanted = { after: number; count: number; outcome: RowOutcome | undefined }

export const listRows = (db: Db, project: ProjectId, id: string, { after, count, outcome }: RowsWanted) =>
  outcome === undefined
    ? db(listRowRows, project, id, after, count)
    : db(listOutcomeRows, project, id, after, count, outcome)

/** A row may end before the column. The row as it is now, with the outcome that it had; undefined if there is none. */
export const putCell = queryFirst<
  { cells: string[]; outcome: RowOutcome | null },
  [project: ProjectId, id: string, row: number, column: number, value: string]
>(
  'put-import-cell',
  `update import_rows
   set cells = jsonb_set(
     cells || (select coalesce(jsonb_agg(''::text), '[]') from generate_series(jsonb_array_length(cells), $4::integer)),
     array[($4::integer)::text], to_jsonb($5::text))
   where project_id = $1 and import_id = $2 and row = $3
   returning cells, outcome`,
)

export const findShownRow = queryFirst<ShownRow, [project: ProjectId, id: string, row: number]>(
  'find-import-row',
  `select ${shownColumns}
   from import_rows
   where project_id = $1 and import_id = $2 and row = $3`,
)

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

/** Those that added or changed an animal. */
export const listWritten = query<WrittenRow, [project: ProjectId, id: string, after: number, count: number]>(
  'list-written-rows',
  `select row, pet_id as "petId", outcome, before, after
   from import_rows
   where project_id = $1 and import_id = $2 and row > $3 and after is not null and pet_id is not null
   order by row
   limit $4`,
)

export type FetchingRow = { row: number; petId: bigint; photos: RowPhoto[] }

export const listFetching = query<FetchingRow, [project: ProjectId, id: string, count: number]>(
  'list-fetching-rows',
  `select row, pet_id as "petId", photos
   from import_rows
   where project_id = $1 and import_id = $2 and is_fetching and pet_id is not null
   order by row
   limit $3`,
)

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
