// The fields that a column can become, in groups as people look for them. Every field of the contract is in one.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import * as texts from '../texts/texts.ts'

const words = texts.imports

type Group = keyof typeof words.fieldGroups

const groupOf: Record<ImportField, Group> = {
  name: 'basics',
  category: 'basics',
  breed: 'basics',
  secondBreed: 'basics',
  isMixed: 'basics',
  sex: 'basics',
  born: 'basics',
  age: 'basics',
  isBornEstimated: 'basics',
  status: 'basics',
  inCareSince: 'basics',
  size: 'looks',
  coat: 'looks',
  color: 'looks',
  weightKilograms: 'looks',
  weightPounds: 'looks',
  weightGrams: 'looks',
  goodWithChildren: 'company',
  goodWithDogs: 'company',
  goodWithCats: 'company',
  notGoodWithChildren: 'company',
  notGoodWithDogs: 'company',
  notGoodWithCats: 'company',
  goodWithNote: 'company',
  isNeutered: 'health',
  isVaccinated: 'health',
  isHouseTrained: 'health',
  specialNeeds: 'health',
  headline: 'texts',
  story: 'texts',
  traits: 'texts',
  photos: 'texts',
  fee: 'terms',
  feeCurrency: 'terms',
  location: 'terms',
  externalId: 'team',
  chipNumber: 'team',
  internalNotes: 'team',
  id: 'team',
  categoryId: 'team',
  isHidden: 'site',
  isShown: 'site',
  isFeatured: 'site',
  portrait: 'site',
}

const fields = Object.keys(groupOf) as ImportField[]

/** For a select; the empty value is a column that is not imported. */
export const fieldChoices = [
  { value: '', label: words.notImported },
  ...(Object.keys(words.fieldGroups) as Group[]).map((group) => ({
    group: words.fieldGroups[group],
    items: fields
      .filter((field) => groupOf[field] === group)
      .map((field) => ({ value: field, label: words.fields[field] })),
  })),
]

export const isField = (value: string): value is ImportField => Object.hasOwn(groupOf, value)
