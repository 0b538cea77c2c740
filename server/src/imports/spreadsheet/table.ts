// Builds the table of an import while the rows of its file pass by: titles, samples, and the mapping that is proposed. A
// unit that only a title names is written behind the numbers of its column. Pure.

import {
  SAMPLES_SHOWN,
  type ImportField,
  type ImportReading,
  type ImportTable,
  type Preset,
} from '@petstore-platform/contract/platform/import-shapes'
import { rearmed } from '../csv.ts'
import { columnSampler, proposeMapping, titlesAt, type SheetRow } from './columns.ts'
import { UnfitFile, type SheetLimits } from './limits.ts'
import { presetOf } from './programs.ts'
import { readSpreadsheet } from './read.ts'
import { unitOfTitle, type TitleUnit } from './titles.ts'

export type BuiltTable = {
  preset: Preset | null
  reading: ImportReading
  rows: number
  columns: { index: number; title: string; samples: string[]; field: ImportField | null }[]
}

/** `first`: the first rows, with the titles among them. `propose`: another way to map columns. */
export function tableBuilder(first: readonly SheetRow[], today: string, propose = proposeMapping) {
  const titleRow = first[titlesAt(first)]
  const titles = (titleRow?.cells ?? []).map((title) => title.trim().replaceAll(/\s+/g, ' '))
  const sampler = columnSampler(titles)
  const isOurs = presetOf(titles) === 'petstore'
  const units = titles.map((title) => (isOurs ? undefined : unitOfTitle(title)))
  let rows = 0
  return {
    /** Those that are animals, as they are to be stored. */
    add(batch: readonly SheetRow[]): SheetRow[] {
      const animals = batch
        .filter(({ row }) => titleRow === undefined || row > titleRow.row)
        .map(({ row, cells }) => ({ row, cells: isOurs ? cells.map(rearmed) : withUnits(cells, units) }))
      for (const { cells } of animals) sampler.add(cells)
      rows += animals.length
      return animals
    },
    built(): BuiltTable {
      const summaries = sampler.columns()
      const { preset, fields, reading } = propose(summaries, today)
      const columns = summaries.map(({ title, samples }, index) => ({
        index,
        title,
        samples: samples.slice(0, SAMPLES_SHOWN),
        field: fields[index] ?? null,
      }))
      return { columns, rows, preset, reading }
    },
  }
}

/** `today`: YYYY-MM-DD. */
export type SheetTask = { sheet: string | undefined; limits: SheetLimits; today: string }

export type SheetTable = { table: ImportTable; reading: ImportReading }

/** Rows that are passed on together; the first of them are more than any heading has, so that the titles are among them. */
const BATCH_ROWS = 500
const BATCH_LETTERS = 512 * 1024

/** Reads a file, and passes its animals on in batches. Throws an `UnfitFile` that says why a file cannot be read. */
export function readTable(
  bytes: Uint8Array,
  { sheet, limits, today }: SheetTask,
  onAnimals: (animals: readonly SheetRow[]) => void,
): SheetTable {
  let builder: ReturnType<typeof tableBuilder> | undefined
  let batch: SheetRow[] = []
  let letters = 0
  const flush = () => {
    builder ??= tableBuilder(batch, today)
    const animals = builder.add(batch)
    if (animals.length > 0) onAnimals(animals)
    batch = []
    letters = 0
    return builder
  }
  const format = readSpreadsheet(bytes, sheet, limits, (row, cells) => {
    batch.push({ row, cells })
    letters += cells.reduce((sum, { length }) => sum + length, 0)
    if (batch.length >= BATCH_ROWS || letters > BATCH_LETTERS) flush()
  })
  // Of a file with several sheets another one can be chosen.
  if (builder === undefined && batch.length === 0 && format.sheets.length < 2) throw new UnfitFile(EMPTY)
  const { columns, rows, preset, reading } = flush().built()
  return { table: { ...format, preset, rows, columns }, reading }
}

const EMPTY = 'This file is empty. It needs a row with the names of the columns, and a row for each animal.'

const withUnits = (cells: readonly string[], units: readonly (TitleUnit | undefined)[]): readonly string[] =>
  units.every((unit) => unit === undefined)
    ? cells
    : cells.map((cell, index) =>
        units[index] && /^\s*\d+([.,]\d+)?\s*$/.test(cell) ? `${cell.trim()} ${units[index]}` : cell,
      )
