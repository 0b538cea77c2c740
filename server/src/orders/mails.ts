// The mails about requests for animals: to the members who decide, and to the visitor who waits.
// Those to visitors contain nothing that a visitor typed: otherwise a stranger could have a text of
// their own sent to any address. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../mail/mail.ts'
import { mailTime } from '../mail/mail-time.ts'
import { projectTexts } from '../projects/mail-texts.ts'
import { orderTexts } from './mail-texts.ts'

export type RequestFacts = {
  language: Language
  project: string
  projectUrl: string
  animal: string
  visitor: { name: string; contact: string }
  message: string
  /** Null without an end. */
  expiresAt: Date | null
  /** True if a reply goes to the visitor. */
  isReplyable: boolean
}

export function orderPlacedMail(facts: RequestFacts): Mail {
  const { language, animal, visitor, expiresAt, isReplyable } = facts
  const { placed: texts } = orderTexts[language]
  return {
    language,
    subject: texts.subject(inSubject(animal)),
    blocks: [
      { kind: 'heading', text: texts.subject(animal) },
      { kind: 'paragraph', text: texts.text(visitor.name, animal) },
      visitorFacts(facts),
      ...(expiresAt ? [paragraph(texts.held(animal, mailTime(language, expiresAt)))] : []),
      ...(isReplyable ? [paragraph(texts.reply(visitor.name))] : []),
      decision(facts),
    ],
    footer: projectTexts[language].optional(facts.project),
  }
}

export function orderExpiringMail(facts: RequestFacts & { expiresAt: Date }): Mail {
  const { language, animal, visitor, expiresAt, isReplyable } = facts
  const { expiring: texts, placed } = orderTexts[language]
  return {
    language,
    subject: texts.subject(inSubject(animal)),
    blocks: [
      { kind: 'heading', text: texts.subject(animal) },
      paragraph(texts.text(visitor.name, animal, mailTime(language, expiresAt))),
      visitorFacts(facts),
      ...(isReplyable ? [paragraph(placed.reply(visitor.name))] : []),
      decision(facts),
    ],
    footer: projectTexts[language].optional(facts.project),
  }
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

function visitorFacts({ language, visitor, message }: RequestFacts): Block {
  const texts = orderTexts[language]
  return {
    kind: 'facts',
    facts: [
      [texts.name, visitor.name],
      [texts.contact, visitor.contact],
      ...(message === '' ? [] : [[texts.message, message] as const]),
    ],
  }
}

const decision = ({ language, projectUrl }: RequestFacts): Block => ({
  kind: 'button',
  text: orderTexts[language].button,
  url: `${projectUrl}/orders`,
})

export const visitorMailKinds = ['order_received', 'order_approved', 'order_declined', 'order_expired'] as const
export type VisitorMailKind = (typeof visitorMailKinds)[number]

/** The published site, as its visitors know it. */
export type StoreSite = {
  language: Language
  title: string
  contact: { email: string; phone: string; address: string }
}

/** What the visitor did not type. */
export type VisitorMailFacts = { site: StoreSite; animal: string; expiresAt: Date | null }

export function visitorMail(kind: VisitorMailKind, { site, animal, expiresAt }: VisitorMailFacts): Mail {
  const { language, title: store } = site
  const { visitor: texts } = orderTexts[language]
  const paragraphs: Readonly<Record<VisitorMailKind, readonly string[]>> = {
    order_received: [
      texts.received(animal, store),
      ...(expiresAt ? [texts.held(animal, mailTime(language, expiresAt))] : []),
      texts.announced,
    ],
    order_approved: [texts.approved(animal, store), texts.arrange(store)],
    order_declined: [texts.declined(animal, store)],
    order_expired: [texts.expired(animal, store), texts.again(animal, store)],
  }
  return {
    language,
    subject: texts.subject(inSubject(store), inSubject(animal)),
    blocks: [{ kind: 'heading', text: texts.heading(animal) }, ...paragraphs[kind].map(paragraph), ...contactOf(site)],
    footer: texts.footer(store),
  }
}

/** How the store can be reached, as its site says: replies to our own address are not read. */
function contactOf({ language, title, contact }: StoreSite): Block[] {
  const { visitor: texts } = orderTexts[language]
  const facts = (['email', 'phone', 'address'] as const).flatMap((by) =>
    contact[by] === '' ? [] : [[texts[by], contact[by]] as const],
  )
  return facts.length === 0 ? [] : [paragraph(texts.questions(title)), { kind: 'facts', facts }]
}
