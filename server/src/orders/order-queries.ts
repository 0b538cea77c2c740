// Queries for the orders of a project and the animals they are for, inside one project.
// Writers lock the animal first and its order after it, never the other way round.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { Pet, PetStatus } from '@petstore-platform/contract/pets'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

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

/** An order as members see it. */
export type OrderRow = {
  id: bigint
  petId: bigint
  petName: string
  status: OrderStatus
  visitorName: string
  visitorContact: string
  message: string
  createdAt: Date
  expiresAt: Date | null
  decidedAt: Date | null
  decidedBy: string | null
}

type NamelessOrder = Omit<OrderRow, 'petName'>

const managedColumns = `id, pet_id as "petId", status, visitor_name as "visitorName",
     visitor_contact as "visitorContact", message, created_at as "createdAt", expires_at as "expiresAt",
     decided_at as "decidedAt", decided_by as "decidedBy"`

const listManagedOrders = statement<NamelessOrder, [project: ProjectId, before: bigint, count: number]>(
  'list-managed-orders',
  `select ${managedColumns}
   from orders
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

// Written as a range, as in pets/pet-queries.ts, so that one index alone returns the rows in order.
const listManagedOrdersByStatus = statement<
  NamelessOrder,
  [project: ProjectId, before: bigint, count: number, status: OrderStatus]
>(
  'list-managed-orders-by-status',
  `select ${managedColumns}
   from orders
   where project_id = $1 and status >= $4 and (status, id) < ($4, $2)
   order by status desc, id desc
   limit $3`,
)

export type ManagedPage = { before: bigint; count: number; status: OrderStatus | undefined }

export const listManaged = async (db: Db, project: ProjectId, { before, count, status }: ManagedPage) => {
  const rows = await (status === undefined
    ? db(listManagedOrders, project, before, count)
    : db(listManagedOrdersByStatus, project, before, count, status))
  return named(db, project, rows)
}

// The two ends are selects of their own, as in pets/animal-queries.ts.
const listOrdersByVisitor = statement<NamelessOrder, [project: ProjectId, prefix: string, count: number]>(
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
  named(db, project, await db(listOrdersByVisitor, project, prefix, count))

const findManagedOrder = statement<NamelessOrder, [project: ProjectId, id: bigint]>(
  'find-managed-order',
  `select ${managedColumns}
   from orders
   where project_id = $1 and id = $2`,
)

export const findManaged = async (db: Db, project: ProjectId, id: bigint): Promise<OrderRow | undefined> =>
  (await named(db, project, await db(findManagedOrder, project, id)))[0]

const findPetNameRows = statement<{ id: bigint; name: string }, [project: ProjectId, petIds: bigint[]]>(
  'find-pet-names',
  `select id, name
   from pets
   where project_id = $1 and id = any ($2::bigint[])`,
)

/** By id; an animal that does not exist has no name. */
export const findPetNames = async (
  db: Db,
  project: ProjectId,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> =>
  new Map((await db(findPetNameRows, project, [...new Set(petIds)])).map(({ id, name }) => [id, name]))

/** A separate query instead of a join, so that a test can show that each project filter is needed. */
async function named(db: Db, project: ProjectId, rows: readonly NamelessOrder[]): Promise<OrderRow[]> {
  if (rows.length === 0) return []
  const names = await findPetNames(
    db,
    project,
    rows.map(({ petId }) => petId),
  )
  return rows.map((row) => ({ ...row, petName: names.get(row.petId) ?? '' }))
}

const findPetOfOrder = statement<{ petId: bigint }, [project: ProjectId, id: bigint]>(
  'find-pet-of-order',
  `select pet_id as "petId"
   from orders
   where project_id = $1 and id = $2`,
)

/** The animal of an order never changes, so it may be read before anything is locked. */
export const findPetOf = async (db: Db, project: ProjectId, id: bigint): Promise<bigint | undefined> =>
  (await db(findPetOfOrder, project, id))[0]?.petId

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

/** `secondsLeft` is null without an end. */
export type LockedOrder = { id: bigint; status: OrderStatus; secondsLeft: number | null }

const lockOrderRow = statement<LockedOrder, [project: ProjectId, id: bigint]>(
  'lock-order',
  `select id, status, extract(epoch from expires_at - now())::float8 as "secondsLeft"
   from orders
   where project_id = $1 and id = $2
   for update`,
)

export const lockOrder = async (db: Db, project: ProjectId, id: bigint) => (await db(lockOrderRow, project, id))[0]

const lockPlacedOrderRow = statement<LockedOrder, [project: ProjectId, petId: bigint]>(
  'lock-placed-order',
  `select id, status, extract(epoch from expires_at - now())::float8 as "secondsLeft"
   from orders
   where project_id = $1 and pet_id = $2 and status = 'placed'
   for update`,
)

/** The open order for this animal, if there is one. */
export const lockPlacedOrder = async (db: Db, project: ProjectId, petId: bigint) =>
  (await db(lockPlacedOrderRow, project, petId))[0]

const lockPlacedOrderRows = statement<LockedOrder & { petId: bigint }, [project: ProjectId, petIds: readonly bigint[]]>(
  'lock-placed-orders',
  `select id, pet_id as "petId", status, extract(epoch from expires_at - now())::float8 as "secondsLeft"
   from orders
   where project_id = $1 and pet_id = any ($2::bigint[]) and status = 'placed'
   order by id
   for update`,
)

/** The open orders for these animals. */
export const lockPlacedOrders = (db: Db, project: ProjectId, petIds: readonly bigint[]) =>
  db(lockPlacedOrderRows, project, petIds)

export type NewOrder = {
  petId: bigint
  status: OrderStatus
  name: string
  contact: string
  message: string
  /** The number of seconds for which the animal is held. */
  hold: number
}

const insertOrderRow = statement<
  { id: bigint },
  [
    project: ProjectId,
    petId: bigint,
    status: OrderStatus,
    name: string,
    contact: string,
    message: string,
    seconds: number,
  ]
>(
  'insert-order',
  `insert into orders (project_id, pet_id, status, visitor_name, visitor_contact, message, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
   on conflict (project_id, pet_id) where status = 'placed' do nothing
   returning id`,
)

/** The id of the order; undefined if the animal has an open order already. */
export const insert = async (db: Db, project: ProjectId, order: NewOrder): Promise<bigint | undefined> => {
  const { petId, status, name, contact, message, hold } = order
  return (await db(insertOrderRow, project, petId, status, name, contact, message, hold))[0]?.id
}

const decideOrderRow = statement<never, [project: ProjectId, id: bigint, status: OrderStatus, by: string]>(
  'decide-order',
  `update orders
   set status = $3, decided_at = now(), decided_by = $4
   where project_id = $1 and id = $2`,
)

export const decide = (db: Db, project: ProjectId, id: bigint, status: OrderStatus, by: string) =>
  db(decideOrderRow, project, id, status, by)
