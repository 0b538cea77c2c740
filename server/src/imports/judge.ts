// Judges one row of an import: whether it adds an animal, changes one, changes nothing, has a problem or is left out. A
// field to which no column is mapped keeps its value, and a cell that says what an export would say changes nothing. Pure.

import { int64FromText } from '@petstore-platform/contract/int64'
import type { PetStatus } from '@petstore-platform/contract/pets'
import {
  exportFields,
  type ExportField,
  type ImportField,
  type ImportReading,
  type RowChange,
  type RowOutcome,
  type RowPhoto,
  type RowProblem,
} from '@petstore-platform/contract/platform/import-shapes'
import { fieldsWith } from '@petstore-platform/contract/platform/profile-fields'
import { plainWord, SHORT_LENGTH_MAX, shortText } from '@petstore-platform/contract/platform/spelled-words'
import { emptyFields, faultOfProfile, type ProfileFields } from '../animals/profile.ts'
import { DAY, latestDay } from '../foundation/time.ts'
import { cellsOf, type AnimalState, type Said, type SaidCells } from './cells.ts'
import { faultOfName, profileOf } from './fields.ts'
import { photosIn } from './photos.ts'
import { isMatched, neuteredBySex, type Match, type MatchContext, type MatchedField } from './spreadsheet/values.ts'

export type JudgeContext = MatchContext & {
  /** By column. */
  fields: readonly (ImportField | null)[]
  reading: ImportReading
  matchOf: (field: MatchedField, value: string) => Match
}

/** The animal that a row names. `version`: of its profile, 0 if it has none. */
export type Target = { id: bigint; animal: AnimalState; version: number; hasOpenRequests: boolean }

export type Found = { target: Target | undefined; problem?: RowProblem | undefined }

export type NextCategory = { id: bigint } | { create: string }
export type NextAnimal = { name: string; category: NextCategory; status: PetStatus; profile: ProfileFields }

export type RowJudgement = {
  outcome: RowOutcome
  problems: RowProblem[]
  changes: RowChange[]
  photos: RowPhoto[]
  /** What is to be written, of a row that adds or changes an animal. */
  next?: NextAnimal
}

const nothing = { problems: [], changes: [], photos: [] }

export function judgeRow(cells: readonly string[], { target, problem }: Found, context: JudgeContext): RowJudgement {
  const before = target && cellsOf(target.id, target.animal, categoryName(context, target.animal.categoryId))
  const problems: RowProblem[] = problem ? [problem] : []
  const note = (column: number | null, reason: string) => void problems.push({ column, reason })

  const said = new Map<ImportField, Said>()
  let category: NextCategory | undefined
  for (const [column, field] of context.fields.entries()) {
    const cell = cells[column] ?? ''
    if (field === null || field === 'photos' || before?.[field as ExportField] === cell) continue
    const text = freeTexts.has(field) ? cell : shortText(cell)
    if (text === undefined) {
      note(column, `This cannot be read: it has more than ${SHORT_LENGTH_MAX} characters.`)
      continue
    }
    const match = isMatched(field) && text !== '' ? context.matchOf(field, text) : undefined
    if (match?.action === 'skip') return { outcome: 'skip', ...nothing }
    if (match?.action === 'none') note(column, `"${shortened(text)}" has no match yet.`)
    else if (field === 'category') category = match && categoryOf(match)
    else said.set(field, { column, text: match ? (match.to ?? '') : text })
  }
  noteNeutering(cells, said, target, context)

  const name = nameOf(said, target, note, context)
  const next = {
    name,
    category: categoryIn(said, category, target, note, context),
    status: statusIn(said, target, note),
    profile: profileOf(said, target?.animal.profile ?? emptyFields, { isNew: !target, note, ...context }),
  }
  // Where it is already the next day, an animal may have come today.
  const latest = latestDay(Date.parse(context.today) + DAY - 1)
  const fault = problems.length === 0 ? faultOfProfile({ version: 0, ...next.profile }, latest) : undefined
  if (fault !== undefined)
    note(said.get(fault.includes("'inCareSince'") ? 'inCareSince' : 'secondBreed')?.column ?? null, fault)
  const photos = photosIn(context.fields.flatMap((field, column) => (field === 'photos' ? [cells[column] ?? ''] : [])))
  if (problems.length > 0 || !next.category) return { outcome: 'problem', problems, changes: [], photos }
  const judged = { problems, photos, next: { ...next, category: next.category } }
  if (!target || !before) return { outcome: 'create', changes: [], ...judged }
  const changes = changesOf(before, afterwards(target.id, judged.next, context))
  return changes.length > 0
    ? { outcome: 'update', changes, ...judged }
    : { outcome: 'unchanged', problems, changes, photos }
}

/** Of which a cell may be long; every other field is a date, a number or a word. */
const freeTexts: ReadonlySet<ImportField> = new Set<ImportField>([
  'name',
  ...fieldsWith({ type: ['line', 'text', 'list'] }).filter((name) => name !== 'chipNumber'),
])

/** "Male, neutered": the sex of a new animal may tell that as well, where no other cell does. */
function noteNeutering(
  cells: readonly string[],
  said: Map<ImportField, Said>,
  target: Target | undefined,
  { fields }: JudgeContext,
): void {
  const column = fields.indexOf('sex')
  const text =
    target || column === -1 || (said.get('isNeutered')?.text ?? '') !== '' ? '' : shortText(cells[column] ?? '')
  const answer = text === undefined ? undefined : neuteredBySex(text)
  if (answer !== undefined) said.set('isNeutered', { column, text: answer })
}

const categoryOf = ({ action, to }: Match): NextCategory | undefined => {
  if (to === null) return undefined
  return action === 'create' ? { create: to } : { id: BigInt(to) }
}

const categoryName = ({ categories }: JudgeContext, wanted: bigint): string =>
  categories.find(({ id }) => id === wanted)?.name ?? ''

type Note = (column: number | null, reason: string) => void

function nameOf(said: SaidCells, target: Target | undefined, note: Note, { fields }: JudgeContext): string {
  const cell = said.get('name')
  const name = cell ? cell.text.trim().replaceAll(/\s+/g, ' ') : (target?.animal.name ?? '')
  const fault = faultOfName(name)
  const column = fields.indexOf('name')
  if (fault !== undefined) note(column === -1 ? null : column, name === '' ? 'A name is required.' : fault)
  return name
}

/** The identifier counts more than the name, and both more than the category of rows without one. */
function categoryIn(
  said: SaidCells,
  named: NextCategory | undefined,
  target: Target | undefined,
  note: Note,
  { fields, reading, categories }: JudgeContext,
): NextCategory | undefined {
  const cell = said.get('categoryId')
  if (cell && cell.text.trim() !== '') {
    const id = int64FromText(cell.text.trim())
    if (id === undefined) note(cell.column, 'This is not the identifier of a category.')
    return id === undefined ? undefined : { id }
  }
  // The identifier is in the file and stays as it is: then so does the category, whatever its name.
  if (target && (!named || fields.includes('categoryId'))) return { id: target.animal.categoryId }
  if (named) return named
  const { defaultCategory } = reading
  if (defaultCategory !== null && defaultCategory.trim() !== '') {
    const known = categories.find(({ name }) => plainWord(name) === plainWord(defaultCategory))
    return known ? { id: known.id } : { create: defaultCategory.trim() }
  }
  const column = fields.findIndex((field) => field === 'category' || field === 'categoryId')
  note(column === -1 ? null : column, 'A category is required.')
  return undefined
}

/** An empty cell keeps the status; a new animal is available then. */
function statusIn(said: SaidCells, target: Target | undefined, note: Note): PetStatus {
  const current = target?.animal.status ?? 'available'
  const cell = said.get('status')
  if (!cell || cell.text === '') return current
  const status = cell.text as PetStatus
  if (target?.hasOpenRequests && status !== current) {
    note(cell.column, 'This animal has open requests. Change its status there, so that its visitors are answered.')
  }
  return status
}

const afterwards = (id: bigint, { name, category, status, profile }: NextAnimal, context: JudgeContext) =>
  'id' in category
    ? cellsOf(id, { name, categoryId: category.id, status, profile }, categoryName(context, category.id))
    : { ...cellsOf(id, { name, categoryId: 0n, status, profile }, category.create), categoryId: '' }

const changesOf = (before: Record<ExportField, string>, after: Record<ExportField, string>): RowChange[] =>
  exportFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: shortened(before[field]), after: shortened(after[field]) }))

const SHOWN_MAX = 200
const shortened = (text: string): string => (text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`)
