// The one step of a plain import: its file is read part by part, in strict CSV, and its animals are added in one
// transaction: all or nothing, even if a worker dies in the middle. However large the file is, little of it is in memory.

import type { NewPet } from '@petstore-platform/contract/pets'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Timer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { refuseFullProject, refuseTooMany } from '../projects/stored-usage.io.ts'
import { advance } from './advance.io.ts'
import type { Tally } from './changes.ts'
import { CsvError, csvReader } from './csv.ts'
import * as imports from './import-queries.ts'
import { rowReader, type RowReader } from './rows.ts'
import { UnfitFile } from './spreadsheet/limits.ts'
import { extendIdleTimeout, claimExtender, conclude, lost, piecesOf, type ImportContext } from './step.io.ts'

/** The file is not imported, and nothing of it is added; with what was read of it. */
export class UnfitRows extends UnfitFile {
  readonly tally: Tally
  constructor(reason: string, tally: Tally) {
    super(reason)
    this.tally = tally
  }
}

const PROGRESS_MS = 500

export async function addAll(context: ImportContext, due: Timer, found: imports.WholeImport): Promise<void> {
  const project = due.project as ProjectId
  const rows = rowReader()
  const { tally } = rows
  const extendClaim = claimExtender(context, due, PROGRESS_MS, () =>
    context.inProject(project, (db) => report(db, due, tally)),
  )
  try {
    await context.inProject(project, async (db) => {
      await db(extendIdleTimeout)
      const added = await addAnimals(context, db, project, found, rows, extendClaim)
      if (!(await conclude(context, db, due, { kind: 'succeeded', added, result: tally }))) throw lost(due)
    })
  } catch (error) {
    const isUnfit = error instanceof UnfitFile || error instanceof CsvError || error instanceof Refusal
    throw isUnfit ? new UnfitRows(error.message, tally) : error
  }
}

async function report(db: Db, due: Timer, tally: Tally): Promise<void> {
  const held = await imports.lock(db, due.project as ProjectId, due.id)
  if (held) await advance(db, due.project as ProjectId, held, { kind: 'progressed', tally })
}

/** Returns how many; throws if nothing may be added. */
async function addAnimals(
  { plans }: ImportContext,
  db: Db,
  project: ProjectId,
  found: imports.WholeImport,
  rows: RowReader,
  extendClaim: () => Promise<void>,
): Promise<number> {
  await extendClaim()
  const isRefused = () => found.onBadLine === 'refuse' && rows.tally.bad > 0
  let added = 0
  const read = (number: number, from: number) => imports.readPart(db, project, found.id, number, from, PIECE_BYTES)
  for await (const pets of petsOf(rows, piecesOf(found, PIECE_BYTES, read))) {
    // After an invalid row the rest is read only to report the other invalid rows.
    if (!isRefused() && pets.length > 0) {
      await imports.addPets(db, project, pets)
      await refuseTooMany(db, project, plans, 'animals')
      added += pets.length
    }
    await extendClaim()
  }
  if (isRefused()) throw new UnfitFile('The file contains rows that are not valid. Nothing was added.')
  await refuseFullProject(db, project, plans)
  return added
}

/** The bytes of the file in memory at a time. A whole part with all its rows would make the worker grow. */
const PIECE_BYTES = 64 * 1024
const ROWS_AT_ONCE = 1000

type Pets = Required<NewPet>[]

/** The animals of the file in batches; an empty batch after each piece lets the caller report progress. */
async function* petsOf(rows: RowReader, pieces: AsyncIterable<Buffer>): AsyncGenerator<Pets> {
  // A piece may end inside a character.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const csv = csvReader()
  const gathered: Pets = []
  for await (const bytes of pieces) {
    gathered.push(...rows.read(csv.push(decoded(decoder, bytes))))
    while (gathered.length >= ROWS_AT_ONCE) yield gathered.splice(0, ROWS_AT_ONCE)
    yield []
  }
  yield [...gathered, ...rows.read([...csv.push(decoded(decoder)), ...csv.end()])]
  rows.finish()
}

function decoded(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new UnfitFile('The file is not in UTF-8. Save it as "CSV UTF-8" and import it again.')
  }
}
