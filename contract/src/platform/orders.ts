// Orders, which are requests for one animal: listed, approved, declined; and the animal's
// status, set by hand, which may close an order. The visitor's identity is shown here only, and
// to members only.

import { Type, type Static } from 'typebox'
import { Int64 } from '../int64.ts'
import { orderStatuses, type OrderStatus } from '../orders.ts'
import { cursor, limitOf, petId, type Parameter } from '../parameters.ts'
import { petStatuses, type PetStatus } from '../pets.ts'
import { Time, TimeOrNull } from './accounts.ts'
import { Animal } from './animals.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const VISITOR_NAME_LENGTH_MAX = 100
export const VISITOR_CONTACT_LENGTH_MAX = 254
export const ORDER_MESSAGE_LENGTH_MAX = 2000

export const OrderVisitor = Type.Object(
  {
    name: Type.String({ maxLength: VISITOR_NAME_LENGTH_MAX, description: 'As the visitor gave it.' }),
    contact: Type.String({
      maxLength: VISITOR_CONTACT_LENGTH_MAX,
      description: 'How the visitor can be reached: an email address or a telephone number.',
    }),
  },
  { $id: 'OrderVisitor', description: 'The visitor who placed the order. Personal data.' },
)

export const ManagedOrder = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the order.' }),
    petId: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the animal.' }),
    petName: Type.String({ description: "The animal's current name." }),
    status: Type.Unsafe<OrderStatus>({ type: 'string', enum: [...orderStatuses], description: 'State of the order.' }),
    visitor: OrderVisitor,
    message: Type.String({ maxLength: ORDER_MESSAGE_LENGTH_MAX, description: 'What the visitor wrote.' }),
    createdAt: Time,
    expiresAt: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'Until when the animal is held; null if there is no time limit.',
    }),
    decidedAt: Type.Unsafe<string | null>({ ...TimeOrNull, description: 'Null while the order is `placed`.' }),
    notifiesVisitor: Type.Boolean({
      description:
        'Whether the visitor is mailed when the order is decided. Otherwise a member has to contact the visitor.',
    }),
    decidedBy: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The account that decided, or `petstore` if the order expired.',
    }),
  },
  { $id: 'ManagedOrder', description: 'An order for one animal, as members see it.' },
)
export type ManagedOrder = Static<typeof ManagedOrder>
export const ManagedOrders = Type.Array(ManagedOrder, { $id: 'ManagedOrders', maxItems: 100 })

export const orderExample = {
  id: 7,
  petId: 1044,
  petName: 'Rex',
  status: 'placed',
  visitor: { name: 'Ben', contact: 'ben@visitor.example' },
  message: 'May I see him on Saturday?',
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: '2026-11-21T22:00:00Z',
  notifiesVisitor: true,
  decidedAt: null,
  decidedBy: null,
}
const decided = { ...orderExample, decidedAt: '2026-11-15T09:00:00Z', decidedBy: 'acc_3d2f8a1b6c7e' }

/** An identifier that no order can have is one that no order has: 404, never 400. */
const orderId: Parameter<bigint, 'path'> = {
  in: 'path',
  description: 'Identifier of the order.',
  schema: Int64,
  refusal: 'not_found',
  component: 'OrderId',
  example: 7,
}

const orderStatusFilter: Parameter<OrderStatus, 'query'> = {
  in: 'query',
  description: 'Filters by state.',
  schema: { type: 'string', enum: [...orderStatuses] },
  refusal: 'invalid_parameter',
}

export const listOrders = {
  operationId: 'listOrders',
  method: 'GET',
  path: '/projects/{project}/orders',
  tag: 'orders',
  access: 'viewer',
  summary: 'List orders',
  description: 'Newest first. Paginated with the `Link` header.',
  parameters: { project: projectSlug, limit: limitOf('orders'), status: orderStatusFilter, cursor },
  success: {
    status: 200,
    description: 'A page of orders.',
    schema: ManagedOrders,
    headers: ['ETag', 'Link'],
    example: [orderExample],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getOrder = {
  operationId: 'getOrder',
  method: 'GET',
  path: '/projects/{project}/orders/{orderId}',
  tag: 'orders',
  access: 'viewer',
  summary: 'Show an order',
  description: 'One order of the project.',
  parameters: { project: projectSlug, orderId },
  success: { status: 200, description: 'The order.', schema: ManagedOrder, headers: ['ETag'], example: orderExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const approveOrder = {
  operationId: 'approveOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/approve',
  tag: 'orders',
  access: 'admin',
  summary: 'Approve an order',
  description:
    'The animal becomes sold. An order can be decided only once: rejected with `wrong_state` if it has already been decided.',
  parameters: { project: projectSlug, orderId },
  success: {
    status: 200,
    description: 'The order, approved.',
    schema: ManagedOrder,
    headers: ['ETag'],
    example: { ...decided, status: 'approved' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const declineOrder = {
  operationId: 'declineOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/decline',
  tag: 'orders',
  access: 'admin',
  summary: 'Decline an order',
  description: 'The animal becomes available again. Rejected with `wrong_state` if the order has already been decided.',
  parameters: { project: projectSlug, orderId },
  success: {
    status: 200,
    description: 'The order, declined.',
    schema: ManagedOrder,
    headers: ['ETag'],
    example: { ...decided, status: 'declined' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const AnimalStatusChange = Type.Object(
  { status: Type.Unsafe<PetStatus>({ type: 'string', enum: [...petStatuses] }) },
  { $id: 'AnimalStatusChange', additionalProperties: false },
)

export const setAnimalStatus = {
  operationId: 'setAnimalStatus',
  method: 'PUT',
  path: '/projects/{project}/animals/{petId}/status',
  tag: 'animals',
  access: 'admin',
  summary: "Set an animal's status",
  description:
    'Overrides the status that follows from orders. Setting `available` or `sold` declines an open order; setting `pending` keeps it.',
  parameters: { project: projectSlug, petId },
  body: {
    schema: AnimalStatusChange,
    faults: { status: `'status' must be one of ${petStatuses.join(', ')}.` },
    examples: { one: { summary: 'Sold in the shop', value: { status: 'sold' } } },
  },
  success: {
    status: 200,
    description: 'The animal.',
    schema: Animal,
    headers: ['ETag'],
    example: { id: 1044, name: 'Rex', categoryId: 9, status: 'sold', createdAt: '2026-11-14T22:00:00Z' },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const STATUSES_AT_ONCE_MAX = 500

export const AnimalStatusesChange = Type.Object(
  {
    ids: Type.Array(Type.Unsafe<bigint>({ ...Int64 }), {
      minItems: 1,
      maxItems: STATUSES_AT_ONCE_MAX,
      description: 'Identifiers of the animals, each once.',
    }),
    status: AnimalStatusChange.properties.status,
  },
  { $id: 'AnimalStatusesChange', additionalProperties: false },
)
export const idsFault = `'ids' must be a list of 1 to ${STATUSES_AT_ONCE_MAX} identifiers, each once.`

export const AnimalStatusesChanged = Type.Object(
  {
    changed: Type.Integer({ minimum: 0, description: 'Number of animals whose status changed.' }),
    unchanged: Type.Integer({ minimum: 0, description: 'Number of animals that already had this status.' }),
    missing: Type.Array(Type.Unsafe<bigint>({ ...Int64 }), {
      maxItems: STATUSES_AT_ONCE_MAX,
      description: 'Identifiers that do not exist in the project.',
    }),
  },
  { $id: 'AnimalStatusesChanged' },
)

export const setAnimalStatuses = {
  operationId: 'setAnimalStatuses',
  method: 'PUT',
  path: '/projects/{project}/animals/statuses',
  tag: 'animals',
  access: 'admin',
  summary: 'Set the status of many animals',
  description:
    'As for one animal: overrides the status that follows from orders, and `available` or `sold` declines open orders. All animals are changed, or none; identifiers that do not exist are reported and do not stop the others.',
  parameters: { project: projectSlug },
  body: {
    schema: AnimalStatusesChange,
    bytesMax: 32 * 1024,
    faults: { ids: idsFault, status: `'status' must be one of ${petStatuses.join(', ')}.` },
    examples: { one: { summary: 'Two of them sold in the shop', value: { ids: [1044, 1045], status: 'sold' } } },
  },
  success: {
    status: 200,
    description: 'The result.',
    schema: AnimalStatusesChanged,
    headers: [],
    example: { changed: 1, unchanged: 0, missing: [1045] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const orderOperations: readonly PlatformOperation[] = [
  listOrders,
  getOrder,
  approveOrder,
  declineOrder,
  setAnimalStatus,
  setAnimalStatuses,
]
