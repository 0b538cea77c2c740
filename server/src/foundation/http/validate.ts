// Validates requests against the contract's own schemas and nothing else: no coercion, no silent
// dropping, no default values.
//
// Ajv validates, with two additions: numbers arrive as their source text, since JavaScript would
// round them, and become `bigint` where the schema specifies int64, and are no objects; and a string
// may contain half a character (a lone surrogate), which could not be stored.

import { int64FromPath, int64FromText } from '@petstore-platform/contract/int64'
import type { JsonBody, OperationShape } from '@petstore-platform/contract/operation'
import type { Parameter } from '@petstore-platform/contract/parameters'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv'
import { JsonNumber, type JsonValue } from '../json-reader.ts'
import { Refusal, quoted } from '../refusal.ts'

const ajv = new Ajv2020({ coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true })

ajv.addKeyword({
  keyword: 'int64',
  modifying: true,
  errors: false,
  validate: (
    _: unknown,
    value: unknown,
    __: unknown,
    place?: { parentData: object; parentDataProperty: string | number },
  ) => {
    const integer = value instanceof JsonNumber ? int64FromText(value.text) : undefined
    if (integer === undefined || !place) return false
    Reflect.set(place.parentData, place.parentDataProperty, integer)
    return true
  },
})
// A small integer, which a JavaScript number represents exactly.
ajv.addKeyword({
  keyword: 'smallInteger',
  modifying: true,
  errors: false,
  validate: (
    { minimum, maximum }: { minimum: number; maximum: number },
    value: unknown,
    __: unknown,
    place?: { parentData: object; parentDataProperty: string | number },
  ) => {
    const number =
      value instanceof JsonNumber && /^-?(0|[1-9]\d{0,9})$/.test(value.text) ? Number(value.text) : Number.NaN
    if (!(number >= minimum && number <= maximum) || !place) return false
    Reflect.set(place.parentData, place.parentDataProperty, number)
    return true
  },
})
// For strings only: Ajv would call it for other types too, before it reports that the type is
// wrong.
ajv.addKeyword({
  keyword: 'wellFormed',
  type: 'string',
  errors: false,
  validate: (_: unknown, text: string) => text.isWellFormed(),
})

// A number is an object with a `text`, so that it would pass as a body that has only that field.
ajv.addKeyword({
  keyword: 'notNumber',
  type: 'object',
  errors: false,
  validate: (_: unknown, value: object) => !(value instanceof JsonNumber),
})

/** Validates a body; the result has exactly the type of the schema. */
export function bodyReader({ schema, faults }: JsonBody): (value: JsonValue) => unknown {
  const isValid = ajv.compile(enforced(schema))
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  const required = (schema as { required?: readonly string[] }).required ?? []

  return (value) => {
    // A misspelt name explains the missing one, so it is reported first.
    if (isRecord(value)) {
      const unknown = Object.keys(value).find((name) => !known.includes(name))
      if (unknown !== undefined) {
        throw new Refusal('unknown_field', `Unknown field ${quoted(unknown)}. Known: ${known.join(', ')}.`)
      }
      const missing = required.filter((name) => !(name in value))
      if (missing.length > 0) {
        throw new Refusal('missing_field', `Body is missing required field(s): ${missing.join(', ')}.`)
      }
    }
    if (!isValid(value)) throw new Refusal('invalid_field', faultOf(isValid.errors?.[0], faults))
    return value
  }
}

function faultOf(error: ErrorObject | undefined, faults: Record<string, string>): string | undefined {
  const field = error?.instancePath.split('/')[1]
  return field === undefined ? 'Body must be a JSON object.' : faults[field]
}

const isRecord = (value: JsonValue): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** The contract's schema with the keywords that Ajv needs; the rules are the same. */
function enforced(schema: object): object {
  const { $id: _, format, properties, items, oneOf, ...rest } = schema as Record<string, unknown>
  const types = [rest['type']].flat()
  // Ajv must not see the type of a number: it arrives as its source text.
  if (types.length > 1 && types.includes('integer')) {
    return { anyOf: [{ type: 'null' }, enforced({ ...schema, type: 'integer' })] }
  }
  if (rest['type'] === 'integer' && format === 'int64') return { int64: true }
  if (rest['type'] === 'integer') {
    const { minimum = -999_999_999, maximum = 999_999_999 } = rest
    return { smallInteger: { minimum, maximum } }
  }
  return {
    ...rest,
    ...(types.includes('string') && { wellFormed: true }),
    ...(types.includes('object') && { notNumber: true }),
    ...(oneOf !== undefined && { oneOf: (oneOf as object[]).map(enforced) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, object>).map(([name, of]) => [name, enforced(of)]),
      ),
    }),
    ...(items !== undefined && { items: enforced(items as object) }),
  }
}

/** Query parameters: text that must match the schema, each at most once, and no others. */
export function queryReader(parameters: OperationShape['parameters']): (query: string) => Record<string, unknown> {
  const readers = new Map(
    Object.entries(parameters)
      .filter(([, parameter]) => parameter.in === 'query')
      .map(([name, parameter]) => [name, { ...textReader(parameter), code: parameter.refusal }]),
  )
  const known = readers.size === 0 ? 'This operation takes none.' : `Known: ${[...readers.keys()].join(', ')}.`

  return (query) => {
    const found: Record<string, unknown> = {}
    if (query === '') return found
    // With a `?` of our own, since a leading one would be removed: `??limit=1` contains the
    // parameter `?limit`.
    for (const [name, text] of new URLSearchParams(`?${query}`)) {
      const reader = readers.get(name)
      if (!reader) throw new Refusal('unknown_parameter', `Unknown query parameter ${quoted(name)}. ${known}`)
      if (name in found) throw new Refusal('invalid_parameter', `Query parameter '${name}' must occur only once.`)
      const value = reader.read(text)
      if (value === undefined) {
        throw new Refusal(reader.code, `Query parameter '${name}' must be ${reader.wanted}; got ${quoted(text)}.`)
      }
      found[name] = value
    }
    return found
  }
}

type TextReader = { read: (text: string) => unknown; wanted: string }

/**
 * Decimal digits without sign, leading zeros, exponent or white space: the only accepted spelling
 * of a small integer.
 */
const plainInteger = /^(0|[1-9][0-9]{0,8})$/

function textReader({ schema }: Parameter): TextReader {
  const {
    type,
    format,
    minimum,
    maximum,
    enum: values,
  } = schema as {
    type?: string
    format?: string
    minimum?: number
    maximum?: number
    enum?: readonly string[]
  }
  if (type === 'integer' && format === 'int64') return { read: int64FromPath, wanted: 'an integer' }
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return {
      read: (text) =>
        plainInteger.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : undefined,
      wanted: `an integer from ${minimum} to ${maximum}`,
    }
  }
  const isValid = ajv.compile(enforced(schema))
  return {
    read: (text) => (isValid(text) ? text : undefined),
    wanted: values ? `one of ${values.join(', ')}` : 'as this interface gave it out',
  }
}
