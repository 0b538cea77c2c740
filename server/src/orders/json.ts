// An order as JSON text, in the field names of the well-known petstore. An order
// is for one animal, so its quantity is always 1; it is complete once decided.

import type { OrderStatus } from '@petstore/contract/orders'

type OrderFields = { id: bigint; petId: bigint; status: OrderStatus; shipDate: Date | null; createdAt: Date }

export const orderJson = ({ id, petId, status, shipDate, createdAt }: OrderFields): string =>
  `{"id":${id},"petId":${petId},"quantity":1,"shipDate":${JSON.stringify(shipDate)},"status":"${status}",` +
  `"complete":${status !== 'placed'},"createdAt":${JSON.stringify(createdAt)}}`
