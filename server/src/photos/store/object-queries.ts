// Queries for objects that PostgreSQL stores, inside one project.

import type { StoredObject } from '../../foundation/objects.ts'
import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

const insertRow = statement<{ key: string }, [project: ProjectId, key: string, bytes: Buffer]>(
  'insert-object',
  `insert into objects (project_id, key, bytes)
   values ($1, $2, $3)
   on conflict (project_id, key) do nothing
   returning key`,
)

/** False if the key is taken. */
export const insert = async (db: Db, project: ProjectId, key: string, bytes: Buffer): Promise<boolean> =>
  (await db(insertRow, project, key, bytes)).length > 0

const findRow = statement<{ bytes: Buffer }, [project: ProjectId, key: string]>(
  'find-object',
  `select bytes
   from objects
   where project_id = $1 and key = $2`,
)

export const find = async (db: Db, project: ProjectId, key: string) => (await db(findRow, project, key))[0]?.bytes

const deleteRow = statement<{ key: string }, [project: ProjectId, key: string]>(
  'delete-object',
  `delete from objects
   where project_id = $1 and key = $2
   returning key`,
)

export const remove = (db: Db, project: ProjectId, key: string) => db(deleteRow, project, key)

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
