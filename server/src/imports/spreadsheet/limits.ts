// What a file that is read may cost, and the error that says why it cannot be. Pure.

/** The message is for people. */
export class UnfitFile extends Error {}

export type SheetLimits = {
  /** Of everything that is unpacked, and of all cells together. */
  bytesMax: number
  columnsMax: number
  rowsMax: number
  /** Of a cell; a longer one is cut behind that, so that it is found to be too long. */
  cellMax: number
}

/** Receives each row that is not empty. `row`: its line, the first is 1. */
export type OnRow = (row: number, cells: readonly string[]) => void

/** Passes rows on, cut to their cells, and counts them. */
export function limitedRows(limits: SheetLimits, onRow: OnRow): OnRow {
  let rows = 0
  let letters = 0
  return (row, cells) => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last === -1) return
    if (last >= limits.columnsMax) throw new UnfitFile(`The file has more than ${limits.columnsMax} columns.`)
    rows += 1
    // The titles are a row as well.
    if (rows > limits.rowsMax + 1)
      throw new UnfitFile(`Your plan includes ${limits.rowsMax} rows in one import; the file has more.`)
    const kept = cells.slice(0, last + 1).map((cell) => cleaned(cell.slice(0, limits.cellMax + 1)))
    letters += kept.reduce((sum, { length }) => sum + length, 0)
    if (letters > limits.bytesMax) throw tooLarge(limits)
    onRow(row, kept)
  }
}

export const tooLarge = ({ bytesMax }: SheetLimits): UnfitFile =>
  new UnfitFile(`The file is too large: its text may have ${Math.round(bytesMax / 1_048_576)} MiB.`)

/** What PostgreSQL could not store. */
const cleaned = (text: string): string => text.replaceAll('\0', '').toWellFormed()
