// Queries for what a project stores: bytes besides its photos, and rows of which it may have many. Triggers count them in
// the transaction of what is written; here they are read.

import { query } from '../foundation/postgres/postgres.io.ts'
import type { CountedRows } from './plan-rules.ts'
import type { ProjectId } from './scope.io.ts'

export const storedBytes = query<{ bytes: number }, [project: ProjectId], number>(
  'sum-stored-usage',
  `select coalesce(sum(bytes), 0)::float8 as bytes
   from stored_usage
   where project_id = $1`,
  ([row]) => row?.bytes ?? 0,
)

export const countedRows = query<{ rows: number }, [project: ProjectId, kind: CountedRows], number>(
  'sum-row-counts',
  `select coalesce(sum(rows), 0)::float8 as rows
   from row_counts
   where project_id = $1 and kind = $2`,
  ([row]) => row?.rows ?? 0,
)
