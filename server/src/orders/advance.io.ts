// The only writer of requests, and of their effect on animals. Every change of a request or of an
// animal's status happens here, in one transaction:
//
// - the animal's row is locked first and its requests after it, always, so that two transactions
//   never deadlock, and what is counted in the queue stays true;
// - `moves.ts` decides what changes;
// - everything is written with the audit events, the timers and the mails, or nothing is.
//
// What a member does can be undone for a minute. Its mails wait that long, and an undo drops them.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { RequestSettings } from '@petstore-platform/contract/platform/order-holds'
import {
  NOTES_MAX,
  type OrderAnswer,
  type OrderDecline,
  type OrderMove,
} from '@petstore-platform/contract/platform/orders'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { dropMail } from '../mail/queue.io.ts'
import { petNotFound } from '../animals/v1-pet-routes.ts'
import { defaultRules } from '../plans/limits.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import { findProject, recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { refuseFullStore } from '../projects/stored-usage.io.ts'
import { CapReached } from './caps.ts'
import * as moves from './moves.ts'
import { isObjection, type Objection, type Situation } from './moves.ts'
import * as notes from './note-queries.ts'
import { eraseVisitors } from './erasure-queries.ts'
import * as changes from './order-change-queries.ts'
import * as orders from './order-queries.ts'
import type { OrderRow } from './order-queries.ts'
import { findStatus, lockPet } from './pet-status-queries.ts'
import { requestSettings, setRequestSettings } from './settings-queries.ts'
import type { VisitorWords } from './visitor.ts'
import {
  VISITOR_QUEUE,
  apply,
  granted,
  lockAll,
  mailVisitor,
  notifyDeciders,
  orderNotFound,
  record,
  setAnimal,
  setDue,
  shown,
  situationOf,
  type ArrangedVisit,
  type Deciding,
  type Locked,
  type OrderContext,
  type WriteContext,
  type Step,
} from './write-step.io.ts'

export type NewRequest = VisitorWords & {
  petId: bigint
  answers?: readonly OrderAnswer[] | undefined
  /** When the visitor confirmed the address; undefined for a request that is placed without mail. */
  confirmedAt?: Date | undefined
  /** SHA-256 of the secret in the address of the visitor's status page. */
  secretDigest?: Buffer | undefined
  /** Of the page on which the visitor asked. */
  language?: string | undefined
}

/** A visitor's request, last in the queue of the animal; or a refusal, and nothing has changed. */
export const place = (
  { inProject, ...context }: OrderContext,
  project: ProjectId,
  request: NewRequest,
): Promise<OrderRow> => inProject(project, (db) => placeIn(context, db, project, request))

/** The same in a transaction that does more. */
export async function placeIn(
  { queueMail, plans = defaultRules }: Pick<OrderContext, 'queueMail' | 'plans'>,
  db: Db,
  project: ProjectId,
  request: NewRequest,
): Promise<OrderRow> {
  const { petId } = request
  const { holdRule, holdDays } = await requestSettings(db, project)
  await refuseMany(db, project, plans)
  const placing = async (petStatus: PetStatus | undefined) => {
    if (petStatus === undefined) throw petNotFound()
    const othersOpen = (await orders.countOpen(db, project, [petId])).get(petId) ?? 0
    return granted(moves.place({ petStatus, othersOpen }, holdRule))
  }
  // Checked without a lock: the many visitors who come too late wait for no lock.
  await placing(await findStatus(db, project, petId))
  const animal = await lockPet(db, project, petId)
  const change = await placing(animal?.status)
  if (!animal) throw petNotFound()

  const order = await orders.insert(db, project, { ...request, holdDays: change.isHolding ? holdDays : undefined })
  const context = { db, project, actor: 'visitor', queueMail }
  await setAnimal(context, animal, change.petStatus)
  await setDue(context, order)
  await record(context, 'order_placed', order)
  if (change.isHolding) await record(context, 'order_held', order)
  await notifyDeciders(context, 'order_placed', order.id)
  await mailVisitor(context, 'order_received', order.id)
  return shown(db, project, order.id)
}

/** Visitors who ask at the same time may exceed it by a few. */
async function refuseMany(db: Db, project: ProjectId, plans: PlanRules): Promise<void> {
  const most = plans.most((await findProject(db, project))?.plan ?? 'free', 'openRequests')
  if ((await orders.countAllOpen(db, project, most)) >= most) throw new CapReached('open')
}

export type Move = { fact: OrderMove; visit?: ArrangedVisit | undefined; decline?: OrderDecline | undefined }

/** Records what happened for a member, and moves the request. */
export const move = (context: OrderContext, member: Deciding, orderId: bigint, { fact, ...given }: Move) =>
  change(context, member, orderId, ({ holdRule, holdDays }, situation) => {
    const decided = moves.moveBy(situation, fact, holdRule)
    return isObjection(decided)
      ? decided
      : { ...decided, ...given, fact, holdDays: decided.beginsHold ? holdDays : null }
  })

/** Holds the animal for a request: for the days that the project says, or that the member chose. */
export const hold = (context: OrderContext, member: Deciding, orderId: bigint, days?: number) =>
  change(context, member, orderId, ({ holdDays }, situation) => {
    const decided = moves.holdFor(situation)
    return isObjection(decided) ? decided : { ...decided, holdDays: days ?? holdDays }
  })

export const release = (context: OrderContext, member: Deciding, orderId: bigint) =>
  change(context, member, orderId, (_, situation) => {
    const decided = moves.release(situation)
    return isObjection(decided) ? decided : { ...decided, holdDays: null }
  })

const change = (
  { inProject, queueMail }: OrderContext,
  { project, account }: Deciding,
  orderId: bigint,
  decide: (settings: Readonly<RequestSettings>, situation: Situation) => Step | Objection,
): Promise<OrderRow> =>
  inProject(project, async (db) => {
    const locked = await lockAll(db, project, orderId)
    if (!locked) throw orderNotFound()
    const step = granted(decide(await requestSettings(db, project), situationOf(locked)))
    await apply({ db, project, actor: account, queueMail }, locked, step, 'undoable')
    return shown(db, project, orderId)
  })

/** The visitor's own withdrawal, which no member can undo. False if the request has ended already. */
export const withdraw = (
  { inProject, queueMail }: OrderContext,
  project: ProjectId,
  orderId: bigint,
): Promise<boolean> =>
  inProject(project, async (db) => {
    const locked = await lockAll(db, project, orderId)
    if (!locked) throw orderNotFound()
    return withdrawLocked({ db, project, actor: 'visitor', queueMail }, locked)
  })

async function withdrawLocked(context: WriteContext, locked: Locked): Promise<boolean> {
  const step = moves.moveBy(situationOf(locked), 'withdrawn', 'by_hand')
  if (isObjection(step)) return false
  await apply(context, locked, { ...step, fact: 'withdrawn', holdDays: null }, 'final')
  await notifyDeciders(context, 'order_withdrawn', locked.order.id, { held: locked.order.isHolding ? 'yes' : 'no' })
  return true
}

/** Erases what the visitor entered, and what members noted; an open request is withdrawn first. */
export const eraseVisitor = (
  { inProject, queueMail }: OrderContext,
  project: ProjectId,
  orderId: bigint,
): Promise<void> =>
  inProject(project, async (db) => {
    const locked = await lockAll(db, project, orderId)
    if (!locked) throw orderNotFound()
    const context = { db, project, actor: 'visitor', queueMail }
    await withdrawLocked(context, locked)
    await eraseVisitors(db, project, [orderId], null)
    await record(context, 'order_erased', locked.order)
  })

/** Takes back the last change of a request, and everything that followed from it. */
export const undo = (
  { inProject, queueMail }: OrderContext,
  { project, account }: Deciding,
  orderId: bigint,
): Promise<OrderRow> =>
  inProject(project, async (db) => {
    const locked = await lockAll(db, project, orderId)
    if (!locked) throw orderNotFound()
    const undone = await changes.findUndo(db, project, orderId)
    if (!undone) throw new Refusal('wrong_state', 'There is nothing to undo, or it is too late.')
    const { pet, before, closed, mails } = undone
    const [petBefore, petAfter] = pet
    const place = { stage: before.stage, isHolding: before.is_holding }
    if (!moves.isUndoable(situationOf(locked), { petBefore, petAfter }, place)) {
      throw new Refusal('wrong_state', 'The animal has changed since, so this can no longer be undone.')
    }
    const context = { db, project, actor: account, queueMail }
    const restored = await changes.restore(db, project, [orderId, ...closed.map(BigInt)])
    if (petBefore !== petAfter) await setAnimal(context, locked.animal, petBefore)
    for (const order of restored) await setDue(context, order)
    for (const id of mails) await dropMail(db, VISITOR_QUEUE, { project, id }, 'undone')
    await record(context, 'order_undone', locked.order)
    return shown(db, project, orderId)
  })

/**
 * Does what is due for a request without anyone's doing: it expires, its hold ends, or the members are reminded of
 * it. Returns the seconds until the next of these, if it is too early. The stored state says what is due, so late or
 * repeated work does no harm.
 */
export const advance = (
  { inProject, queueMail }: OrderContext,
  project: ProjectId,
  orderId: bigint,
): Promise<number | undefined> =>
  inProject(project, async (db) => {
    const locked = await lockAll(db, project, orderId)
    const due = locked && moves.nextDue(locked.order)
    if (!locked || !due) return undefined
    if (due.seconds > 0) return Math.ceil(due.seconds)
    await performDue({ db, project, actor: 'petstore', queueMail }, locked, due.what)
    return undefined
  })

async function performDue(context: WriteContext, locked: Locked, what: moves.Due): Promise<void> {
  const { db, project } = context
  const { order } = locked
  if (what === 'remind') {
    const reminded = await changes.noteReminder(db, project, order.id)
    if (reminded) await setDue(context, reminded)
    await notifyDeciders(context, 'order_waiting', order.id)
    return
  }
  const situation = situationOf(locked)
  const decided = what === 'expire' ? moves.moveBy(situation, 'silent', 'by_hand') : moves.release(situation)
  if (isObjection(decided)) return
  const fact = what === 'expire' ? { fact: 'silent' as const } : {}
  await apply(context, locked, { ...decided, ...fact, holdDays: null }, 'final')
  if (what === 'release') await notifyDeciders(context, 'hold_ended', order.id)
}

/** How a request works in this project, from now on. */
export const putSettings = (
  { inProject }: Pick<OrderContext, 'inProject'>,
  { project, account }: Deciding,
  settings: RequestSettings,
): Promise<Readonly<RequestSettings>> =>
  inProject(project, async (db) => {
    await setRequestSettings(db, project, settings)
    const detail = { holdRule: settings.holdRule, holdDays: String(settings.holdDays) }
    await recordAudit(db, project, { actor: account, action: 'request_settings_set', subject: 'requests', detail })
    return requestSettings(db, project)
  })

/** A note of a member, which changes nothing else. */
export const addNote = (
  { inProject, plans = defaultRules }: Pick<OrderContext, 'inProject' | 'plans'>,
  { project, account }: Deciding,
  orderId: bigint,
  text: string,
): Promise<notes.NoteRow> =>
  inProject(project, async (db) => {
    const order = await orders.lockOrder(db, project, orderId)
    if (!order) throw orderNotFound()
    const note = await notes.insertNote(db, project, orderId, account, text)
    if (!note) throw new Refusal('limit_reached', `A request has at most ${NOTES_MAX} notes.`)
    await refuseFullStore(db, project, plans)
    await record({ db, project, actor: account, queueMail: undefined }, 'order_noted', order)
    return note
  })
