// The questions of the draft as the form edits them, and as they are sent: a question that has no text yet, and a line
// of choices that is still empty, are only in the form.

import type { VisitorQuestion } from '@petstore-platform/contract/platform/questions'

export type Questions = readonly VisitorQuestion[] | null

/** As the server gets them. */
export const sentQuestions = (questions: Questions): Questions =>
  questions &&
  questions
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text, isRequired, choices }) => ({
      kind,
      text,
      isRequired,
      choices:
        kind === 'choice' ? [...new Set(choices.map((choice) => choice.trim()).filter((choice) => choice !== ''))] : [],
    }))

export const newQuestion: VisitorQuestion = { kind: 'short_text', text: '', isRequired: false, choices: [] }

export const changedAt = (
  questions: readonly VisitorQuestion[],
  index: number,
  change: Partial<VisitorQuestion>,
): VisitorQuestion[] => questions.map((question, place) => (place === index ? { ...question, ...change } : question))

export const withoutAt = (questions: readonly VisitorQuestion[], index: number): VisitorQuestion[] =>
  questions.filter((_, place) => place !== index)

/** One place towards the beginning. */
export const movedUp = (questions: readonly VisitorQuestion[], index: number): VisitorQuestion[] =>
  questions.map((question, place) =>
    place === index - 1
      ? (questions[index] ?? question)
      : place === index
        ? (questions[index - 1] ?? question)
        : question,
  )
