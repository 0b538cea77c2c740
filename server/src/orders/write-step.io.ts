// Writes what a change of a request means: the request, the others that it closes, the animal, the
// timers, the audit events and the mails. Only the files that decide about requests use it, inside
// a transaction that has locked the animal.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { AuditAction } from '@petstore-platform/contract/platform/audit'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { UNDO_SECONDS, type OrderDecline } from '@petstore-platform/contract/platform/orders'
import { newId } from '../foundation/ids.io.ts'
import { clearTimer, setTimer } from '../foundation/postgres/timer-leases.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { MailQueue } from '../mail/kinds.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Member } from '../projects/membership.io.ts'
import { memberNotifier } from '../projects/notify.io.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { scheduleErasure } from './erasure.io.ts'
import { isOpen, statusOf, type OrderFact } from './lifecycle.ts'
import type { VisitorMailKind } from './mails.ts'
import * as moves from './moves.ts'
import { isObjection, othersIn, type RequestChange, type Objection, type Situation } from './moves.ts'
import * as changes from './order-change-queries.ts'
import * as orders from './order-queries.ts'
import type { LockedOrder, OrderRow } from './order-queries.ts'
import { lockPet, setPetStatus, type LockedPet } from './pet-status-queries.ts'
import type { VisitTime } from './visit-time.ts'

export const TIMER = 'order_expiry'

/** What a step of a request mails. */
export type OrderMailKind = DeciderMailKind | VisitorMailKind

/** What changes requests, in every process that does. */
export type OrderContext = Pick<ProjectContext, 'inProject'> & {
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail<OrderMailKind> | undefined
  /** The limits of an installation that overrides some. */
  plans?: PlanRules
}

/** A member who acts. */
export type Deciding = Pick<Member, 'project' | 'account'>

export type ArrangedVisit = VisitTime & { place: string }

export type WriteContext = {
  db: Db
  project: ProjectId
  actor: string
  queueMail: QueueMail<OrderMailKind> | undefined
}

/** What is written, and why. */
export type Step = RequestChange & {
  /** Undefined if only the hold changes. */
  fact?: OrderFact
  visit?: ArrangedVisit | undefined
  decline?: OrderDecline | undefined
  holdDays: number | null
}

/** The same for an order that never existed and for one of another project. */
export const orderNotFound = () => new Refusal('not_found', 'No order with this identifier.')

/** A request, its animal, and all open requests for that. */
export type Locked = { animal: LockedPet; order: LockedOrder; queue: readonly LockedOrder[] }

export async function lockAll(db: Db, project: ProjectId, orderId: bigint): Promise<Locked | undefined> {
  const petId = await orders.findPetOf(db, project, orderId)
  if (petId === undefined) return undefined
  const animal = await lockPet(db, project, petId)
  const queue = await orders.lockOpenOrders(db, project, [petId])
  const order = queue.find(({ id }) => id === orderId) ?? (await orders.lockOrder(db, project, orderId))
  return animal && order && { animal, order, queue }
}

export const situationOf = ({ animal, order, queue }: Locked): Situation => ({
  ...order,
  petStatus: animal.status,
  ...othersIn(queue, order.id),
})

export function granted<Result extends object>(result: Result | Objection): Result {
  if (isObjection(result)) throw new Refusal(result.code, result.because)
  return result
}

/** Writes a step and everything that follows from it. What is final cannot be undone, and its mails do not wait. */
export async function apply(
  context: WriteContext,
  { animal, order, queue }: Locked,
  step: Step,
  kind: 'undoable' | 'final',
) {
  const delaySeconds = kind === 'undoable' ? MAIL_DELAY_SECONDS : 0
  const mails: string[] = []
  const closed = step.closesOthers ? queue.filter(({ id }) => id !== order.id) : []
  for (const other of closed) mails.push(...(await closeGone(context, animal, other)))
  const mail = step.fact && visitorMailAfter[step.fact]
  if (mail) mails.push(...(await mailVisitor(context, mail, order.id, delaySeconds)))

  const pet: [PetStatus, PetStatus] = [animal.status, step.petStatus]
  const detail = { pet, closed: closed.map(({ id }) => String(id)), mails }
  await writeStep(context, order, step, kind === 'undoable' ? detail : null)
  await setAnimal(context, animal, step.petStatus)
}

export async function writeStep(
  context: WriteContext,
  order: LockedOrder,
  { fact, visit, decline, holdDays, ...changed }: Step,
  undoDetail: changes.UndoDetail | null,
  undoSeconds: number | null = undoDetail && UNDO_SECONDS,
): Promise<void> {
  const { db, project, actor } = context
  const written = await changes.write(db, project, order.id, {
    ...changed,
    status: statusOf[changed.stage],
    holdDays,
    visit,
    decline: decline ?? null,
    actor,
    // The end of a hold breaks no silence.
    isHeard: actor !== 'petstore',
    undo: undoDetail,
    undoSeconds,
  })
  await setDue(context, written)
  await scheduleErasure(db, project, written)
  if (fact) await record(context, actionAfter[fact], order)
  if (changed.beginsHold) await record(context, 'order_held', order)
  if (!fact && !changed.isHolding) await record(context, 'order_released', order)
}

/** One timer per request, for whatever comes next. */
export async function setDue({ db, project }: WriteContext, order: LockedOrder): Promise<void> {
  const due = isOpen(order.stage) ? moves.nextDue(order) : undefined
  const timer = { kind: TIMER, project, id: String(order.id) }
  await (due ? setTimer(db, timer, Math.max(0, due.seconds)) : clearTimer(db, timer))
}

export async function setAnimal(
  { db, project }: WriteContext,
  { id, status }: LockedPet,
  next: PetStatus,
): Promise<void> {
  if (next !== status) await setPetStatus(db, project, id, next)
}

export const record = (
  { db, project, actor }: WriteContext,
  action: AuditAction,
  { id, petId }: Pick<LockedOrder, 'id' | 'petId'>,
) => recordAudit(db, project, { actor, action, subject: String(id), detail: { petId: String(petId) } })

const actionAfter: Readonly<Record<OrderFact, AuditAction>> = {
  contacted: 'order_contacted',
  visit_set: 'order_visit_set',
  approved: 'order_approved',
  handed_over: 'order_delivered',
  declined: 'order_declined',
  withdrawn: 'order_withdrawn',
  animal_gone: 'order_closed',
  silent: 'order_expired',
  reopened: 'order_reopened',
}

/** Visitors who withdraw or are called know it; those whose animal found another home are mailed that. */
const visitorMailAfter: Readonly<Record<OrderFact, VisitorMailKind | undefined>> = {
  contacted: undefined,
  visit_set: 'visit_arranged',
  approved: 'order_approved',
  handed_over: 'order_completed',
  declined: 'order_declined',
  withdrawn: undefined,
  animal_gone: 'found_a_home',
  silent: 'order_expired',
  reopened: undefined,
}

/** All mails to visitors wait in the same queue. */
export const VISITOR_QUEUE: MailQueue = 'bulk'

/** A little longer than an undo is possible: one at the last moment finds the mail still waiting. */
const MAIL_DELAY_SECONDS = UNDO_SECONDS + 5

/** The id of the mail, if mail is sent at all. */
export async function mailVisitor(
  { db, project, queueMail }: WriteContext,
  kind: VisitorMailKind,
  orderId: bigint,
  delaySeconds = 0,
): Promise<string[]> {
  if (!queueMail) return []
  const id = newId('mail')
  await queueMail(db, { id, kind, recipient: `ord_${orderId}`, project, delaySeconds })
  return [id]
}

/** The mails to the members who decide. */
type DeciderMailKind = 'order_placed' | 'order_waiting' | 'hold_ended' | 'order_withdrawn'

export async function notifyDeciders(
  { db, project, queueMail }: WriteContext,
  kind: DeciderMailKind,
  orderId: bigint,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (!queueMail) return
  const subject = { order: String(orderId), ...more }
  await memberNotifier(queueMail)(db, project, { kind, roles: deciders, subject })
}

/** The roles that can decide about a request. */
export const deciders: readonly Role[] = ['owner', 'admin']

export async function shown(db: Db, project: ProjectId, id: bigint): Promise<OrderRow> {
  const row = await orders.findManaged(db, project, id)
  if (!row) throw new Error('an order that was just written is not there')
  return row
}

/** The request ends because the animal is gone. Returns the id of the mail that says so, if there is one. */
export async function closeGone(context: WriteContext, animal: LockedPet, order: LockedOrder): Promise<string[]> {
  const situation = { ...order, petStatus: animal.status, isHeldByOther: false, othersOpen: 0 }
  const closed = granted(moves.moveBy(situation, 'animal_gone', 'by_hand'))
  const status: [PetStatus, PetStatus] = [animal.status, animal.status]
  // Restored with the request whose completion closed it, if there is one.
  const step = { ...closed, fact: 'animal_gone' as const, holdDays: null }
  await writeStep(context, order, step, { pet: status, closed: [], mails: [] }, null)
  return mailVisitor(context, 'found_a_home', order.id, MAIL_DELAY_SECONDS)
}
