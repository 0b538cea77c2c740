// Reads a file of which nothing is known but its bytes: XLSX, or text in one of the encodings and with one of the
// delimiters that spreadsheets use. Pure; spreadsheet-child.io.ts runs it where it can do no harm.

import type { ImportTable } from '@petstore-platform/contract/platform/import-shapes'
import { CsvError, csvReader } from '../csv.ts'
import { limitedRows, UnfitFile, type OnRow, type SheetLimits } from './limits.ts'
import { encodingOf, layoutOf, textOf } from './text.ts'
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
