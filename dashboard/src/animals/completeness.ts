// What visitors ask about first, and how much of it a profile answers: the same
// questions, of equal weight, as the server counts for the list. Pure.

import type { Fields } from './profile-fields.ts'

export type Question =
  | 'photo'
  | 'story'
  | 'headline'
  | 'breed'
  | 'sex'
  | 'born'
  | 'size'
  | 'company'
  | 'health'
  | 'traits'
  | 'inCareSince'

/** The fields, and whether a photo is on the site. */
export type ProfileAnswers = Fields & { hasPhoto: boolean }

const isKnown = (...answers: readonly string[]) => answers.some((answer) => answer !== 'unknown')

/** In the order of the page. */
const answered: Readonly<Record<Question, (answers: ProfileAnswers) => boolean>> = {
  photo: ({ hasPhoto }) => hasPhoto,
  headline: ({ headline }) => headline !== '',
  story: ({ story }) => story !== '',
  breed: ({ breed }) => breed !== '',
  sex: ({ sex }) => sex !== null,
  born: ({ born }) => born.trim() !== '',
  size: ({ size }) => size !== null,
  company: (fields) => isKnown(fields.goodWithChildren, fields.goodWithDogs, fields.goodWithCats),
  health: ({ isNeutered, isVaccinated, isHouseTrained }) => isKnown(isNeutered, isVaccinated, isHouseTrained),
  traits: ({ traits }) => traits.length > 0,
  inCareSince: ({ inCareSince }) => inCareSince !== '',
}
const questions = Object.keys(answered) as readonly Question[]
export const QUESTIONS = questions.length

export const missingIn = (answers: ProfileAnswers): Question[] =>
  questions.filter((question) => !answered[question](answers))

/** As the server rounds it. */
export const percentOf = (done: number): number => Math.round((done / QUESTIONS) * 100)
