// The questions that a site asks a visitor who asks for an animal, as its owner writes them.

import { Type, type Static } from 'typebox'

export const QUESTIONS_MAX = 12
export const QUESTION_TEXT_MAX = 200
export const CHOICES_MAX = 10
export const CHOICE_LENGTH_MAX = 80
export const SHORT_ANSWER_MAX = 200
export const LONG_ANSWER_MAX = 1000

/** How a question is answered: a line, some lines, yes or no, one of a few choices, a number. */
export const questionKinds = ['short_text', 'long_text', 'yes_no', 'choice', 'number'] as const
export type QuestionKind = (typeof questionKinds)[number]

const visible = [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }]

export const VisitorQuestion = Type.Object(
  {
    kind: Type.Unsafe<QuestionKind>({
      type: 'string',
      enum: [...questionKinds],
      description: 'How it is answered: a line, some lines, yes or no, one of the choices, a number.',
    }),
    text: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: QUESTION_TEXT_MAX,
      allOf: visible,
      description: 'As visitors read it. A request keeps it with the answer.',
    }),
    isRequired: Type.Boolean({ description: 'Whether a visitor must answer it.' }),
    choices: Type.Unsafe<readonly string[]>({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: CHOICE_LENGTH_MAX, allOf: visible },
      uniqueItems: true,
      maxItems: CHOICES_MAX,
      description: 'Of a choice: 2 to 10 answers. Empty for every other kind.',
    }),
  },
  { $id: 'VisitorQuestion', additionalProperties: false },
)
export type VisitorQuestion = Static<typeof VisitorQuestion>

/** What a schema cannot compare: a choice has something to choose from, and nothing else has. */
export const areChoicesGood = ({ kind, choices }: VisitorQuestion): boolean =>
  kind === 'choice' ? choices.length >= 2 : choices.length === 0

export const QUESTIONS_FAULT = `'questions' must be null or a list of at most ${QUESTIONS_MAX} questions, each with a kind (${questionKinds.join(', ')}), a text of at most ${QUESTION_TEXT_MAX} characters, isRequired, and choices: 2 to ${CHOICES_MAX} of at most ${CHOICE_LENGTH_MAX} characters for a choice, none otherwise.`
