// Reads the spreadsheets of this folder with the product, as an owner who accepts every proposal would, and compares the
// animals that come out with what a person reads in them, value by value.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CELL_LENGTH_MAX, COLUMNS_MAX } from '@petstore-platform/contract/platform/import-shapes'
import type { NextAnimal } from '../../server/src/imports/judge.ts'
import { judgeRow } from '../../server/src/imports/judge.ts'
import { proposeMapping, type SheetRow } from '../../server/src/imports/spreadsheet/columns.ts'
import { readSpreadsheet } from '../../server/src/imports/spreadsheet/read.ts'
import { tableBuilder } from '../../server/src/imports/spreadsheet/table.ts'
import { proposeMatch } from '../../server/src/imports/spreadsheet/values.ts'

type Expected = { columns: { title: string; field: string | null }[]; rows: Record<string, unknown>[] }

/**
 * Of the values that a person reads: how many are `right`; the others are `missing` or, which is worse, `wrong`. `invented`
 * are those that no person reads there. Columns that are mapped to another field than a person would choose are `misread`.
 */
export type SheetComparison = {
  file: string
  values: number
  right: number
  missing: string[]
  wrong: string[]
  invented: string[]
  misread: string[]
}

const TODAY = '2026-11-17'
const limits = { bytesMax: 64 * 1_048_576, columnsMax: COLUMNS_MAX, rowsMax: 100_000, cellMax: CELL_LENGTH_MAX }

/** `propose`: another way to map columns, for a negative control. */
export const compareAll = (propose = proposeMapping, folder = import.meta.dirname): SheetComparison[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => compareOne(folder, name.replace('.expected.json', ''), propose))

export type Shares = { right: number; wrong: number }

/** Of all values; what is invented or wrong counts as wrong. */
export function sharesOf(all: readonly SheetComparison[]): Shares {
  const sum = (count: (one: SheetComparison) => number) => all.reduce((total, one) => total + count(one), 0)
  const values = sum((one) => one.values)
  return {
    right: sum(({ right }) => right) / values,
    wrong: sum(({ wrong, invented }) => wrong.length + invented.length) / values,
  }
}

function compareOne(folder: string, name: string, propose: typeof proposeMapping): SheetComparison {
  const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8')) as Expected
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}.`) && !one.endsWith('.json')) ?? ''
  const rows: SheetRow[] = []
  readSpreadsheet(readFileSync(join(folder, file)), undefined, limits, (row, cells) => rows.push({ row, cells }))
  const table = tableBuilder(rows, TODAY, propose)
  const unread = table.add(rows)
  const { columns, reading } = table.built()
  const context = {
    fields: columns.map(({ field }) => field),
    reading: { ...reading, defaultCategory: MADE_UP },
    categories: [],
    today: TODAY,
    matchOf: (field: Parameters<typeof proposeMatch>[0], value: string) =>
      proposeMatch(field, value, { categories: [], today: TODAY }),
  }
  const misread = columns.flatMap(({ title, field, index }) => {
    const want = expected.columns[index]?.field ?? null
    return field !== null && !isSameField(want, field) ? [`"${title}" is ${want ?? 'nothing'}, not ${field}`] : []
  })
  const comparison = { file: name, values: 0, right: 0, missing: [], wrong: [], invented: [], misread }
  for (const want of expected.rows) {
    const index = unread.findIndex(({ cells }) => isRowOf(cells, want))
    const [row] = index === -1 ? [] : unread.splice(index, 1)
    compareRow(want, row && animalOf([...row.cells], context), comparison)
  }
  return comparison
}

const MADE_UP = 'Animal'

function compareRow(
  want: Readonly<Record<string, unknown>>,
  animal: Record<string, unknown> | undefined,
  comparison: SheetComparison,
): void {
  const note = (list: string[], key: string) =>
    void list.push(
      `${String(want['name'])}: ${key} is ${JSON.stringify(want[key]) ?? 'nothing'}, not ${JSON.stringify(animal?.[key])}`,
    )
  for (const [key, value] of Object.entries(want)) {
    comparison.values += 1
    if (isEqual(key, value, animal)) comparison.right += 1
    else note(saysSomething(key, animal?.[key === 'age' ? 'born' : key]) ? comparison.wrong : comparison.missing, key)
  }
  for (const key of Object.keys(animal ?? {})) {
    const isExpected = key in want || derived.has(key) || (key === 'born' && 'age' in want)
    if (!isExpected && saysSomething(key, animal?.[key])) note(comparison.invented, key)
  }
}

/** What follows from other values, or is there by default. */
const derived = new Set(['isMixed', 'isHidden', 'isFeatured', 'portrait', 'version'])

const saysSomething = (key: string, value: unknown): boolean =>
  !(
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    value === 'unknown' ||
    (key === 'name' && value === '?') ||
    (key === 'status' && value === 'available') ||
    (key === 'category' && value === MADE_UP) ||
    (Array.isArray(value) && value.length === 0)
  )

/** Fields that an import has besides those of the expectations. */
const otherNames: Readonly<Record<string, string>> = {
  color: 'colour',
  isNeutered: 'neutered',
  isVaccinated: 'vaccinated',
  isHouseTrained: 'houseTrained',
  weightKilograms: 'weightGrams',
  weightPounds: 'weightGrams',
  notGoodWithChildren: 'goodWithChildren',
  notGoodWithDogs: 'goodWithDogs',
  notGoodWithCats: 'goodWithCats',
  isShown: 'isHidden',
}
const isSameField = (want: string | null, field: string): boolean =>
  want === field || want === otherNames[field] || (want === 'age' && field === 'born')

/** Both of what identifies it are among its cells. */
const isRowOf = (cells: readonly string[], want: Readonly<Record<string, unknown>>): boolean =>
  ['name', 'externalId'].every((key) => want[key] === undefined || cells.some((cell) => cell.trim() === want[key]))

type Context = Parameters<typeof judgeRow>[2]

/** A cell with a problem is emptied, and a name that was not found is made up, so that the others are read all the same. */
function animalOf(cells: string[], context: Context): Record<string, unknown> | undefined {
  const fields = context.fields.includes('name') ? context.fields : [...context.fields, 'name' as const]
  if (fields.length > context.fields.length) cells[context.fields.length] = '?'
  for (let attempt = 0; attempt < COLUMNS_MAX; attempt += 1) {
    const { outcome, next, problems, photos } = judgeRow(cells, { target: undefined }, { ...context, fields })
    const id = cells[fields.indexOf('id')]?.trim()
    if (next) return { ...flat(next), id, photos: photos.map(({ name }) => name) }
    const columns = problems.flatMap(({ column }) => column ?? [])
    if (outcome === 'skip' || columns.length === 0) return undefined
    for (const column of columns) cells[column] = fields[column] === 'name' ? '?' : ''
  }
  return undefined
}

function flat({ name, category, status, profile }: NextAnimal): Record<string, unknown> {
  const { color, isNeutered, isVaccinated, isHouseTrained, ...same } = profile
  const kind = 'create' in category ? category.create : ''
  return {
    ...same,
    name,
    status,
    category: kind,
    colour: color,
    neutered: isNeutered,
    vaccinated: isVaccinated,
    houseTrained: isHouseTrained,
  }
}

/** The English word, whatever the file calls it: a category of that name would be used for it. */
function isSameKind(want: string, got: unknown): boolean {
  const match = proposeMatch('category', String(got), { categories: [{ id: 1n, name: want }], today: TODAY })
  return match.action === 'use'
}

function isEqual(key: string, want: unknown, animal: Record<string, unknown> | undefined): boolean {
  if (!animal) return false
  const got = animal[key]
  if (key === 'sex' && want === 'unknown') return got === null
  if (key === 'category') return isSameKind(String(want), got)
  if (key === 'age') return isAge(String(want), animal['born'])
  if (key === 'born') return dateText(got) === want
  if (key === 'inCareSince') return typeof got === 'string' && got.startsWith(String(want))
  if (key === 'fee') {
    const [fee, found] = [
      want as { amount: number; currency?: string },
      got as { amount: number; currency: string } | null,
    ]
    return (
      found !== null && found.amount === fee.amount && (fee.currency === undefined || fee.currency === found.currency)
    )
  }
  if (key === 'traits') return JSON.stringify(want) === JSON.stringify(got)
  if (Array.isArray(want)) return JSON.stringify(want) === JSON.stringify(got)
  if (typeof want === 'string' && typeof got === 'string')
    return want.replaceAll(/\s+/g, ' ') === got.replaceAll(/\s+/g, ' ')
  return want === got
}

const dateText = (born: unknown): string | undefined => {
  const { date, precision } = (born ?? {}) as { date?: string; precision?: string }
  return date?.slice(0, precision === 'day' ? 10 : precision === 'month' ? 7 : 4)
}

const DAY_MS = 86_400_000

/** As exactly as an age can be known. */
function isAge(duration: string, born: unknown): boolean {
  const { date, precision } = (born ?? {}) as { date?: string; precision?: string }
  if (date === undefined) return false
  const [, years = 0, months = 0, weeks = 0, days = 0] = (
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/.exec(duration) ?? []
  )
    .map(Number)
    .map((n) => n || 0)
  const then = Date.parse(TODAY) - (years * 365.25 + months * 30.44 + weeks * 7 + days) * DAY_MS
  return Math.abs(then - Date.parse(date)) <= (precision === 'year' ? 366 : 32) * DAY_MS
}
