// The status of animals, set by hand, which may end holds and close requests.

import { Type } from 'typebox'
import { Int64 } from '../int64.ts'
import { petId } from '../parameters.ts'
import { petStatuses, type PetStatus } from '../pets.ts'
import { Animal } from './animals.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const AnimalStatusChange = Type.Object(
  {
    status: Type.Unsafe<PetStatus>({ type: 'string', enum: [...petStatuses] }),
    orderId: Type.Optional(
      Type.Unsafe<bigint>({
        ...Int64,
        description: 'The request of the person who took the animal; only with `sold`.',
      }),
    ),
  },
  { $id: 'AnimalStatusChange', additionalProperties: false },
)

export const orderIdFault = "'orderId' must be the identifier of a request, and belongs to 'sold' alone."

export const setAnimalStatus = {
  operationId: 'setAnimalStatus',
  method: 'PUT',
  path: '/projects/{project}/animals/{petId}/status',
  tag: 'animals',
  access: 'admin',
  summary: "Set an animal's status",
  description:
    'Overrides the status that follows from requests. `sold` completes the request in `orderId`, if there is one, and closes the others. `available` ends the hold of the animal, and no request. `pending` changes no request. Rejected with `wrong_state` if `orderId` is not an open request for this animal.',
  parameters: { project: projectSlug, petId },
  body: {
    schema: AnimalStatusChange,
    faults: {
      status: `'status' must be one of ${petStatuses.join(', ')}.`,
      orderId: orderIdFault,
    },
    examples: {
      one: { summary: 'Sold in the shop', value: { status: 'sold' } },
      asked: { summary: 'Taken by a person who asked for it', value: { status: 'sold', orderId: 7 } },
    },
  },
  success: {
    status: 200,
    description: 'The animal.',
    schema: Animal,
    headers: ['ETag'],
    example: { id: 1044, name: 'Rex', categoryId: 9, status: 'sold', createdAt: '2026-11-14T22:00:00Z' },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

/** In one request that changes many. */
export const ANIMALS_AT_ONCE_MAX = 500

export const AnimalStatusesChange = Type.Object(
  {
    ids: Type.Array(Type.Unsafe<bigint>({ ...Int64 }), {
      minItems: 1,
      maxItems: ANIMALS_AT_ONCE_MAX,
      description: 'Identifiers of the animals, each once.',
    }),
    status: AnimalStatusChange.properties.status,
  },
  { $id: 'AnimalStatusesChange', additionalProperties: false },
)
export const idsFault = `'ids' must be a list of 1 to ${ANIMALS_AT_ONCE_MAX} identifiers, each once.`

export const AnimalStatusesChanged = Type.Object(
  {
    changed: Type.Integer({ minimum: 0, description: 'Number of animals whose status changed.' }),
    unchanged: Type.Integer({ minimum: 0, description: 'Number of animals that already had this status.' }),
    closed: Type.Integer({ minimum: 0, description: 'Number of requests that were closed by it.' }),
    missing: Type.Array(Type.Unsafe<bigint>({ ...Int64 }), {
      maxItems: ANIMALS_AT_ONCE_MAX,
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
    'As for one animal: overrides the status that follows from requests; `available` ends holds, and `sold` closes open requests. All animals are changed, or none; identifiers that do not exist are reported and do not stop the others.',
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
    example: { changed: 1, unchanged: 0, closed: 0, missing: [1045] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const animalStatusOperations: readonly PlatformOperation[] = [setAnimalStatus, setAnimalStatuses]
