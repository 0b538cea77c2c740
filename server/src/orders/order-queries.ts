// Queries for the orders of a project and the animals they are for, inside one project.
// Writers lock the animal first and its order after it, never the other way round.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { PetStatus } from '@petstore-platform/contract/pets'
import {
  SILENT_EXPIRY_DAYS,
  orderStages,
  type OrderAnswer,
  type OrderDecline,
  type OrderMove,
  type OrderStage,
} from '@petstore-platform/contract/platform/orders'
import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { Profile } from '@petstore-platform/contract/platform/profiles'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import { readPets, type PetRow } from '../animals/many-animals-queries.ts'
import { publicPhotoOf } from '../photos/photo.ts'
import { coversOf } from '../photos/photo-queries.ts'
import { summariesOf } from '../animals/profile-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { OpenStage } from './lifecycle.ts'
import { holdFor, isObjection, movesOf, othersIn, type Clock, type Queued } from './moves.ts'
import { countNotes } from './note-queries.ts'

export type StoredOrder = { id: bigint; petId: bigint; status: OrderStatus; shipDate: Date | null; createdAt: Date }

const listOrders = statement<StoredOrder, [project: ProjectId, before: bigint, count: number]>(
  'list-orders',
  `select id, pet_id as "petId", status, ship_date as "shipDate", created_at as "createdAt"
   from orders
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

export const list = (db: Db, project: ProjectId, { before, count }: { before: bigint; count: number }) =>
  db(listOrders, project, before, count)

/** A request as it is stored, with nothing about its animal. */
export type StoredRequest = {
  id: bigint
  petId: bigint
  status: OrderStatus
  stage: OrderStage
  stageBefore: OpenStage | null
  isHolding: boolean
  heldUntil: Date | null
  visitAt: Date | null
  visitOffset: number
  visitPlace: string
  /** Without a text once the data of the visitor is erased. */
  decline: (Pick<OrderDecline, 'reason'> & Partial<OrderDecline>) | null
  visitorName: string
  visitorContact: string
  visitorPhone: string
  message: string
  answers: readonly OrderAnswer[]
  confirmedAt: Date | null
  language: string | null
  createdAt: Date
  expiresAt: Date | null
  decidedAt: Date | null
  decidedBy: string | null
  /** Null once it is too late. */
  undoUntil: Date | null
  /** When the data of the visitor was erased. */
  erasedAt: Date | null
  /** Null if the visitor erased it, or asked for it. */
  erasedAfterDays: number | null
  /** Whether it can still be reopened. */
  isRecent: boolean
}

/** An order as members see it: with its animal, its place in the queue, and what can be done with it. */
export type OrderRow = StoredRequest & {
  petName: string
  petStatus: PetStatus
  petCategoryId: bigint
  portrait: Profile['portrait']
  cover: PublicPhoto | null
  moves: readonly OrderMove[]
  position: number | null
  queueLength: number
  mayHold: boolean
  notes: number
}

const managedColumns = `id, pet_id as "petId", status, stage, stage_before as "stageBefore", is_holding as "isHolding",
     held_until as "heldUntil", visit_at as "visitAt", visit_offset as "visitOffset", visit_place as "visitPlace", decline,
     visitor_name as "visitorName", visitor_contact as "visitorContact",
     visitor_phone as "visitorPhone", message, answers, confirmed_at as "confirmedAt", language,
     created_at as "createdAt", expires_at as "expiresAt", decided_at as "decidedAt", decided_by as "decidedBy",
     case when undo_until > now() then undo_until end as "undoUntil", erased_at as "erasedAt",
     erased_after_days as "erasedAfterDays",
     erased_at is null and coalesce(decided_at > now() - make_interval(days => 30), false) as "isRecent"`

const listManagedOrders = statement<StoredRequest, [project: ProjectId, before: bigint, count: number]>(
  'list-managed-orders',
  `select ${managedColumns}
   from orders
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

// Each stage is a range, as in animals/pet-queries.ts, so that one index alone returns its rows in order.
const listManagedOrdersByStage = statement<
  StoredRequest,
  [project: ProjectId, before: bigint, count: number, stages: readonly OrderStage[]]
>(
  'list-managed-orders-by-stage',
  `select found.*
   from unnest($4::text[]) as wanted (stage) cross join lateral (
     select ${managedColumns}
     from orders
     where project_id = $1 and orders.stage >= wanted.stage and (orders.stage, id) < (wanted.stage, $2)
     order by orders.stage desc, id desc
     limit $3
   ) as found
   order by found.id desc
   limit $3`,
)

const listOrdersOfPet = statement<
  StoredRequest,
  [project: ProjectId, before: bigint, count: number, petId: bigint, stages: readonly OrderStage[]]
>(
  'list-orders-of-pet',
  `select ${managedColumns}
   from orders
   where project_id = $1 and pet_id = $4 and id < $2 and stage = any ($5::text[])
   order by id desc
   limit $3`,
)

export type ManagedPage = {
  before: bigint
  count: number
  /** All by default. */
  stages?: readonly OrderStage[] | undefined
  petId?: bigint | undefined
}

export const listManaged = async (db: Db, project: ProjectId, { before, count, stages, petId }: ManagedPage) => {
  const find = () => {
    if (petId !== undefined) return db(listOrdersOfPet, project, before, count, petId, stages ?? orderStages)
    if (stages === undefined) return db(listManagedOrders, project, before, count)
    return db(listManagedOrdersByStage, project, before, count, stages)
  }
  return shownRows(db, project, await find())
}

// The two ends are selects of their own, as in animals/animal-queries.ts.
const listOrdersByVisitor = statement<StoredRequest, [project: ProjectId, prefix: string, count: number]>(
  'list-orders-by-visitor',
  `select ${managedColumns}
   from orders
   where project_id = $1
     and visitor_key >= (select lower($2::text collate "pg_c_utf8"))
     and visitor_key < (select lower($2::text collate "pg_c_utf8") || repeat(chr(1114111), 101))
   order by visitor_key, id desc
   limit $3`,
)

/** Orders of visitors whose names begin with the prefix. */
export const listByVisitor = async (db: Db, project: ProjectId, prefix: string, count: number) =>
  shownRows(db, project, await db(listOrdersByVisitor, project, prefix, count))

const findManagedOrder = statement<StoredRequest, [project: ProjectId, id: bigint]>(
  'find-managed-order',
  `select ${managedColumns}
   from orders
   where project_id = $1 and id = $2`,
)

export const findManaged = async (db: Db, project: ProjectId, id: bigint): Promise<OrderRow | undefined> =>
  (await shownRows(db, project, await db(findManagedOrder, project, id)))[0]

const findOrderBySecret = statement<StoredRequest, [project: ProjectId, digest: Buffer]>(
  'find-order-by-secret',
  `select ${managedColumns}
   from orders
   where project_id = $1 and secret_digest = $2`,
)

/** The request whose status page has the secret with this digest. */
export const findBySecret = async (db: Db, project: ProjectId, digest: Buffer): Promise<OrderRow | undefined> =>
  (await shownRows(db, project, await db(findOrderBySecret, project, digest)))[0]

const findPetsOf = async (
  db: Db,
  project: ProjectId,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, PetRow>> =>
  new Map((await readPets(db, project, petIds, false)).map((pet) => [pet.id, pet]))

/** By id; an animal that does not exist has no name. */
export const findPetNames = async (
  db: Db,
  project: ProjectId,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> =>
  new Map([...(await findPetsOf(db, project, petIds)).values()].map(({ id, name }) => [id, name]))

const listQueueRows = statement<Queued, [project: ProjectId, petIds: bigint[]]>(
  'list-queues',
  `select id, pet_id as "petId", is_holding as "isHolding"
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and stage in ('new', 'talking', 'visit', 'approved')
   order by id`,
)

/** Separate queries instead of joins, so that a test can show that each project filter is needed. */
async function shownRows(db: Db, project: ProjectId, rows: readonly StoredRequest[]): Promise<OrderRow[]> {
  if (rows.length === 0) return []
  const petIds = [...new Set(rows.map(({ petId }) => petId))]
  const ids = rows.map(({ id }) => id)
  const [pets, summaries, covers, queued, notes] = await Promise.all([
    findPetsOf(db, project, petIds),
    summariesOf(db, project, petIds),
    coversOf(db, project, petIds),
    db(listQueueRows, project, petIds),
    countNotes(db, project, ids),
  ])
  const queues = Map.groupBy(queued, ({ petId }) => petId)
  return rows.map((row) => {
    const pet = pets.get(row.petId)
    const petStatus = pet?.status ?? 'sold'
    const queue = queues.get(row.petId) ?? []
    const situation = { ...row, petStatus, ...othersIn(queue, row.id) }
    const cover = covers.get(row.petId)
    const position = queue.findIndex(({ id }) => id === row.id) + 1
    return {
      ...row,
      petName: pet?.name ?? '',
      petStatus,
      petCategoryId: pet?.categoryId ?? 0n,
      portrait: summaries.get(row.petId)?.portrait ?? null,
      cover: cover ? publicPhotoOf(cover) : null,
      moves: movesOf(situation),
      position: position === 0 ? null : position,
      queueLength: queue.length,
      mayHold: !isObjection(holdFor(situation)),
      notes: notes.get(row.id) ?? 0,
    }
  })
}

/** The animal of an order never changes, so it may be read before anything is locked. */
export const findPetOf = query<{ petId: bigint }, [project: ProjectId, id: bigint], bigint | undefined>(
  'find-pet-of-order',
  `select pet_id as "petId"
   from orders
   where project_id = $1 and id = $2`,
  ([row]) => row?.petId,
)

const lockedColumns = `id, pet_id as "petId", stage, stage_before as "stageBefore", is_holding as "isHolding",
     erased_at is null and coalesce(decided_at > now() - make_interval(days => 30), false) as "isRecent",
     extract(epoch from held_until - now())::float8 as "holdSeconds",
     extract(epoch from expires_at - now())::float8 as "expirySeconds",
     reminded_at is not null as "isReminded"`

/** A request, locked until the transaction ends. */
export type LockedOrder = Queued & Clock & { stage: OrderStage; stageBefore: OpenStage | null; isRecent: boolean }

export const lockOrder = queryFirst<LockedOrder, [project: ProjectId, id: bigint]>(
  'lock-order',
  `select ${lockedColumns}
   from orders
   where project_id = $1 and id = $2
   for update`,
)

/** The queues of these animals, in order. */
export const lockOpenOrders = query<LockedOrder, [project: ProjectId, petIds: readonly bigint[]]>(
  'lock-open-orders',
  `select ${lockedColumns}
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and stage in ('new', 'talking', 'visit', 'approved')
   order by id
   for update`,
)

const countOpenRows = statement<{ petId: bigint; count: number }, [project: ProjectId, petIds: readonly bigint[]]>(
  'count-open-orders',
  `select pet_id as "petId", count(*)::integer as count
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and stage in ('new', 'talking', 'visit', 'approved')
   group by pet_id`,
)

/** The number of people who are asking for each of these animals. */
export const countOpen = async (
  db: Db,
  project: ProjectId,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> =>
  new Map((await db(countOpenRows, project, petIds)).map(({ petId, count }) => [petId, count]))

/** The open requests of the project; no more than `most` are counted. */
export const countAllOpen = query<{ count: number }, [project: ProjectId, most: number], number>(
  'count-all-open-orders',
  `select count(*)::integer as count
   from (
     select
     from orders
     where project_id = $1 and stage in ('new', 'talking', 'visit', 'approved')
     limit $2
   ) as open`,
  ([row]) => row?.count ?? 0,
)

export type NewOrder = {
  petId: bigint
  name: string
  contact: string
  phone?: string | undefined
  message: string
  answers?: readonly OrderAnswer[] | undefined
  confirmedAt?: Date | undefined
  secretDigest?: Buffer | undefined
  language?: string | undefined
  /** Undefined if the animal is not held. */
  holdDays?: number | undefined
}

const insertOrderRow = statement<
  LockedOrder,
  [
    project: ProjectId,
    petId: bigint,
    name: string,
    contact: string,
    message: string,
    answers: string,
    confirmedAt: Date | undefined,
    secretDigest: Buffer | undefined,
    language: string | undefined,
    holdDays: number | undefined,
    expiryDays: number,
    phone: string,
  ]
>(
  'insert-order',
  `insert into orders (project_id, pet_id, status, stage, visitor_name, visitor_contact, message, answers, confirmed_at,
     secret_digest, language, is_holding, held_until, expires_at, visitor_phone)
   values ($1, $2, 'placed', 'new', $3, $4, $5, $6::jsonb, $7, $8, $9, $10::integer is not null,
     now() + make_interval(days => $10), now() + make_interval(days => $11), $12)
   returning ${lockedColumns}`,
)

export const insert = async (db: Db, project: ProjectId, order: NewOrder): Promise<LockedOrder> => {
  const { petId, name, contact, message, answers = [], confirmedAt, secretDigest, language, holdDays } = order
  const texts = [name, contact, message, JSON.stringify(answers)] as const
  const rest = [confirmedAt, secretDigest, language, holdDays, SILENT_EXPIRY_DAYS, order.phone ?? ''] as const
  const [row] = await db(insertOrderRow, project, petId, ...texts, ...rest)
  if (!row) throw new Error('an order that was just written is not there')
  return row
}
