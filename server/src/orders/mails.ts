// The mails about requests for animals: to the members who decide, and to the visitor who waits.
// Those to visitors contain nothing that a visitor typed: otherwise a stranger could have a text of
// their own sent to any address. Pure: facts in, mail out.

import type { DeclineReason, OrderAnswer } from '@petstore-platform/contract/platform/orders'
import type { Language } from '@petstore-platform/contract/platform/site'
import { readAddress } from '../foundation/smtp/address.ts'
import { senderName, unlinked } from '../mail/linked-names.ts'
import { inSubject, shortened, type Block, type Mail } from '../mail/mail.ts'
import { mailLocalTime, mailTime } from '../mail/mail-time.ts'
import { projectTexts } from '../projects/mail-texts.ts'
import { orderTexts } from './mail-texts.ts'
import { localTime, type VisitTime } from './visit-time.ts'

export type RequestFacts = {
  language: Language
  /** Of the member, for times. */
  timeZone: string
  project: string
  projectUrl: string
  /** The page of the request. */
  requestUrl: string
  animal: string
  visitor: { name: string; contact: string; phone: string }
  message: string
  answers: readonly OrderAnswer[]
  /** Null once it has ended. */
  position: number | null
  /** Null if the animal is not held for it, or without an end. */
  heldUntil: Date | null
  /** Null if it does not expire. */
  expiresAt: Date | null
  /** True if a reply goes to the visitor. */
  isReplyable: boolean
}

export const orderMails = {
  order_placed(facts: RequestFacts): Mail {
    const { language, timeZone, animal, visitor, heldUntil, expiresAt } = facts
    const { placed: texts } = orderTexts[language]
    return toMember(facts, texts.subject, [
      texts.text(visitor.name, animal),
      ...(heldUntil ? [texts.held(animal, mailTime(language, heldUntil, timeZone))] : []),
      ...(expiresAt ? [texts.expires(mailTime(language, expiresAt, timeZone))] : []),
    ])
  },

  order_waiting(facts: RequestFacts & { expiresAt: Date }): Mail {
    const { language, timeZone, animal, visitor, expiresAt } = facts
    const { waiting: texts } = orderTexts[language]
    const until = mailTime(language, expiresAt, timeZone)
    return toMember(facts, texts.subject, [texts.text(visitor.name, animal, until)])
  },

  hold_ended(facts: RequestFacts): Mail {
    const { holdEnded: texts } = orderTexts[facts.language]
    return toMember(facts, texts.subject, [texts.text(facts.visitor.name, facts.animal)])
  },

  /** The visitor has withdrawn the request; `isErased`: and deleted what they entered. */
  order_withdrawn(facts: RequestFacts & { wasHeld: boolean; isErased: boolean }): Mail {
    const { language, animal, visitor, wasHeld, isErased, project, projectUrl } = facts
    const { withdrawn: texts } = orderTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(animal)),
      blocks: [
        { kind: 'heading', text: texts.subject(animal) },
        paragraph(isErased ? texts.erased(animal) : texts.text(visitor.name, animal)),
        ...(wasHeld ? [paragraph(texts.released(animal))] : []),
        { kind: 'button', text: texts.button, url: `${projectUrl}/requests` },
      ],
      footer: projectTexts[language].optional(project),
    }
  },
}

/** A request about which nothing happens. */
function toMember(facts: RequestFacts, subject: (animal: string) => string, paragraphs: readonly string[]): Mail {
  const { language, animal, visitor, isReplyable, project } = facts
  const [first = '', ...rest] = paragraphs
  return {
    language,
    subject: subject(inSubject(animal)),
    blocks: [
      { kind: 'heading', text: subject(animal) },
      paragraph(first),
      visitorFacts(facts),
      ...rest.map(paragraph),
      ...(isReplyable ? [paragraph(orderTexts[language].placed.reply(visitor.name))] : []),
      decision(facts),
    ],
    footer: projectTexts[language].optional(project),
  }
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** An answer is shown as far as a mail needs it; the page of the request has all of it. */
const ANSWER_SHOWN = 300

/** Foreign texts: nothing of a message or an answer becomes a link, as in the name. */
function visitorFacts({ language, visitor, message, answers, position }: RequestFacts): Block {
  const texts = orderTexts[language]
  return {
    kind: 'facts',
    facts: [
      [texts.name, visitor.name],
      [texts.contact, visitor.contact],
      ...(visitor.phone === '' ? [] : [[texts.visitor.phone, visitor.phone] as const]),
      ...(message === '' ? [] : [[texts.message, unlinked(message)] as const]),
      ...answers.map(({ question, answer }) => [question, unlinked(shortened(answer, ANSWER_SHOWN))] as const),
      ...(position === null ? [] : [[texts.queue, String(position)] as const]),
    ],
  }
}

const decision = ({ language, requestUrl }: RequestFacts): Block => ({
  kind: 'button',
  text: orderTexts[language].button,
  url: requestUrl,
})

export const visitorMailKinds = [
  'order_received',
  'visit_arranged',
  'order_approved',
  'order_declined',
  'order_expired',
  'order_completed',
  'found_a_home',
] as const
export type VisitorMailKind = (typeof visitorMailKinds)[number]

/** The published site, as its visitors know it. */
export type StoreSite = {
  language: Language
  title: string
  contact: { email: string; phone: string; address: string }
}

/** Who writes to its visitors: the store, under our address, and a reply goes to its own. */
export const senderOf = ({ title, contact }: StoreSite) => ({ sender: senderName(title), replyTo: replyTo(contact) })

/** Undefined if what the owner entered is no address. */
const replyTo = ({ email }: StoreSite['contact']) => readAddress(email.trim())

/** What the visitor did not type. */
export type VisitorMailFacts = {
  site: StoreSite
  animal: string
  heldUntil: Date | null
  visit: (VisitTime & { place: string }) | null
  /** Why the store declined, and what it says about that; null if it gave no reason. */
  decline?: { reason: DeclineReason; text?: string } | null
  /** The page that shows how the request is going; null if it has none. */
  statusUrl?: string | null
}

export function visitorMail(kind: VisitorMailKind, facts: VisitorMailFacts): Mail {
  const { site, animal, heldUntil, visit, decline = null, statusUrl = null } = facts
  const { language, title: store } = site
  const { visitor: texts } = orderTexts[language]
  const held = heldUntil ? [texts.held(animal, mailTime(language, heldUntil))] : []
  const because = decline && decline.reason !== 'other' ? [texts.because[decline.reason](animal, store)] : []
  const paragraphs: Readonly<Record<VisitorMailKind, readonly string[]>> = {
    order_received: [texts.received(animal, store), ...held, texts.announced],
    visit_arranged: [texts.visit(animal, store)],
    order_approved: [texts.approved(animal, store), ...held, texts.arrange(store)],
    order_declined: [texts.declined(animal, store), ...because],
    order_expired: [texts.expired(animal, store), texts.again(animal, store)],
    order_completed: [texts.completed(animal), texts.thanksTaken(store)],
    found_a_home: [texts.foundAHome(animal), texts.thanks(animal, store)],
  }
  return {
    language,
    subject: texts.subject(inSubject(store), inSubject(animal)),
    blocks: [
      { kind: 'heading', text: texts.heading(animal) },
      ...paragraphs[kind].map(paragraph),
      ...(kind === 'visit_arranged' && visit ? [visitFacts(language, visit)] : []),
      ...(kind === 'order_declined' && decline?.text
        ? [{ kind: 'facts', facts: [[texts.said(store), decline.text]] } as const]
        : []),
      ...(statusUrl === null ? [] : [{ kind: 'button', text: texts.status, url: statusUrl } as const]),
      ...contactOf(site),
    ],
    footer: texts.footer(store),
  }
}

function visitFacts(language: Language, { place, ...time }: VisitTime & { place: string }): Block {
  const { visitor: texts } = orderTexts[language]
  const where = place === '' ? [] : [[texts.where, place] as const]
  return { kind: 'facts', facts: [[texts.when, mailLocalTime(language, localTime(time))], ...where] }
}

/** How the store can be reached: what is not an address of mail is not shown as one, and replies to our own are not read. */
function contactOf({ language, title, contact }: StoreSite): Block[] {
  const { visitor: texts } = orderTexts[language]
  const email = replyTo(contact)
  const shown = { ...contact, email: email === undefined ? '' : contact.email.trim() }
  const facts = (['email', 'phone', 'address'] as const).flatMap((by) =>
    shown[by] === '' ? [] : [[texts[by], shown[by]] as const],
  )
  return [
    paragraph(email === undefined ? texts.noReply(title) : texts.reply(title)),
    ...(facts.length === 0 ? [] : [paragraph(texts.questions(title)), { kind: 'facts', facts } as const]),
  ]
}
