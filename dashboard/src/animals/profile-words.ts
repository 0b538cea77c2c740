// The profile of an animal in words: its breed, and each field as people read it.

import { saysMix } from '@petstore-platform/contract/breeds'
import * as texts from '../texts/texts.ts'
import type { Categories } from './categories.ts'
import { feeWords, readFee } from './money.ts'
import type { FieldName, Fields } from './profile-fields.ts'

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

/** A field's value as people read it; an empty one is the empty text. */
export function wordsOf(fields: Fields, name: FieldName, categories: Categories): string {
  switch (name) {
    case 'categoryId':
      return categories.nameOf(fields.categoryId)
    case 'sex':
      return fields.sex ? words.sexes[fields.sex] : ''
    case 'size':
      return fields.size ? words.sizes[fields.size] : ''
    case 'coat':
      return fields.coat ? words.coats[fields.coat] : ''
    case 'fee':
      return writtenFee(fields.fee)
    case 'traits':
      return fields.traits.join(', ')
    case 'portrait':
      return fields.portrait ? portraitWords(fields.portrait) : words.ownPortrait
    // The box asks whether it is shown.
    case 'isHidden':
      return fields.isHidden ? words.no : words.yes
    case 'isMixed':
    case 'isFeatured':
    case 'isBornEstimated':
      return fields[name] ? words.yes : words.no
    case 'goodWithChildren':
    case 'goodWithDogs':
    case 'goodWithCats':
    case 'isNeutered':
    case 'isVaccinated':
    case 'isHouseTrained':
      return words.answers[fields[name]]
    default:
      return fields[name]
  }
}

/** "Dog 2" of `dog-2`. */
export function portraitWords(name: string): string {
  const [, kind = '', number = ''] = /^(.+)-(\d+)$/.exec(name) ?? []
  return words.portraitOf(words.portraitKinds[kind] ?? kind, Number(number))
}
