import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INT64_MAX, INT64_MIN, Int64, int64FromPath, int64FromText } from './int64.ts'
import { processorTime } from './processor-time.fake.ts'

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX })

test('the schema is an integer of format int64 without bounds that a parser could round', () => {
  expect(JSON.parse(JSON.stringify(Int64))).toEqual({ $id: 'Int64', type: 'integer', format: 'int64', examples: [1] })
})

describe('a JSON number', () => {
  test.each([
    '0',
    '1',
    '-1',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
  ])('%s round-trips with the same digits', (text) => {
    expect(String(int64FromText(text))).toBe(text)
  })

  test.each([
    ['1.0', 1n],
    ['1e2', 100n],
    ['1E+2', 100n],
    ['-0', 0n],
    ['-0.0e5', 0n],
    ['0e999999999', 0n],
    ['0.000e-999999999', 0n],
    ['9007199254740993.0', 9007199254740993n],
    ['92233720368547758070e-1', INT64_MAX],
    ['9.223372036854775807e18', INT64_MAX],
    ['-922337203685477580800e-2', INT64_MIN],
    ['1.50e1', 15n],
    ['0.001e3', 1n],
    ['1e0000000000000000000002', 100n],
  ])('%s is the integer %s by value', (text, value) => {
    expect(int64FromText(text)).toBe(value)
  })

  test.each(['1.5', '-1.5', '1.0000000000000001', '1e-1', '15e-2', '0.1', '1e-400', '1e-999999999'])(
    '%s has a fraction and is not an integer',
    (text) => {
      expect(int64FromText(text)).toBeUndefined()
    },
  )

  test.each(['9223372036854775808', '-9223372036854775809', '9999999999999999999', '1e19', '1e400', '1e999999999'])(
    '%s does not fit in 64 bits',
    (text) => {
      expect(int64FromText(text)).toBeUndefined()
    },
  )

  test.each(['', '-', '01', '+1', '.5', '1.', '1e', '0x10', 'NaN', ' 1', '1 ', '1\n', '1_0', '１', '1n'])(
    'the text %j is rejected',
    (text) => {
      expect(int64FromText(text)).toBeUndefined()
    },
  )

  test('any int64 is parsed exactly, even padded with zeros and shifted back by an exponent', () => {
    fc.assert(
      fc.property(anyInt64, fc.nat({ max: 50 }), (value, shift) => {
        expect(int64FromText(`${value}`)).toBe(value)
        expect(int64FromText(`${value}.${'0'.repeat(shift + 1)}`)).toBe(value)
        expect(int64FromText(`${value}.${'0'.repeat(shift)}1`)).toBeUndefined()
      }),
    )
    const notZero = anyInt64.filter((value) => value !== 0n)
    fc.assert(
      fc.property(notZero, fc.nat({ max: 50 }), (value, shift) => {
        expect(int64FromText(`${value}${'0'.repeat(shift)}e-${shift}`)).toBe(value)
      }),
    )
  })

  test('any integer outside 64 bits is rejected', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), (distance) => {
        expect(int64FromText(`${INT64_MAX + distance}`)).toBeUndefined()
        expect(int64FromText(`${INT64_MIN - distance}`)).toBeUndefined()
      }),
    )
  })

  const long = 100_000
  test.each([
    ['a huge exponent', '1e999999999', undefined],
    ['a huge negative exponent', '1e-999999999', undefined],
    ['an exponent of 100,000 digits', `1e${'9'.repeat(long)}`, undefined],
    ['a negative exponent of 100,000 digits', `1e-${'9'.repeat(long)}`, undefined],
    ['100,000 digits', '9'.repeat(long), undefined],
    ['100,000 zeros cancelled by the exponent', `1${'0'.repeat(long)}e-${long}`, 1n],
    ['100,000 zeros after the point', `0.${'0'.repeat(long)}1`, undefined],
    ['100,000 zeros between two digits', `1${'0'.repeat(long)}1`, undefined],
    ['100,000 zeros as a fraction of nothing', `0.${'0'.repeat(long)}e${'9'.repeat(long)}`, 0n],
  ])('%s is parsed in less than 5 ms', (_, text, value) => {
    expect(int64FromText(text)).toBe(value)
    expect(processorTime(() => int64FromText(text), 5)).toBeLessThan(5)
  })
})

describe('an identifier in a path', () => {
  test('any int64 in canonical decimal is parsed exactly', () => {
    fc.assert(fc.property(anyInt64, (value) => int64FromPath(`${value}`) === value))
    expect(int64FromPath('0')).toBe(0n)
    expect(int64FromPath('9223372036854775807')).toBe(INT64_MAX)
    expect(int64FromPath('-9223372036854775808')).toBe(INT64_MIN)
  })

  test.each(['', '-', '00', '01', '-0', '-01', '+1', '1e3', '1.0', '0x1', ' 1', '1 ', '1\n', '１', '٥', '%31'])(
    'the text %j is not an identifier',
    (text) => {
      expect(int64FromPath(text)).toBeUndefined()
    },
  )

  test.each(['9223372036854775808', '-9223372036854775809', '10000000000000000000'])(
    '%s does not fit in 64 bits and is not an identifier',
    (text) => {
      expect(int64FromPath(text)).toBeUndefined()
    },
  )

  test('100,000 digits are rejected in less than 5 ms', () => {
    const digits = '9'.repeat(100_000)
    expect(int64FromPath(digits)).toBeUndefined()
    expect(processorTime(() => int64FromPath(digits), 5)).toBeLessThan(5)
  })
})
