// Judges rows of an import against the animals that the project has now, a batch at a time. The same code judges for the
// review and, with the animals locked, while the import is applied: what is written is what was shown, or nothing.

import { int64FromText } from '@petstore-platform/contract/int64'
import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'
import type { ImportField, MatchKey, RowProblem } from '@petstore-platform/contract/platform/import-shapes'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'
import { listCategories } from '../animals/category-queries.ts'
import { ownersOf, readPets } from '../animals/many-animals-queries.ts'
import type { AnimalRequests } from '../animals/ports.ts'
import { profilesOf } from '../animals/profile-queries.ts'
import { emptyFields } from '../animals/profile.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { WholeImport } from './import-queries.ts'
import type { Found, RowJudgement, Target } from './judge.ts'
import type { Opening, RowJudge } from './row-judge.ts'

export type Judge = {
  /** Rows in the order of the file: each one knows of those before it. With `locks`, their animals are locked. */
  find(db: Db, rows: readonly SourceRow[], locks: boolean): Promise<FoundSource[]>
  /** May take long, and needs no transaction. */
  judge(found: readonly FoundSource[]): Promise<JudgedSource[]>
}

export type SourceRow = { row: number; cells: readonly string[] }
export type FoundSource = SourceRow & { found: Found }
export type JudgedSource = { row: number; target: Target | undefined; judgement: RowJudgement }

type Understood = Pick<WholeImport, 'contents' | 'reading' | 'decisions'>

export async function openingOf(db: Db, project: ProjectId, review: Understood, today: string): Promise<Opening> {
  const { contents, reading, decisions } = review
  if (!contents || !reading) throw new Error('an import is judged that was not mapped')
  const fields = contents.columns.map(({ field }) => field)
  const categories = (await listCategories(db, project, CATEGORIES_MAX)).map(({ id, name }) => ({ id, name }))
  return { fields, reading, decisions, categories, today }
}

export function judgeWith(
  rowJudge: RowJudge,
  project: ProjectId,
  { fields, reading }: Opening,
  requests: AnimalRequests,
): Judge {
  const finder = targetFinder(project, fields, reading.matchBy, requests)
  return {
    async find(db, rows, locks) {
      const found = await finder(db, rows, locks)
      return rows.map(({ row, cells }, index) => ({ row, cells, found: found[index] ?? { target: undefined } }))
    },
    async judge(sources) {
      const judgements = await rowJudge.judge(sources)
      return judgements.map((judgement, index) => {
        const { row = 0, found } = sources[index] ?? {}
        return { row, target: found?.target, judgement }
      })
    },
  }
}

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
  const externalIdOf = ({ cells }: SourceRow) =>
    externalColumn === -1 ? '' : singleSpaced(cells[externalColumn] ?? '')

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
