// The form with which a visitor reports the site to the operator, and the page after it.

import { ORDER_MESSAGE_LENGTH_MAX, VISITOR_CONTACT_LENGTH_MAX } from '@petstore-platform/contract/platform/orders'
import { html, type Html } from '../../foundation/html.ts'
import { home, privacyAddress, reportAddress } from './addresses.ts'
import { markOf, ofEmail, ofMessage, trapField, wrongText, type SentForm } from './form.ts'
import { page, type RenderedSite } from './layout.ts'
import type { Mistake } from '../strings/words.ts'

type Typed = Pick<SentForm, 'message' | 'contact'>

/** What is wrong with each field; `notice` is about the form. */
export type ReportMistakes = {
  message?: Mistake | 'missing' | undefined
  contact?: Mistake | undefined
  notice?: 'stale' | 'busy' | 'many' | undefined
}

/** Undefined if it can be sent. */
export function reportMistakesOf({ message, contact }: Typed): ReportMistakes | undefined {
  const found = {
    message: message === '' ? ('missing' as const) : ofMessage(message),
    contact: contact === '' ? undefined : ofEmail(contact),
  }
  return found.message === undefined && found.contact === undefined ? undefined : found
}

export type ReportForm = { token: string; typed?: Typed; mistakes?: ReportMistakes }

export function reportPage(site: RenderedSite, { token, typed, mistakes = {} }: ReportForm): Html {
  const { words } = site
  const { report: texts } = words
  const { notice } = mistakes
  const message = markOf('message', mistakes.message === 'missing' ? texts.missing : wrongText(words, mistakes.message))
  const contact = markOf('contact', wrongText(words, mistakes.contact))
  const main = html`<div class="wrap first words">
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    <form class="panel" method="post" action="${site.href(reportAddress)}">
      ${notice && html`<p class="notice" role="alert">${notice === 'many' ? texts.many : words.wrong[notice]}</p>`}
      <div class="field">
        <label for="message">${texts.what}</label>
        <textarea
          id="message"
          name="message"
          rows="5"
          required
          maxlength="${ORDER_MESSAGE_LENGTH_MAX}"
          ${message.invalid}
        >
${typed?.message ?? ''}</textarea
        >${message.wrong}
      </div>
      <div class="field">
        <label for="contact">${words.email} <small>${words.optional}</small></label>
        <input
          id="contact"
          name="contact"
          type="email"
          value="${typed?.contact ?? ''}"
          maxlength="${VISITOR_CONTACT_LENGTH_MAX}"
          autocomplete="email"
          ${contact.invalid}
        />${contact.wrong}
        <p class="fine">${texts.emailHint}</p>
      </div>
      ${trapField(words)}
      <input type="hidden" name="token" value="${token}" />
      <button class="btn main">${texts.send}</button>
      <p class="fine"><a href="${site.href(privacyAddress)}">${words.privacyPage.title}</a></p>
    </form>
  </div>`
  return page(site, { title: texts.title, main, address: reportAddress })
}

export function reportedPage(site: RenderedSite): Html {
  const { report: texts, back } = site.words
  const main = html`<div class="wrap word">
    <h1>${texts.sentTitle}</h1>
    <p class="quiet">${texts.sentText}</p>
    <a class="btn main" href="${site.href(home)}">${back}</a>
  </div>`
  return page(site, { title: texts.sentTitle, main, address: { kind: 'reported' } })
}
