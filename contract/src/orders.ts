// Orders in the API: requests for one animal. Experimental. They contain no personal data of
// the visitor, which clients with an API key need not see.

import { Type, type Static } from 'typebox'
import { Int64 } from './int64.ts'

export const orderStatuses = ['placed', 'approved', 'delivered', 'declined', 'expired'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const Order = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64, description: 'Unique identifier of the order.' }),
    petId: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the animal.' }),
    quantity: Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: 2147483647,
      description: 'Always 1, since an order is for one animal.',
    }),
    shipDate: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      maxLength: 40,
      description: 'Date of hand-over. Reserved, null for now.',
    }),
    status: Type.Unsafe<OrderStatus>({
      type: 'string',
      enum: [...orderStatuses],
      description: 'State of the order. `delivered` is reserved for a recorded hand-over.',
    }),
    complete: Type.Boolean({ description: 'False while the order is `placed`, true once it is decided.' }),
    createdAt: Type.String({ format: 'date-time', maxLength: 40, description: 'When the order was placed (UTC).' }),
  },
  { $id: 'Order', description: 'A request for one animal. Experimental.' },
)
export type Order = Static<typeof Order>

export const Orders = Type.Array(Order, { $id: 'Orders', maxItems: 100 })
