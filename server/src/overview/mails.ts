// The digest: what has happened in a project since its last mails, and what waits for its members.
// Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../mail/mail.ts'
import { projectTexts } from '../projects/mail-texts.ts'
import { digestTexts } from './mail-texts.ts'

export type DigestFacts = {
  language: Language
  project: string
  projectUrl: string
  /** Placed since then and still open, newest first; the names of the first of them. */
  requests: { count: number; animals: readonly string[] }
  /** Requests that were approved since then. */
  sales: number
  /** Hostnames of the domains that wait for an owner. */
  domains: readonly string[]
}

/** How many of a kind are named. */
export const DIGEST_NAMES_MAX = 10

/** Undefined if there is nothing to report. */
export function digestMail(facts: DigestFacts): Mail | undefined {
  const { language, project, projectUrl, requests, sales, domains } = facts
  const texts = digestTexts[language]
  const lines = [
    ...(requests.count > 0 ? [texts.newRequests(requests.count)] : []),
    ...(sales > 0 ? [texts.sales(sales)] : []),
    ...(domains.length > 0 ? [texts.domains(domains.length)] : []),
  ]
  const [headline, ...rest] = lines
  if (headline === undefined) return undefined
  const listed = [
    ...named(language, texts.request, requests.animals, requests.count),
    ...named(language, texts.domain, domains, domains.length),
  ]
  return {
    language,
    subject: texts.subject(inSubject(project), headline),
    blocks: [
      { kind: 'heading', text: texts.subject(project, headline) },
      ...rest.map((text): Block => ({ kind: 'paragraph', text })),
      ...(listed.length > 0 ? [{ kind: 'facts', facts: listed } as const] : []),
      buttonOf(facts, projectUrl),
    ],
    footer: projectTexts[language].optional(project),
  }
}

function named(language: Language, label: string, names: readonly string[], count: number) {
  const shown = names.slice(0, DIGEST_NAMES_MAX).map((name) => [label, name] as const)
  return count > shown.length ? [...shown, [label, digestTexts[language].more(count - shown.length)] as const] : shown
}

/** Where there is something to do; the first thing first. */
function buttonOf({ language, requests, domains }: DigestFacts, projectUrl: string): Block {
  const texts = digestTexts[language]
  if (requests.count > 0) return { kind: 'button', text: texts.toRequests, url: `${projectUrl}/orders` }
  if (domains.length > 0) return { kind: 'button', text: texts.toDomains, url: `${projectUrl}/settings/domains` }
  return { kind: 'button', text: texts.toStore, url: projectUrl }
}
