// Queries for the animals that requests are for: their status, and the lock that every change of
// a request takes first.

import type { Pet, PetStatus } from '@petstore-platform/contract/pets'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

const findPetStatus = statement<{ status: PetStatus }, [project: ProjectId, petId: bigint]>(
  'find-pet-status',
  `select status
   from pets
   where project_id = $1 and id = $2`,
)

export const findStatus = async (db: Db, project: ProjectId, petId: bigint): Promise<PetStatus | undefined> =>
  (await db(findPetStatus, project, petId))[0]?.status

/** The animal that an order is for. */
export type LockedPet = Required<Pet> & { createdAt: Date }

const lockPetRow = statement<LockedPet, [project: ProjectId, petId: bigint]>(
  'lock-pet',
  `select id, name, category_id as "categoryId", status, created_at as "createdAt"
   from pets
   where project_id = $1 and id = $2
   for update`,
)

/** The animal, locked until the transaction ends. */
export const lockPet = async (db: Db, project: ProjectId, petId: bigint) => (await db(lockPetRow, project, petId))[0]

const setPetStatusRow = statement<never, [project: ProjectId, petId: bigint, status: PetStatus]>(
  'set-pet-status',
  `update pets
   set status = $3
   where project_id = $1 and id = $2`,
)

export const setPetStatus = (db: Db, project: ProjectId, petId: bigint, status: PetStatus) =>
  db(setPetStatusRow, project, petId, status)

const lockPetRows = statement<LockedPet, [project: ProjectId, petIds: readonly bigint[]]>(
  'lock-pets',
  `select id, name, category_id as "categoryId", status, created_at as "createdAt"
   from pets
   where project_id = $1 and id = any ($2::bigint[])
   order by id
   for update`,
)

/** The animals that exist, locked in the order of their ids: two transactions that lock many never deadlock. */
export const lockPets = (db: Db, project: ProjectId, petIds: readonly bigint[]) => db(lockPetRows, project, petIds)

const setPetStatusRows = statement<never, [project: ProjectId, petIds: readonly bigint[], status: PetStatus]>(
  'set-pet-statuses',
  `update pets
   set status = $3
   where project_id = $1 and id = any ($2::bigint[])`,
)

export const setPetStatuses = (db: Db, project: ProjectId, petIds: readonly bigint[], status: PetStatus) =>
  db(setPetStatusRows, project, petIds, status)
