// Animals in the API. Two separate schemas instead of a nested one: a request is closed, so
// that a mistyped `stauts` is refused and not silently dropped; a response is open, so that
// fields can be added later.

import { Type, type Static } from 'typebox'
import { Int64 } from './int64.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const

export const PetStatus = Type.Unsafe<(typeof petStatuses)[number]>({
  $id: 'PetStatus',
  type: 'string',
  enum: [...petStatuses],
})
export type PetStatus = Static<typeof PetStatus>

export const NAME_LENGTH_MAX = 255

const fields = {
  // Two patterns instead of one with a look-ahead: every regular expression engine supports them.
  name: Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    allOf: [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }],
    description: "The animal's name.",
  }),
  categoryId: Type.Unsafe<bigint>({
    ...Int64,
    description: 'Identifier of the category the animal belongs to.',
  }),
  status: Type.Optional(
    Type.Unsafe<PetStatus>({
      ...PetStatus,
      default: 'available',
      description: 'Availability status. Always present in responses.',
    }),
  ),
}

export const NewPet = Type.Object(fields, {
  $id: 'NewPet',
  additionalProperties: false,
  description: 'Request body of creation. Unknown fields are rejected.',
})
export type NewPet = Static<typeof NewPet>

export const Pet = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64, description: 'Unique identifier assigned on creation.' }),
    ...fields,
  },
  { $id: 'Pet', description: 'An animal.' },
)
export type Pet = Static<typeof Pet>

export const Pets = Type.Array(Pet, { $id: 'Pets', maxItems: 100 })

/** The message for each field with a wrong value. */
export const newPetFaults: Record<keyof NewPet, string> = {
  name: `'name' must be a string of 1 to ${NAME_LENGTH_MAX} characters, not only white space and without control characters.`,
  categoryId: "'categoryId' must be an integer from -9223372036854775808 to 9223372036854775807.",
  status: `'status' must be one of ${petStatuses.join(', ')}.`,
}
