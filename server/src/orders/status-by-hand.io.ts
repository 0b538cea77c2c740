// The status of an animal, set by its owner: the requests for it are made to fit. A second writer of
// requests beside advance.io.ts, by the same tables and the same steps.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { Refusal } from '../foundation/refusal.ts'
import { animalTransitions, setByOwner } from '../animals/lifecycle.ts'
import { recordAudit } from '../projects/project-queries.ts'
import * as moves from './moves.ts'
import * as orders from './order-queries.ts'
import type { LockedOrder } from './order-queries.ts'
import { lockPet, lockPets, setPetStatus, setPetStatuses, type LockedPet } from './pet-status-queries.ts'
import {
  apply,
  closeGone,
  granted,
  situationOf,
  writeStep,
  type Deciding,
  type OrderContext,
  type WriteContext,
} from './write-step.io.ts'

/**
 * The status that the owner sets takes precedence. `orderId` is the request of the person who took the animal.
 * Undefined if there is no such animal.
 */
export const setStatusByOwner = (
  { inProject, queueMail }: OrderContext,
  { project, account }: Deciding,
  petId: bigint,
  status: PetStatus,
  orderId?: bigint,
): Promise<LockedPet | undefined> =>
  inProject(project, async (db) => {
    const context = { db, project, actor: account, queueMail }
    const animal = await lockPet(db, project, petId)
    if (!animal) return undefined
    const queue = await orders.lockOpenOrders(db, project, [petId])
    if (orderId !== undefined) {
      const order = queue.find(({ id }) => id === orderId)
      if (!order) throw new Refusal('wrong_state', 'This is not an open request for this animal.')
      const locked = { animal, order, queue }
      const step = granted(moves.moveBy(situationOf(locked), 'handed_over', 'by_hand'))
      await apply(context, locked, { ...step, fact: 'handed_over', holdDays: null }, 'undoable')
      return { ...animal, status: step.petStatus }
    }
    await fitRequests(context, animal, queue, status)
    if (animal.status === status) return animal
    await setPetStatus(db, project, petId, status)
    const detail = { from: animal.status, to: status }
    await recordAudit(db, project, { actor: account, action: 'animal_status_set', subject: String(petId), detail })
    return { ...animal, status }
  })

export type StatusesSet = { changed: number; unchanged: number; closed: number; missing: bigint[] }

/**
 * The same for many animals in one transaction: all that exist, or none. One audit event records how many; a request
 * that is closed by it has an audit event of its own, as always.
 */
export const setStatusesByOwner = (
  { inProject, queueMail }: OrderContext,
  { project, account }: Deciding,
  petIds: readonly bigint[],
  status: PetStatus,
): Promise<StatusesSet> =>
  inProject(project, async (db) => {
    const context = { db, project, actor: account, queueMail }
    const animals = await lockPets(db, project, petIds)
    const open = await orders.lockOpenOrders(
      db,
      project,
      animals.map(({ id }) => id),
    )
    const queues = Map.groupBy(open, ({ petId }) => petId)
    // Sent concurrently: everything is locked already, so their order does not matter.
    const closed = await Promise.all(
      animals.map((animal) => fitRequests(context, animal, queues.get(animal.id) ?? [], status)),
    )
    const changed = animals.filter((animal) => animal.status !== status).map(({ id }) => id)
    if (changed.length > 0) {
      await setPetStatuses(db, project, changed, status)
      const detail = { to: status, count: changed.length }
      await recordAudit(db, project, { actor: account, action: 'animal_statuses_set', subject: 'animals', detail })
    }
    const found = new Set(animals.map(({ id }) => id))
    return {
      changed: changed.length,
      unchanged: animals.length - changed.length,
      closed: closed.reduce((sum, count) => sum + count, 0),
      missing: petIds.filter((id) => !found.has(id)),
    }
  })

/** The requests are made to fit the status that the animal gets. Returns how many were closed. */
async function fitRequests(
  context: WriteContext,
  animal: LockedPet,
  queue: readonly LockedOrder[],
  status: PetStatus,
): Promise<number> {
  const step = animalTransitions[animal.status][setByOwner(status)]
  if (!step) throw new Refusal('wrong_state')
  if (step.effects.includes('close_requests')) {
    for (const order of queue) await closeGone(context, animal, order)
    return queue.length
  }
  const holder = queue.find(({ isHolding }) => isHolding)
  if (holder && step.effects.includes('release_hold')) {
    const released = granted(moves.release(situationOf({ animal, order: holder, queue })))
    await writeStep(context, holder, { ...released, holdDays: null }, null)
  }
  return 0
}
