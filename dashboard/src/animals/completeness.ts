// What visitors ask about first, and how much of it a profile answers: the same
// questions, of equal weight, as the server counts for the list. Pure.

import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import { fieldNames, isProfileField, type Fields, type ProfileFieldName } from './profile-fields.ts'

type Entry = (typeof profileInputs)[ProfileFieldName]
export type Question = 'photo' | Extract<Entry, { question: string }>['question']

/** The fields, and whether a photo is on the site. */
export type ProfileAnswers = Fields & { hasPhoto: boolean }

/** In the order of the page. */
const answeredBy = Map.groupBy(
  fieldNames.filter((name) => isProfileField(name)),
  (name) => questionOf(profileInputs[name]),
)
const questions: readonly Question[] = ['photo', ...[...answeredBy.keys()].filter((question) => question !== undefined)]
export const QUESTIONS = questions.length

function questionOf(entry: Entry) {
  return 'question' in entry ? entry.question : undefined
}

function isKnown(fields: Fields, name: ProfileFieldName): boolean {
  const value = fields[name]
  if (profileInputs[name].type === 'answer') return value !== 'unknown'
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'string' ? (name === 'born' ? value.trim() : value) !== '' : value !== null
}

export const missingIn = ({ hasPhoto, ...fields }: ProfileAnswers): Question[] =>
  questions.filter((question) =>
    question === 'photo' ? !hasPhoto : !answeredBy.get(question)?.some((name) => isKnown(fields, name)),
  )

/** As the server rounds it. */
export const percentOf = (done: number): number => Math.round((done / QUESTIONS) * 100)
