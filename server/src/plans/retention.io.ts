// The functions of the schema for the daily upkeep of a project: what is old, or beyond what is kept, is removed, a bounded number of rows at a
// time. Row-level security lets none of them remove a valid key, an event of the last
// day, or a recent request.

import { extendDeadline, statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

type Removed = { removed: number }

const limitAuditRows = statement<Removed, [project: ProjectId, days: number, most: number, atMost: number]>(
  'limit-audit',
  `select limit_audit($1, $2, $3, $4) as removed`,
)

/** Keeps the newest, and none that is older than that. How many were removed. */
export const limitAudit = async (db: Db, project: ProjectId, days: number, most: number, atMost: number) =>
  (await db(limitAuditRows, project, days, most, atMost))[0]?.removed ?? 0

const limitEndedKeyRows = statement<Removed, [project: ProjectId, days: number, most: number]>(
  'limit-ended-keys',
  `select limit_ended_keys($1, $2, $3) as removed`,
)

export const limitEndedKeys = (db: Db, project: ProjectId, days: number, most: number) =>
  db(limitEndedKeyRows, project, days, most)

const limitImportRows = statement<Removed, [project: ProjectId, most: number, atMost: number]>(
  'limit-imports',
  `select limit_imports($1, $2, $3) as removed`,
)

/** Keeps the newest, and those that can still be undone. How many were removed. */
export const limitImports = async (db: Db, project: ProjectId, most: number, atMost: number) =>
  (await db(limitImportRows, project, most, atMost))[0]?.removed ?? 0

const limitRequestRows = statement<Removed, [project: ProjectId, most: number, atMost: number]>(
  'limit-requests',
  `select limit_requests($1, $2, $3) as removed`,
)

/** Keeps the newest of those that ended without an animal handed over. How many were removed. */
export const limitRequests = async (db: Db, project: ProjectId, most: number, atMost: number) =>
  (await db(limitRequestRows, project, most, atMost))[0]?.removed ?? 0

const forgetDomainRows = statement<Removed, [project: ProjectId, days: number, most: number, atMost: number]>(
  'forget-removed-domains',
  `select forget_removed_domains($1, $2, $3, $4) as removed`,
)

/**
 * Of the domains that were removed: keeps the newest, and none that is older than that. How many rows were removed, with
 * those of their history; 0 when none is left.
 */
export const forgetRemovedDomains = async (db: Db, project: ProjectId, days: number, most: number, atMost: number) =>
  (await db(forgetDomainRows, project, days, most, atMost))[0]?.removed ?? 0

const eraseRows = statement<{ removed: number | null }, [project: ProjectId, days: number, atMost: number]>(
  'erase-deleted-project',
  `select erase_deleted_project($1, $2, $3) as removed`,
)

/** How many rows were removed; undefined if the project was not deleted so many days ago. */
export const eraseDeletedProject = async (db: Db, project: ProjectId, days: number, atMost: number) =>
  (await db(eraseRows, project, days, atMost))[0]?.removed ?? undefined

export type Drift = { kind: string; counted: number; actual: number }

const recountByteRows = statement<Drift, [project: ProjectId]>(
  'recount-stored-bytes',
  `select kind, counted::float8 as counted, actual::float8 as actual
   from recount_stored_bytes($1)`,
)

/** Counts the bytes that a project stores again, and corrects them; what was counted wrongly. */
export const recountBytes = (db: Db, project: ProjectId) => db(recountByteRows, project)

/** A project with a hundred million animals takes longer than a request may. */
const COUNTING_SECONDS = 60

const recountRowRows = statement<Drift, [project: ProjectId]>(
  'recount-rows',
  `select kind, counted::float8 as counted, actual::float8 as actual
   from recount_rows($1)`,
)

/** The same for its animals, photos and idempotency keys. */
export const recountRows = async (db: Db, project: ProjectId) => {
  await extendDeadline(db, COUNTING_SECONDS)
  return db(recountRowRows, project)
}
