// Queries for what a project stores: bytes besides its photos, and rows of which it may have many. Triggers count them in
// the transaction of what is written; here they are read.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { CountedRows } from './plan-rules.ts'
import type { ProjectId } from './scope.io.ts'

const sumRow = statement<{ bytes: number }, [project: ProjectId]>(
  'sum-stored-usage',
  `select coalesce(sum(bytes), 0)::float8 as bytes
   from stored_usage
   where project_id = $1`,
)

export const storedBytes = async (db: Db, project: ProjectId): Promise<number> =>
  (await db(sumRow, project))[0]?.bytes ?? 0

const sumRows = statement<{ rows: number }, [project: ProjectId, kind: CountedRows]>(
  'sum-row-counts',
  `select coalesce(sum(rows), 0)::float8 as rows
   from row_counts
   where project_id = $1 and kind = $2`,
)

export const countedRows = async (db: Db, project: ProjectId, kind: CountedRows): Promise<number> =>
  (await db(sumRows, project, kind))[0]?.rows ?? 0
