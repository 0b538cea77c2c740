// Parses the rows of an imported CSV file: the first names the columns, every other one
// is an animal, validated by the same rules as one that is sent to the API. Pure.

import { BAD_LINES_SHOWN } from '@petstore-platform/contract/platform/import-shapes'
import { NewPet, newPetFaults } from '@petstore-platform/contract/pets'
import { JsonNumber } from '../foundation/json-reader.ts'
import { Refusal, quoted } from '../foundation/refusal.ts'
import { bodyReader } from '../foundation/http/validate.ts'
import type { Tally } from './changes.ts'
import { rearmed, type CsvRecord } from './csv.ts'
import { UnfitFile } from './spreadsheet/limits.ts'

/** The index of each column. `id` is accepted and ignored: new animals get new ids. */
type Columns = { count: number; name: number; categoryId: number; status: number | undefined }

const known = ['name', 'categoryId', 'status', 'id']

export function columnsOf({ cells, fault }: CsvRecord): Columns {
  if (fault !== undefined) throw new UnfitFile(`Line 1: ${fault}`)
  const names = cells.map((cell) => known.find((name) => name.toLowerCase() === cell.trim().toLowerCase()))
  const unknown = names.indexOf(undefined)
  if (unknown !== -1) {
    const what = quoted(cells[unknown] ?? '')
    throw new UnfitFile(
      `The first row must contain column names, separated by commas. Known: ${known.join(', ')}; got ${what}.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UnfitFile(`The first row contains the column '${twice}' twice.`)
  const missing = ['name', 'categoryId'].filter((name) => !names.includes(name))
  if (missing.length > 0) throw new UnfitFile(`The first row lacks the column(s) ${missing.join(', ')}.`)
  const status = names.indexOf('status')
  return {
    count: names.length,
    name: names.indexOf('name'),
    categoryId: names.indexOf('categoryId'),
    status: status === -1 ? undefined : status,
  }
}

const readPet = bodyReader({ schema: NewPet, faults: newPetFaults, examples: {} })

/** The animal, or what is wrong with it. */
function petOf({ cells, fault }: CsvRecord, { count, name, categoryId, status }: Columns): Required<NewPet> | string {
  if (fault !== undefined) return fault
  if (cells.length !== count) return `The row has ${cells.length} cells, but the first row has ${count} columns.`
  const statusCell = status === undefined ? '' : (cells[status] ?? '')
  try {
    const pet = readPet({
      name: rearmed(cells[name] ?? ''),
      categoryId: new JsonNumber(rearmed(cells[categoryId] ?? '')),
      status: statusCell === '' ? 'available' : statusCell,
    })
    return pet as Required<NewPet>
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

export type RowReader = {
  readonly tally: Tally
  /** The valid animals among them, in order; invalid rows are counted, and the first are kept. */
  read(records: readonly CsvRecord[]): Required<NewPet>[]
  /** To be called at the end: a file without a header row is rejected. */
  finish(): void
}

export function rowReader(): RowReader {
  const tally: Tally = { lines: 0, bad: 0, badLines: [] }
  let columns: Columns | undefined

  const note = (line: number, reason: string) => {
    tally.bad += 1
    if (tally.badLines.length < BAD_LINES_SHOWN) tally.badLines.push({ line, reason })
  }
  return {
    tally,
    read(records) {
      const pets: Required<NewPet>[] = []
      for (const record of records) {
        if (isBlank(record)) continue
        if (!columns) {
          columns = columnsOf(record)
          continue
        }
        tally.lines += 1
        const pet = petOf(record, columns)
        if (typeof pet === 'string') note(record.line, pet)
        else pets.push(pet)
      }
      return pets
    },
    finish() {
      if (!columns) throw new UnfitFile('The file is empty. Its first row must contain the column names.')
    },
  }
}

/** An empty line, as editors leave them at the end. */
const isBlank = ({ cells }: CsvRecord) => cells.length === 1 && cells[0] === ''
