// The only writer of orders, and of their effect on animals. Every change of an order or
// of an animal's status happens here, in one transaction:
//
// - the animal's row is locked first and the order's after it, always, so that two
//   transactions never deadlock;
// - the two transition tables decide the next states;
// - both rows are written with the audit event, the timer and the mails, or nothing is.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { PetStatus } from '@petstore-platform/contract/pets'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { clearTimer, lockTimer, setTimer, type Timer } from '../foundation/postgres/timers.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { animalTransitions, setByOwner, type AnimalFact } from '../pets/lifecycle.ts'
import { petNotFound } from '../pets/v1-pet-routes.ts'
import type { Member } from '../projects/membership.io.ts'
import { memberNotifier } from '../projects/notify.io.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import {
  ORDER_HOLD,
  ORDER_REMINDER,
  decidedWords,
  orderTransitions,
  type OrderFact,
  type OrderStep,
} from './lifecycle.ts'
import type { VisitorMailKind } from './mails.ts'
import * as orders from './order-queries.ts'
import type { LockedOrder, LockedPet, OrderRow } from './order-queries.ts'
import type { VisitorWords } from './visitor.ts'

export const TIMER = 'order_expiry'

export type OrderAdvanceDeps = {
  inProject: InProject
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail | undefined
}

type Scene = { db: Db; project: ProjectId; actor: string; queueMail: QueueMail | undefined }

/** A visitor's order, which holds the animal from now on; or a refusal, and nothing has changed. */
export const place = (
  { inProject, queueMail }: OrderAdvanceDeps,
  project: ProjectId,
  { petId, ...visitor }: VisitorWords & { petId: bigint },
): Promise<OrderRow> =>
  inProject(project, async (db) => {
    // Checked without a lock: the many visitors who come too late wait for no lock.
    refuseHeld(await orders.findStatus(db, project, petId))
    const animal = await orders.lockPet(db, project, petId)
    refuseHeld(animal?.status)
    const step = orderTransitions.none.placed
    if (!animal || !step) throw petNotFound()

    const id = await orders.insert(db, project, { petId, status: step.next, ...visitor, hold: ORDER_HOLD })
    if (id === undefined) throw new Refusal('not_available')
    await follow({ db, project, actor: 'visitor', queueMail }, animal, id, step)
    return shown(db, project, id)
  })

/** Approves or declines an order for a member. */
export const decide = (
  { inProject, queueMail }: OrderAdvanceDeps,
  { project, account }: Pick<Member, 'project' | 'account'>,
  orderId: bigint,
  fact: 'approved' | 'declined',
): Promise<OrderRow> =>
  inProject(project, async (db) => {
    const found = await lockBoth(db, project, orderId)
    if (!found) throw orderNotFound()
    const isDone = await settle({ db, project, actor: account, queueMail }, found, fact)
    if (!isDone) throw new Refusal('wrong_state', wordsOf(found.order.status))
    return shown(db, project, orderId)
  })

/**
 * Expires an order whose time is over, and reminds the members a day before. One that was decided in the
 * meantime, or does not exist, is left alone. Returns the remaining seconds if it is too early for both.
 */
export const expire = (
  { inProject, queueMail }: OrderAdvanceDeps,
  project: ProjectId,
  orderId: bigint,
  timer?: Timer,
): Promise<number | undefined> =>
  inProject(project, async (db) => {
    const found = await lockBoth(db, project, orderId)
    if (found?.order.status !== 'placed') return undefined
    const { secondsLeft } = found.order
    if (secondsLeft === null) return undefined
    const scene = { db, project, actor: 'petstore', queueMail }
    if (secondsLeft > ORDER_REMINDER) return Math.ceil(secondsLeft - ORDER_REMINDER)
    if (secondsLeft > 0) await remind(scene, orderId, Math.ceil(secondsLeft), timer)
    else await settle(scene, found, 'expired')
    return undefined
  })

/** Longer than the rest of a transaction. */
const CLAIM_SECONDS = 60

/**
 * Once: the timer is moved in the same transaction, and a worker that has lost its claim to another one
 * does nothing.
 */
async function remind({ db, project, queueMail }: Scene, orderId: bigint, secondsLeft: number, timer?: Timer) {
  if (timer && !(await lockTimer(db, timer, CLAIM_SECONDS))) return
  await setTimer(db, timerOf(project, orderId), secondsLeft)
  if (queueMail) await notifyDeciders(queueMail, db, project, 'order_expiring', orderId)
}

/**
 * The status that the owner sets takes precedence, and may decide the order for it. Undefined if there is no
 * such animal.
 */
export const setStatusByOwner = (
  { inProject, queueMail }: OrderAdvanceDeps,
  { project, account }: Pick<Member, 'project' | 'account'>,
  petId: bigint,
  status: PetStatus,
): Promise<LockedPet | undefined> =>
  inProject(project, async (db) => {
    const scene = { db, project, actor: account, queueMail }
    const animal = await orders.lockPet(db, project, petId)
    if (!animal) return undefined
    const placed = await orders.lockPlacedOrder(db, project, petId)
    const step = animalTransitions[animal.status][setByOwner(status)]
    if (!step) throw new Refusal('wrong_state')

    if (placed && step.effects.includes('override_order')) await settle(scene, { animal, order: placed }, 'overridden')
    if (step.next === animal.status) return animal
    await orders.setPetStatus(db, project, petId, step.next)
    const detail = { from: animal.status, to: step.next }
    await recordAudit(db, project, { actor: account, action: 'animal_status_set', subject: String(petId), detail })
    return { ...animal, status: step.next }
  })

export type StatusesSet = { changed: number; unchanged: number; missing: bigint[] }

/**
 * The same for many animals in one transaction: all that exist, or none. One audit event records how many;
 * an order that is declined by it has an audit event of its own, as always.
 */
export const setStatusesByOwner = (
  { inProject, queueMail }: OrderAdvanceDeps,
  { project, account }: Pick<Member, 'project' | 'account'>,
  petIds: readonly bigint[],
  status: PetStatus,
): Promise<StatusesSet> =>
  inProject(project, async (db) => {
    const scene = { db, project, actor: account, queueMail }
    const animals = await orders.lockPets(db, project, petIds)
    const placed = await orders.lockPlacedOrders(
      db,
      project,
      animals.map(({ id }) => id),
    )
    const stepOf = (animal: LockedPet) => animalTransitions[animal.status][setByOwner(status)]
    if (!animals.every(stepOf)) throw new Refusal('wrong_state')

    const byId = new Map(animals.map((animal) => [animal.id, animal]))
    const overridden = placed.flatMap((order) => {
      const animal = byId.get(order.petId)
      return animal && stepOf(animal)?.effects.includes('override_order') ? [{ animal, order }] : []
    })
    // Sent concurrently: everything is locked already, so their order does not matter.
    await Promise.all(overridden.map((locked) => settle(scene, locked, 'overridden')))
    const changed = animals.filter((animal) => stepOf(animal)?.next !== animal.status).map(({ id }) => id)
    if (changed.length > 0) {
      await orders.setPetStatuses(db, project, changed, status)
      const detail = { to: status, count: changed.length }
      await recordAudit(db, project, { actor: account, action: 'animal_statuses_set', subject: 'animals', detail })
    }
    return {
      changed: changed.length,
      unchanged: animals.length - changed.length,
      missing: petIds.filter((id) => !byId.has(id)),
    }
  })

/** The same for an order that never existed and for one of another project. */
export const orderNotFound = () => new Refusal('not_found', 'No order with this identifier.')

type Locked = { animal: LockedPet; order: LockedOrder }

async function lockBoth(db: Db, project: ProjectId, orderId: bigint): Promise<Locked | undefined> {
  const petId = await orders.findPetOf(db, project, orderId)
  if (petId === undefined) return undefined
  const animal = await orders.lockPet(db, project, petId)
  const order = await orders.lockOrder(db, project, orderId)
  return animal && order && { animal, order }
}

/**
 * Writes the transition of the order and all its effects. False if there is no such transition, and nothing
 * is written.
 */
async function settle(scene: Scene, { animal, order }: Locked, fact: OrderFact): Promise<boolean> {
  const step = orderTransitions[order.status][fact]
  if (!step) return false
  await orders.decide(scene.db, scene.project, order.id, step.next, scene.actor)
  await follow(scene, animal, order.id, step)
  return true
}

/** The effects of an order's transition: the animal, the timer, the audit event, the mails. */
async function follow(scene: Scene, animal: LockedPet, orderId: bigint, { next, animal: fact, timer }: OrderStep) {
  const { db, project, actor, queueMail } = scene
  if (fact) await tell(scene, animal, fact)
  const due = timerOf(project, orderId)
  await (timer === 'set' ? setTimer(db, due, ORDER_HOLD - ORDER_REMINDER) : clearTimer(db, due))
  const detail = { petId: String(animal.id) }
  await recordAudit(db, project, { actor, action: `order_${next}`, subject: String(orderId), detail })
  if (!queueMail) return
  if (next === 'placed') await notifyDeciders(queueMail, db, project, 'order_placed', orderId)
  const kind = visitorMailAfter[next]
  if (kind) await queueMail(db, { kind, recipient: `ord_${orderId}`, project })
}

const timerOf = (project: ProjectId, orderId: bigint) => ({ kind: TIMER, project, id: String(orderId) })

/** An order that is overridden is declined for the visitor. */
const visitorMailAfter: Readonly<Record<OrderStatus, VisitorMailKind | undefined>> = {
  placed: 'order_received',
  approved: 'order_approved',
  declined: 'order_declined',
  expired: 'order_expired',
  delivered: undefined,
}

const notifyDeciders = (
  queueMail: QueueMail,
  db: Db,
  project: ProjectId,
  kind: 'order_placed' | 'order_expiring',
  orderId: bigint,
) => memberNotifier(queueMail)(db, project, { kind, roles: deciders, subject: { order: String(orderId) } })

/** The roles that can decide about an order. */
export const deciders: readonly Role[] = ['owner', 'admin']

async function tell({ db, project }: Scene, { id, status }: LockedPet, fact: AnimalFact): Promise<void> {
  const step = animalTransitions[status][fact]
  if (!step) throw new Refusal('not_available')
  if (step.next !== status) await orders.setPetStatus(db, project, id, step.next)
}

function refuseHeld(status: PetStatus | undefined): void {
  if (status === undefined) throw petNotFound()
  if (!animalTransitions[status].reserved) throw new Refusal('not_available')
}

const wordsOf = (status: OrderStatus) => (status === 'placed' ? undefined : decidedWords[status])

async function shown(db: Db, project: ProjectId, id: bigint): Promise<OrderRow> {
  const row = await orders.findManaged(db, project, id)
  if (!row) throw new Error('an order that was just written is not there')
  return row
}
