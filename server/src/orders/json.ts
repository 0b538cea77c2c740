// Serialises an order as JSON text. On `/v1` with the field names of the well-known
// petstore: an order is for one animal, so its quantity is always 1; it is complete once
// decided; it contains nothing about the visitor. For members with all fields.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import { petJson } from '../animals/json.ts'
import type { LockedPet } from './pet-status-queries.ts'
import type { StatusesSet } from './status-by-hand.io.ts'
import { visitTimeText } from './visit-time.ts'
import type { NotifiedOrder } from './visitor-mails.io.ts'

type OrderFields = { id: bigint; petId: bigint; status: OrderStatus; shipDate: Date | null; createdAt: Date }

export const orderJson = ({ id, petId, status, shipDate, createdAt }: OrderFields): string =>
  `{"id":${id},"petId":${petId},"quantity":1,"shipDate":${JSON.stringify(shipDate)},"status":"${status}",` +
  `"complete":${status !== 'placed'},"createdAt":${JSON.stringify(createdAt)}}`

export function managedOrderJson({
  id,
  petId,
  petCategoryId,
  visitorName,
  visitorContact,
  visitorPhone,
  ...row
}: NotifiedOrder): string {
  const { visitAt: at, visitOffset: offset, visitPlace: place } = row
  const rest = {
    petName: row.petName,
    petStatus: row.petStatus,
    portrait: row.portrait,
    cover: row.cover,
    status: row.status,
    stage: row.stage,
    moves: row.moves,
    position: row.position,
    queueLength: row.queueLength,
    isHolding: row.isHolding,
    heldUntil: row.heldUntil,
    mayHold: row.mayHold,
    visit: at && { at: visitTimeText({ at, offset }), place },
    decline: row.decline && { reason: row.decline.reason, text: row.decline.text ?? '' },
    visitor: { name: visitorName, contact: visitorContact, phone: visitorPhone },
    isConfirmed: row.confirmedAt !== null,
    message: row.message,
    answers: row.answers,
    notes: row.notes,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    decidedAt: row.decidedAt,
    notifiesVisitor: row.notifiesVisitor,
    decidedBy: row.decidedBy,
    undoUntil: row.undoUntil,
    erased: row.erasedAt && { at: row.erasedAt, afterDays: row.erasedAfterDays },
  }
  // Ids come first, as digits; pagination relies on the first.
  return `{"id":${id},"petId":${petId},"petCategoryId":${petCategoryId},${JSON.stringify(rest).slice(1)}`
}

/** The animal whose status was set, as members see animals. */
export const heldAnimalJson = ({ createdAt, ...pet }: LockedPet): string =>
  `${petJson(pet).slice(0, -1)},"createdAt":${JSON.stringify(createdAt)}}`

export const statusesSetJson = ({ changed, unchanged, closed, missing }: StatusesSet): string =>
  `{"changed":${changed},"unchanged":${unchanged},"closed":${closed},"missing":[${missing.join(',')}]}`
