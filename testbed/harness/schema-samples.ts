// Values at the boundaries of a schema: the bounds and one beyond, other spellings, other types.
// The pool depends on the OpenAPI document alone; which values are valid is decided from the
// schema, with exact arithmetic and without the server's own parsers. So server and document can
// disagree here.

import type { Schema } from './openapi.ts'

/** Texts to send as a parameter. */
export function textPool(schema: Schema): string[] {
  const pool = ['', ' ', 'null', 'true', '0', '-1', 'NaN', '"', '\\', 'a b', 'é', '=', '🦜', '__proto__', "'", '%']
  for (const value of strings(schema.enum)) {
    pool.push(
      value,
      value.toUpperCase(),
      `${value} `,
      ` ${value}`,
      `${value},${value}`,
      value.slice(0, -1),
      `${value}s`,
    )
  }
  if (isType(schema, 'integer')) {
    const edges = [schema.minimum, schema.maximum, numberOr(schema.default)].filter((edge) => edge !== undefined)
    for (const edge of edges.flatMap((edge) => [edge - 1, edge, edge + 1])) pool.push(...spellings(String(edge)))
    pool.push(...INT64_TEXTS, '1e1', '0x10', '1_0', '１', '٣', '1,2', '99999999999999999999999', 'Infinity')
  }
  if (isType(schema, 'string') && !schema.enum) pool.push(...stringPool(schema))
  return [...new Set(pool)]
}

/** Other spellings of an integer, which a parameter must not accept. */
export const spellings = (digits: string): string[] => [
  digits,
  `0${digits}`,
  `+${digits}`,
  `${digits}.0`,
  `${digits}e0`,
  ` ${digits}`,
  `${digits} `,
  `${digits}\n`,
  `${digits}n`,
]

/** JSON texts to send as a field of a body. */
export function jsonPool(schema: Schema): string[] {
  const pool = ['null', 'true', 'false', '0', '5', '-1', '1.5', '""', '"5"', '[]', '{}', '[1]', '{"a":1}', '"\\u0000"']
  for (const value of strings(schema.enum)) {
    const variants = [value, value.toUpperCase(), `${value} `, value.slice(0, -1), `${value}\u0000`]
    pool.push(...variants.map((variant) => JSON.stringify(variant)), `["${value}"]`)
  }
  if (isType(schema, 'integer')) pool.push(...INT64_TEXTS, ...NUMBER_TOKENS)
  if (isType(schema, 'string') && !schema.enum) pool.push(...stringPool(schema).map((text) => JSON.stringify(text)))
  return [...new Set(pool)]
}

function stringPool(schema: Schema): string[] {
  const inPatterns = patternsOf(schema).flatMap((pattern) => pattern.match(/\d+(?=[,}])/g) ?? [])
  const bounds = [schema.minLength, schema.maxLength, ...inPatterns.map(Number)].filter((bound) => bound !== undefined)
  const lengths = new Set(bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).filter((length) => length >= 0))
  const sized = [...lengths].flatMap((length) => [
    'a'.repeat(length),
    '🦜'.repeat(length),
    `"${'a'.repeat(length)}"`,
    ' '.repeat(length),
  ])
  const odd = ['"a"', '"a', 'a"', 'a\\b', 'a+b', 'a/b', 'a=', 'a_-', '\t', 'a\tb', 'a\u0000b', 'a\u007f', '\u001f']
  const unicode = [
    '\ud800',
    'a\udc00',
    'Señor',
    'مرحبا',
    '\u202eabc',
    '👩‍👩‍👧‍👦',
    '\u00a0',
    '\u3000',
    '\ufeff',
    'é'.normalize('NFD'),
  ]
  return [...sized, ...odd, ...unicode]
}

const INT64_TEXTS = [
  '0',
  '1',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '-9223372036854775809',
]
const NUMBER_TOKENS = [
  '1.0',
  '1e2',
  '-0',
  '9007199254740993.0',
  '92233720368547758070e-1',
  '9223372036854775807.5',
  '1.0000000000000001',
  '1e-1',
  '1e18',
  '1e19',
  '1e400',
  '1e999999999',
  '0e999999999',
  '1E+2',
  '100e-2',
  '-0.0',
]

/** Whether a parameter's text is a value of this schema; integers have one spelling only. */
export function isValidText(schema: Schema, text: string): boolean {
  if (isType(schema, 'integer')) return /^(0|-?[1-9]\d*)$/.test(text) && isValidInteger(schema, text)
  return isValidString(schema, text)
}

/** Whether a JSON text is a value of this schema. */
export function isValidJson(schema: Schema, json: string): boolean {
  const value = JSON.parse(json) as unknown
  if (isType(schema, 'integer')) return typeof value === 'number' && isValidInteger(schema, json)
  if (isType(schema, 'string')) return typeof value === 'string' && isValidString(schema, value)
  throw new Error(`no samples for ${JSON.stringify(schema)}`)
}

function isValidInteger({ format, minimum, maximum }: Schema, token: string): boolean {
  const value = integerOf(token)
  if (value === undefined) return false
  const bits = format === 'int64' ? 64 : 32
  const isWithin = (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum)
  return isWithin && BigInt.asIntN(bits, value) === value
}

/** The exact value of a number token, if it is an integer that could matter. */
export function integerOf(token: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole.replace('-', '') + fraction)
  const sign = whole.startsWith('-') ? -1n : 1n
  const shift = Number(exponent) - fraction.length
  if (digits === 0n) return 0n
  if (Math.abs(shift) > 1000) return undefined
  if (shift >= 0) return sign * digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return digits % divisor === 0n ? (sign * digits) / divisor : undefined
}

function isValidString(schema: Schema, text: string): boolean {
  const length = Array.from(text).length
  if (!text.isWellFormed() || length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false
  if (schema.enum && !schema.enum.includes(text)) return false
  return patternsOf(schema).every((pattern) => new RegExp(pattern, 'u').test(text))
}

const patternsOf = ({ pattern, allOf = [] }: Schema): string[] => [
  ...(pattern === undefined ? [] : [pattern]),
  ...allOf.flatMap(patternsOf),
]
export const isType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name)
const strings = (values: unknown[] = []): string[] => values.filter((value) => typeof value === 'string')
const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
