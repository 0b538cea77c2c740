// Background work for animals. Responses stored for Idempotency-Keys are deleted once
// they are a day old. Imports are read part by part and added in one transaction: all or
// nothing, even if a worker dies in the middle. The next worker begins again, and one
// that lost the claim in the meantime cannot commit.

import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timers.io.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import { isAccountId } from '../accounts/account-queries.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { refuseFullProject, refuseTooMany } from '../projects/stored-usage.io.ts'
import { CsvError, csvReader } from './csv.ts'
import * as imports from './import-queries.ts'
import { bePatient, type ReviewDeps } from './review.io.ts'
import * as review from './review-queries.ts'
import { workOnReview } from './steps.io.ts'
import { UnfitTable, rowReader, type RowReader, type Tally } from './rows.ts'

const sweepRows = statement<{ swept: number }, [atMost: number]>(
  'sweep-idempotency',
  `select sweep_idempotency($1) as swept`,
)

const ROWS_AT_ONCE = 1000

/** Sweeps until nothing expired is left, a bounded number of rows at a time. */
export async function sweepAnswers(inDirectory: <T>(work: (db: Db) => Promise<T>) => Promise<T>): Promise<number> {
  let swept = 0
  for (;;) {
    const [row] = await inDirectory((db) => db(sweepRows, ROWS_AT_ONCE))
    swept += row?.swept ?? 0
    if ((row?.swept ?? 0) < ROWS_AT_ONCE) return swept
  }
}

const CLAIM_SECONDS = 60
/** An import that ended its worker so often would end the next one as well. */
const ATTEMPTS_MAX = 10
const PROGRESS_MS = 500

type ImportDeps = Pick<ReviewDeps, 'database' | 'inProject' | 'now' | 'plans'> & {
  /** Of imports that are reviewed. */
  reviewing?: Pick<ReviewDeps, 'requests' | 'setStatuses' | 'readSheet' | 'openRowJudge'>
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail | undefined
}

export const importWork = (deps: ImportDeps): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const found = await deps.inProject(project, (db) => imports.find(db, project, due.id))
    if (!found) return
    if (found.isReviewed && found.state !== 'uploading') return workOnReviewed(deps, due)
    if (found.finishedAt === null) await importAll(deps, due, found)
    await deleteParts(deps.inProject, project, due.id)
  },
})

/** The file is kept until it is applied: it can be read again. */
async function workOnReviewed(deps: ImportDeps, due: Timer): Promise<number | undefined> {
  const project = due.project as ProjectId
  if (!deps.reviewing) throw new Error('this worker reviews no imports')
  const found = await deps.inProject(project, (db) => review.find(db, project, due.id))
  const again = found && (await workOnReview({ ...deps, ...deps.reviewing }, due, found))
  const after = await deps.inProject(project, (db) => review.find(db, project, due.id))
  if (after?.finishedAt) await deleteParts(deps.inProject, project, due.id)
  return again
}

/** The import fails, and nothing is added. */
class Failed extends Error {
  readonly tally: Tally
  constructor(reason: string, tally: Tally) {
    super(reason)
    this.tally = tally
  }
}

const nothingRead: Tally = { lines: 0, bad: 0, badLines: [] }

async function importAll(deps: ImportDeps, due: Timer, found: imports.ImportRow): Promise<void> {
  const project = due.project as ProjectId
  try {
    if (found.state === 'uploading') throw new Failed('The import was not started within a day.', nothingRead)
    if (due.attempts > ATTEMPTS_MAX) {
      throw new Failed('The import could not be finished; the problem is on our side. Please try again.', nothingRead)
    }
    await deps.inProject(project, async (db) => {
      await db(bePatient)
      const { tally, added } = await addAnimals(deps, due, db, found)
      await conclude(db, due, { ...tally, state: 'succeeded', added, reason: null }, deps.queueMail)
    })
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const ending = { ...error.tally, state: 'failed', added: 0, reason: error.message } as const
    // A file that was never sent completely is nothing that the member waits for.
    const queueMail = found.state === 'uploading' ? undefined : deps.queueMail
    await deps.inProject(project, (db) => conclude(db, due, ending, queueMail))
  }
}

/** In the transaction that adds the animals. A worker that has lost the claim changes nothing. */
async function conclude(db: Db, due: Timer, ending: imports.Ending, queueMail?: QueueMail): Promise<void> {
  const { project, id } = due
  if (!(await lockTimer(db, due, CLAIM_SECONDS))) throw lost(due)
  const finished = await imports.finish(db, project as ProjectId, id, ending)
  if (!finished) throw lost(due)
  const { state, lines, added, bad } = ending
  const detail = { lines, added, bad }
  await recordAudit(db, project as ProjectId, { actor: 'petstore', action: `import_${state}`, subject: id, detail })
  const { createdBy: recipient, seconds } = finished
  if (!queueMail || seconds <= MAILED_SECONDS || !isAccountId(recipient)) return
  await queueMail(db, { kind: 'import_finished', recipient, subject: { import: id }, project })
}

/** A member still watches the page of a shorter one. */
const MAILED_SECONDS = 60

const lost = ({ id }: Timer) => new Error(`another worker has taken ${id}`)

async function addAnimals(
  deps: ImportDeps,
  due: Timer,
  db: Db,
  { id, parts, onBadLine }: imports.ImportRow,
): Promise<{ tally: Tally; added: number }> {
  const project = due.project as ProjectId
  const rows = rowReader()
  const report = reporter(deps, due, rows.tally)
  await report()
  const isRefused = () => onBadLine === 'refuse' && rows.tally.bad > 0
  const failed = (error: unknown) => {
    throw error instanceof Refusal ? new Failed(error.message, rows.tally) : error
  }
  let added = 0

  for await (const pets of petsOf(rows, piecesOf(db, project, id, parts ?? 0))) {
    // After an invalid row the rest is read only to report the other invalid rows.
    if (!isRefused() && pets.length > 0) {
      await imports.addPets(db, project, pets)
      await refuseTooMany(db, project, deps.plans, 'animals').catch(failed)
      added += pets.length
    }
    await report.whenTime()
  }
  if (isRefused()) throw new Failed('The file contains rows that are not valid. Nothing was added.', rows.tally)
  await refuseFullProject(db, project, deps.plans).catch(failed)
  return { tally: rows.tally, added }
}

/** Reports progress on a connection of its own, and extends the claim. */
function reporter({ database, inProject, now }: ImportDeps, due: Timer, tally: Tally) {
  const project = due.project as ProjectId
  let last = now()
  const report = async () => {
    last = now()
    if (!(await lockTimer(database.run, due, CLAIM_SECONDS))) throw lost(due)
    await inProject(project, (db) => imports.writeProgress(db, project, due.id, tally))
  }
  return Object.assign(report, {
    whenTime: async () => {
      if (now() - last >= PROGRESS_MS) await report()
    },
  })
}

/** The bytes of the file in memory at a time. A whole part with all its rows would make the worker grow. */
const PIECE_BYTES = 64 * 1024

/** The file chunk by chunk, from the first part to the last. */
async function* piecesOf(db: Db, project: ProjectId, id: string, parts: number): AsyncGenerator<Buffer> {
  for (let number = 1; number <= parts; number += 1) {
    for (let from = 1; ; from += PIECE_BYTES) {
      const bytes = await imports.readPart(db, project, id, number, from, PIECE_BYTES)
      if (!bytes) throw new Error(`part ${number} of ${id} is gone`)
      if (bytes.length > 0) yield bytes
      if (bytes.length < PIECE_BYTES) break
    }
  }
}

type Pets = ReturnType<RowReader['read']>

/** The animals of the file in batches; an empty batch after each chunk lets the caller report progress. */
async function* petsOf(rows: RowReader, pieces: AsyncIterable<Buffer>): AsyncGenerator<Pets> {
  // A chunk may end inside a character.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const csv = csvReader()
  const gathered: Pets = []
  try {
    for await (const bytes of pieces) {
      gathered.push(...rows.read(csv.push(decoded(decoder, bytes))))
      while (gathered.length >= ROWS_AT_ONCE) yield gathered.splice(0, ROWS_AT_ONCE)
      yield []
    }
    yield [...gathered, ...rows.read([...csv.push(decoded(decoder)), ...csv.end()])]
    rows.finish()
  } catch (error) {
    if (error instanceof CsvError || error instanceof UnfitTable) throw new Failed(error.message, rows.tally)
    throw error
  }
}

function decoded(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new UnfitTable('The file is not in UTF-8. Save it as "CSV UTF-8" and import it again.')
  }
}

/** Few at a time: a part is large. */
const PARTS_AT_ONCE = 20

async function deleteParts(inProject: InProject, project: ProjectId, id: string): Promise<void> {
  const last = (await inProject(project, (db) => imports.lastPart(db, project, id))) ?? 0
  for (let from = 1; from <= last; from += PARTS_AT_ONCE) {
    await inProject(project, (db) => imports.deleteParts(db, project, id, from, from + PARTS_AT_ONCE))
  }
}
