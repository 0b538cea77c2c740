// Serialises an order as JSON text. On `/v1` with the field names of the well-known
// petstore: an order is for one animal, so its quantity is always 1; it is complete once
// decided; it contains nothing about the visitor. For members with all fields.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import { petJson } from '../pets/json.ts'
import type { StatusesSet } from './advance.io.ts'
import type { LockedPet } from './order-queries.ts'
import type { NotifiedOrder } from './visitor-mails.io.ts'

type OrderFields = { id: bigint; petId: bigint; status: OrderStatus; shipDate: Date | null; createdAt: Date }

export const orderJson = ({ id, petId, status, shipDate, createdAt }: OrderFields): string =>
  `{"id":${id},"petId":${petId},"quantity":1,"shipDate":${JSON.stringify(shipDate)},"status":"${status}",` +
  `"complete":${status !== 'placed'},"createdAt":${JSON.stringify(createdAt)}}`

export function managedOrderJson({ id, petId, visitorName, visitorContact, ...row }: NotifiedOrder): string {
  const { petName, status, message, createdAt, expiresAt, decidedAt, notifiesVisitor, decidedBy } = row
  const visitor = { name: visitorName, contact: visitorContact }
  const rest = { petName, status, visitor, message, createdAt, expiresAt, decidedAt, notifiesVisitor, decidedBy }
  // Ids come first, as digits; pagination relies on the first.
  return `{"id":${id},"petId":${petId},${JSON.stringify(rest).slice(1)}`
}

/** The animal whose status was set, as members see animals. */
export const heldAnimalJson = ({ createdAt, ...pet }: LockedPet): string =>
  `${petJson(pet).slice(0, -1)},"createdAt":${JSON.stringify(createdAt)}}`

export const statusesSetJson = ({ changed, unchanged, missing }: StatusesSet): string =>
  `{"changed":${changed},"unchanged":${unchanged},"missing":[${missing.join(',')}]}`
