// Judges rows of an import against the animals that the project has now, a batch at a time. The same code judges for the
// review and, with the animals locked, while the import is applied: what is written is what was shown, or nothing.

import { int64FromText } from '@petstore-platform/contract/int64'
import type { ImportField, ImportValue, MatchKey, RowProblem } from '@petstore-platform/contract/platform/import-shapes'
import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'
import { VALUES_SHOWN } from '@petstore-platform/contract/platform/import-shapes'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { AnimalRequests } from './animal-requests.ts'
import { listCategories } from './category-queries.ts'
import { ownersOf, readPets } from './import-apply-queries.ts'
import { emptyFields } from './import-cells.ts'
import { judgeRow, type Found, type JudgeContext, type RowJudgement, type Target } from './import-judge.ts'
import type { ReviewRow } from './import-review-queries.ts'
import { profilesOf } from './profile-queries.ts'
import { isMatched, isPossible, proposeMatch, type Match, type MatchedField } from './spreadsheet-values.ts'
import { valueKey } from './spreadsheet-words.ts'

export type JudgeDeps = { requests: AnimalRequests; today: string }

export type Judge = {
  /** Rows in the order of the file: each one knows of those before it. With `locks`, their animals are locked. */
  judge(db: Db, rows: readonly SourceRow[], locks: boolean): Promise<JudgedSource[]>
  /** The values that were met, with what they mean. */
  values(): ImportValue[]
}

export type SourceRow = { row: number; cells: readonly string[] }
export type JudgedSource = { row: number; target: Target | undefined; judgement: RowJudgement }

type Understood = Pick<ReviewRow, 'contents' | 'reading' | 'decisions'>

export async function openJudge(db: Db, project: ProjectId, review: Understood, deps: JudgeDeps): Promise<Judge> {
  const { contents, reading, decisions } = review
  if (!contents || !reading) throw new Error('an import is judged that was not mapped')
  const fields = contents.columns.map(({ field }) => field)
  const categories = await listCategories(db, project, CATEGORIES_MAX)
  const meanings = valueMeanings({ categories, today: deps.today }, decisions)
  const context: JudgeContext = { fields, reading, categories, today: deps.today, matchOf: meanings.matchOf }
  const finder = targetFinder(project, fields, reading.matchBy, deps.requests)
  return {
    async judge(db, rows, locks) {
      const found = await finder(db, rows, locks)
      return rows.map(({ row, cells }, index) => {
        meanings.count(fields, cells)
        const { target, problem } = found[index] ?? { target: undefined }
        return { row, target, judgement: judgeRow(cells, { target, problem }, context) }
      })
    },
    values: () => meanings.values(),
  }
}

type Meanings = {
  matchOf: (field: MatchedField, value: string) => Match
  count(fields: readonly (ImportField | null)[], cells: readonly string[]): void
  values(): ImportValue[]
}

/** Each distinct value is decided once. */
function valueMeanings(context: Parameters<typeof proposeMatch>[2], decisions: ReviewRow['decisions']): Meanings {
  const decided = new Map(
    decisions.map(({ field, value, action, to }) => [`${field} ${valueKey(value)}`, { action, to }]),
  )
  const known = new Map<string, ImportValue>()
  const matchOf = (field: MatchedField, value: string): Match => {
    const key = `${field} ${valueKey(value)}`
    const met = known.get(key)
    if (met) return met
    const decision = decided.get(key)
    const isDecided = decision !== undefined && isPossible(field, decision, context)
    const match = isDecided ? decision : proposeMatch(field, value, context)
    // A column that holds something else has as many values as rows: only the first are remembered.
    if (known.size < KNOWN_MAX)
      known.set(key, { field, value: value.trim(), ...match, rows: 0, isProposed: !isDecided })
    return match
  }
  return {
    matchOf,
    count(fields, cells) {
      for (const [column, field] of fields.entries()) {
        const text = cells[column] ?? ''
        if (field === null || !isMatched(field) || text.trim() === '') continue
        matchOf(field, text)
        const met = known.get(`${field} ${valueKey(text)}`)
        if (met) met.rows += 1
      }
    },
    values() {
      const shown = new Map<string, number>()
      return [...known.values()].filter(({ field }) => {
        shown.set(field, (shown.get(field) ?? 0) + 1)
        return (shown.get(field) ?? 0) <= VALUES_SHOWN
      })
    },
  }
}

const KNOWN_MAX = 20_000

type Finder = (db: Db, rows: readonly SourceRow[], locks: boolean) => Promise<Found[]>

/** Finds the animal of each row, and rows that cannot both be right. */
function targetFinder(
  project: ProjectId,
  fields: readonly (ImportField | null)[],
  matchBy: MatchKey,
  requests: AnimalRequests,
): Finder {
  const [idColumn, externalColumn] = [fields.indexOf('id'), fields.indexOf('externalId')]
  const rowsOfPets = new Map<bigint, number>()
  const rowsOfExternalIds = new Map<string, number>()
  const externalIdOf = ({ cells }: SourceRow) => (externalColumn === -1 ? '' : cleanKey(cells[externalColumn] ?? ''))

  return async (db, rows, locks) => {
    const owners = await ownersOf(
      db,
      project,
      rows.map(externalIdOf).filter((key) => key !== ''),
    )
    const named = rows.map((row): { id?: bigint; problem?: RowProblem } => {
      if (matchBy === 'none') return {}
      if (matchBy === 'externalId')
        return owners.has(externalIdOf(row)) ? { id: owners.get(externalIdOf(row)) as bigint } : {}
      const text = idColumn === -1 ? '' : (row.cells[idColumn] ?? '').trim()
      const id = text === '' ? undefined : int64FromText(text)
      if (text === '') return {}
      return id === undefined ? { problem: { column: idColumn, reason: NO_SUCH } } : { id }
    })
    const targets = await targetsOf(
      db,
      project,
      named.flatMap(({ id }) => id ?? []),
      locks,
      requests,
    )
    return rows.map((row, index): Found => {
      const { id, problem } = named[index] ?? {}
      const target = id === undefined ? undefined : targets.get(id)
      if (problem) return { target, problem }
      if (id !== undefined && !target) return { target, problem: { column: idColumn, reason: NO_SUCH } }
      return { target, problem: conflict(row, target, owners) }
    })
  }

  function conflict(
    row: SourceRow,
    target: Target | undefined,
    owners: ReadonlyMap<string, bigint>,
  ): RowProblem | undefined {
    const column = matchBy === 'id' ? idColumn : externalColumn
    const before = target && claim(rowsOfPets, target.id, row.row)
    if (before !== undefined) return { column, reason: `Row ${before} is about the same animal.` }
    const key = externalIdOf(row)
    if (key === '') return undefined
    const twin = claim(rowsOfExternalIds, key, row.row)
    if (twin !== undefined) return { column: externalColumn, reason: `Row ${twin} has the same value.` }
    const owner = owners.get(key)
    return owner !== undefined && owner !== target?.id ? { column: externalColumn, reason: TAKEN } : undefined
  }
}

const NO_SUCH = 'No animal has this identifier. Leave the cell empty to add a new one.'
const TAKEN = 'Another animal already has this identifier.'

const cleanKey = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** The row that has claimed it before. A row that is judged again claims nothing new. */
function claim<Key>(claimed: Map<Key, number>, key: Key, row: number): number | undefined {
  const before = claimed.get(key)
  if (before === undefined) claimed.set(key, row)
  return before === row ? undefined : before
}

async function targetsOf(
  db: Db,
  project: ProjectId,
  ids: readonly bigint[],
  locks: boolean,
  requests: AnimalRequests,
): Promise<Map<bigint, Target>> {
  const pets = await readPets(db, project, ids, locks)
  const found = pets.map(({ id }) => id)
  const profiles = await profilesOf(db, project, found)
  const open = await requests.withOpenRequests(db, project, found)
  return new Map(
    pets.map(({ id, name, categoryId, status }) => {
      const { version, ...profile } = { version: 0, ...emptyFields, ...profiles.get(id) }
      return [id, { id, animal: { name, categoryId, status, profile }, version, hasOpenRequests: open.has(id) }]
    }),
  )
}
