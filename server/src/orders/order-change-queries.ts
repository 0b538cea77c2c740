// Queries that change a request, keep what it was before, and restore that.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { PetStatus } from '@petstore-platform/contract/pets'
import { SILENT_EXPIRY_DAYS, type OrderDecline, type OrderStage } from '@petstore-platform/contract/platform/orders'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { OpenStage } from './lifecycle.ts'
import type { RequestChange } from './moves.ts'
import type { LockedOrder } from './order-queries.ts'
import type { VisitTime } from './visit-time.ts'

/** As in order-queries.ts. */
const lockedColumns = `id, pet_id as "petId", stage, stage_before as "stageBefore", is_holding as "isHolding",
     erased_at is null and coalesce(decided_at > now() - make_interval(days => 30), false) as "isRecent",
     extract(epoch from held_until - now())::float8 as "holdSeconds",
     extract(epoch from expires_at - now())::float8 as "expirySeconds",
     reminded_at is not null as "isReminded"`

/** The columns that a change of a request may touch, as they are before it. */
const columnsBefore = `jsonb_build_object('status', status, 'stage', stage, 'stage_before', stage_before,
     'is_holding', is_holding, 'held_until', held_until, 'visit_at', visit_at, 'visit_offset', visit_offset,
     'visit_place', visit_place, 'decline', decline,
     'ship_date', ship_date, 'expires_at', expires_at, 'reminded_at', reminded_at,
     'decided_at', decided_at, 'decided_by', decided_by)`

/** What an undo needs to know beside the columns of the request. */
export type UndoDetail = { pet: [before: PetStatus, after: PetStatus]; closed: string[]; mails: string[] }

export type OrderWrite = Pick<RequestChange, 'stage' | 'stageBefore' | 'isHolding'> & {
  status: OrderStatus
  /** From now on; null leaves the end of the hold as it is. */
  holdDays: number | null
  /** Undefined leaves it as it is. */
  visit: (VisitTime & { place: string }) | undefined
  /** Null unless the request is declined now, with a reason. */
  decline: OrderDecline | null
  actor: string
  /** True if the time of silence begins now. */
  isHeard: boolean
  /** Null if the change cannot be undone. */
  undo: UndoDetail | null
  /** Null if it is undone with another one. */
  undoSeconds: number | null
}

const writeOrderRow = statement<
  LockedOrder,
  [
    project: ProjectId,
    id: bigint,
    status: OrderStatus,
    stage: OrderStage,
    stageBefore: OpenStage | null,
    isHolding: boolean,
    holdDays: number | null,
    visitAt: Date | null,
    visitPlace: string,
    actor: string,
    isHeard: boolean,
    expiryDays: number,
    undo: string | null,
    undoSeconds: number | null,
    visitOffset: number,
    decline: string | null,
  ]
>(
  'write-order',
  `update orders
   set status = $3, stage = $4, stage_before = $5, is_holding = $6,
     held_until = case
       when not $6 then null
       when $7::integer is null then held_until
       else now() + make_interval(days => $7)
     end,
     visit_at = coalesce($8, visit_at),
     visit_place = case when $8::timestamptz is null then visit_place else $9 end,
     visit_offset = case when $8::timestamptz is null then visit_offset else $15 end,
     decline = $16::jsonb,
     ship_date = case when stage = $4 then ship_date when $4 = 'completed' then now() end,
     decided_at = case when stage = $4 then decided_at when $3 <> 'placed' then now() end,
     decided_by = case when stage = $4 then decided_by when $3 <> 'placed' then $10 end,
     expires_at = case
       when $4 not in ('new', 'talking') then null
       when $11 then now() + make_interval(days => $12)
       else expires_at
     end,
     reminded_at = case when $11 then null else reminded_at end,
     undo = $13::jsonb || jsonb_build_object('before', ${columnsBefore}),
     undo_until = now() + make_interval(secs => $14)
   where project_id = $1 and id = $2
   returning ${lockedColumns}`,
)

export const write = async (db: Db, project: ProjectId, id: bigint, order: OrderWrite): Promise<LockedOrder> => {
  const { status, stage, stageBefore, isHolding, holdDays, visit, decline, actor, isHeard, undo, undoSeconds } = order
  const [row] = await db(
    writeOrderRow,
    project,
    id,
    status,
    stage,
    stageBefore,
    isHolding,
    holdDays,
    visit?.at ?? null,
    visit?.place ?? '',
    actor,
    isHeard,
    SILENT_EXPIRY_DAYS,
    undo && JSON.stringify(undo),
    undoSeconds,
    visit?.offset ?? 0,
    decline && JSON.stringify(decline),
  )
  if (!row) throw new Error('an order that is locked is not there')
  return row
}

export const noteReminder = queryFirst<LockedOrder, [project: ProjectId, id: bigint]>(
  'note-order-reminder',
  `update orders
   set reminded_at = now()
   where project_id = $1 and id = $2
   returning ${lockedColumns}`,
)

export type Undoable = UndoDetail & { before: { stage: OrderStage; is_holding: boolean } }

// By the clock, not by the beginning of the transaction: it may have waited for the animal.
/** Undefined if there is nothing to undo, or it is too late. */
export const findUndo = query<{ undo: Undoable }, [project: ProjectId, id: bigint], Undoable | undefined>(
  'find-undo',
  `select undo
   from orders
   where project_id = $1 and id = $2 and undo_until > clock_timestamp()`,
  ([row]) => row?.undo,
)

/** As they were before their last change; those that have changed since are left alone. */
export const restore = query<LockedOrder, [project: ProjectId, ids: readonly bigint[]]>(
  'restore-orders',
  `update orders
   set (status, stage, stage_before, is_holding, held_until, visit_at, visit_offset, visit_place, decline, ship_date,
     expires_at, reminded_at, decided_at, decided_by, undo, undo_until) = (
       select b.status, b.stage, b.stage_before, b.is_holding, b.held_until, b.visit_at, b.visit_offset, b.visit_place,
         b.decline, b.ship_date, b.expires_at, b.reminded_at, b.decided_at, b.decided_by, null::jsonb, null::timestamptz
       from jsonb_populate_record(null::orders, undo -> 'before') as b
     )
   where project_id = $1 and id = any ($2::bigint[]) and undo is not null
   returning ${lockedColumns}`,
)
