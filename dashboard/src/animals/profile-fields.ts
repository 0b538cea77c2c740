// Everything about an animal as flat fields: what its page edits, and what two members can
// both have changed. What people write in their own way (weight, age, fee) is kept as they
// write it, and compared by what it means; it is converted when it is sent. Pure.

import type { Received, Sent } from '@petstore-platform/contract/platform/client'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import { readBorn, writeBorn } from './born.ts'
import { readFee, writeAmount } from './money.ts'
import { readWeight, writeWeight } from './weight.ts'

export type AnimalDetails = Required<Received<'getAnimal'>>
export type Profile = AnimalDetails['profile']
type ProfileChange = Sent<'putProfile'>['body']

/** The profile with what `/v1` knows as well. */
export type Stored = Profile & Pick<AnimalDetails, 'name' | 'categoryId'>

export type Fields = Omit<Stored, 'version' | 'weightGrams' | 'born' | 'fee' | 'inCareSince'> & {
  weightGrams: string
  born: string
  isBornEstimated: boolean
  fee: { amount: string; currency: string }
  /** Empty, or as `2026-03-14`. */
  inCareSince: string
}
export type FieldName = keyof Fields

type Inputs = typeof profileInputs
export type ProfileFieldName = keyof Inputs
/** The names of the fields of a profile whose entries are like this. */
export type FieldsWith<Part> = {
  [Name in ProfileFieldName]: Inputs[Name] extends Part ? Name : never
}[ProfileFieldName]

/** In the order of the page; what it does not name follows. */
const first = [
  ...(['portrait', 'name', 'categoryId', 'headline', 'story', 'breed', 'secondBreed', 'isMixed', 'sex'] as const),
  ...(['born', 'isBornEstimated', 'size', 'weightGrams', 'coat', 'color'] as const),
]
const profileNames = Object.keys(profileInputs) as ProfileFieldName[]
export const fieldNames: readonly FieldName[] = [...new Set([...first, ...profileNames])]

export const isProfileField = (name: FieldName): name is ProfileFieldName => Object.hasOwn(profileInputs, name)

export const hasType = <Type extends Inputs[ProfileFieldName]['type']>(
  name: ProfileFieldName,
  type: Type,
): name is FieldsWith<{ type: Type }> => profileInputs[name].type === type

export const storedOf = ({ name, categoryId, profile }: AnimalDetails): Stored => ({ name, categoryId, ...profile })

/** `currency`: of a fee that is not there yet. */
export function fieldsOf(stored: Stored, currency: string): Fields {
  const { version: _, weightGrams, born, fee, inCareSince, ...same } = stored
  return {
    ...same,
    weightGrams: writeWeight(weightGrams),
    born: born ? writeBorn(born) : '',
    isBornEstimated: born?.isEstimated ?? false,
    fee: fee ? { amount: writeAmount(fee), currency: fee.currency } : { amount: '', currency },
    inCareSince: inCareSince ?? '',
  }
}

/** What the written fields mean. Undefined for one that cannot be read. */
const meanings: Partial<{ [Name in FieldName]: (fields: Fields, today: Date) => unknown }> = {
  weightGrams: ({ weightGrams }) => readWeight(weightGrams),
  born: ({ born }, today) => bornIn(born, today),
  // Of a date that is not known, it means nothing.
  isBornEstimated: ({ born, isBornEstimated }, today) => readBorn(born, today) !== null && isBornEstimated,
  fee: ({ fee }) => readFee(fee),
  categoryId: ({ categoryId }) => String(categoryId),
}

function bornIn(text: string, today: Date) {
  const read = readBorn(text, today)
  return read && { date: read.date, precision: read.precision }
}

export function isSame(one: Fields, other: Fields, name: FieldName, today: Date): boolean {
  if (one[name] === other[name] && name !== 'isBornEstimated') return true
  const meaning = meanings[name] ?? ((fields: Fields) => fields[name])
  const [first, second] = [meaning(one, today), meaning(other, today)]
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second)
}

export const unreadableIn = (fields: Fields, today: Date): ('weightGrams' | 'born' | 'fee')[] =>
  (['weightGrams', 'born', 'fee'] as const).filter((name) => meanings[name]?.(fields, today) === undefined)

/** Of fields that can be read. */
export function changeOf(fields: Fields, version: number, today: Date): ProfileChange {
  const { name: _, categoryId: __, isBornEstimated, weightGrams, born, fee, inCareSince, ...same } = fields
  const read = bornIn(born, today)
  return {
    version,
    ...same,
    weightGrams: readWeight(weightGrams) ?? null,
    born: read ? { ...read, isEstimated: isBornEstimated } : null,
    fee: readFee(fee) ?? null,
    inCareSince: inCareSince === '' ? null : inCareSince,
  }
}
