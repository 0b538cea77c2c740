// Routes for the review of an import on `/platform/v1`: read, map, match, correct, apply, undo, discard. A step checks the
// state under a lock, and sets the next one with its timer in one transaction; a worker does the rest (steps.io.ts).

import * as contract from '@petstore-platform/contract/platform/import-review'
import {
  COLUMNS_MAX,
  UNDO_DAYS,
  type ImportMapping,
  type ImportState,
  type ImportTable,
} from '@petstore-platform/contract/platform/import-shapes'
import { PART_BYTES_MAX, discardImport } from '@petstore-platform/contract/platform/imports'
import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import type { FastifyInstance } from 'fastify'
import { valueKey } from '@petstore-platform/contract/platform/spelled-words'
import { pageLinks, readCursor, writeCursor } from '../foundation/http/cursor.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { clearTimer, setTimer } from '../foundation/postgres/timers.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { AnimalRequests } from '../animals/animal-requests.ts'
import { detailsOf, importNotFound, refuseMissing } from './details.io.ts'
import { judgeWith, openingOf } from './judging.io.ts'
import * as imports from './import-queries.ts'
import { dayOf, writeAll } from './review.io.ts'
import * as review from './review-queries.ts'
import { rowJudge } from './row-judge.ts'
import { importRowJson } from './json.ts'
import { isPossible } from './spreadsheet/values.ts'
import { listCategories } from '../animals/category-queries.ts'
import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'

export type ImportReviewDeps = PlatformDeps & { requests: AnimalRequests }

export function importReviewRoutes(app: FastifyInstance, deps: ImportReviewDeps): void {
  readingRoutes(app, deps)
  rowRoutes(app, deps)
  endingRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, { inProject, within }: ImportReviewDeps): void {
  mount(app, contract.readImport, within, async ({ caller: { project }, path, body }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const found = await locked(db, project, id, ['uploading', 'mapping', 'reviewing'])
      const parts = body.parts ?? found.parts
      if (parts === null) throw new Refusal('missing_field', 'Body is missing required field(s): parts.')
      if (parts > PARTS_MAX) throw new Refusal('invalid_field', `A file that is reviewed may have ${PARTS_MAX} parts.`)
      await refuseMissing(db, project, id, parts)
      await review.beginReading(db, project, id, parts, body.sheet)
      await setTimer(db, timerOf(project, id))
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.putImportMapping, within, async ({ caller: { project }, path, body }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const { contents, decisions } = await locked(db, project, id, ['mapping', 'reviewing'])
      const { columns, ...reading } = body
      const mapped = mappedTable(contents, columns)
      refuseUnmatchable(mapped, reading)
      await review.beginJudging(db, project, id, { contents: mapped, reading, decisions })
      await setTimer(db, timerOf(project, id))
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.putImportValues, within, async ({ caller: { project }, path, body: { values } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const { contents, reading, decisions } = await locked(db, project, id, ['reviewing'])
      if (!contents || !reading) throw new Error('an import is reviewed that was not mapped')
      const categories = await listCategories(db, project, CATEGORIES_MAX)
      const impossible = values.find(({ field, action, to }) => !isPossible(field, { action, to }, { categories }))
      if (impossible)
        throw new Refusal('invalid_field', `'values' contains a match that '${impossible.field}' cannot have.`)
      const keyOf = ({ field, value }: review.ValueDecision) => `${field} ${valueKey(value)}`
      const merged = new Map([...decisions, ...values].map((decision) => [keyOf(decision), decision]))
      await review.beginJudging(db, project, id, {
        contents,
        reading,
        decisions: [...merged.values()].slice(-DECISIONS_MAX),
      })
      await setTimer(db, timerOf(project, id))
      return detailsOf(db, project, id)
    })
    return { json }
  })
}

const PARTS_MAX = contract.REVIEWED_BYTES_MAX / PART_BYTES_MAX
const DECISIONS_MAX = 5000

function rowRoutes(app: FastifyInstance, { inProject, baseUrl, now, requests, within }: ImportReviewDeps): void {
  mount(app, contract.listImportRows, within, async ({ caller: { project, slug }, path, query }) => {
    const id = idOf(path)
    const { limit = LIMIT_DEFAULT, cursor, outcome } = query
    const after = cursor === undefined ? 0 : positionOf(cursor, outcome)
    const rows = await inProject(project, async (db) => {
      if (!(await imports.find(db, project, id))) throw importNotFound()
      return review.listRows(db, project, id, { after, count: limit + 1, outcome })
    })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const next = last && writeCursor({ after: BigInt(last.row), filter: outcome })
    const filters: [string, string][] = [
      ['limit', String(limit)],
      ...(outcome === undefined ? [] : [['outcome', outcome] as [string, string]]),
    ]
    const link = pageLinks(`${baseUrl}/projects/${slug}/imports/${id}/rows`, filters, { cursor, next })
    return { json: `[${shown.map(importRowJson).join(',')}]`, ...(link !== undefined && { headers: { Link: link } }) }
  })

  mount(app, contract.putImportCell, within, async ({ caller: { project }, path, body: { value } }) => {
    const id = idOf(path)
    const [row, column] = [numberIn(path['row']), numberIn(path['column'])]
    const json = await inProject(project, async (db) => {
      const found = await locked(db, project, id, ['reviewing'])
      const field = found.contents?.columns[column]?.field
      if (field === undefined) throw new Refusal('not_found', 'No column with this position.')
      const edited = await review.putCell(db, project, id, row, column, value.replaceAll('\0', ''))
      if (!edited) throw new Refusal('not_found', 'No row with this number.')
      const opening = await openingOf(db, project, found, dayOf(now))
      const judge = judgeWith(rowJudge(opening), project, opening, requests)
      const judged = await judge.judge(await judge.find(db, [{ row, cells: edited.cells }], false))
      await writeAll(db, project, id, judged)
      await moveCount(db, project, id, found, edited.outcome, judged[0]?.judgement.outcome)
      // Two rows may have been about one animal: the others are judged again as well.
      if (field === 'id' || field === 'externalId' || found.counts === null) await judgeAgain(db, project, id, found)
      const shown = await review.findShownRow(db, project, id, row)
      if (!shown) throw new Error('a row that was changed is gone')
      return importRowJson(shown)
    })
    return { json }
  })
}

type Outcome = review.ShownRow['outcome']

async function moveCount(
  db: Db,
  project: ProjectId,
  id: string,
  { counts }: review.ReviewRow,
  from: Outcome | null,
  to: Outcome | undefined,
) {
  if (!counts || from === null || to === undefined || from === to) return
  await review.writeCounts(db, project, id, { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 })
}

async function judgeAgain(
  db: Db,
  project: ProjectId,
  id: string,
  { contents, reading, decisions }: review.ReviewRow,
): Promise<void> {
  if (!contents || !reading) throw new Error('an import is reviewed that was not mapped')
  await review.beginJudging(db, project, id, { contents, reading, decisions })
  await setTimer(db, timerOf(project, id))
}

function endingRoutes(app: FastifyInstance, { inProject, within }: ImportReviewDeps): void {
  mount(app, contract.applyImport, within, async ({ caller: { project, account }, path, body: { onBadLine } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const { counts } = await locked(db, project, id, ['reviewing'])
      if (onBadLine === 'refuse' && (counts?.problem ?? 0) > 0) {
        throw new Refusal('wrong_state', 'There are rows with problems. Correct them, or have them skipped.')
      }
      await review.beginApplying(db, project, id, onBadLine)
      await setTimer(db, timerOf(project, id))
      await recordAudit(db, project, { actor: account, action: 'import_applied', subject: id, detail: { onBadLine } })
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.undoImport, within, async ({ caller: { project, account }, path }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const { finishedAt } = await locked(db, project, id, ['succeeded'])
      const row = await imports.find(db, project, id)
      if (!finishedAt || !row?.undoUntil || row.isOver) {
        throw new Refusal('wrong_state', `An import can be undone for ${UNDO_DAYS} days.`)
      }
      await review.setState(db, project, id, 'undoing')
      await clearTimer(db, { kind: 'import_photos', project, id })
      await setTimer(db, timerOf(project, id))
      await recordAudit(db, project, { actor: account, action: 'import_undo_started', subject: id })
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, discardImport, within, async ({ caller: { project, account }, path }) => {
    const id = idOf(path)
    await inProject(project, async (db) => {
      await locked(db, project, id, ['uploading', 'reading', 'mapping', 'judging', 'reviewing', 'failed'])
      await review.setState(db, project, id, 'discarded')
      await setTimer(db, timerOf(project, id))
      await recordAudit(db, project, { actor: account, action: 'import_discarded', subject: id })
    })
    return {}
  })
}

const timerOf = (project: ProjectId, id: string) => ({ kind: 'import', project, id })

const idOf = ({ importId = '' }: Record<string, string>): string => importId

/** The one spelling of a number, so that a cell has one address. */
function numberIn(text = ''): number {
  if (/^(0|[1-9]\d{0,6})$/.test(text)) return Number(text)
  throw new Refusal('not_found', 'No such cell.')
}

/** A cursor continues the list that issued it. */
function positionOf(cursor: string, outcome: string | undefined): number {
  const read = readCursor(cursor)
  if (!read || read.filter !== outcome || read.after < 0n || read.after > 10_000_000n)
    throw new Refusal('invalid_cursor')
  return Number(read.after)
}

async function locked(
  db: Db,
  project: ProjectId,
  id: string,
  states: readonly ImportState[],
): Promise<review.ReviewRow> {
  const found = await review.lock(db, project, id)
  if (!found) throw importNotFound()
  if (!found.isReviewed)
    throw new Refusal('wrong_state', 'This import is not reviewed: it was created without isReviewed.')
  if (!states.includes(found.state))
    throw new Refusal('wrong_state', `Not possible now: the state of this import is ${found.state}.`)
  return found
}

function mappedTable(contents: ImportTable | null, columns: ImportMapping['columns']): ImportTable {
  if (!contents) throw new Error('an import is mapped that was not read')
  const fields = new Map(columns.map(({ index, field }) => [index, field]))
  const beyond = columns.find(({ index }) => index >= contents.columns.length)
  if (beyond || fields.size !== columns.length) {
    throw new Refusal(
      'invalid_field',
      `'columns' must name columns of the file, each once; it has ${Math.min(contents.columns.length, COLUMNS_MAX)}.`,
    )
  }
  const named = columns.flatMap(({ field }) => (field === null || field === 'photos' ? [] : [field]))
  const twice = named.find((field, index) => named.indexOf(field) !== index)
  if (twice !== undefined)
    throw new Refusal('invalid_field', `Two columns are mapped to '${twice}'. Each field can be mapped once.`)
  return {
    ...contents,
    columns: contents.columns.map((column) => ({ ...column, field: fields.get(column.index) ?? null })),
  }
}

function refuseUnmatchable({ columns }: ImportTable, { matchBy }: Pick<ImportMapping, 'matchBy'>): void {
  if (matchBy === 'none' || columns.some(({ field }) => field === matchBy)) return
  throw new Refusal('invalid_field', `'matchBy' is '${matchBy}', but no column is mapped to it.`)
}
