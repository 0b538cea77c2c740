// How the text of a spreadsheet is stored in a file: its encoding, and the character between its cells. Pure.
//
// Spreadsheets write CSV in the manner of their country, and say nowhere which. The delimiter is the one with which the
// first records are most alike.

import type { TableDelimiter, TableEncoding } from '@petstore-platform/contract/platform/import-shapes'
import { CsvError, csvReader, type CsvRecord } from '../csv.ts'

const delimiters: readonly TableDelimiter[] = [',', ';', '\t', '|']

/** By its byte order mark; without one, UTF-8 if it can be, and otherwise what Windows has always written. */
export function encodingOf(bytes: Uint8Array): TableEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}

const PIECE_BYTES = 256 * 1024

/** Piece by piece, without the byte order mark. */
export function* textOf(bytes: Uint8Array, encoding: TableEncoding): Generator<string> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
  }
  yield decoder.decode()
}

/** The number of records that decide. */
const SAMPLED_RECORDS = 50

/** Excel's own note about the delimiter, which is a line of its own. */
const DECLARED = /^sep=([,;\t|])\r?\n/

export type Layout = { delimiter: TableDelimiter; skipped: number }

/** `sample`: the beginning of the text. `skipped`: characters before the first record. */
export function layoutOf(sample: string, isWhole: boolean): Layout {
  const declared = DECLARED.exec(sample)
  if (declared) return { delimiter: declared[1] as TableDelimiter, skipped: declared[0].length }
  const rated = delimiters.map((delimiter) => ({ delimiter, rate: rateOf(sampled(sample, delimiter, isWhole)) }))
  return { delimiter: rated.reduce((best, one) => (one.rate > best.rate ? one : best)).delimiter, skipped: 0 }
}

function sampled(sample: string, delimiter: TableDelimiter, isWhole: boolean): readonly CsvRecord[] {
  const reader = csvReader(delimiter)
  try {
    return [...reader.push(sample), ...(isWhole ? reader.end() : [])]
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
      .slice(0, SAMPLED_RECORDS)
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
}

/** How many records have the usual number of cells, and, with less weight, how many cells these are. */
function rateOf(records: readonly CsvRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [usual, alike] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [1, 0])
  return records.length === 0 ? 0 : (alike / records.length) ** 3 * Math.log2(usual)
}
