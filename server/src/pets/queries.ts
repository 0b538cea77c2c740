// Every query takes the project as its second argument and names it in its
// `where`. Another project's animal is not forbidden: it does not exist.

import type { NewPet, Pet, PetStatus } from '@petstore/contract/pets'
import { statement, type Db } from '../foundation/postgres.ts'
import type { ProjectId } from '../projects/scope.ts'

const columns = `id, name, category_id as "categoryId", status`

export type StoredPet = Required<Pet>

const insertPet = statement<StoredPet, [project: ProjectId, name: string, categoryId: bigint, status: PetStatus]>(
  'insert-pet',
  `insert into pets (project_id, name, category_id, status)
   values ($1, $2, $3, $4)
   returning ${columns}`,
)

export const insert = async (db: Db, project: ProjectId, { name, categoryId, status }: Required<NewPet>) => {
  const [row] = await db(insertPet, project, name, categoryId, status)
  if (!row) throw new Error('an insert gave no row')
  return row
}

const findPet = statement<StoredPet, [project: ProjectId, id: bigint]>(
  'find-pet',
  `select ${columns}
   from pets
   where project_id = $1 and id = $2`,
)

export const find = async (db: Db, project: ProjectId, id: bigint) => (await db(findPet, project, id))[0]

const listPets = statement<StoredPet, [project: ProjectId, before: bigint, count: number]>(
  'list-pets',
  `select ${columns}
   from pets
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

// The same as `status = $4 and id < $2`, said as a range that one index alone can give in order. Said plainly,
// PostgreSQL may take it for granted that nearly every animal has that status, because nearly every animal of all
// projects has, and read through a whole project for the few that do.
const listPetsByStatus = statement<StoredPet, [project: ProjectId, before: bigint, count: number, status: PetStatus]>(
  'list-pets-by-status',
  `select ${columns}
   from pets
   where project_id = $1 and status >= $4 and (status, id) < ($4, $2)
   order by status desc, id desc
   limit $3`,
)

type Part = { status: PetStatus | undefined; before: bigint; count: number }

/**
 * Newest first, and on from a key, not from an offset: a page stays true while
 * animals are added. Each shape of the filter is a statement of its own and is
 * served by one range of one index.
 */
export const list = (db: Db, project: ProjectId, { status, before, count }: Part) =>
  status === undefined ? db(listPets, project, before, count) : db(listPetsByStatus, project, before, count, status)

const lockKey = statement<{ isFree: boolean }, [project: ProjectId, key: string]>(
  'lock-idempotency-key',
  `select pg_try_advisory_xact_lock(hashtextextended($2, $1)) as "isFree"`,
)

/** Tried and not awaited: whoever comes second is told so at once. Held until the transaction ends. */
export const tryIdempotencyKey = async (db: Db, project: ProjectId, key: string): Promise<boolean> =>
  (await db(lockKey, project, key))[0]?.isFree === true

export type EarlierAnswer = { fingerprint: Buffer; petId: bigint; answer: string }

const findAnswer = statement<EarlierAnswer, [project: ProjectId, key: string]>(
  'find-answer',
  `select fingerprint, pet_id as "petId", answer
   from idempotency
   where project_id = $1 and key = $2 and created_at >= now() - interval '24 hours'`,
)

export const earlierAnswer = async (db: Db, project: ProjectId, key: string) => (await db(findAnswer, project, key))[0]

const keepAnswer = statement<
  never,
  [project: ProjectId, key: string, fingerprint: Buffer, petId: bigint, answer: string]
>(
  'keep-answer',
  `insert into idempotency (project_id, key, fingerprint, pet_id, answer)
   values ($1, $2, $3, $4, $5)
   on conflict (project_id, key) do update
   set fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, answer = excluded.answer, created_at = now()
   where idempotency.project_id = $1`,
)

export const rememberAnswer = (db: Db, project: ProjectId, key: string, earlier: EarlierAnswer) =>
  db(keepAnswer, project, key, earlier.fingerprint, earlier.petId, earlier.answer)
