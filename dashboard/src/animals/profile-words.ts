// The profile of an animal in words: its breed, and each field as people read it.

import { saysMix } from '@petstore-platform/contract/breeds'
import * as texts from '../texts/texts.ts'
import type { Categories } from './categories.ts'
import { feeWords, readFee } from './money.ts'
import { hasType, isProfileField, type FieldName, type Fields, type FieldsWith } from './profile-fields.ts'

const words = texts.profiles

export function breedWords({ breed, secondBreed, isMixed }: Pick<Fields, 'breed' | 'secondBreed' | 'isMixed'>): string {
  if (breed === '') return isMixed ? words.fields.isMixed : ''
  if (secondBreed !== '') return words.cross(breed, secondBreed)
  return isMixed && !saysMix(breed) ? words.mix(breed) : breed
}

/** Empty for what visitors are to ask. */
export function writtenFee(fee: Fields['fee']): string {
  const read = readFee(fee)
  return read === undefined ? fee.amount.trim() : read ? feeWords(read) : ''
}

export type ChoiceName = Exclude<FieldsWith<{ type: 'choice' }>, 'portrait'>
export const choiceWords: { readonly [Name in ChoiceName]: Readonly<Record<NonNullable<Fields[Name]>, string>> } = {
  sex: words.sexes,
  size: words.sizes,
  coat: words.coats,
}

/** Of fields whose value is not read as it was written, or as a yes or no. */
const worded: { readonly [Name in FieldName]?: (fields: Fields, categories: Categories) => string } = {
  categoryId: ({ categoryId }, categories) => categories.nameOf(categoryId),
  sex: ({ sex }) => (sex ? words.sexes[sex] : ''),
  size: ({ size }) => (size ? words.sizes[size] : ''),
  coat: ({ coat }) => (coat ? words.coats[coat] : ''),
  fee: ({ fee }) => writtenFee(fee),
  portrait: ({ portrait }) => (portrait ? portraitWords(portrait) : words.ownPortrait),
  // The box asks whether it is shown.
  isHidden: ({ isHidden }) => (isHidden ? words.no : words.yes),
}

/** A field's value as people read it; an empty one is the empty text. */
export function wordsOf(fields: Fields, name: FieldName, categories: Categories): string {
  const own = worded[name]
  if (own) return own(fields, categories)
  const value = fields[name]
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value)) return value.join(', ')
  if (isProfileField(name) && hasType(name, 'answer')) return words.answers[fields[name]]
  return typeof value === 'string' ? value : ''
}

/** "Dog 2" of `dog-2`. */
export function portraitWords(name: string): string {
  const [, kind = '', number = ''] = /^(.+)-(\d+)$/.exec(name) ?? []
  return words.portraitOf(words.portraitKinds[kind] ?? kind, Number(number))
}
