// Parameters of operations, apart from the body. Each one defines the code with which a wrong
// value is refused, so that the OpenAPI document and the server use the same definition.

import type { TSchema } from 'typebox'
import { Int64 } from './int64.ts'
import type { RefusalCode } from './errors.ts'
import { PetStatus } from './pets.ts'

/** `Value` is the type that a handler receives; it exists for the compiler alone. */
export type Parameter<Value = unknown, Place extends 'query' | 'header' | 'path' = 'query' | 'header' | 'path'> = {
  readonly value?: Value
  in: Place
  description: string
  schema: TSchema
  refusal: RefusalCode
  /** Name under `components.parameters`, where more than one operation uses it. */
  component?: string
  example?: string | number
}

export const LIMIT_DEFAULT = 20
export const LIMIT_MAX = 100

export const limitOf = (what: string, most = LIMIT_MAX): Parameter<number, 'query'> => ({
  in: 'query',
  description: `Maximum number of ${what} returned.`,
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: most, default: LIMIT_DEFAULT },
  refusal: 'invalid_parameter',
})

/** The beginning of a name, as people type it into a search. */
export const namePrefix = (description: string, lengthMax: number): Parameter<string, 'query'> => ({
  in: 'query',
  description,
  schema: { type: 'string', minLength: 1, maxLength: lengthMax, pattern: '^[^\\u0000-\\u001F\\u007F]*$' },
  refusal: 'invalid_parameter',
})

export const statusFilter: Parameter<PetStatus, 'query'> = {
  in: 'query',
  description: 'Filters by availability.',
  schema: PetStatus,
  refusal: 'invalid_parameter',
}

export const cursor: Parameter<string, 'query'> = {
  in: 'query',
  description: 'Opaque position taken from a `Link` header. Never build one yourself.',
  schema: { type: 'string', minLength: 1, maxLength: 512, pattern: '^[A-Za-z0-9_-]+$' },
  refusal: 'invalid_cursor',
  component: 'Cursor',
}

/** Parsed as HTTP defines it: a tag that matches nothing is not an error, and a list of them may be long. */
export const ifNoneMatch: Parameter<string, 'header'> = {
  in: 'header',
  description: 'Entity tag of an earlier response; if nothing has changed, the response is 304 without a body.',
  schema: { type: 'string' },
  refusal: 'malformed_request',
  component: 'IfNoneMatch',
}

export const idempotencyKey: Parameter<string, 'header'> = {
  in: 'header',
  description: '1 to 255 visible ASCII characters, bare or in double quotes; `abc` and `"abc"` are the same key.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    pattern: '^("[!#-\\[\\]-~]{1,255}"|[!#-\\[\\]-~]{1,255})$',
  },
  refusal: 'invalid_idempotency_key',
}

/** An identifier that no animal can have is one that no animal has: 404, never 400. */
export const petId: Parameter<bigint, 'path'> = {
  in: 'path',
  description: 'Identifier of the animal.',
  schema: Int64,
  refusal: 'not_found',
  example: 1044,
}
