// Turns the cells of a row into the profile of an animal. A cell that cannot be understood is noted and changes nothing.
// Pure.

import { Type, type TSchema } from 'typebox'
import { exportFields, type ImportReading } from '@petstore-platform/contract/platform/import-shapes'
import { faultOfMarks } from '@petstore-platform/contract/platform/markdown'
import { NewPet, newPetFaults } from '@petstore-platform/contract/pets'
import {
  isProfileField,
  profileFields,
  type ProfileFieldEntry,
} from '@petstore-platform/contract/platform/profile-fields'
import { ProfileChange, profileFaults, type Born, type Fee } from '@petstore-platform/contract/platform/profiles'
import { portraitNames } from '@petstore-platform/contract/portraits'
import { bornIn, dayIn } from '@petstore-platform/contract/platform/spelled-dates'
import { amountText, feeIn, weightIn } from '@petstore-platform/contract/platform/spelled-numbers'
import { isNothing } from '@petstore-platform/contract/platform/spelled-words'
import { bodyReader } from '../foundation/http/validate.ts'
import { JsonNumber } from '../foundation/json-reader.ts'
import { Refusal } from '../foundation/refusal.ts'
import { traitsIn, type Said, type SaidCells } from './cells.ts'
import type { ProfileFields } from '../animals/profile.ts'

export type FieldContext = {
  reading: ImportReading
  today: string
  isNew: boolean
  note: (column: number, reason: string) => void
}

export function profileOf(said: SaidCells, current: ProfileFields, context: FieldContext): ProfileFields {
  const next = { ...current }
  const changes = next as Record<string, unknown>
  for (const { field, read } of readers) {
    const cell = said.get(field)
    if (!cell) continue
    const value = read(cell.text, context)
    const fault = value === undefined ? profileFaults[field] : faultOf(field, value)
    if (fault === undefined) changes[field] = value
    else context.note(cell.column, fault)
  }
  combine(said, current, next, context)
  return next
}

/** Undefined for what cannot be read. */
type Read = (text: string, context: FieldContext) => unknown

const line: Read = (text) => (isNothing(text) ? '' : text.trim().replaceAll(/\s+/g, ' '))
const paragraphs: Read = (text) => text.trim().replaceAll(/\r\n?/g, '\n')
const choice: Read = (text) => (text === '' ? null : text)
const answer: Read = (text) => (text === '' ? 'unknown' : text)
const flag: Read = (text) => text === 'yes'
/** A yes or no where a text is expected says nothing about it. */
const isAnswer = (text: string): boolean =>
  /^(no|nein|non|nee|n|0|false|yes|ja|oui|s[ií]|y|j|1|x|true)$/i.test(text.trim())
/** Excel rounds long numbers: 9.81E+14 is no chip number any more. */
const chipIn = (text: string): string | undefined => {
  if (isNothing(text) || isAnswer(text)) return ''
  return /^\d[.,]\d+E\+?\d+$/i.test(text.trim()) ? undefined : text.replaceAll(/[\s.-]/g, '')
}

/** Of cells that mean one field each. Values of enumerations have been matched before. */
const readersOfTypes: Readonly<Partial<Record<ProfileFieldEntry['type'], Read>>> = {
  line,
  text: paragraphs,
  choice,
  answer,
  flag,
  list: (text) => (isNothing(text) ? [] : traitsIn(text)),
  day: (text, { reading, today }) => dayIn(text, reading.dateOrder, today),
}
const readersOfFields: Readonly<Partial<Record<keyof ProfileFields, Read>>> = {
  externalId: (text) => text.trim().replaceAll(/\s+/g, ' '),
  specialNeeds: (text, context) => (isNothing(text) || isAnswer(text) ? '' : paragraphs(text, context)),
  portrait: (text) => (text.trim() === '' ? null : portraitNames.find((name) => name === text.trim())),
  chipNumber: (text) => chipIn(text),
}
/** In the order of an export. */
const readers = exportFields
  .filter((field) => isProfileField(field))
  .flatMap((field) => {
    const read = readersOfFields[field] ?? readersOfTypes[profileFields[field].type]
    return read ? [{ field, read }] : []
  })

/** Fields that several cells tell of. */
function combine(said: SaidCells, current: ProfileFields, next: ProfileFields, context: FieldContext): void {
  const weight = weightOf(said, context)
  if (weight !== undefined) next.weightGrams = weight
  next.born = bornOf(said, current.born, context)
  next.fee = feeOf(said, current.fee, context)
  for (const [field, opposite] of opposites) {
    const cell = said.get(opposite)
    if (cell && cell.text !== '') next[field] = cell.text === 'yes' ? 'no' : cell.text === 'no' ? 'yes' : 'unknown'
  }
  const shown = said.get('isShown')
  if (shown && shown.text !== '') next.isHidden = shown.text === 'no'
  if (next.secondBreed !== '' && next.breed === '') [next.breed, next.secondBreed] = [next.secondBreed, '']
  const isStated = said.has('isMixed') || !context.isNew
  if (next.secondBreed !== '' && !said.has('isMixed')) next.isMixed = true
  else if (!isStated && MIXED.test(next.breed)) next.isMixed = true
}

const MIXED =
  /(?<!\p{Letter})(?:mix(?:ed|ling)?|mixbreed|cross(?:breed)?|mongrel|mutt|mischling|crois[ée]e?|m[ée]tis(?:se)?|mestiz[oa]|cruce|cruzad[oa]|kruising|bastaard)(?!\p{Letter})|mix$|mischling$|\p{Letter}\s+[x×]\s+\p{Letter}|\p{Letter}\s+[x×]$|\p{Letter}×\p{Letter}/iu

const opposites = [
  ['goodWithChildren', 'notGoodWithChildren'],
  ['goodWithDogs', 'notGoodWithDogs'],
  ['goodWithCats', 'notGoodWithCats'],
] as const

const weights = [
  ['weightGrams', 'g'],
  ['weightKilograms', 'kg'],
  ['weightPounds', 'lb'],
] as const

/** The first cell that says one; undefined if no cell says anything. */
function weightOf(said: SaidCells, { note }: FieldContext): number | null | undefined {
  const cells = weights.flatMap(([field, unit]) => {
    const cell = said.get(field)
    return cell ? [{ ...cell, unit }] : []
  })
  const cell = cells.find(({ text }) => text.trim() !== '') ?? cells[0]
  if (!cell) return undefined
  const grams = weightIn(cell.text, cell.unit)
  if (grams === null) return null
  if (grams !== undefined && faultOf('weightGrams', grams) === undefined) return grams
  note(cell.column, 'This is not a weight, such as 12.5 kg.')
  return undefined
}

/** An age is less exact than a date: it counts where there is no date, or an estimated one. */
function bornOf(said: SaidCells, current: Born | null, { reading, today, note }: FieldContext): Born | null {
  const [cell, age, estimated] = [said.get('born'), said.get('age'), said.get('isBornEstimated')]
  let born = current
  if (cell) {
    const read = bornIn(cell.text, reading.dateOrder, today)
    if (read === undefined) note(cell.column, 'This is not a date, such as 2023-04-05, 2023-04 or 2023.')
    else born = read
  }
  if (age && age.text !== '' && (born === null || (born === current && born.isEstimated))) born = ofAge(age)
  if (born && estimated && estimated.text !== '') born = { ...born, isEstimated: estimated.text === 'yes' }
  return born
}

const ofAge = ({ text }: Said): Born =>
  text.length === 4
    ? { date: `${text}-01-01`, precision: 'year', isEstimated: true }
    : { date: `${text}-01`, precision: 'month', isEstimated: true }

function feeOf(said: SaidCells, current: Fee | null, { reading, note }: FieldContext): Fee | null {
  const [cell, currencyCell] = [said.get('fee'), said.get('feeCurrency')]
  if (!cell && !(currencyCell && current)) return current
  const named = currencyCell?.text.trim().toUpperCase() ?? ''
  if (currencyCell && named !== '' && !/^[A-Z]{3}$/.test(named)) {
    note(currencyCell.column, 'This is not a currency, such as EUR.')
    return current
  }
  const text = cell?.text ?? (current ? amountText(current) : '')
  const fee = feeIn(text, named || current?.currency || reading.currency)
  if (fee === undefined)
    note(cell?.column ?? currencyCell?.column ?? 0, 'This is not an amount of money, such as 250.00.')
  return fee === undefined ? current : fee && named !== '' ? { ...fee, currency: named } : fee
}

/** What is wrong with a value, by the rules of the API; undefined if nothing is. */
function faultOf(field: keyof ProfileFields, value: unknown): string | undefined {
  const check = (checks[field] ??= checkOf(field))
  return check(value) ?? (field === 'story' ? faultOfMarks(field, String(value)) : undefined)
}

const checks: Partial<Record<keyof ProfileFields, (value: unknown) => string | undefined>> = {}

const checkOf = (field: keyof ProfileFields) => valueCheck(field, ProfileChange.properties[field], profileFaults[field])

export const faultOfName = valueCheck('name', NewPet.properties.name, newPetFaults.name)

function valueCheck(field: string, schema: TSchema, fault: string): (value: unknown) => string | undefined {
  const read = bodyReader({ schema: Type.Object({ [field]: schema }), faults: { [field]: fault }, examples: {} })
  return (value) => {
    try {
      read({ [field]: typeof value === 'number' ? new JsonNumber(String(value)) : value } as never)
      return undefined
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }
}
