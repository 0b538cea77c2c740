// Queries for imports that are reviewed: their steps, and their rows. Every query takes the project as its second argument
// and names it in its `where`. A step is taken only from the states that it follows.

import type {
  ImportReading,
  ImportState,
  ImportTable,
  ImportValue,
  ImportValues,
  KeptReason,
  OnBadLine,
  OutcomeCounts,
  RowChange,
  RowOutcome,
  RowPhoto,
  RowProblem,
} from '@petstore-platform/contract/platform/import-shapes'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type ValueDecision = ImportValues['values'][number]
/** `id`: an identifier as text, since JSON has no integers of 64 bits. */
export type Kept = { id: string; name: string; reason: KeptReason }

export type ReviewRow = {
  state: ImportState
  isReviewed: boolean
  parts: number | null
  sheet: string | null
  onBadLine: OnBadLine
  contents: ImportTable | null
  reading: ImportReading | null
  decisions: ValueDecision[]
  matches: ImportValue[]
  counts: OutcomeCounts | null
  madeCategories: bigint[]
  kept: Kept[]
  keptCount: bigint
  finishedAt: Date | null
  createdBy: AccountId
  /** Since a member last did something. */
  idleSeconds: number
}

const columns = `state, is_reviewed as "isReviewed", parts, sheet, on_bad_line as "onBadLine", contents, reading, decisions,
  matches, counts, made_categories as "madeCategories", kept, kept_count as "keptCount", finished_at as "finishedAt",
  created_by as "createdBy", extract(epoch from now() - touched_at)::float8 as "idleSeconds"`

const findRow = statement<ReviewRow, [project: ProjectId, id: string]>(
  'find-reviewed-import',
  `select ${columns}
   from imports
   where project_id = $1 and id = $2`,
)

export const find = async (db: Db, project: ProjectId, id: string) => (await db(findRow, project, id))[0]

const lockRow = statement<ReviewRow, [project: ProjectId, id: string]>(
  'lock-reviewed-import',
  `select ${columns}
   from imports
   where project_id = $1 and id = $2
   for update`,
)

/** No other step is taken until the transaction ends. */
export const lock = async (db: Db, project: ProjectId, id: string) => (await db(lockRow, project, id))[0]

const beginRow = statement<never, [project: ProjectId, id: string, parts: number, sheet: string | undefined]>(
  'read-reviewed-import',
  `update imports
   set state = 'reading', parts = $3, sheet = $4, contents = null, reading = null, decisions = '[]', matches = '[]',
     counts = null, reason = null, lines = 0, touched_at = now()
   where project_id = $1 and id = $2`,
)

export const beginReading = (db: Db, project: ProjectId, id: string, parts: number, sheet: string | undefined) =>
  db(beginRow, project, id, parts, sheet)

const tableRow = statement<
  { id: string },
  [project: ProjectId, id: string, contents: string, reading: string, lines: number]
>(
  'write-import-table',
  `update imports
   set state = 'mapping', contents = $3, reading = $4, lines = $5
   where project_id = $1 and id = $2 and state = 'reading'
   returning id`,
)

/** False if the import has been discarded in the meantime. */
export const writeTable = async (
  db: Db,
  project: ProjectId,
  id: string,
  contents: ImportTable,
  reading: ImportReading,
): Promise<boolean> =>
  (await db(tableRow, project, id, JSON.stringify(contents), JSON.stringify(reading), contents.rows)).length > 0

const stepRow = statement<
  never,
  [project: ProjectId, id: string, contents: string, reading: string, decisions: string, state: ImportState]
>(
  'judge-reviewed-import',
  `update imports
   set state = $6, contents = $3, reading = $4, decisions = $5, reason = null, touched_at = now()
   where project_id = $1 and id = $2`,
)

export type Understanding = { contents: ImportTable; reading: ImportReading; decisions: readonly ValueDecision[] }

/** What it is judged by from now on. */
export const beginJudging = (db: Db, project: ProjectId, id: string, { contents, reading, decisions }: Understanding) =>
  db(stepRow, project, id, JSON.stringify(contents), JSON.stringify(reading), JSON.stringify(decisions), 'judging')

const judgedRow = statement<
  { id: string },
  [project: ProjectId, id: string, matches: string, counts: string, bad: number]
>(
  'write-judged-import',
  `update imports
   set state = 'reviewing', matches = $3, counts = $4, bad = $5
   where project_id = $1 and id = $2 and state = 'judging'
   returning id`,
)

export const writeJudged = async (
  db: Db,
  project: ProjectId,
  id: string,
  matches: readonly ImportValue[],
  counts: OutcomeCounts,
): Promise<boolean> =>
  (await db(judgedRow, project, id, JSON.stringify(matches), JSON.stringify(counts), counts.problem)).length > 0

const countsRow = statement<never, [project: ProjectId, id: string, counts: string, bad: number]>(
  'count-reviewed-import',
  `update imports
   set counts = $3, bad = $4, touched_at = now()
   where project_id = $1 and id = $2`,
)

export const writeCounts = (db: Db, project: ProjectId, id: string, counts: OutcomeCounts) =>
  db(countsRow, project, id, JSON.stringify(counts), counts.problem)

const applyRow = statement<never, [project: ProjectId, id: string, onBadLine: OnBadLine]>(
  'apply-reviewed-import',
  `update imports
   set state = 'running', on_bad_line = $3, reason = null, touched_at = now()
   where project_id = $1 and id = $2`,
)

export const beginApplying = (db: Db, project: ProjectId, id: string, onBadLine: OnBadLine) =>
  db(applyRow, project, id, onBadLine)

const setStateRow = statement<never, [project: ProjectId, id: string, state: ImportState, reason: string | null]>(
  'set-reviewed-import',
  `update imports
   set state = $3, reason = $4, touched_at = now(),
     finished_at = case when $3 in ('failed', 'discarded') then now() else finished_at end
   where project_id = $1 and id = $2`,
)

/** The caller has locked it, and knows that the step is allowed. */
export const setState = (db: Db, project: ProjectId, id: string, state: ImportState, reason: string | null = null) =>
  db(setStateRow, project, id, state, reason)

const appliedRow = statement<
  never,
  [project: ProjectId, id: string, added: number, changed: number, counts: string, categories: bigint[]]
>(
  'finish-reviewed-import',
  `update imports
   set state = 'succeeded', added = $3, changed = $4, counts = $5, made_categories = $6, finished_at = now(),
     touched_at = now()
   where project_id = $1 and id = $2`,
)

export type Applied = { added: number; changed: number; counts: OutcomeCounts; madeCategories: bigint[] }

export const writeApplied = (db: Db, project: ProjectId, id: string, done: Applied) =>
  db(appliedRow, project, id, done.added, done.changed, JSON.stringify(done.counts), done.madeCategories)

const undoneRow = statement<never, [project: ProjectId, id: string, kept: string, keptCount: number]>(
  'undone-import',
  `update imports
   set state = 'undone', kept = $3, kept_count = $4
   where project_id = $1 and id = $2`,
)

export const writeUndone = (db: Db, project: ProjectId, id: string, kept: readonly Kept[], count: number) =>
  db(undoneRow, project, id, JSON.stringify(kept), count)

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

const deleteRowRows = statement<never, [project: ProjectId, id: string]>(
  'delete-import-rows',
  `delete from import_rows
   where project_id = $1 and import_id = $2`,
)

export const deleteRows = (db: Db, project: ProjectId, id: string) => db(deleteRowRows, project, id)

const readRowRows = statement<StoredRow, [project: ProjectId, id: string, after: number, count: number]>(
  'read-import-rows',
  `select row, cells, outcome
   from import_rows
   where project_id = $1 and import_id = $2 and row > $3
   order by row
   limit $4`,
)

export const readRows = (db: Db, project: ProjectId, id: string, after: number, count: number) =>
  db(readRowRows, project, id, after, count)

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

const putCellRow = statement<
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

/** A row may end before the column. The row as it is now, with the outcome that it had; undefined if there is none. */
export const putCell = async (db: Db, project: ProjectId, id: string, row: number, column: number, value: string) =>
  (await db(putCellRow, project, id, row, column, value))[0]

const findRowRow = statement<ShownRow, [project: ProjectId, id: string, row: number]>(
  'find-import-row',
  `select ${shownColumns}
   from import_rows
   where project_id = $1 and import_id = $2 and row = $3`,
)

export const findShownRow = async (db: Db, project: ProjectId, id: string, row: number) =>
  (await db(findRowRow, project, id, row))[0]
