// What a value of a file can mean, as the options of a select. Pure.

import type { ImportValue, ValueAction } from '@petstore-platform/contract/platform/import-shapes'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import * as texts from '../texts/texts.ts'

const words = texts.imports

export type Meaning = Pick<ImportValue, 'action' | 'to'>
export type KnownCategory = { id: bigint; name: string }
export type Choice = { value: string; label: string }
export type ChoiceGroup = { group: string; items: Choice[] }

/** Values of one field differ by their text. */
export const keyOf = ({ field, value }: Pick<ImportValue, 'field' | 'value'>): string => `${field} ${value}`

export const written = ({ action, to }: Meaning): string => `${action}:${to ?? ''}`

const actions: Record<ValueAction, true> = { use: true, create: true, clear: true, skip: true, none: true }
const isAction = (text: string): text is ValueAction => Object.hasOwn(actions, text)

export function readMeaning(text: string): Meaning {
  const colon = text.indexOf(':')
  const [action, to] = [text.slice(0, colon), text.slice(colon + 1)]
  if (!isAction(action)) throw new Error(`no action: ${action}`)
  return { action, to: action === 'use' || action === 'create' ? to : null }
}

const none = written({ action: 'none', to: null })

/** What can be chosen; what is chosen now is always among them. */
export function choicesOf(
  one: ImportValue,
  categories: readonly KnownCategory[],
  kind: ProjectKind,
): (Choice | ChoiceGroup)[] {
  const isCategory = one.field === 'category'
  const own = isCategory ? categoryChoices(one, categories) : meaningChoices(one, kind)
  const otherwise = [
    ...(isCategory ? [] : [{ value: written({ action: 'clear', to: null }), label: words.clear }]),
    { value: written({ action: 'skip', to: null }), label: words.skip },
  ]
  const now = written(one)
  const offered: (Choice | ChoiceGroup)[] = [...own, { group: words.otherwise, items: otherwise }]
  const isOffered = offered
    .flatMap((choice) => ('group' in choice ? choice.items : [choice]))
    .some(({ value }) => value === now)
  if (isOffered) return offered
  return [{ value: now, label: now === none ? words.pleaseChoose : meaningWords(one) }, ...offered]
}

function categoryChoices(
  { action, to, value }: ImportValue,
  categories: readonly KnownCategory[],
): (Choice | ChoiceGroup)[] {
  const name = action === 'create' && to !== null ? to : value.trim()
  const created = { value: written({ action: 'create', to: name }), label: words.createCategory(name) }
  const items = categories.map(({ id, name: label }) => ({ value: written({ action: 'use', to: String(id) }), label }))
  return [...(name === '' ? [] : [created]), ...(items.length === 0 ? [] : [{ group: words.yourCategories, items }])]
}

const { answers, sexes, sizes, coats } = texts.profiles
const truths = { yes: answers.yes, no: answers.no }

/** The values of a field in words, where they are few. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(
    Object.entries(profileInputs).flatMap(([name, { type }]) =>
      type === 'answer' ? [[name, answers]] : type === 'flag' ? [[name, truths]] : [],
    ),
  ),
  sex: sexes,
  size: sizes,
  coat: coats,
  isShown: truths,
  isBornEstimated: truths,
  notGoodWithChildren: answers,
  notGoodWithDogs: answers,
  notGoodWithCats: answers,
}

function meaningChoices({ field }: ImportValue, kind: ProjectKind): Choice[] {
  const ofField = field === 'status' ? texts.animals.statuses[kind] : meanings[field]
  return Object.entries(ofField ?? {}).map(([to, label]) => ({ value: written({ action: 'use', to }), label }))
}

/** Of a meaning that is no choice among few, as the time of birth of an age. */
function meaningWords({ field, to }: ImportValue): string {
  if (to === null) return words.clear
  return field === 'age' || field === 'born' ? words.bornAbout(to) : to
}
