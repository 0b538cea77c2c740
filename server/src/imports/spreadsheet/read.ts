// Reads a file of which nothing is known but its bytes: XLSX, or text in one of the encodings and with one of the
// delimiters that spreadsheets use. Pure; spreadsheet-child.io.ts runs it where it can do no harm.

import type { ImportTable, TableDelimiter, TableEncoding } from '@petstore-platform/contract/platform/import-shapes'
import { CsvError, csvReader, type CsvRecord } from '../csv.ts'
import { limitedRows, UnfitFile, type OnRow, type SheetLimits } from './limits.ts'
import { readXlsx } from './xlsx.ts'

export type SheetFormat = Pick<ImportTable, 'format' | 'encoding' | 'delimiter' | 'sheet' | 'sheets'>

/** Throws an `UnfitFile` that says why a file cannot be read. */
export function readSpreadsheet(
  bytes: Uint8Array,
  sheet: string | undefined,
  limits: SheetLimits,
  onRow: OnRow,
): SheetFormat {
  const rows = limitedRows(limits, onRow)
  if (startsWith(bytes, ZIP))
    return { format: 'xlsx', encoding: null, delimiter: null, ...readXlsx(bytes, sheet, limits, rows) }
  if (startsWith(bytes, OLD_EXCEL))
    throw new UnfitFile('This is an old Excel file (XLS). Save it as XLSX, and import it again.')
  return readText(bytes, rows)
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0]
const startsWith = (bytes: Uint8Array, beginning: readonly number[]) =>
  beginning.every((byte, index) => bytes[index] === byte)

/** Characters that decide about the delimiter: fifty records fit. */
const SAMPLE_LENGTH = 256 * 1024

function readText(bytes: Uint8Array, onRow: OnRow): SheetFormat {
  const encoding = encodingOf(bytes)
  const [sample = ''] = textOf(bytes.subarray(0, SAMPLE_LENGTH), encoding)
  const { delimiter, skipped } = layoutOf(sample.replace(/^\uFEFF/, ''), bytes.length <= SAMPLE_LENGTH)
  const reader = csvReader(delimiter)
  let toSkip = skipped
  try {
    for (const text of textOf(bytes, encoding)) {
      const rest = text.slice(toSkip)
      toSkip = Math.max(0, toSkip - text.length)
      for (const { line, cells } of reader.push(rest)) onRow(line, cells)
    }
    for (const { line, cells } of reader.end()) onRow(line, cells)
  } catch (error) {
    throw error instanceof CsvError ? new UnfitFile(error.message) : error
  }
  return { format: 'csv', encoding, delimiter, sheet: null, sheets: [] }
}

// How the text of a spreadsheet is stored in a file: its encoding, and the character between its cells.
//
// Spreadsheets write CSV in the manner of their country, and say nowhere which. The delimiter is the one with which the
// first records are most alike.

const delimiters: readonly TableDelimiter[] = [',', ';', '\t', '|']

/** By its byte order mark; without one, UTF-8 if it can be, and otherwise what Windows has always written. */
function encodingOf(bytes: Uint8Array): TableEncoding {
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
function* textOf(bytes: Uint8Array, encoding: TableEncoding): Generator<string> {
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

type Layout = { delimiter: TableDelimiter; skipped: number }

/** `sample`: the beginning of the text. `skipped`: characters before the first record. */
function layoutOf(sample: string, isWhole: boolean): Layout {
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
