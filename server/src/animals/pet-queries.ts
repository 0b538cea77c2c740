// Queries for animals on `/v1`. Every query takes the project as its second argument and
// names it in its `where`. Another project's animal is not forbidden: it does not exist.

import type { NewPet, PetStatus } from '@petstore-platform/contract/pets'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

// The statements below serve many requests of many projects at once: the requests are arrays, and $1 are
// their projects. A statement begins by restricting itself to these projects; row-level security enforces
// that. The restriction is evaluated first, since the requests are read from it, and materialized: no plan,
// however odd, may search for an animal before. If one did, it would find no rows at all.
const allowed = `allowed as materialized (select set_config('petstore.projects', $1::text, true))`

// An animal as JSON text, letter by letter as `petJson` writes it.
const json = `format('{"id":%s,"name":%s,"categoryId":%s,"status":"%s"}', id, to_json(name), category_id, status)`

/** Animals of one request as JSON objects separated by commas, and their count. */
export type Listed = { json: string | null; count: number }

export type ListRequest = { project: ProjectId; before: bigint; count: number }

const listPets = statement<Listed, [projects: bigint[], befores: bigint[], counts: number[]]>(
  'list-pets',
  `with ${allowed}, asked as materialized (
     select project, before, count, n
     from allowed, unnest($1::bigint[], $2::bigint[], $3::integer[]) with ordinality as asked (project, before, count, n)
   )
   select page.json, page.count
   from asked
   cross join lateral (
     select string_agg(${json}, ',' order by id desc) as json, count(*)::integer as count
     from (
       select id, name, category_id, status
       from pets
       where project_id = asked.project and id < asked.before
       order by id desc
       limit asked.count
     ) as animals
   ) as page
   order by asked.n`,
)

/**
 * Newest first, paginated by key, not by offset: a page stays correct while animals are added. Each shape of
 * the filter is a statement of its own and is served by one range of one index.
 */
export const list = (run: Db, asks: readonly ListRequest[]) =>
  run(
    listPets,
    asks.map(({ project }) => project),
    asks.map(({ before }) => before),
    asks.map(({ count }) => count),
  )

export type ListByStatusRequest = ListRequest & { status: PetStatus }

// The same as `status = asked.status and id < asked.before`, written as a range that one index alone returns
// in order. Written plainly, PostgreSQL may assume that nearly every animal has that status, because nearly
// every animal of all projects has, and scan a whole project for the few that do.
const listPetsByStatus = statement<
  Listed,
  [projects: bigint[], befores: bigint[], counts: number[], statuses: PetStatus[]]
>(
  'list-pets-by-status',
  `with ${allowed}, asked as materialized (
     select project, before, count, status, n
     from allowed, unnest($1::bigint[], $2::bigint[], $3::integer[], $4::text[])
       with ordinality as asked (project, before, count, status, n)
   )
   select page.json, page.count
   from asked
   cross join lateral (
     select string_agg(${json}, ',' order by id desc) as json, count(*)::integer as count
     from (
       select id, name, category_id, status
       from pets
       where project_id = asked.project and status >= asked.status and (status, id) < (asked.status, asked.before)
       order by status desc, id desc
       limit asked.count
     ) as animals
   ) as page
   order by asked.n`,
)

export const listByStatus = (run: Db, asks: readonly ListByStatusRequest[]) =>
  run(
    listPetsByStatus,
    asks.map(({ project }) => project),
    asks.map(({ before }) => before),
    asks.map(({ count }) => count),
    asks.map(({ status }) => status),
  )

export type FindRequest = { project: ProjectId; id: bigint }

const findPets = statement<{ json: string | null }, [projects: bigint[], ids: bigint[]]>(
  'find-pets',
  `with ${allowed}, asked as materialized (
     select project, id, n
     from allowed, unnest($1::bigint[], $2::bigint[]) with ordinality as asked (project, id, n)
   )
   select animal.json
   from asked
   left join lateral (
     select ${json} as json
     from pets
     where project_id = asked.project and pets.id = asked.id
     limit 1
   ) as animal on true
   order by asked.n`,
)

export const find = (run: Db, asks: readonly FindRequest[]) =>
  run(
    findPets,
    asks.map(({ project }) => project),
    asks.map(({ id }) => id),
  )

export type InsertRequest = { project: ProjectId; pet: Required<NewPet> }

const insertPets = statement<
  { id: bigint },
  [projects: bigint[], names: string[], categoryIds: bigint[], statuses: PetStatus[]]
>(
  'insert-pets',
  `with ${allowed}, asked as materialized (
     select nextval('pet_ids') as id, project, name, category_id, status, n
     from allowed, unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
       with ordinality as asked (project, name, category_id, status, n)
   ), added as (
     insert into pets (project_id, id, name, category_id, status)
     select project, id, name, category_id, status
     from asked
   )
   select id
   from asked
   order by n`,
)

/** All or none; the assigned ids, in the order of the requests. */
export const insert = (run: Db, asks: readonly InsertRequest[]) =>
  run(
    insertPets,
    asks.map(({ project }) => project),
    asks.map(({ pet }) => pet.name),
    asks.map(({ pet }) => pet.categoryId),
    asks.map(({ pet }) => pet.status),
  )

/**
 * Does not wait for the lock: a concurrent request with the same key fails at once. Locked until the
 * transaction ends.
 */
export const tryIdempotencyKey = query<{ isFree: boolean }, [project: ProjectId, key: string], boolean>(
  'try-idempotency-key',
  `select pg_try_advisory_xact_lock(hashtextextended($2, $1)) as "isFree"`,
  ([row]) => row?.isFree === true,
)

export type EarlierAnswer = { fingerprint: Buffer; petId: bigint; answer: string }

export const earlierAnswer = queryFirst<EarlierAnswer, [project: ProjectId, key: string]>(
  'find-answer',
  `select fingerprint, pet_id as "petId", answer
   from idempotency
   where project_id = $1 and key = $2 and created_at >= now() - interval '24 hours'`,
)

const storeResponseRow = statement<
  never,
  [project: ProjectId, key: string, fingerprint: Buffer, petId: bigint, answer: string]
>(
  'store-response',
  `insert into idempotency (project_id, key, fingerprint, pet_id, answer)
   values ($1, $2, $3, $4, $5)
   on conflict (project_id, key) do update
   set fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, answer = excluded.answer, created_at = now()
   where idempotency.project_id = $1`,
)

export const storeResponse = (db: Db, project: ProjectId, key: string, earlier: EarlierAnswer) =>
  db(storeResponseRow, project, key, earlier.fingerprint, earlier.petId, earlier.answer)
