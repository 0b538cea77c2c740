// Queries for named categories. Every query takes the project as its second argument and
// names it in its `where`. Animals may carry other categories too.

import { query, queryFirst, queryAny } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type CategoryRow = { id: bigint; name: string }

/** Until the transaction ends, so that a count made after it stays correct. */
export const lockCategories = query<{ locked: unknown }, [project: ProjectId]>(
  'lock-categories',
  `select pg_advisory_xact_lock(hashtextextended('categories', $1)) as locked`,
)

export const countCategories = query<{ count: number }, [project: ProjectId], number>(
  'count-categories',
  `select count(*)::integer as count
   from categories
   where project_id = $1`,
  ([row]) => row?.count ?? 0,
)

export const listCategories = query<CategoryRow, [project: ProjectId, count: number]>(
  'list-categories',
  `select id, name
   from categories
   where project_id = $1
   order by name, id
   limit $2`,
)

export const findCategory = queryFirst<CategoryRow, [project: ProjectId, id: bigint]>(
  'find-category',
  `select id, name
   from categories
   where project_id = $1 and id = $2`,
)

/** Undefined if the next identifier was given a name before it was assigned: then try again. */
export const insertCategory = queryFirst<CategoryRow, [project: ProjectId, name: string]>(
  'insert-category',
  `insert into categories (project_id, name)
   values ($1, $2)
   on conflict (project_id, id) do nothing
   returning id, name`,
)

export const nameCategory = query<never, [project: ProjectId, id: bigint, name: string]>(
  'name-category',
  `insert into categories (project_id, id, name)
   values ($1, $2, $3)
   on conflict (project_id, id) do update
   set name = excluded.name
   where categories.project_id = $1`,
)

// The order is there for the query plan alone: without it PostgreSQL may expect an early match and scan the
// whole store, although an index has the row.
export const isCategoryCarried = queryAny<[project: ProjectId, id: bigint]>(
  'find-carried',
  `select id
   from pets
   where project_id = $1 and category_id = $2
   order by status, name_key, id
   limit 1`,
)

export const removeCategory = queryFirst<{ name: string }, [project: ProjectId, id: bigint]>(
  'delete-category',
  `delete from categories
   where project_id = $1 and id = $2
   returning name`,
)
