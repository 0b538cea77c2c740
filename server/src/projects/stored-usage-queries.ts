// Queries for the bytes that a project stores besides its photos. Triggers count them in the transaction of what is
// written; here they are read.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from './scope.io.ts'

const sumRow = statement<{ bytes: number }, [project: ProjectId]>(
  'sum-stored-usage',
  `select coalesce(sum(bytes), 0)::float8 as bytes
   from stored_usage
   where project_id = $1`,
)

export const storedBytes = async (db: Db, project: ProjectId): Promise<number> =>
  (await db(sumRow, project))[0]?.bytes ?? 0
