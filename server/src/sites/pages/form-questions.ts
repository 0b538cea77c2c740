// The questions of a site in the form with which a visitor asks for an animal: a field for each, in plain HTML.

import { hash } from 'node:crypto'
import { LONG_ANSWER_MAX, SHORT_ANSWER_MAX, type VisitorQuestion } from '@petstore-platform/contract/platform/questions'
import { questionsIn } from '@petstore-platform/contract/platform/usual-questions'
import type { AnswerMistake } from '../../orders/questions.ts'
import { html, type Html } from '../../foundation/html.ts'
import { owned, type RenderedSite } from './layout.ts'

/** As this page asks them. */
export const questionsOf = ({ content: { settings }, kind, language }: RenderedSite): readonly VisitorQuestion[] =>
  questionsIn(settings.questions, kind, language)

/** A form says which questions it was shown with: an answer must not be stored with another question. */
export const fingerprintOf = (questions: readonly VisitorQuestion[]): string =>
  hash('sha256', JSON.stringify(questions), 'hex').slice(0, 16)

export const answerField = (index: number): string => `answer-${index}`

export type ShownAnswers = {
  given: readonly string[]
  mistakes: ReadonlyMap<number, AnswerMistake>
  /** The field that gets the focus, if it is one of these. */
  first: number | undefined
}

export function questionFields(site: RenderedSite, { given, mistakes, first }: ShownAnswers): Html[] {
  const { words, content } = site
  return questionsOf(site).map((question, index) => {
    const id = answerField(index)
    const mistake = mistakes.get(index)
    // Text of the owner has a language of its own; the usual questions are in that of the page.
    const text = content.settings.questions === null ? html`${question.text}` : owned(site, question.text)
    const state = html`${question.isRequired && html` required`}${
      mistake !== undefined && html` aria-invalid="true" aria-describedby="${id}-wrong"`
    }${index === first && html` autofocus`}`
    return html`<div class="field">
      <label for="${id}">${text}${!question.isRequired && html` <small>${words.optional}</small>`}</label>
      ${fieldOf(site, question, { id, given: given[index] ?? '', state })}${
        mistake !== undefined && html`<p class="wrong" id="${id}-wrong">${words.wrong[mistake]}</p>`
      }
    </div>`
  })
}

type Shown = { id: string; given: string; state: Html }

function fieldOf(site: RenderedSite, { kind, choices }: VisitorQuestion, { id, given, state }: Shown): Html {
  const { requests } = site.words
  switch (kind) {
    case 'short_text':
      return html`<input id="${id}" name="${id}" value="${given}" maxlength="${SHORT_ANSWER_MAX}" ${state} />`
    case 'number':
      return html`<input id="${id}" name="${id}" value="${given}" maxlength="20" inputmode="decimal" ${state} />`
    case 'long_text':
      return html`<textarea id="${id}" name="${id}" rows="3" maxlength="${LONG_ANSWER_MAX}" ${state}>
${given}</textarea>`
    case 'yes_no':
      return select(
        site,
        [
          ['yes', requests.yes],
          ['no', requests.no],
        ],
        { id, given, state },
      )
    case 'choice':
      return select(
        site,
        choices.map((choice) => [choice, choice]),
        { id, given, state },
      )
  }
}

const select = (
  { words }: RenderedSite,
  options: readonly (readonly [value: string, text: string])[],
  { id, given, state }: Shown,
): Html =>
  html`<select id="${id}" name="${id}" ${state}>
    <option value="">${words.requests.choose}</option>
    ${options.map(
      ([value, text]) => html`<option value="${value}" ${value === given && html` selected`}>${text}</option>`,
    )}
  </select>`
