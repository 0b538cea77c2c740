// The form with which a visitor reserves an animal: its rendering, parsing and
// validation. Input is never lost: a form with mistakes is returned filled in, with a
// message next to each invalid field.

import {
  ORDER_MESSAGE_LENGTH_MAX,
  VISITOR_CONTACT_LENGTH_MAX,
  VISITOR_NAME_LENGTH_MAX,
} from '@petstore-platform/contract/platform/orders'
import type { ShownAnimal } from '../deployments/content.ts'
import { animalAt, privacyAddress } from './addresses.ts'
import { html, type Html, type Part } from '../foundation/html.ts'
import { owned, shortened, type RenderedSite } from './layout.ts'
import type { Mistake } from './words.ts'

export type Typed = { name: string; contact: string; message: string }
export type Mistakes = Partial<Record<keyof Typed, Mistake>>

/** `token` proves that the form is ours and recent. */
export type ReserveForm = { token: string; typed: Typed; mistakes: Mistakes; notice?: Mistake }

export type SentForm = Typed & { token: string; trap: string }

export const emptyForm = (token: string): ReserveForm => ({
  token,
  typed: { name: '', contact: '', message: '' },
  mistakes: {},
})

/** The honeypot field: invisible to people, filled in by bots. */
const TRAP = 'website'

export function readForm(body: string): SentForm {
  const fields = new URLSearchParams(body)
  const text = (name: string) => fields.get(name) ?? ''
  return {
    name: text('name').trim(),
    contact: text('contact').trim(),
    message: text('message').replaceAll('\r\n', '\n').trim(),
    token: text('token'),
    trap: text(TRAP),
  }
}

const control = /\p{Cc}/u
const controlButLines = /(?![\t\n])\p{Cc}/u

export function mistakesOf({ name, contact, message }: Typed): Mistakes {
  const found = {
    name: ofName(name),
    contact: ofContact(contact),
    message: isLong(message, ORDER_MESSAGE_LENGTH_MAX)
      ? ('message_long' as const)
      : controlButLines.test(message)
        ? ('characters' as const)
        : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, mistake]) => mistake !== undefined))
}

function ofName(name: string): Mistake | undefined {
  if (name === '') return 'name_missing'
  if (isLong(name, VISITOR_NAME_LENGTH_MAX)) return 'name_long'
  return control.test(name) ? 'characters' : undefined
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
  { token, typed, mistakes, notice }: ReserveForm,
): Html {
  const { words } = site
  const first = (['name', 'contact', 'message'] as const).find((field) => mistakes[field] !== undefined)
  const parts = (field: keyof Typed) => ({
    invalid: mistakes[field] !== undefined && html` aria-invalid="true" aria-describedby="${field}-wrong"`,
    focus: field === first && html` autofocus`,
    wrong: wrongOf(site, field, mistakes[field]),
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
    ${noticeOf(site, notice, first !== undefined)}
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
      <label for="contact">${words.reach}</label>
      <input
        id="contact"
        name="contact"
        value="${typed.contact}"
        required
        maxlength="${VISITOR_CONTACT_LENGTH_MAX}"
        autocomplete="email"
        ${contact.invalid}${contact.focus}
      />${contact.wrong}
    </div>
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
    <div class="trap" aria-hidden="true">
      <label for="${TRAP}">${words.leaveEmpty}</label
      ><input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off" />
    </div>
    <input type="hidden" name="token" value="${token}" />
    <button class="btn main">${words.send}</button>
    <p class="fine">${words.privacy} <a href="${site.href(privacyAddress)}">${words.privacyPage.title}</a></p>
  </form>`
}

const wrongOf = ({ words }: RenderedSite, field: string, mistake: Mistake | undefined): Part =>
  mistake && html`<p class="wrong" id="${field}-wrong">${words.wrong[mistake]}</p>`

function noticeOf({ words }: RenderedSite, notice: Mistake | undefined, hasMistakes: boolean): Part {
  const text = notice ? words.wrong[notice] : hasMistakes ? words.mistakes : undefined
  return text !== undefined && html`<p class="notice" role="alert">${text}</p>`
}
