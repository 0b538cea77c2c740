// The form with which a visitor asks for an animal: its rendering, parsing and
// validation. Input is never lost: a form with mistakes is returned filled in, with a
// message next to each invalid field.

import {
  ORDER_MESSAGE_LENGTH_MAX,
  VISITOR_CONTACT_LENGTH_MAX,
  VISITOR_NAME_LENGTH_MAX,
  VISITOR_PHONE_LENGTH_MAX,
} from '@petstore-platform/contract/platform/orders'
import { QUESTIONS_MAX } from '@petstore-platform/contract/platform/questions'
import type { ShownAnimal } from '../publishing/content.ts'
import { readAddress } from '../../foundation/smtp/address.ts'
import type { AnswerMistake } from '../../orders/questions.ts'
import { isPhone } from '../../orders/visitor.ts'
import { animalAt, privacyAddress } from './addresses.ts'
import { html, type Html, type Part } from '../../foundation/html.ts'
import { answerField, fingerprintOf, questionFields, questionsOf } from './form-questions.ts'
import { contactWays, owned, shortened, type RenderedSite } from './layout.ts'
import type { Mistake, Words } from '../strings/words.ts'

export type Typed = { name: string; contact: string; phone?: string | undefined; message: string }
export type Mistakes = Partial<Record<keyof Typed, Mistake>>

/** `token` proves that the form is ours and recent. Answers are in the order of the site's questions. */
export type ReserveForm = {
  token: string
  typed: Typed
  answers: readonly string[]
  mistakes: Mistakes
  wrongAnswers: ReadonlyMap<number, AnswerMistake>
  notice?: Mistake
}

/** `questions` is the fingerprint of those that were shown; empty if the form does not say. */
export type SentForm = Typed & { answers: readonly string[]; questions: string; token: string; trap: string }

export const emptyForm = (token: string): ReserveForm => ({
  token,
  typed: { name: '', contact: '', message: '' },
  answers: [],
  mistakes: {},
  wrongAnswers: new Map(),
})

/** The honeypot field: invisible to people, filled in by bots. */
const TRAP = 'website'

export function readForm(body: string): SentForm {
  const fields = new URLSearchParams(body)
  const text = (name: string) => fields.get(name) ?? ''
  return {
    name: text('name').trim(),
    contact: text('contact').trim(),
    phone: text('phone').trim(),
    message: text('message').replaceAll('\r\n', '\n').trim(),
    answers: Array.from({ length: QUESTIONS_MAX }, (_, index) =>
      text(answerField(index)).replaceAll('\r\n', '\n').trim(),
    ),
    questions: text('questions'),
    token: text('token'),
    trap: text(TRAP),
  }
}

const control = /\p{Cc}/u
const controlButLines = /(?![\t\n])\p{Cc}/u

/** `isMailing`: a link is mailed to the contact, which must be an email address. */
export function mistakesOf({ name, contact, phone = '', message }: Typed, isMailing: boolean): Mistakes {
  const found = {
    name: ofName(name),
    contact: isMailing ? ofEmail(contact) : ofContact(contact),
    phone: phone === '' || isPhone(phone) ? undefined : ('phone_unusable' as const),
    message: ofMessage(message),
  }
  return Object.fromEntries(Object.entries(found).filter(([, mistake]) => mistake !== undefined))
}

function ofName(name: string): Mistake | undefined {
  if (name === '') return 'name_missing'
  if (isLong(name, VISITOR_NAME_LENGTH_MAX)) return 'name_long'
  return control.test(name) ? 'characters' : undefined
}

export function ofMessage(message: string): Mistake | undefined {
  if (isLong(message, ORDER_MESSAGE_LENGTH_MAX)) return 'message_long'
  return controlButLines.test(message) ? 'characters' : undefined
}

export function ofEmail(contact: string): Mistake | undefined {
  if (contact === '') return 'email_missing'
  return readAddress(contact) === undefined ? 'email_unusable' : undefined
}

function ofContact(contact: string): Mistake | undefined {
  if (contact === '') return 'contact_missing'
  if (isLong(contact, VISITOR_CONTACT_LENGTH_MAX)) return 'contact_long'
  if (control.test(contact)) return 'characters'
  const isEmail = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(contact)
  const isPhone = /^\+?[\d\s()./-]+$/.test(contact) && contact.replace(/\D/g, '').length >= 5
  return isEmail || isPhone ? undefined : 'contact_unusable'
}

/** In characters, as they are stored. */
const isLong = (text: string, most: number) => text.length > most * 2 || Array.from(text).length > most

export function reserveForm(
  site: RenderedSite,
  animal: ShownAnimal,
  { token, typed, answers, mistakes, wrongAnswers, notice }: ReserveForm,
): Html {
  const { words, isMailing } = site
  const first = (['name', 'contact', 'phone', 'message'] as const).find((field) => mistakes[field] !== undefined)
  const [firstAnswer] = wrongAnswers.keys()
  const questions = { given: answers, mistakes: wrongAnswers, first: first === undefined ? firstAnswer : undefined }
  const parts = (field: keyof Typed) => ({
    ...markOf(field, wrongText(words, mistakes[field])),
    focus: field === first && html` autofocus`,
  })
  const name = parts('name')
  const contact = parts('contact')
  const message = parts('message')
  const [before, asked, after] = words.ask(shortened(animal.name, 60))
  return html`<form
    class="panel"
    id="ask"
    method="post"
    action="${site.href(animalAt(animal))}"
    aria-labelledby="ask-title"
  >
    <h2 id="ask-title">${before}${owned(site, asked)}${after}</h2>
    <p>${words.reserveHint}</p>
    ${noticeOf(site, notice, first !== undefined || wrongAnswers.size > 0)}
    <div class="field">
      <label for="name">${words.name}</label>
      <input
        id="name"
        name="name"
        value="${typed.name}"
        required
        maxlength="${VISITOR_NAME_LENGTH_MAX}"
        autocomplete="name"
        ${name.invalid}${name.focus}
      />${name.wrong}
    </div>
    <div class="field">
      <label for="contact">${isMailing ? words.email : words.reach}</label>
      <input
        id="contact"
        name="contact"
        ${isMailing && html` type="email"`}
        value="${typed.contact}"
        required
        maxlength="${VISITOR_CONTACT_LENGTH_MAX}"
        autocomplete="email"
        ${contact.invalid}${contact.focus}
      />${contact.wrong}${isMailing && html`<p class="fine">${words.requests.emailHint}</p>`}
    </div>
    ${isMailing && phoneField(site, typed.phone, parts('phone'))} ${questionFields(site, questions)}
    <div class="field">
      <label for="message">${words.message} <small>${words.optional}</small></label>
      <textarea
        id="message"
        name="message"
        rows="3"
        maxlength="${ORDER_MESSAGE_LENGTH_MAX}"
        ${message.invalid}${message.focus}
      >
${typed.message}</textarea
      >${message.wrong}
    </div>
    ${trapField(words)}
    <input type="hidden" name="questions" value="${fingerprintOf(questionsOf(site))}" />
    <input type="hidden" name="token" value="${token}" />
    <button class="btn main">${words.send}</button>
    <p class="fine">${words.privacy} <a href="${site.href(privacyAddress)}">${words.privacyPage.title}</a></p>
  </form>`
}

export const trapField = ({ leaveEmpty }: Words): Html =>
  html`<div class="trap" aria-hidden="true">
    <label for="${TRAP}">${leaveEmpty}</label><input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off" />
  </div>`

/** Where the contact is an email address; elsewhere it may be a number itself. */
const phoneField = ({ words }: RenderedSite, typed: string | undefined, { invalid, focus, wrong }: Parts): Html =>
  html`<div class="field">
    <label for="phone">${words.phone} <small>${words.optional}</small></label>
    <input
      id="phone"
      name="phone"
      type="tel"
      value="${typed ?? ''}"
      maxlength="${VISITOR_PHONE_LENGTH_MAX}"
      autocomplete="tel"
      ${invalid}${focus}
    />${wrong}
  </div>`

type Parts = { invalid: Part; focus: Part; wrong: Part }

export const wrongText = ({ wrong }: Words, mistake: Mistake | undefined): string | undefined =>
  mistake && wrong[mistake]

/** Of a field, with the text beside it; nothing if it is not wrong. */
export const markOf = (field: string, text: string | undefined): Omit<Parts, 'focus'> => ({
  invalid: text !== undefined && html` aria-invalid="true" aria-describedby="${field}-wrong"`,
  wrong: text !== undefined && html`<p class="wrong" id="${field}-wrong">${text}</p>`,
})

function noticeOf(site: RenderedSite, notice: Mistake | undefined, hasMistakes: boolean): Part {
  const { words } = site
  const text = notice ? words.wrong[notice] : hasMistakes ? words.mistakes : undefined
  if (text === undefined) return undefined
  const ways = notice && areCalled.has(notice) ? contactWays(site) : []
  if (ways.length === 0) return html`<p class="notice" role="alert">${text}</p>`
  return html`<div class="notice" role="alert">
    <p>${text}</p>
    <p>${words.requests.call}</p>
    ${ways}
  </div>`
}

/** What the form cannot help with: the visitor reaches the owner otherwise. */
const areCalled: ReadonlySet<Mistake> = new Set<Mistake>(['address', 'contact', 'unconfirmed', 'open', 'queue_full'])
