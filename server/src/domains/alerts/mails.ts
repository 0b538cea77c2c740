// The mails about domains. Pure: facts in, mail out. What was found and what to do are the words
// of the domain's page; the records are complete, so that the mail can be forwarded to the person
// who sets them.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../../mail/mail.ts'
import { mailDate, mailDay } from '../../mail/mail-time.ts'
import { domainTexts } from './mail-texts.ts'

type MailRecord = { name: string; type: string; value: string }

export type MailedDomain = {
  hostname: string
  /** As people read it. */
  name: string
  /** What the page says. */
  advice?: string
  /** What must be set. */
  records?: readonly MailRecord[]
  /** Until when its certificate is valid. */
  validUntil?: Date
}

export type DomainsFacts = {
  language: Language
  project: string
  projectUrl: string
  /** One at least. */
  domains: readonly MailedDomain[]
}

/** A mail must not become so long that programs cut it off. */
const SHOWN_MAX = 5

export const domainMails = {
  domain_live: reached('live'),

  domain_restored: reached('restored'),

  domain_alert(facts: DomainsFacts & { isOwners: boolean; canTurnOff: boolean }): Mail {
    const { alert, down } = domainTexts[facts.language]
    const { subject } = facts.isOwners ? alert : down
    return {
      ...headOf(facts, subject),
      blocks: [
        heading(facts, subject),
        ...(facts.isOwners ? [] : [paragraph(textOf(facts, down.text))]),
        ...adviceBlocks(facts),
        ...(facts.isOwners ? [paragraph(alert.next)] : []),
        button(facts),
      ],
      footer: footerOf(facts, !facts.canTurnOff),
    }
  },

  domain_reminder(facts: DomainsFacts & { canTurnOff: boolean }): Mail {
    const { reminder } = domainTexts[facts.language]
    return {
      ...headOf(facts, reminder.subject),
      blocks: [
        heading(facts, reminder.subject),
        paragraph(textOf(facts, reminder.text)),
        ...adviceBlocks(facts),
        paragraph(reminder.next),
        button(facts),
      ],
      footer: footerOf(facts, !facts.canTurnOff),
    }
  },

  renewal_failing(facts: DomainsFacts): Mail {
    const { language, domains } = facts
    const { renewal } = domainTexts[language]
    const first = new Date(Math.min(...domains.map(({ validUntil }) => validUntil?.getTime() ?? Infinity)))
    const day = mailDate(language, first)
    const subject = {
      one: (host: string) => renewal.subject.one(host, day),
      more: (count: number) => renewal.subject.more(count, day),
    }
    return {
      ...headOf(facts, subject),
      blocks: [
        heading(facts, subject),
        paragraph(renewal.text),
        ...adviceBlocks(facts),
        paragraph(renewal.next),
        button(facts),
      ],
      footer: footerOf(facts, true),
    }
  },

  domain_moved(facts: DomainsFacts): Mail {
    const { moved } = domainTexts[facts.language]
    return {
      ...headOf(facts, moved.subject),
      blocks: [
        heading(facts, moved.subject),
        ...listed(facts),
        paragraph(moved.text(facts.project)),
        paragraph(moved.unexpected(facts.project)),
        // The page of the domain is no longer there.
        { kind: 'button', text: domainTexts[facts.language].openDomains, url: `${facts.projectUrl}/settings/domains` },
      ],
      footer: footerOf(facts, true),
    }
  },

  /** `domains` have the records to set; `from` is the day on which the addresses change. */
  edge_addresses_change(facts: DomainsFacts & { from: Date }): Mail {
    const { language, domains, from } = facts
    const { addresses, forward, others } = domainTexts[language]
    const count = domains.flatMap(({ records = [] }) => records).length
    const subject = addresses.subject(count, mailDate(language, from))
    const day = mailDay(language, from)
    const hidden = domains.length - SHOWN_MAX
    return {
      language,
      subject,
      blocks: [
        { kind: 'heading', text: subject },
        paragraph(addresses.text(day)),
        { kind: 'records', records: domains.slice(0, SHOWN_MAX).flatMap(({ records = [] }) => records) },
        ...(hidden > 0 ? [paragraph(others(hidden))] : []),
        paragraph(addresses.until(day)),
        paragraph(forward),
        button(facts),
      ],
      footer: footerOf(facts, true),
    }
  },
}

/** A domain that is live for the first time, or works again after an alert. */
function reached(kind: 'live' | 'restored') {
  return (facts: DomainsFacts): Mail => {
    const { subject, text } = domainTexts[facts.language][kind]
    return {
      ...headOf(facts, subject),
      blocks: [heading(facts, subject), ...listed(facts), paragraph(textOf(facts, text)), button(facts)],
      footer: footerOf(facts, false),
    }
  }
}

type OneOrMore = { one: (host: string) => string; more: (count: number) => string }

const textOf = ({ domains }: DomainsFacts, { one, more }: OneOrMore, shorten = (text: string) => text): string =>
  domains.length === 1 ? one(shorten(domains[0]?.name ?? '')) : more(domains.length)

const headOf = (facts: DomainsFacts, subject: OneOrMore) => ({
  language: facts.language,
  subject: textOf(facts, subject, inSubject),
})
const heading = (facts: DomainsFacts, subject: OneOrMore): Block => ({ kind: 'heading', text: textOf(facts, subject) })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

const footerOf = ({ language, project }: DomainsFacts, isOwed: boolean) =>
  domainTexts[language][isOwed ? 'owed' : 'member'](project)

function button({ language, projectUrl, domains }: DomainsFacts): Block {
  const { openDomain, openDomains } = domainTexts[language]
  const [only] = domains
  return domains.length === 1 && only
    ? { kind: 'button', text: openDomain, url: `${projectUrl}/settings/domains/${encodeURIComponent(only.hostname)}` }
    : { kind: 'button', text: openDomains, url: `${projectUrl}/settings/domains` }
}

/** The names of several; of one the heading has said it. */
function listed({ language, domains }: DomainsFacts): Block[] {
  if (domains.length === 1) return []
  const hidden = domains.length - SHOWN_MAX
  return [
    ...domains.slice(0, SHOWN_MAX).map(({ name }) => paragraph(name)),
    ...(hidden > 0 ? [paragraph(domainTexts[language].others(hidden))] : []),
  ]
}

function adviceBlocks(facts: DomainsFacts): Block[] {
  const { language, domains } = facts
  const { others, forward } = domainTexts[language]
  const hidden = domains.length - SHOWN_MAX
  const hasRecords = domains.some(({ records = [] }) => records.length > 0)
  return [
    ...domains.slice(0, SHOWN_MAX).flatMap((domain) => adviceOf(facts, domain)),
    ...(hidden > 0 ? [paragraph(others(hidden))] : []),
    ...(hasRecords ? [paragraph(forward)] : []),
  ]
}

function adviceOf(
  { language, domains }: DomainsFacts,
  { name, advice, records = [], validUntil }: MailedDomain,
): Block[] {
  const texts = domainTexts[language]
  return [
    ...(domains.length > 1 ? [paragraph(name)] : []),
    ...(advice === undefined ? [] : [{ kind: 'advice', text: advice } as const]),
    ...(validUntil ? [factsOf(texts.renewal.validUntil, mailDay(language, validUntil))] : []),
    ...(records.length > 0 ? [paragraph(texts.records), { kind: 'records' as const, records }] : []),
  ]
}

const factsOf = (label: string, value: string): Block => ({ kind: 'facts', facts: [[label, value]] })
