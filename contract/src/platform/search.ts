// The search of a project: animals by name, breed and chip number, and orders by name, in one request.

import { Type, type Static } from 'typebox'
import { namePrefix } from '../parameters.ts'
import { Animal, animalExample } from './animals.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { ManagedOrder, orderExample } from './orders.ts'

export const FOUND_MAX = 6

export const Found = Type.Object(
  {
    animals: Type.Array(Animal, {
      maxItems: FOUND_MAX,
      description:
        'Animals whose names begin with the text; then those with a further word of the name, a breed or a chip number that begins with it.',
    }),
    orders: Type.Array(ManagedOrder, {
      maxItems: FOUND_MAX,
      description: 'Orders of visitors whose names begin with the text; the newest of a visitor first.',
    }),
  },
  { $id: 'Found', description: `What a search finds, at most ${FOUND_MAX} of each kind.` },
)
export type Found = Static<typeof Found>

const text = namePrefix(
  'The beginning of a name, of a word in it, of a breed or of a chip number, ignoring case. Without it, nothing is found.',
  100,
)

export const searchProject = {
  operationId: 'searchProject',
  method: 'GET',
  path: '/projects/{project}/search',
  tag: 'projects',
  access: 'viewer',
  summary: 'Search a project',
  description:
    'Animals by name, breed and chip number, and orders by the name of the visitor. Not paginated: it helps a person to find one.',
  parameters: { project: projectSlug, text },
  success: {
    status: 200,
    description: 'What was found.',
    schema: Found,
    headers: ['ETag'],
    example: { animals: [animalExample], orders: [orderExample] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const searchOperations: readonly PlatformOperation[] = [searchProject]
