// Answers to the questions of a site: each kind is checked as its question asks, and stored with the question.

import type { VisitorQuestion, QuestionKind } from '@petstore-platform/contract/platform/questions'
import { expect, test } from 'vitest'
import { readAnswers } from './questions.ts'

const words = { yes: 'Ja', no: 'Nein' }
const asked = (kind: QuestionKind, change: Partial<VisitorQuestion> = {}): VisitorQuestion => ({
  kind,
  text: `A ${kind}?`,
  isRequired: false,
  choices: kind === 'choice' ? ['House', 'Flat'] : [],
  ...change,
})
const mistakeIn = (question: VisitorQuestion, given: string) => readAnswers([question], [given], words).mistakes.get(0)

test('answers keep their questions as asked, and what is left empty is no answer', () => {
  const questions = [asked('short_text'), asked('yes_no'), asked('choice'), asked('number'), asked('long_text')]
  expect(readAnswers(questions, [' On Monday ', 'no', 'Flat', '2,5', ''], words)).toEqual({
    answers: [
      { question: 'A short_text?', answer: 'On Monday' },
      { question: 'A yes_no?', answer: 'Nein' },
      { question: 'A choice?', answer: 'Flat' },
      { question: 'A number?', answer: '2,5' },
    ],
    mistakes: new Map(),
  })
})

test.each([
  ['short_text', 'x'.repeat(201), 'answer_long'],
  ['short_text', 'two\nlines', 'characters'],
  ['long_text', 'x'.repeat(1001), 'answer_long'],
  ['long_text', 'a\u0000', 'characters'],
  ['yes_no', 'perhaps', 'answer_choice'],
  ['choice', 'Castle', 'answer_choice'],
  ['number', 'many', 'answer_number'],
  ['number', '1e9', 'answer_number'],
] as const)('%s does not take %j: %s', (kind, given, mistake) => {
  expect(mistakeIn(asked(kind), given)).toBe(mistake)
})

test.each([
  ['short_text', '🐶'.repeat(200)],
  ['long_text', 'two\nlines'],
  ['number', '-3.5'],
  ['yes_no', 'yes'],
] as const)('%s takes %j', (kind, given) => {
  expect(mistakeIn(asked(kind), given)).toBeUndefined()
})

test('a required question must be answered', () => {
  expect(mistakeIn(asked('yes_no', { isRequired: true }), ' ')).toBe('answer_missing')
  expect(mistakeIn(asked('yes_no'), ' ')).toBeUndefined()
})
