// The fields of a profile, in the order of the API. An entry holds what does not depend on a language: from it follow the
// schema and the faults of a field (profiles.ts), its column (snake case) in every statement, its cells in spreadsheets, who
// reads it, and its place in forms. What a spreadsheet calls it is in imports/spreadsheet/words/titles.json, its labels are
// with the other texts of sites and of the dashboard.

import { portraitNames } from '../portraits.ts'
import { MARKS_DESCRIPTION } from './markdown.ts'

/** By type: its limits, and the values of an enumeration. */
type Content =
  | { type: 'line' | 'text'; lengthMax: number }
  | { type: 'choice'; values: readonly string[] }
  | { type: 'integer'; min: number; max: number }
  | { type: 'list'; itemsMax: number; lengthMax: number }
  | { type: 'fee'; amountMax: number }
  | { type: 'answer' | 'flag' | 'born' | 'day' }

export type ProfileFieldEntry = Content & {
  /** In the OpenAPI document. */
  description: string
  /**
   * `card`: to visitors in every list, so it must be short. `page`: to visitors on the page of the animal. `never`: it
   * decides how the site shows the animal. `members`: it is published nowhere.
   */
  shown: 'card' | 'page' | 'never' | 'members'
  /** The part of the form. */
  group: 'portrait' | 'story' | 'facts' | 'company' | 'health' | 'character' | 'terms' | 'site' | 'team'
  /** Whether a duplicate of the animal begins with the same value; otherwise it belongs to one animal alone. */
  isCopied: boolean
  /** Of those that visitors ask first, the question that it answers; several fields may answer one. */
  question?: string
  /** No two animals of a project have the same; without a value the column is null. */
  isUnique?: true
  /** What a value must be, after the name of the field; by its type otherwise. */
  fault?: string
}

const MEMBERS = { shown: 'members', group: 'team' } as const
const COMPANY = { type: 'answer', shown: 'page', group: 'company', question: 'company', isCopied: true } as const
const HEALTH = { type: 'answer', shown: 'page', group: 'health', question: 'health', isCopied: true } as const

export const profileFields = {
  headline: {
    type: 'line',
    lengthMax: 120,
    description: 'One sentence; empty if there is none.',
    shown: 'card',
    group: 'story',
    question: 'headline',
    isCopied: true,
  },
  story: {
    type: 'text',
    lengthMax: 10_000,
    description: `The story of the animal, in Markdown. HTML in it is shown as text. ${MARKS_DESCRIPTION}`,
    shown: 'page',
    group: 'story',
    question: 'story',
    isCopied: true,
  },
  breed: {
    type: 'line',
    lengthMax: 80,
    description: 'Empty if it is not known.',
    shown: 'card',
    group: 'facts',
    question: 'breed',
    isCopied: true,
  },
  secondBreed: {
    type: 'line',
    lengthMax: 80,
    description: 'Of a cross between two; empty otherwise.',
    shown: 'card',
    group: 'facts',
    isCopied: true,
  },
  isMixed: {
    type: 'flag',
    description: 'Whether it is a mixed breed.',
    shown: 'card',
    group: 'facts',
    isCopied: true,
  },
  sex: {
    type: 'choice',
    values: ['female', 'male'],
    description: 'Null if it is not known.',
    shown: 'card',
    group: 'facts',
    question: 'sex',
    isCopied: true,
  },
  size: {
    type: 'choice',
    values: ['small', 'medium', 'large', 'extra_large'],
    description: 'As an adult; null if it is not known.',
    shown: 'card',
    group: 'facts',
    question: 'size',
    isCopied: true,
  },
  coat: {
    type: 'choice',
    values: ['hairless', 'short', 'medium', 'long', 'wire', 'curly'],
    description: 'Null if it is not known.',
    shown: 'page',
    group: 'facts',
    isCopied: true,
  },
  color: {
    type: 'line',
    lengthMax: 60,
    description: 'Colour of the coat, as people say it.',
    shown: 'page',
    group: 'facts',
    isCopied: true,
  },
  weightGrams: {
    type: 'integer',
    min: 1,
    max: 2_000_000,
    description: 'Null if it is not known.',
    shown: 'page',
    group: 'facts',
    isCopied: true,
  },
  born: {
    type: 'born',
    description: 'Null if it is not known.',
    shown: 'card',
    group: 'facts',
    question: 'born',
    isCopied: true,
  },
  goodWithChildren: { ...COMPANY, description: 'Whether it gets along with children.' },
  goodWithDogs: { ...COMPANY, description: 'Whether it gets along with dogs.' },
  goodWithCats: { ...COMPANY, description: 'Whether it gets along with cats.' },
  goodWithNote: {
    type: 'line',
    lengthMax: 200,
    description: 'More about whom it gets along with.',
    shown: 'page',
    group: 'company',
    isCopied: true,
  },
  isNeutered: { ...HEALTH, description: 'Whether it is neutered.' },
  isVaccinated: { ...HEALTH, description: 'Whether it is vaccinated.' },
  isHouseTrained: { ...HEALTH, description: 'Whether it is house-trained.' },
  specialNeeds: {
    type: 'text',
    lengthMax: 500,
    description: 'What a new home must know; empty if there is nothing.',
    shown: 'page',
    group: 'health',
    isCopied: true,
  },
  traits: {
    type: 'list',
    itemsMax: 12,
    lengthMax: 30,
    description: 'Its character in single words.',
    shown: 'page',
    group: 'character',
    question: 'traits',
    isCopied: true,
  },
  fee: {
    type: 'fee',
    amountMax: 1_000_000_000,
    description: 'Null means: ask us.',
    shown: 'page',
    group: 'terms',
    isCopied: true,
  },
  location: {
    type: 'line',
    lengthMax: 80,
    description: 'Where it lives, such as a town; never a full address.',
    shown: 'page',
    group: 'terms',
    isCopied: true,
  },
  inCareSince: {
    type: 'day',
    description: 'Since when it has been waiting; null if it is not known.',
    shown: 'card',
    group: 'terms',
    question: 'inCareSince',
    isCopied: true,
  },
  portrait: {
    type: 'choice',
    values: portraitNames,
    description: 'The drawing that stands in for a photo; null for the one of its category.',
    shown: 'card',
    group: 'portrait',
    isCopied: true,
    fault: 'must be the name of a portrait, or null.',
  },
  isHidden: {
    type: 'flag',
    description: 'Whether the site does not show the animal.',
    shown: 'never',
    group: 'site',
    isCopied: false,
  },
  isFeatured: {
    type: 'flag',
    description: 'Whether the site shows the animal first.',
    shown: 'never',
    group: 'site',
    isCopied: false,
  },
  externalId: {
    ...MEMBERS,
    type: 'line',
    lengthMax: 100,
    description: 'Identifier in another system, unique in the project; empty if there is none.',
    isCopied: false,
    isUnique: true,
  },
  chipNumber: { ...MEMBERS, type: 'line', lengthMax: 23, description: 'Empty if there is none.', isCopied: false },
  internalNotes: { ...MEMBERS, type: 'text', lengthMax: 5000, description: 'For members alone.', isCopied: true },
} as const satisfies Readonly<Record<string, ProfileFieldEntry>>

type Entries = typeof profileFields
export type ProfileFieldName = keyof Entries
/** The names of the fields whose entries are like this. */
export type ProfileFieldsWith<Part> = {
  [Name in ProfileFieldName]: Entries[Name] extends Part ? Name : never
}[ProfileFieldName]

export const profileFieldNames = Object.keys(profileFields) as ProfileFieldName[]

export const isProfileField = (name: string): name is ProfileFieldName => Object.hasOwn(profileFields, name)

type Wanted = { readonly [Key in 'type' | 'shown' | 'group']?: readonly ProfileFieldEntry[Key][] }
type OneOf<List> = List extends readonly (infer One)[] ? One : never

/** The fields whose entries have one of these values each, in the order of the list. */
export const fieldsWith = <const Part extends Wanted>(wanted: Part) =>
  profileFieldNames.filter((name): name is ProfileFieldsWith<{ [Key in keyof Part]: OneOf<Part[Key]> }> => {
    const entry: ProfileFieldEntry = profileFields[name]
    const { type = [entry.type], shown = [entry.shown], group = [entry.group] }: Wanted = wanted
    return type.includes(entry.type) && shown.includes(entry.shown) && group.includes(entry.group)
  })
