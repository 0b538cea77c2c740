// Counts for the overview of a project, inside one project. A count reads a range of one
// index and stops at a bound, so it costs the same for every large project.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { PetStatus } from '@petstore-platform/contract/pets'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

// The status as a range that one index alone returns in order; animals/pet-queries.ts explains why.
/** Counts at most `most`. */
export const countAnimals = query<{ count: number }, [project: ProjectId, status: PetStatus, most: number], number>(
  'count-animals-by-status',
  `select count(*)::integer as count
   from (
     select id
     from pets
     where project_id = $1 and status >= $2 and (status, id) < ($2, 9223372036854775807)
     order by status desc, id desc
     limit $3
   ) as counted`,
  ([row]) => row?.count ?? 0,
)

const countOrderRows = statement<{ count: number }, [project: ProjectId, status: OrderStatus, most: number]>(
  'count-orders-by-status',
  `select count(*)::integer as count
   from (
     select id
     from orders
     where project_id = $1 and status >= $2 and (status, id) < ($2, 9223372036854775807)
     order by status desc, id desc
     limit $3
   ) as counted`,
)

/** Those that are not decided and those that are approved; counts at most `most`. */
export const countOpenOrders = async (db: Db, project: ProjectId, most: number): Promise<number> => {
  const counts = await Promise.all(
    (['placed', 'approved'] as const).map(
      async (status) => (await db(countOrderRows, project, status, most))[0]?.count,
    ),
  )
  return Math.min(
    most,
    counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
  )
}

/** The animals of the open orders that were placed since then, newest first; at most `most`. */
export const openOrdersSince = query<{ petId: bigint }, [project: ProjectId, since: Date, most: number], bigint[]>(
  'open-orders-since',
  `select pet_id as "petId"
   from (
     select id, pet_id, created_at
     from orders
     where project_id = $1 and status >= 'placed' and (status, id) < ('placed', 9223372036854775807)
     order by status desc, id desc
     limit $3
   ) as newest
   where created_at >= $2
   order by id desc`,
  (rows) => rows.map(({ petId }) => petId),
)

/** Among the newest `most` requests whose animal was handed over. */
export const countSalesSince = query<{ count: number }, [project: ProjectId, since: Date, most: number], number>(
  'count-sales-since',
  `select count(*)::integer as count
   from (
     select decided_at
     from orders
     where project_id = $1 and status >= 'delivered' and (status, id) < ('delivered', 9223372036854775807)
     order by status desc, id desc
     limit $3
   ) as newest
   where decided_at >= $2`,
  ([row]) => row?.count ?? 0,
)

export type HistoryRow = { daysAgo: number; orders: number; homes: number }

/** By day, among the newest `most` orders; all that is older than `days` is one row. */
export const countByDay = query<HistoryRow, [project: ProjectId, days: number, most: number]>(
  'count-orders-by-day',
  `select
     least(greatest((now() at time zone 'UTC')::date - (at at time zone 'UTC')::date, 0), $2::integer) as "daysAgo",
     (count(*) filter (where is_order))::integer as orders,
     (count(*) filter (where not is_order))::integer as homes
   from (
     select
       unnest(array[
         created_at,
         case when status = 'delivered' then coalesce(decided_at, created_at) end
       ]) as at,
       unnest(array[true, false]) as is_order
     from (
       select status, created_at, decided_at
       from orders
       where project_id = $1
       order by id desc
       limit $3
     ) as newest
   ) as happened
   where at is not null
   group by 1
   order by 1`,
)
