// Queries that read and write many animals at once, for imports and bulk changes. Every query takes the project as its second
// argument and names it in its `where`.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type PetRow = { id: bigint; name: string; categoryId: bigint; status: PetStatus }

// One search of the primary key for each animal. What is written is found by its place, which stays the same while the animal
// is locked: joined by id, PostgreSQL may read all of a project.
const readPetRows = statement<PetRow, [project: ProjectId, ids: readonly bigint[]]>(
  'read-imported-pets',
  `select animal.*
   from (select distinct unnest($2::bigint[]) as id) as wanted
   cross join lateral (
     select id, name, category_id as "categoryId", status
     from pets
     where project_id = $1 and pets.id = wanted.id
     limit 1
   ) as animal`,
)

const lockPetRows = statement<PetRow, [project: ProjectId, ids: readonly bigint[]]>(
  'lock-imported-pets',
  `select animal.*
   from (select distinct unnest($2::bigint[]) as id order by id) as wanted
   cross join lateral (
     select id, name, category_id as "categoryId", status
     from pets
     where project_id = $1 and pets.id = wanted.id
     limit 1
     for update
   ) as animal
   order by wanted.id`,
)

/** With `locks`, no request and no other change reaches them until the transaction ends. */
export const readPets = async (db: Db, project: ProjectId, ids: readonly bigint[], locks: boolean): Promise<PetRow[]> =>
  ids.length === 0 ? [] : db(locks ? lockPetRows : readPetRows, project, ids)

const ownerRows = statement<{ externalId: string; id: bigint }, [project: ProjectId, externalIds: readonly string[]]>(
  'find-external-ids',
  `select external_id as "externalId", pet_id as id
   from pet_profiles
   where project_id = $1 and external_id = any ($2::text[])`,
)

/** The animals that have them. */
export const ownersOf = async (db: Db, project: ProjectId, externalIds: readonly string[]) =>
  new Map(
    externalIds.length === 0
      ? []
      : (await db(ownerRows, project, externalIds)).map(({ externalId, id }) => [externalId, id]),
  )

// The arrays are unrolled side by side, row by row; without `from` there is nothing that could be read instead.
const insertPetRows = statement<
  never,
  [project: ProjectId, ids: bigint[], names: string[], categoryIds: bigint[], statuses: PetStatus[]]
>(
  'insert-imported-pets',
  `insert into pets (project_id, id, name, category_id, status)
   select $1::bigint, unnest($2::bigint[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[])`,
)

export const insertPets = async (db: Db, project: ProjectId, pets: readonly PetRow[]): Promise<void> => {
  if (pets.length === 0) return
  await db(
    insertPetRows,
    project,
    pets.map(({ id }) => id),
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => categoryId),
    pets.map(({ status }) => status),
  )
}

const updatePetRows = statement<never, [project: ProjectId, ids: bigint[], names: string[], categoryIds: bigint[]]>(
  'update-imported-pets',
  `update pets
   set name = found.new_name, category_id = found.new_category
   from (
     select place, new_name, new_category
     from unnest($2::bigint[], $3::text[], $4::bigint[]) as given (id, new_name, new_category)
     cross join lateral (
       select ctid as place
       from pets
       where project_id = $1 and pets.id = given.id
       limit 1
     ) as animal
   ) as found
   where project_id = $1 and ctid = found.place`,
)

/** Only while they are locked. Their status is not written here: the requests for them must fit it. */
export const updatePets = async (
  db: Db,
  project: ProjectId,
  pets: readonly Omit<PetRow, 'status'>[],
): Promise<void> => {
  if (pets.length === 0) return
  await db(
    updatePetRows,
    project,
    pets.map(({ id }) => id),
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => categoryId),
  )
}

const deletePetRows = statement<never, [project: ProjectId, ids: readonly bigint[]]>(
  'delete-imported-pets',
  `delete from pets
   using (
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

/** Only while they are locked. */
export const deletePets = async (db: Db, project: ProjectId, ids: readonly bigint[]): Promise<void> => {
  if (ids.length > 0) await db(deletePetRows, project, ids)
}
