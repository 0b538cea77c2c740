// Queries for imports and their parts. Every query takes the project as its second
// argument and names it in its `where`.

import type {
  BadLine,
  ImportReading,
  ImportState,
  ImportTable,
  ImportValue,
  OnBadLine,
  OutcomeCounts,
} from '@petstore-platform/contract/platform/import-shapes'
import type { NewPet, PetStatus } from '@petstore-platform/contract/pets'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { ImportChange, Kept, ValueDecision } from './changes.ts'

/** As it is listed. */
export type ImportRow = {
  id: string
  state: ImportState
  onBadLine: OnBadLine
  parts: number | null
  lines: bigint
  added: bigint
  bad: bigint
  badLines: BadLine[]
  reason: string | null
  createdAt: Date
  finishedAt: Date | null
  isReviewed: boolean
  fileName: string | null
  changed: bigint
  undoUntil: Date | null
  /** Whether that time is over. */
  isOver: boolean
}

const columns = `id, state, on_bad_line as "onBadLine", parts, lines, added, bad, bad_lines as "badLines", reason,
     created_at as "createdAt", finished_at as "finishedAt", is_reviewed as "isReviewed", file_name as "fileName", changed,
     case when state = 'succeeded' and is_reviewed then finished_at + interval '7 days' end as "undoUntil",
     coalesce(finished_at < now() - interval '7 days', false) as "isOver"`

/** With what was read and decided, which may be large. */
export type WholeImport = ImportRow & {
  sheet: string | null
  contents: ImportTable | null
  reading: ImportReading | null
  decisions: ValueDecision[]
  matches: ImportValue[]
  counts: OutcomeCounts | null
  madeCategories: bigint[]
  kept: Kept[]
  keptCount: bigint
  createdBy: AccountId
  /** Since it was created; a transaction may be as long as the import. */
  ageSeconds: number
  /** Since a member last did something, or it succeeded. */
  idleSeconds: number
}

const all = `${columns}, sheet, contents, reading, decisions, matches, counts, made_categories as "madeCategories", kept,
     kept_count as "keptCount", created_by as "createdBy",
     extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds",
     extract(epoch from now() - touched_at)::float8 as "idleSeconds"`

export type NewImport = {
  id: string
  onBadLine: OnBadLine
  createdBy: string
  isReviewed: boolean
  fileName: string | undefined
}

const insertRow = statement<
  ImportRow,
  [
    project: ProjectId,
    id: string,
    onBadLine: OnBadLine,
    createdBy: string,
    isReviewed: boolean,
    fileName: string | undefined,
  ]
>(
  'insert-import',
  `insert into imports (project_id, id, on_bad_line, created_by, is_reviewed, file_name)
   values ($1, $2, $3, $4, $5, $6)
   returning ${columns}`,
)

export const insert = async (db: Db, project: ProjectId, made: NewImport) => {
  const { id, onBadLine, createdBy, isReviewed, fileName } = made
  const [row] = await db(insertRow, project, id, onBadLine, createdBy, isReviewed, fileName)
  if (!row) throw new Error('an insert gave no row')
  return row
}

const lockRows = statement<{ locked: unknown }, [project: ProjectId]>(
  'lock-imports',
  `select pg_advisory_xact_lock(hashtextextended('imports', $1)) as locked`,
)

const countOpenRows = statement<{ count: number }, [project: ProjectId]>(
  'count-open-imports',
  `select count(*)::integer as count
   from imports
   where project_id = $1 and finished_at is null`,
)

/** Until the transaction ends no other request begins one in this project. */
export const countOpen = async (db: Db, project: ProjectId): Promise<number> => {
  await db(lockRows, project)
  return (await db(countOpenRows, project))[0]?.count ?? 0
}

export const find = queryFirst<WholeImport, [project: ProjectId, id: string]>(
  'find-import',
  `select ${all}
   from imports
   where project_id = $1 and id = $2`,
)

/** No other step is taken until the transaction ends. */
export const lock = queryFirst<WholeImport, [project: ProjectId, id: string]>(
  'lock-import',
  `select ${all}
   from imports
   where project_id = $1 and id = $2
   for update`,
)

/** The state, which stays until the transaction ends. Parts can still be uploaded side by side. */
export const holdState = query<{ state: ImportState }, [project: ProjectId, id: string], ImportState | undefined>(
  'hold-import',
  `select state
   from imports
   where project_id = $1 and id = $2
   for share`,
  ([row]) => row?.state,
)

/** The columns that a step may change, besides times. */
const written = `state, parts, sheet, contents, reading, decisions, matches, counts, on_bad_line, lines, added, changed, bad,
     bad_lines, reason, made_categories, kept, kept_count`

// What the step does not name stays as it is.
const writeRow = statement<
  never,
  [project: ProjectId, id: string, columns: string, isEnd: boolean, isTouched: boolean]
>(
  'write-import',
  `update imports
   set (${written}) = (select ${written} from jsonb_populate_record(imports, $3::jsonb)),
     finished_at = case when $4 then now() else finished_at end,
     touched_at = case when $5 then now() else touched_at end
   where project_id = $1 and id = $2`,
)

/** For advance.io.ts alone; the import is locked. */
export const write = (db: Db, project: ProjectId, id: string, { columns: changed, isEnd, isTouched }: ImportChange) =>
  db(writeRow, project, id, JSON.stringify(changed), isEnd, isTouched)

export const list = query<ImportRow, [project: ProjectId, count: number]>(
  'list-imports',
  `select ${columns}
   from imports
   where project_id = $1
   order by created_at desc, id desc
   limit $2`,
)

export const putPart = query<never, [project: ProjectId, id: string, number: number, bytes: Buffer]>(
  'put-import-part',
  `insert into import_parts (project_id, import_id, number, bytes)
   values ($1, $2, $3, $4)
   on conflict (project_id, import_id, number) do update
   set bytes = excluded.bytes
   where import_parts.project_id = $1`,
)

/** Of the parts that have arrived. */
export const bytesOf = query<{ bytes: number }, [project: ProjectId, id: string], number>(
  'sum-import-parts',
  `select coalesce(sum(octet_length(bytes)), 0)::float8 as bytes
   from import_parts
   where project_id = $1 and import_id = $2`,
  ([row]) => row?.bytes ?? 0,
)

/** `count` bytes of a part, or its remainder; the first byte is 1. Undefined if there is no such part. */
export const readPart = query<
  { bytes: Buffer },
  [project: ProjectId, id: string, number: number, from: number, count: number],
  Buffer | undefined
>(
  'read-import-part',
  `select substring(bytes from $4 for $5) as bytes
   from import_parts
   where project_id = $1 and import_id = $2 and number = $3`,
  ([row]) => row?.bytes,
)

export const missingParts = query<
  { number: number },
  [project: ProjectId, id: string, parts: number, count: number],
  number[]
>(
  'missing-import-parts',
  `select number
   from (select generate_series(1, $3::integer) as number) as wanted
   where not exists (
     select 1
     from import_parts
     where project_id = $1 and import_id = $2 and import_parts.number = wanted.number
   )
   order by number
   limit $4`,
  (rows) => rows.map(({ number }) => number),
)

export const partBeyond = query<
  { number: number },
  [project: ProjectId, id: string, parts: number],
  number | undefined
>(
  'excess-import-parts',
  `select number
   from import_parts
   where project_id = $1 and import_id = $2 and number > $3
   order by number
   limit 1`,
  ([row]) => row?.number,
)

export const deleteParts = query<{ number: number }, [project: ProjectId, id: string, from: number, to: number]>(
  'delete-import-parts',
  `delete from import_parts
   where project_id = $1 and import_id = $2 and number >= $3 and number < $4
   returning number`,
)

export const lastPart = query<{ number: number }, [project: ProjectId, id: string], number | undefined>(
  'last-import-part',
  `select number
   from import_parts
   where project_id = $1 and import_id = $2
   order by number desc
   limit 1`,
  ([row]) => row?.number,
)

// The arrays are unrolled side by side, row by row; without `from` there is nothing that could be read instead.
const addRows = statement<never, [project: ProjectId, names: string[], categoryIds: bigint[], statuses: PetStatus[]]>(
  'add-imported-pets',
  `insert into pets (project_id, name, category_id, status)
   select $1::bigint, unnest($2::text[]), unnest($3::bigint[]), unnest($4::text[])`,
)

export const addPets = (db: Db, project: ProjectId, pets: readonly Required<NewPet>[]) =>
  db(
    addRows,
    project,
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => categoryId),
    pets.map(({ status }) => status),
  )

const lateHostsRow = statement<{ late: Record<string, number> }, [project: ProjectId, id: string]>(
  'find-late-hosts',
  `select late_hosts as late
   from imports
   where project_id = $1 and id = $2`,
)

/** How often each host took too long. */
export const lateHosts = async (db: Db, project: ProjectId, id: string) =>
  new Map(Object.entries((await db(lateHostsRow, project, id))[0]?.late ?? {}))

export const countLate = query<never, [project: ProjectId, id: string, host: string]>(
  'count-late-host',
  `update imports
   set late_hosts = jsonb_set(late_hosts, array[$3::text], to_jsonb(coalesce((late_hosts ->> $3)::integer, 0) + 1))
   where project_id = $1 and id = $2`,
)
