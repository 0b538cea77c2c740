// Queries that erase what a visitor entered, and what members noted about the visitor.

import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

const eraseVisitorRows = statement<never, [project: ProjectId, ids: readonly bigint[], days: number | null]>(
  'erase-visitors',
  `update orders
   set visitor_name = '', visitor_contact = '', visitor_phone = '', message = '', answers = '[]', visit_place = '', visit_at = null,
     decline = decline - 'text',
     secret_digest = null, undo = null, undo_until = null, erased_at = now(), erased_after_days = $3
   where project_id = $1 and id = any ($2::bigint[])`,
)

const eraseNoteRows = statement<never, [project: ProjectId, orderIds: readonly bigint[]]>(
  'erase-notes',
  `delete from order_notes
   where project_id = $1 and order_id = any ($2::bigint[])`,
)

/** Of these requests; `afterDays` is null if the visitor wants it. */
export const eraseVisitors = async (
  db: Db,
  project: ProjectId,
  ids: readonly bigint[],
  afterDays: number | null,
): Promise<void> => {
  await db(eraseVisitorRows, project, ids, afterDays)
  await db(eraseNoteRows, project, ids)
}

export type EndedOrder = { id: bigint; petId: bigint }

// Completed requests are kept until erasure is requested. A request that another transaction has locked waits for the
// next sweep: the holder of the lock may reopen it, and locks are taken here in another order.
/** Those that ended without a home so many days ago and are not erased, at most so many. */
export const lockEnded = query<EndedOrder, [project: ProjectId, days: number, count: number]>(
  'lock-ended-orders',
  `select id, pet_id as "petId"
   from orders
   where project_id = $1 and stage in ('declined', 'withdrawn', 'closed', 'expired') and erased_at is null
     and coalesce(decided_at, created_at) <= now() - make_interval(days => $2)
   order by coalesce(decided_at, created_at)
   limit $3
   for update skip locked`,
)

/** When the first of those ended that are not erased; undefined if there is none. */
export const firstEnd = query<{ endedAt: Date | null }, [project: ProjectId], Date | undefined>(
  'first-ended-order',
  `select min(coalesce(decided_at, created_at)) as "endedAt"
   from orders
   where project_id = $1 and stage in ('declined', 'withdrawn', 'closed', 'expired') and erased_at is null`,
  ([row]) => row?.endedAt ?? undefined,
)
