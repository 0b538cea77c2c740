// Queries for objects that PostgreSQL stores, inside one project.

import type { StoredObject } from '../../foundation/objects.ts'
import { statement, query, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

/** False if the key is taken. */
export const insert = queryAny<[project: ProjectId, key: string, bytes: Buffer]>(
  'insert-object',
  `insert into objects (project_id, key, bytes)
   values ($1, $2, $3)
   on conflict (project_id, key) do nothing
   returning key`,
)

export const find = query<{ bytes: Buffer }, [project: ProjectId, key: string], Buffer | undefined>(
  'find-object',
  `select bytes
   from objects
   where project_id = $1 and key = $2`,
  ([row]) => row?.bytes,
)

export const remove = query<{ key: string }, [project: ProjectId, key: string]>(
  'delete-object',
  `delete from objects
   where project_id = $1 and key = $2
   returning key`,
)

// No key has a character behind the tilde.
const listRows = statement<
  Omit<StoredObject, 'storedAt'> & { storedAt: Date },
  [project: ProjectId, prefix: string, after: string, count: number]
>(
  'list-objects',
  `select key, created_at as "storedAt", octet_length(bytes) as size
   from objects
   where project_id = $1 and key >= $2 and key < $2 || '~' and key > $3
   order by key
   limit $4`,
)

export const list = async (
  db: Db,
  project: ProjectId,
  prefix: string,
  after: string,
  count: number,
): Promise<StoredObject[]> =>
  (await db(listRows, project, prefix, after, count)).map((row) => ({ ...row, storedAt: row.storedAt.getTime() }))
