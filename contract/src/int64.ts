/*
 * Every identifier of the API is a 64-bit integer, and a JavaScript number cannot represent one: above 2^53 it rounds
 * silently. So an integer is validated on its source text and kept as a bigint.
 *
 * Integer means integer by value: 1.0 and 1e2 are integers, 1.0000000000000001 is not. No parser here does arithmetic
 * with more than 19 digits, whatever the exponent claims. Only the schema needs a package, and all of it runs in a
 * browser too.
 */
import { Type } from 'typebox'

/** No bounds in the schema: JSON Schema validators round them, so the functions below check the range. */
export const Int64 = Type.Unsafe<bigint>({ $id: 'Int64', type: 'integer', format: 'int64', examples: [1] })

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

const MAX_DIGITS = 19
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const PATH_INTEGER = /^(?:0|-?[1-9][0-9]{0,18})$/

/** The value of a JSON number token, or undefined if it has a fraction or does not fit into 64 bits. */
export function int64FromText(text: string): bigint | undefined {
  const token = NUMBER.exec(text)
  if (!token) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = token

  // Loops instead of /0+$/, which takes quadratic time on long runs of zeros.
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  if (start === digits.length) return 0n
  let end = digits.length
  while (digits[end - 1] === '0') end--

  // The value is now digits[start..end) × 10^power, and its last digit is not 0: a negative power is a true fraction.
  // An absurd exponent becomes a large or infinite number here and is refused before any bigint is created.
  const power = Number(exponent) - fraction.length + (digits.length - end)
  if (power < 0 || end - start + power > MAX_DIGITS) return undefined
  const magnitude = BigInt(digits.slice(start, end) + '0'.repeat(power))
  return withinInt64(sign === '-' ? -magnitude : magnitude)
}

/** An identifier in a path: canonical decimal only, so that one animal has one address. */
export function int64FromPath(text: string): bigint | undefined {
  return PATH_INTEGER.test(text) ? withinInt64(BigInt(text)) : undefined
}

function withinInt64(value: bigint): bigint | undefined {
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}
