// CSV, written and parsed again: whatever the cells contain, and wherever the text is
// split.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvError, RECORD_LENGTH_MAX, csvLine, csvReader, disarmed, rearmed, type CsvRecord } from './csv.ts'

function read(...pieces: string[]): CsvRecord[] {
  const reader = csvReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}
const cellsOf = (...pieces: string[]) => read(...pieces).map(({ cells }) => cells)

/** Split at each of the positions, in whatever order they are given. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...ends].map((start, index) => text.slice(start, ends[index] ?? text.length))
}

const awkward = fc.constantFrom('"', '""', ',', '\n', '\r', '\r\n', "'", '=', '\uFEFF', '', 'a', 'ä', '🐶')
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(awkward).map((parts) => parts.join('')),
)
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 })

test('what was written is parsed again, wherever it is split', () => {
  fc.assert(
    fc.property(table, fc.array(fc.nat(), { maxLength: 20 }), (rows, places) => {
      expect(cellsOf(...cut(rows.map(csvLine).join(''), places))).toEqual(rows)
    }),
    { numRuns: 2000 },
  )
})

test('any text is parsed the same whole and character by character', () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(awkward).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (whole) => {
      expect(read(...whole.split(''))).toEqual(read(whole))
    }),
    { numRuns: 2000 },
  )
})

test('the line of a record is the line it begins in, even after cells with line breaks', () => {
  expect(read('a,b\r\n"1\n2\r\n3\r4",5\n\n6,7')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1\n2\r\n3\r4', '5'] },
    { line: 6, cells: [''] },
    { line: 7, cells: ['6', '7'] },
  ])
})

describe('a CSV file', () => {
  test.each([
    [
      'ends with or without a line break',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['may begin with a byte order mark', '\uFEFFa,b\n', [['a', 'b']]],
    ['has lines that end with CRLF, LF or CR', 'a\r\nb\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    ['keeps spaces', ' a , b ', [[' a ', ' b ']]],
    [
      'has empty cells, also at the end',
      ',\r\n"",',
      [
        ['', ''],
        ['', ''],
      ],
    ],
    ['may hold a quotation mark inside a plain cell', 'a"b,c', [['a"b', 'c']]],
    ['that is empty has no records', '', []],
  ])('%s', (_, text, rows) => {
    expect(cellsOf(text)).toEqual(rows)
    expect(cellsOf(...text.split(''))).toEqual(rows)
  })

  test('with text after a closing quotation mark is reported, and parsing continues with the next line', () => {
    const [bad, good] = read('"a"b,c\n1,2')
    expect(bad?.fault).toMatch(/After a closing quotation mark/)
    expect(good).toEqual({ line: 2, cells: ['1', '2'] })
  })

  test('whose last quotation mark is not closed is reported', () => {
    expect(read('a\n"b')[1]?.fault).toBe('A closing quotation mark is missing.')
  })

  test('with a quotation mark that is not closed is not buffered without limit', () => {
    const reader = csvReader()
    reader.push('a\n"')
    const push = () => {
      for (let count = 0; count < 100; count++) reader.push('x'.repeat(1000))
    }
    expect(push).toThrow(CsvError)
    expect(push).toThrow(`The row in line 2 has more than ${RECORD_LENGTH_MAX} characters`)
  })
})

describe('a cell that a spreadsheet would run as a formula', () => {
  test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '＝1+1', '＋1', '－1', '＠sum', "'＝1"])(
    '%j is written with an apostrophe',
    (text) => {
      expect(disarmed(text)).toBe(`'${text}`)
    },
  )

  test.each(['Rex', "'", "'Rex", '', 'a=b', "O'Hara"])('%j is written unchanged', (text) => {
    expect(disarmed(text)).toBe(text)
    expect(rearmed(text)).toBe(text)
  })

  test('is parsed back unchanged, and the written text begins no formula', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("'", '=', '-', '＝', '＠', 'a', '\t')).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (whole) => {
        expect(rearmed(disarmed(whole))).toBe(whole)
        expect(disarmed(whole)).not.toMatch(/^[=+\-@\t\r＝＋－＠]/)
      }),
      { numRuns: 2000 },
    )
  })
})
