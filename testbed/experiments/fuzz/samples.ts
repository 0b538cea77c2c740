// Values for any schema of a body, as JSON text: valid ones, of any depth, and ones that are
// certainly invalid. Validity is decided from the schema, never by the server's own parsers.

import fc from 'fast-check'
import type { Schema } from '../../harness/openapi.ts'
import { createValidator } from '../../harness/response-checker.ts'
import { isType, isValidJson, jsonPool } from '../../harness/schema-samples.ts'

const faultOf = createValidator()

/** Numbers and texts are checked to the last digit and character; for anything else there are only simple samples. */
export function isRight(schema: Schema, json: string): boolean {
  if (schema.type === 'integer' || schema.type === 'string') return isValidJson(schema, json)
  return faultOf(schema, JSON.parse(json)) === undefined
}

const oddities = ['null', 'true', '0', '1.5', '""', '"a"', '[]', '{}', '[[]]', '{"a":1}', '[null]', '"\\u0000"']

export const wrongTexts = (schema: Schema): string[] => {
  const pool = schema.type === 'integer' || schema.type === 'string' ? jsonPool(schema) : oddities
  return pool.filter((json) => !isRight(schema, json))
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

export function rightTexts(schema: Schema): fc.Arbitrary<string> {
  const { oneOf, anyOf, items, maxItems = 5, minimum = 0, maximum = 1000 } = schema
  const alternatives = oneOf ?? anyOf
  if (alternatives) return fc.oneof(...alternatives.map(rightTexts))
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)))
  if (isType(schema, 'null')) {
    const others = [schema.type].flat().filter((type): type is string => type !== undefined && type !== 'null')
    return fc.oneof(fc.constant('null'), rightTexts({ ...schema, type: others[0] ?? 'string' }))
  }
  if (schema.format === 'int64') return int64.map(String)
  if (isType(schema, 'integer')) return fc.integer({ min: minimum, max: maximum }).map(String)
  if (isType(schema, 'boolean')) return fc.constantFrom('true', 'false')
  if (isType(schema, 'array')) {
    return fc
      .uniqueArray(rightTexts(items ?? {}), {
        minLength: (schema as { minItems?: number }).minItems ?? 0,
        maxLength: Math.min(maxItems, 5),
      })
      .map((texts) => `[${texts.join(',')}]`)
  }
  if (isType(schema, 'object')) return rightFields(schema).map((fields) => `{${fields.map(joined).join(',')}}`)
  return rightStrings(schema)
}

const joined = ([name, json]: readonly [string, string]) => `${name}:${json}`

export function rightFields({ properties = {}, required = [] }: Schema): fc.Arbitrary<(readonly [string, string])[]> {
  const entries = Object.entries(properties)
  const texts = entries.map(([name, schema]) =>
    required.includes(name) ? rightTexts(schema) : fc.option(rightTexts(schema), { freq: 1 }),
  )
  return fc.tuple(...texts).map((found) =>
    found.flatMap((json, index) => {
      const name = entries[index]?.[0]
      return json === null || json === undefined || name === undefined ? [] : [[JSON.stringify(name), json] as const]
    }),
  )
}

/** Generated from the pattern where there is one; a text that is certainly valid where none can be generated. */
function rightStrings(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format, maxLength = 60, minLength = 0 } = schema
  if (format === 'date-time') return fc.constantFrom('"2031-01-02T03:04:05Z"', '"2999-12-31T23:59:59Z"')
  const pool = jsonPool(schema).filter((json) => isValidJson(schema, json))
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  const made = pattern === undefined || isNegated(pattern) ? free : madeFor(pattern)
  const right = made.map((text) => JSON.stringify(text)).filter((json) => isValidJson(schema, json))
  if (pool.length === 0) return right
  return fc.oneof({ arbitrary: right, weight: 3 }, { arbitrary: fc.constantFrom(...pool), weight: 1 })
}

/** Nearly every text matches it. */
const isNegated = (pattern: string) => /^\^\[\^[^\]]*\][*+]\$$/.test(pattern)

function madeFor(pattern: string): fc.Arbitrary<string> {
  // A free text has this sign only by chance: a thousand would be discarded for each that matches.
  if (!pattern.startsWith('^[^') || !pattern.includes(']+@[')) return fc.stringMatching(new RegExp(pattern))
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  return fc.tuple(part, part).map((parts) => parts.join('@'))
}
