// Reads the answers of a visitor to the questions of a site. An answer is stored with its question as it was asked, in
// words: what a member reads years later does not depend on the site of that day.

import { LONG_ANSWER_MAX, SHORT_ANSWER_MAX, type VisitorQuestion } from '@petstore-platform/contract/platform/questions'

/** As it is stored. */
export type AskedAnswer = { question: string; answer: string }

/** Why an answer is not accepted. */
export type AnswerMistake = 'answer_missing' | 'answer_long' | 'answer_number' | 'answer_choice' | 'characters'

/** The two answers to a question of yes or no, in the language of the form. */
export type YesNoWords = { yes: string; no: string }

export type ReadAnswers = {
  /** Those that were given. */
  answers: readonly AskedAnswer[]
  /** By the place of the question. */
  mistakes: ReadonlyMap<number, AnswerMistake>
}

/** `given`: what was entered, in the order of the questions; an empty text is no answer. */
export function readAnswers(
  questions: readonly VisitorQuestion[],
  given: readonly string[],
  words: YesNoWords,
): ReadAnswers {
  const answers: AskedAnswer[] = []
  const mistakes = new Map<number, AnswerMistake>()
  questions.forEach((question, index) => {
    const text = (given[index] ?? '').trim()
    const mistake = mistakeOf(question, text)
    if (mistake !== undefined) mistakes.set(index, mistake)
    else if (text !== '') answers.push({ question: question.text, answer: wordsOf(question, text, words) })
  })
  return { answers, mistakes }
}

const control = /\p{Cc}/u
const controlButLines = /(?![\t\n])\p{Cc}/u
/** As people write numbers, with a point or a comma. */
const numberForm = /^-?\d{1,12}([.,]\d{1,6})?$/

function mistakeOf({ kind, isRequired, choices }: VisitorQuestion, text: string): AnswerMistake | undefined {
  if (text === '') return isRequired ? 'answer_missing' : undefined
  switch (kind) {
    case 'short_text':
      return isLong(text, SHORT_ANSWER_MAX) ? 'answer_long' : isStorable(text, control)
    case 'long_text':
      return isLong(text, LONG_ANSWER_MAX) ? 'answer_long' : isStorable(text, controlButLines)
    case 'yes_no':
      return text === 'yes' || text === 'no' ? undefined : 'answer_choice'
    case 'choice':
      return choices.includes(text) ? undefined : 'answer_choice'
    case 'number':
      return numberForm.test(text) ? undefined : 'answer_number'
  }
}

const isStorable = (text: string, unwanted: RegExp): AnswerMistake | undefined =>
  unwanted.test(text) || !text.isWellFormed() ? 'characters' : undefined

const wordsOf = ({ kind }: VisitorQuestion, text: string, { yes, no }: YesNoWords): string =>
  kind !== 'yes_no' ? text : text === 'yes' ? yes : no

/** In characters, as they are stored. */
const isLong = (text: string, most: number) => text.length > most * 2 || Array.from(text).length > most
