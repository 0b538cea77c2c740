// Queries for named categories. Every query takes the project as its second argument and
// names it in its `where`. Animals may carry other categories too.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type CategoryRow = { id: bigint; name: string }

const lockCategoryRows = statement<{ locked: unknown }, [project: ProjectId]>(
  'lock-categories',
  `select pg_advisory_xact_lock(hashtextextended('categories', $1)) as locked`,
)

/** Until the transaction ends, so that a count made after it stays correct. */
export const lockCategories = (db: Db, project: ProjectId) => db(lockCategoryRows, project)

const countCategoryRows = statement<{ count: number }, [project: ProjectId]>(
  'count-categories',
  `select count(*)::integer as count
   from categories
   where project_id = $1`,
)

export const countCategories = async (db: Db, project: ProjectId) =>
  (await db(countCategoryRows, project))[0]?.count ?? 0

const listCategoryRows = statement<CategoryRow, [project: ProjectId, count: number]>(
  'list-categories',
  `select id, name
   from categories
   where project_id = $1
   order by name, id
   limit $2`,
)

export const listCategories = (db: Db, project: ProjectId, count: number) => db(listCategoryRows, project, count)

const findCategoryRow = statement<CategoryRow, [project: ProjectId, id: bigint]>(
  'find-category',
  `select id, name
   from categories
   where project_id = $1 and id = $2`,
)

export const findCategory = async (db: Db, project: ProjectId, id: bigint) =>
  (await db(findCategoryRow, project, id))[0]

const insertCategoryRow = statement<CategoryRow, [project: ProjectId, name: string]>(
  'insert-category',
  `insert into categories (project_id, name)
   values ($1, $2)
   on conflict (project_id, id) do nothing
   returning id, name`,
)

/** Undefined if the next identifier was given a name before it was assigned: then try again. */
export const insertCategory = async (db: Db, project: ProjectId, name: string) =>
  (await db(insertCategoryRow, project, name))[0]

const nameCategoryRow = statement<never, [project: ProjectId, id: bigint, name: string]>(
  'name-category',
  `insert into categories (project_id, id, name)
   values ($1, $2, $3)
   on conflict (project_id, id) do update
   set name = excluded.name
   where categories.project_id = $1`,
)

export const nameCategory = (db: Db, project: ProjectId, id: bigint, name: string) =>
  db(nameCategoryRow, project, id, name)

// The order is there for the query plan alone: without it PostgreSQL may expect an early match and scan the
// whole store, although an index has the row.
const carriedRow = statement<{ id: bigint }, [project: ProjectId, id: bigint]>(
  'find-carried',
  `select id
   from pets
   where project_id = $1 and category_id = $2
   order by status, name_key, id
   limit 1`,
)

export const isCategoryCarried = async (db: Db, project: ProjectId, id: bigint) =>
  (await db(carriedRow, project, id)).length > 0

const deleteCategoryRow = statement<{ name: string }, [project: ProjectId, id: bigint]>(
  'delete-category',
  `delete from categories
   where project_id = $1 and id = $2
   returning name`,
)

export const removeCategory = async (db: Db, project: ProjectId, id: bigint) =>
  (await db(deleteCategoryRow, project, id))[0]
