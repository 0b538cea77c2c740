// Queries for the site of a project, inside one project. A list scans a bounded number of
// animals, however many of them belong to categories that it does not show, and returns
// how far it has scanned.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { ShownAnimal } from '../deployments/content.ts'

/** `isEnd` marks the last scanned animal, because there may be more after it; it may not be shown itself. */
export type SeenAnimal = ShownAnimal & { isShown: boolean; isEnd: boolean }

/**
 * The categories and the maximum count. `only` null means every category but the hidden ones. `scanMax` if fewer are
 * scanned than for a list.
 */
export type Wanted = { hidden: readonly bigint[]; only: bigint | null; count: number; scanMax?: number }

const SCAN_MAX = 5000

/** If every animal is shown, no more are scanned than are wanted. */
const scanOf = ({ hidden, only, count, scanMax = SCAN_MAX }: Wanted) =>
  hidden.length === 0 && only === null ? count : scanMax

type ListValues = [
  project: ProjectId,
  from: bigint,
  scanMax: number,
  hidden: readonly bigint[],
  only: bigint | null,
  count: number,
]

// The condition on the status is a range, so that one index alone returns the animals in order.
const animalsBefore = statement<SeenAnimal, ListValues>(
  'site-animals-before',
  `select id, name, category_id as "categoryId", status, "isShown", n = $3 as "isEnd"
   from (
     select id, name, category_id, status, row_number() over (order by id desc) as n,
       category_id <> all ($4::bigint[]) and ($5::bigint is null or category_id = $5) as "isShown"
     from (
       select id, name, category_id, status
       from pets
       where project_id = $1 and status >= 'available' and (status, id) < ('available', $2::bigint)
       order by status desc, id desc
       limit $3
     ) as looked
   ) as numbered
   where "isShown" or n = $3
   order by id desc
   limit $6`,
)

/** Available ones that are older than the given one, newest first. */
export const listBefore = (db: Db, project: ProjectId, before: bigint, wanted: Wanted) =>
  db(animalsBefore, project, before, scanOf(wanted), wanted.hidden, wanted.only, wanted.count)

const animalsAfter = statement<SeenAnimal, ListValues>(
  'site-animals-after',
  `select id, name, category_id as "categoryId", status, "isShown", n = $3 as "isEnd"
   from (
     select id, name, category_id, status, row_number() over (order by id) as n,
       category_id <> all ($4::bigint[]) and ($5::bigint is null or category_id = $5) as "isShown"
     from (
       select id, name, category_id, status
       from pets
       where project_id = $1 and status <= 'available' and (status, id) > ('available', $2::bigint)
       order by status, id
       limit $3
     ) as looked
   ) as numbered
   where "isShown" or n = $3
   order by id
   limit $6`,
)

/** Available ones that are newer than the given one, oldest first. */
export const listAfter = (db: Db, project: ProjectId, after: bigint, wanted: Wanted) =>
  db(animalsAfter, project, after, scanOf(wanted), wanted.hidden, wanted.only, wanted.count)

/** Counting stops here: a number that no visitor would count is not worth a longer scan. */
export const COUNTED_MAX = 1000

const categoryCounts = statement<{ categoryId: bigint; count: number }, [project: ProjectId, limit: number]>(
  'site-category-counts',
  `select category_id as "categoryId", count(*)::int as count
   from (
     select category_id
     from pets
     where project_id = $1 and status = 'available'
     limit $2
   ) as counted
   group by category_id`,
)

/** Available ones by category, hidden ones too. More than COUNTED_MAX in all: there are more than were counted. */
export const countByCategory = (db: Db, project: ProjectId) => db(categoryCounts, project, COUNTED_MAX + 1)

const animalRow = statement<ShownAnimal, [project: ProjectId, id: bigint]>(
  'site-animal',
  `select id, name, category_id as "categoryId", status
   from pets
   where project_id = $1 and id = $2`,
)

export const findAnimal = async (db: Db, project: ProjectId, id: bigint) => (await db(animalRow, project, id))[0]

const secretRow = statement<{ secret: Buffer }, [project: ProjectId]>(
  'site-secret',
  `select secret
   from site_secrets
   where project_id = $1`,
)

export const findSecret = async (db: Db, project: ProjectId) => (await db(secretRow, project))[0]?.secret

const insertSecretRow = statement<never, [project: ProjectId, secret: Uint8Array]>(
  'insert-site-secret',
  `insert into site_secrets (project_id, secret)
   values ($1, $2)
   on conflict (project_id) do nothing`,
)

/** Of several concurrent calls the first one stores its secret; all of them return the same. */
export const secretOf = async (db: Db, project: ProjectId, made: Uint8Array): Promise<Buffer> => {
  const known = await findSecret(db, project)
  if (known) return known
  await db(insertSecretRow, project, made)
  const secret = await findSecret(db, project)
  if (!secret) throw new Error('a secret that was just made is not there')
  return secret
}
