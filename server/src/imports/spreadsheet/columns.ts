// Proposes what the columns of a spreadsheet hold, by their titles and their contents: a title that its values contradict
// is not believed, and of two columns that may hold a field the one with the more certain title gets it. A column that
// stays unmapped costs a click, a wrong one costs trust. Pure.

import { type ImportField, type ImportReading, type Preset } from '@petstore-platform/contract/platform/import-shapes'
import { dateOrderOf } from '@petstore-platform/contract/platform/spelled-dates'
import { currencyIn, numberIn } from '@petstore-platform/contract/platform/spelled-numbers'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'
import { canHold, fieldOfContents, speaksOfKinds, type ColumnSummary } from './contents.ts'
import { fieldInProgram, presetOf } from './programs.ts'
import { isAboutOthers, isTitle, meaningsOf, wordsIn, type Meaning } from './titles.ts'

/** `row`: the line in which it begins. */
export type SheetRow = { row: number; cells: readonly string[] }

/** Where the titles are: below a heading, at most this many rows down. */
const HEADING_ROWS_MAX = 10

/** The index of the row with the titles: the first one with the most titles that are known. */
export function titlesAt(rows: readonly SheetRow[]): number {
  const known = rows.slice(0, HEADING_ROWS_MAX).map(({ cells }) => {
    const preset = presetOf(cells)
    return cells.filter((cell) => cell.trim() !== '' && (isTitle(cell) || (preset && fieldInProgram(preset, cell))))
      .length
  })
  const most = Math.max(0, ...known)
  // One word that is a title may be anything: without two of them, the first row is the one.
  return most >= 2
    ? known.indexOf(most)
    : Math.max(
        0,
        rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1),
      )
}

export type Proposal = { preset: Preset | null; fields: readonly (ImportField | null)[]; reading: ImportReading }

export function proposeMapping(columns: readonly ColumnSummary[], today: string): Proposal {
  const preset = presetOf(columns.map(({ title }) => title))
  const assigned = assign(columns, preset, today)
  const samplesOf = (wanted: readonly ImportField[]) =>
    columns.flatMap(({ samples }, index) => (wanted.includes(assigned[index] as ImportField) ? samples : []))
  const feeTitles = columns.flatMap(({ title }, index) => (assigned[index] === 'fee' ? [title] : []))
  const currency = [...samplesOf(['fee', 'feeCurrency']), ...feeTitles].flatMap((text) => currencyIn(text) ?? [])[0]
  const isAmerican = preset === 'petfinder' || preset === 'shelterluv'
  const dateOrder = dateOrderOf(
    samplesOf(['born', 'inCareSince']),
    isAmerican || assigned.includes('weightPounds') || currency === 'USD',
  )
  const fields = assigned.map((field, index) =>
    field === 'weightKilograms' && preset !== 'asm3'
      ? weightField(columns[index], currency === 'USD' && dateOrder === 'mdy')
      : field,
  )
  return {
    preset,
    fields,
    reading: {
      matchBy:
        preset === 'petstore' && fields.includes('id') ? 'id' : fields.includes('externalId') ? 'externalId' : 'none',
      dateOrder,
      currency: currency ?? (isAmerican ? 'USD' : 'EUR'),
      defaultCategory: null,
    },
  }
}

type Candidate = Meaning & { column: number }

/** Only photos may have several columns. */
function assign(columns: readonly ColumnSummary[], preset: Preset | null, today: string): (ImportField | null)[] {
  const fields: (ImportField | null)[] = columns.map(() => null)
  const candidates = columns
    .flatMap((column, index) => candidatesOf(column, preset, today).map((one) => ({ ...one, column: index })))
    .toSorted((one, other) => other.weight - one.weight || one.column - other.column)
  const taken = new Set<ImportField>()
  for (const { field, column } of candidates as Candidate[]) {
    if (fields[column] !== null || (taken.has(field) && field !== 'photos') || isCovered(field, taken)) continue
    fields[column] = field
    taken.add(field)
  }
  return fields
}

/** A weight in another unit, or the opposite of an answer, adds nothing. */
const isCovered = (field: ImportField, taken: ReadonlySet<ImportField>): boolean =>
  field.startsWith('notGoodWith') && taken.has(`goodWith${field.slice('notGoodWith'.length)}` as ImportField)

const BY_PROGRAM = 10
const BY_CONTENTS = 1

function candidatesOf(column: ColumnSummary, preset: Preset | null, today: string): Meaning[] {
  const { title, samples } = column
  const inProgram = preset === null ? undefined : fieldInProgram(preset, title)
  if (inProgram === null) return []
  // ASM3 has a type of its own beside the species, which says more.
  if (inProgram !== undefined)
    return [{ field: inProgram, weight: title.trim() === 'ANIMALTYPE' ? BY_CONTENTS : BY_PROGRAM, isWeak: false }]
  const meanings = meaningsOf(title)
  const spaced = { ...column, samples: samples.map(singleSpaced) }
  const possible = meanings
    .flatMap((meaning): Meaning[] => [
      meaning,
      ...(kindred[meaning.field] ?? []).map((field) => ({ ...meaning, field, weight: meaning.weight - HINT })),
    ])
    .filter(({ field, isWeak }) => canHold(field, spaced, isWeak, today) && isPlausible(field, isWeak, spaced))
    .map((meaning) => (isStory(meaning.field, samples) ? { ...meaning, field: 'story' as const } : meaning))
  if (possible.length > 0 || isAboutOthers(title)) return possible
  const field = fieldOfContents(spaced, today)
  return field === undefined ? [] : [{ field, weight: BY_CONTENTS, isWeak: true }]
}

/** Half a step less certain. */
const HINT = 0.5

/** What a column holds instead if its values are not what the title says: dates as ages, breeds under "Type". */
const kindred: Readonly<Partial<Record<ImportField, readonly ImportField[]>>> = { age: ['born'], isMixed: ['breed'] }

/** "Animal" or "Type" is a category if its values are kinds; and "Dog" is a name if they are none. */
const isPlausible = (field: ImportField, isWeak: boolean, column: ColumnSummary): boolean =>
  field !== 'category' || !isWeak || speaksOfKinds(column)

/** A few words are traits; sentences are a story. */
const isStory = (field: ImportField, samples: readonly string[]): boolean =>
  field === 'traits' && samples.some((text) => text.split(/[,;|\n]/).some((part) => part.trim().length > 30))

/** The unit that the title or the values name; American shelters weigh in pounds. */
function weightField(column: ColumnSummary | undefined, isAmerican: boolean): ImportField {
  const { title = '', samples = [] } = column ?? {}
  const has = (pattern: RegExp) => wordsIn(title).some((word) => pattern.test(word))
  if (has(/^(kg|kgs|kilos?|kilograms?)$/)) return 'weightKilograms'
  if (has(/^(lbs?|pounds?|libras|livres)$/)) return 'weightPounds'
  if (has(/^(g|gr|grams?|gramm|grammes?|gramos)$/)) return 'weightGrams'
  const isBare = samples.some((text) => numberIn(text) !== undefined)
  const inPounds = samples.some((text) => /\d\s*(lbs?|pounds?)\b/i.test(text))
  const inKilograms = samples.some((text) => /\d\s*(kgs?|kilos?)\b/i.test(text))
  return (inPounds || (isBare && isAmerican)) && !inKilograms ? 'weightPounds' : 'weightKilograms'
}

/** Gathers the samples of the columns while rows pass by. */
export function columnSampler(titles: readonly string[]): {
  add(cells: readonly string[]): void
  columns(): ColumnSummary[]
} {
  const samples = titles.map(() => new Set<string>())
  const repeats = titles.map(() => 0)
  return {
    add(cells) {
      for (const [index, cell] of cells.entries()) {
        const kept = samples[index]
        const text = cell.trim().slice(0, SAMPLE_LENGTH_MAX)
        if (!kept || text === '') continue
        if (kept.has(text)) repeats[index] = (repeats[index] ?? 0) + 1
        else if (kept.size < SAMPLES_KEPT) kept.add(text)
      }
    },
    columns: () =>
      titles.map((title, index) => ({ title, samples: [...(samples[index] ?? [])], repeats: repeats[index] ?? 0 })),
  }
}

/** More than are shown: the order of a date may become clear late. */
const SAMPLES_KEPT = 50
const SAMPLE_LENGTH_MAX = 200
