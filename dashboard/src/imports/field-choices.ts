// The fields that a column can become, in groups as people look for them. Every field of the contract is in one.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import * as texts from '../texts/texts.ts'

const words = texts.imports

type Group = keyof typeof words.fieldGroups
type Input = (typeof profileInputs)[keyof typeof profileInputs]

/** Those that people look for first, and what only an import knows; what it does not name follows in the group of its form. */
const first = {
  basics: [
    'name',
    'category',
    'breed',
    'secondBreed',
    'isMixed',
    'sex',
    'born',
    'age',
    'isBornEstimated',
    'status',
    'inCareSince',
  ],
  looks: ['size', 'coat', 'color', 'weightKilograms', 'weightPounds', 'weightGrams'],
  company: [
    'goodWithChildren',
    'goodWithDogs',
    'goodWithCats',
    'notGoodWithChildren',
    'notGoodWithDogs',
    'notGoodWithCats',
  ],
  health: [],
  texts: ['headline', 'story', 'traits', 'photos'],
  terms: ['fee', 'feeCurrency'],
  team: ['externalId', 'chipNumber', 'internalNotes', 'id', 'categoryId'],
  site: ['isHidden', 'isShown', 'isFeatured'],
} as const satisfies Record<Group, readonly ImportField[]>

const groupOfForm: Record<Input['group'], Group> = {
  portrait: 'site',
  story: 'texts',
  facts: 'looks',
  company: 'company',
  health: 'health',
  character: 'texts',
  terms: 'terms',
  site: 'site',
  team: 'team',
}

const placed = new Set<ImportField>(Object.values(first).flat())
const others = (Object.keys(profileInputs) as (keyof typeof profileInputs)[]).filter((name) => !placed.has(name))

const fieldsIn = (group: Group): ImportField[] => [
  ...first[group],
  ...others.filter((name) => groupOfForm[profileInputs[name].group] === group),
]

/** For a select; the empty value is a column that is not imported. */
export const fieldChoices = [
  { value: '', label: words.notImported },
  ...(Object.keys(words.fieldGroups) as Group[]).map((group) => ({
    group: words.fieldGroups[group],
    items: fieldsIn(group).map((field) => ({ value: field, label: words.fields[field] })),
  })),
]

export const isField = (value: string): value is ImportField => Object.hasOwn(words.fields, value)
