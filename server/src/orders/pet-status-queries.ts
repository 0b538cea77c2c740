// Queries for the animals that requests are for: their status, the lock that every change of a request takes first, and which
// of them have requests, for those who list or change many animals at once.

import type { Pet, PetStatus } from '@petstore-platform/contract/pets'
import { query, queryFirst, statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export { countOpen } from './order-queries.ts'

export const findStatus = query<{ status: PetStatus }, [project: ProjectId, petId: bigint], PetStatus | undefined>(
  'find-pet-status',
  `select status
   from pets
   where project_id = $1 and id = $2`,
  ([row]) => row?.status,
)

/** The animal that an order is for. */
export type LockedPet = Required<Pet> & { createdAt: Date }

/** The animal, locked until the transaction ends. */
export const lockPet = queryFirst<LockedPet, [project: ProjectId, petId: bigint]>(
  'lock-pet',
  `select id, name, category_id as "categoryId", status, created_at as "createdAt"
   from pets
   where project_id = $1 and id = $2
   for update`,
)

export const setPetStatus = query<never, [project: ProjectId, petId: bigint, status: PetStatus]>(
  'set-pet-status',
  `update pets
   set status = $3
   where project_id = $1 and id = $2`,
)

// One search of the primary key for each animal, whatever the planner expects.
/** The animals that exist, locked in the order of their ids: two transactions that lock many never deadlock. */
export const lockPets = query<LockedPet, [project: ProjectId, petIds: readonly bigint[]]>(
  'lock-pets',
  `select animal.*
   from (select distinct unnest($2::bigint[]) as id order by id) as wanted
   cross join lateral (
     select id, name, category_id as "categoryId", status, created_at as "createdAt"
     from pets
     where project_id = $1 and pets.id = wanted.id
     limit 1
     for update
   ) as animal
   order by wanted.id`,
)

// By their places, which are those of their ids while they are locked: joined by id, PostgreSQL may read all of a project.
/** Only while they are locked. */
export const setPetStatuses = query<never, [project: ProjectId, petIds: readonly bigint[], status: PetStatus]>(
  'set-pet-statuses',
  `update pets
   set status = $3
   from (
     select place
     from (select distinct unnest($2::bigint[]) as id) as wanted
     cross join lateral (
       select ctid as place
       from pets
       where project_id = $1 and pets.id = wanted.id
       limit 1
     ) as animal
   ) as found
   where project_id = $1 and ctid = found.place`,
)

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
