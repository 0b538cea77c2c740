// Routes for the review of an import on `/platform/v1`: read, map, match, correct, apply, undo, discard. A step checks the
// state under a lock, and sets the next one with its timer in one transaction (advance.io.ts); a worker does the rest.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'
import * as contract from '@petstore-platform/contract/platform/import-review'
import {
  COLUMNS_MAX,
  UNDO_DAYS,
  type ImportMapping,
  type ImportTable,
  type OutcomeCounts,
  type RowOutcome,
} from '@petstore-platform/contract/platform/import-shapes'
import { PART_BYTES_MAX, discardImport } from '@petstore-platform/contract/platform/imports'
import { valueKey } from '@petstore-platform/contract/platform/spelled-words'
import type { FastifyInstance } from 'fastify'
import { listCategories } from '../animals/category-queries.ts'
import type { AnimalRequests } from '../animals/ports.ts'
import { pageLinks, readCursor, writeCursor } from '../foundation/http/list-response.ts'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import { advance, hold, importNotFound } from './advance.io.ts'
import type { ValueDecision } from './changes.ts'
import { detailsOf, refuseMissing } from './details.io.ts'
import * as imports from './import-queries.ts'
import { importRowJson } from './json.ts'
import { judgeWith, openingOf } from './judging.io.ts'
import { dayOf, writeAll } from './review.io.ts'
import { rowJudge } from './row-judge.ts'
import * as stored from './row-queries.ts'
import { isPossible } from './spreadsheet/values.ts'

export function importReviewRoutes(app: FastifyInstance, platform: Platform, requests: AnimalRequests): void {
  readingRoutes(app, platform)
  rowRoutes(app, platform, requests)
  endingRoutes(app, platform)
}

function readingRoutes(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, contract.readImport, within, async ({ caller: { project, account }, path, body }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'read_asked')
      const parts = body.parts ?? held.parts
      if (parts === null) throw new Refusal('missing_field', 'Body is missing required field(s): parts.')
      if (parts > PARTS_MAX) throw new Refusal('invalid_field', `A file that is reviewed may have ${PARTS_MAX} parts.`)
      await refuseMissing(db, project, id, parts)
      await advance(db, project, held, { kind: 'read_asked', parts, sheet: body.sheet }, account)
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.putImportMapping, within, async ({ caller: { project, account }, path, body }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'mapped')
      const { columns, ...reading } = body
      const table = mappedTable(held.contents, columns)
      refuseUnmatchable(table, reading)
      await advance(db, project, held, { kind: 'mapped', table, reading }, account)
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.putImportValues, within, async ({ caller: { project, account }, path, body: { values } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'judging_asked')
      const categories = await listCategories(db, project, CATEGORIES_MAX)
      const impossible = values.find(({ field, action, to }) => !isPossible(field, { action, to }, { categories }))
      if (impossible)
        throw new Refusal('invalid_field', `'values' contains a match that '${impossible.field}' cannot have.`)
      const keyOf = ({ field, value }: ValueDecision) => `${field} ${valueKey(value)}`
      const merged = new Map([...held.decisions, ...values].map((decision) => [keyOf(decision), decision]))
      const decisions = [...merged.values()].slice(-DECISIONS_MAX)
      await advance(db, project, held, { kind: 'judging_asked', decisions }, account)
      return detailsOf(db, project, id)
    })
    return { json }
  })
}

const PARTS_MAX = contract.REVIEWED_BYTES_MAX / PART_BYTES_MAX
const DECISIONS_MAX = 5000

function rowRoutes(
  app: FastifyInstance,
  { inProject, baseUrl, now, within }: Platform,
  requests: AnimalRequests,
): void {
  mount(app, contract.listImportRows, within, async ({ caller: { project, slug }, path, query }) => {
    const id = idOf(path)
    const { limit = LIMIT_DEFAULT, cursor, outcome } = query
    const after = cursor === undefined ? 0 : positionOf(cursor, outcome)
    const rows = await inProject(project, async (db) => {
      if (!(await imports.find(db, project, id))) throw importNotFound()
      return stored.listRows(db, project, id, { after, count: limit + 1, outcome })
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

  mount(app, contract.putImportCell, within, async ({ caller: { project, account }, path, body: { value } }) => {
    const id = idOf(path)
    const [row, column] = [numberIn(path['row']), numberIn(path['column'])]
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'cell_corrected')
      const field = held.contents?.columns[column]?.field
      if (field === undefined) throw new Refusal('not_found', 'No column with this position.')
      const edited = await stored.putCell(db, project, id, row, column, value.replaceAll('\0', ''))
      if (!edited) throw new Refusal('not_found', 'No row with this number.')
      const opening = await openingOf(db, project, held, dayOf(now))
      const judge = judgeWith(rowJudge(opening), project, opening, requests)
      const judged = await judge.judge(await judge.find(db, [{ row, cells: edited.cells }], false))
      await writeAll(db, project, id, judged)
      const counts = movedCounts(held.counts, edited.outcome, judged[0]?.judgement.outcome)
      if (counts) await advance(db, project, held, { kind: 'cell_corrected', counts }, account)
      // Two rows may have been about one animal: the others are judged again as well.
      if (field === 'id' || field === 'externalId' || held.counts === null)
        await advance(db, project, held, { kind: 'judging_asked', decisions: held.decisions }, account)
      const shown = await stored.findShownRow(db, project, id, row)
      if (!shown) throw new Error('a row that was changed is gone')
      return importRowJson(shown)
    })
    return { json }
  })
}

/** Undefined if they stay. */
function movedCounts(
  counts: OutcomeCounts | null,
  from: RowOutcome | null,
  to: RowOutcome | undefined,
): OutcomeCounts | undefined {
  if (!counts || from === null || to === undefined || from === to) return undefined
  return { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 }
}

function endingRoutes(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, contract.applyImport, within, async ({ caller: { project, account }, path, body: { onBadLine } }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'apply_asked')
      if (onBadLine === 'refuse' && (held.counts?.problem ?? 0) > 0) {
        throw new Refusal('wrong_state', 'There are rows with problems. Correct them, or have them skipped.')
      }
      await advance(db, project, held, { kind: 'apply_asked', onBadLine }, account)
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, contract.undoImport, within, async ({ caller: { project, account }, path }) => {
    const id = idOf(path)
    const json = await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'undo_asked')
      if (!held.undoUntil || held.isOver) {
        throw new Refusal('wrong_state', `An import can be undone for ${UNDO_DAYS} days.`)
      }
      await advance(db, project, held, { kind: 'undo_asked' }, account)
      return detailsOf(db, project, id)
    })
    return { json }
  })

  mount(app, discardImport, within, async ({ caller: { project, account }, path }) => {
    const id = idOf(path)
    await inProject(project, async (db) => {
      const held = await hold(db, project, id, 'discarded')
      await advance(db, project, held, { kind: 'discarded' }, account)
    })
    return {}
  })
}

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
