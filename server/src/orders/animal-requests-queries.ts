// Which animals have requests, for those who list or change many animals at once. Every query takes the project as its second
// argument and names it in its `where`.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export { countOpen } from './order-queries.ts'

const openRows = statement<{ id: bigint }, [project: ProjectId, pets: readonly bigint[]]>(
  'animals-with-open-requests',
  `select distinct pet_id as id
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and status in ('placed', 'approved')`,
)

/** Of the animals. Nothing changes that as long as they are locked. */
export const withOpenRequests = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Set(pets.length === 0 ? [] : (await db(openRows, project, pets)).map(({ id }) => id))

const sinceRows = statement<{ id: bigint }, [project: ProjectId, pets: readonly bigint[], since: Date]>(
  'animals-requested-since',
  `select distinct pet_id as id
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and created_at >= $3`,
)

export const requestedSince = async (db: Db, project: ProjectId, pets: readonly bigint[], since: Date) =>
  new Set(pets.length === 0 ? [] : (await db(sinceRows, project, pets, since)).map(({ id }) => id))
