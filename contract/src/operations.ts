// The operations of `/v1`, as data: these four and no others. The server mounts its routes from
// these objects and validates requests against them; the OpenAPI document is generated from
// them. So the documented API is the enforced one.

import { allowedMethods, type JsonBody, type OperationShape, type Success } from './operation.ts'
import { Orders } from './orders.ts'
import { cursor, idempotencyKey, ifNoneMatch, limitOf, petId, statusFilter } from './parameters.ts'
import { NewPet, Pet, Pets, newPetFaults } from './pets.ts'

export const scopes = ['pets:read', 'pets:write', 'orders:read'] as const
export type Scope = (typeof scopes)[number]

export type Operation = OperationShape & {
  method: 'GET' | 'POST'
  tag: 'animals' | 'orders'
  scope: Scope
  body?: JsonBody
  success: Extract<Success, { schema: object }>
  /** Five years' notice: the start is our decision, the end is part of the API. */
  deprecation?: { sunset: string }
  stability?: 'experimental'
  /** Whether the API reference offers to try it out. */
  tryOut?: false
}

const anywhere = [400, 401, 403, 429, 500] as const

export const listPets = {
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'List animals',
  description:
    'Returns a paginated list of animals, newest first (descending `id`). Follow the\n`rel="next"` URL of the `Link` header until there is none.\n',
  parameters: { limit: limitOf('animals'), status: statusFilter, cursor, 'If-None-Match': ifNoneMatch },
  success: {
    status: 200,
    description: 'A page of animals.',
    schema: Pets,
    headers: ['Link', 'ETag'],
    example: [
      { id: 1043, name: 'Rex', categoryId: 7, status: 'sold' },
      { id: 1042, name: 'Mia', categoryId: 1, status: 'sold' },
    ],
  },
  otherStatuses: [304, ...anywhere],
} as const satisfies Operation

export const createPet = {
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:write',
  summary: 'Add an animal',
  description: 'Adds an animal. With an `Idempotency-Key` the request may be repeated safely for 24 hours.',
  parameters: { 'Idempotency-Key': idempotencyKey },
  body: {
    schema: NewPet,
    faults: newPetFaults,
    examples: {
      full: { summary: 'All fields', value: { name: 'Rex', categoryId: 1, status: 'pending' } },
      least: { summary: 'Required fields only', value: { name: 'Mia', categoryId: 1 } },
    },
  },
  success: {
    status: 201,
    description: 'The created animal, including its assigned `id`.',
    schema: Pet,
    headers: ['Location', 'Idempotent-Replayed'],
    example: { id: 1044, name: 'Mia', categoryId: 1, status: 'available' },
  },
  otherStatuses: [...anywhere, 409, 413, 415, 422],
} as const satisfies Operation

export const getPet = {
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'Fetch one animal',
  description:
    'Returns one animal by identifier. Deprecated: removed on 5 December 2030, when it begins to\nreturn 410. The replacement is `GET /pets` with the `status` filter. Every response of this\noperation, errors included, carries `Deprecation`, `Sunset` and `Link`.\n',
  parameters: { petId, 'If-None-Match': ifNoneMatch },
  success: {
    status: 200,
    description: 'The animal.',
    schema: Pet,
    headers: ['ETag'],
    example: { id: 1044, name: 'Mia', categoryId: 1, status: 'available' },
  },
  otherStatuses: [304, ...anywhere, 404, 410],
  deprecation: { sunset: '2030-12-05T00:00:00Z' },
} as const satisfies Operation

export const listOrders = {
  operationId: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  tag: 'orders',
  scope: 'orders:read',
  summary: 'List store orders',
  description:
    'Experimental; its shape may change without notice. Newest first, with the same paging rules as listPets.',
  parameters: { limit: limitOf('orders'), cursor, 'If-None-Match': ifNoneMatch },
  success: {
    status: 200,
    description: 'A page of orders.',
    schema: Orders,
    headers: ['Link', 'ETag'],
    example: [
      {
        id: 7,
        petId: 1042,
        quantity: 1,
        shipDate: null,
        status: 'placed',
        complete: false,
        createdAt: '2026-11-14T22:00:00Z',
      },
    ],
  },
  otherStatuses: [304, ...anywhere],
  stability: 'experimental',
  tryOut: false,
} as const satisfies Operation

export const operations: readonly Operation[] = [listPets, createPet, getPet, listOrders]

/** The `Allow` header of OPTIONS and 405 responses for a path of the contract. */
export const allowOf = (path: string): string => allowedMethods(operations, path)
