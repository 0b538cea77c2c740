// The digest: what has happened in a project since its last mails, and what waits for its members, in the languages that a
// person can choose. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../mail/mail.ts'
import { projectTexts } from '../projects/mail-texts.ts'

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

export const overviewMails = {
  /** Undefined if there is nothing to report. */
  digest(facts: DigestFacts): Mail | undefined {
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
  },
}

function named(language: Language, label: string, names: readonly string[], count: number) {
  const shown = names.slice(0, DIGEST_NAMES_MAX).map((name) => [label, name] as const)
  return count > shown.length ? [...shown, [label, digestTexts[language].more(count - shown.length)] as const] : shown
}

/** Where there is something to do; the first thing first. */
function buttonOf({ language, requests, domains }: DigestFacts, projectUrl: string): Block {
  const texts = digestTexts[language]
  if (requests.count > 0) return { kind: 'button', text: texts.toRequests, url: `${projectUrl}/requests` }
  if (domains.length > 0) return { kind: 'button', text: texts.toDomains, url: `${projectUrl}/settings/domains` }
  return { kind: 'button', text: texts.toStore, url: projectUrl }
}

type Texts = {
  subject: (project: string, headline: string) => string
  newRequests: (count: number) => string
  sales: (count: number) => string
  domains: (count: number) => string
  more: (count: number) => string
  request: string
  domain: string
  toRequests: string
  toDomains: string
  toStore: string
}

export const digestTexts: Readonly<Record<Language, Texts>> = {
  en: {
    subject: (project, headline) => `${project}: ${headline}`,
    newRequests: (count) => (count === 1 ? '1 new request' : `${count} new requests`),
    sales: (count) => (count === 1 ? '1 animal sold' : `${count} animals sold`),
    domains: (count) => (count === 1 ? '1 domain needs your attention' : `${count} domains need your attention`),
    more: (count) => `and ${count} more`,
    request: 'Request',
    domain: 'Domain',
    toRequests: 'Decide about the requests',
    toDomains: 'See the domains',
    toStore: 'Open the store',
  },
  de: {
    subject: (project, headline) => `${project}: ${headline}`,
    newRequests: (count) => (count === 1 ? '1 neue Anfrage' : `${count} neue Anfragen`),
    sales: (count) => (count === 1 ? '1 Tier verkauft' : `${count} Tiere verkauft`),
    domains: (count) =>
      count === 1 ? '1 Domain braucht Ihre Aufmerksamkeit' : `${count} Domains brauchen Ihre Aufmerksamkeit`,
    more: (count) => `und ${count} weitere`,
    request: 'Anfrage',
    domain: 'Domain',
    toRequests: 'Über die Anfragen entscheiden',
    toDomains: 'Domains ansehen',
    toStore: 'Laden öffnen',
  },
  fr: {
    subject: (project, headline) => `${project} : ${headline}`,
    newRequests: (count) => (count === 1 ? '1 nouvelle demande' : `${count} nouvelles demandes`),
    sales: (count) => (count === 1 ? '1 animal vendu' : `${count} animaux vendus`),
    domains: (count) =>
      count === 1 ? '1 domaine demande votre attention' : `${count} domaines demandent votre attention`,
    more: (count) => `et ${count} de plus`,
    request: 'Demande',
    domain: 'Domaine',
    toRequests: 'Décider des demandes',
    toDomains: 'Voir les domaines',
    toStore: 'Ouvrir la boutique',
  },
  es: {
    subject: (project, headline) => `${project}: ${headline}`,
    newRequests: (count) => (count === 1 ? '1 solicitud nueva' : `${count} solicitudes nuevas`),
    sales: (count) => (count === 1 ? '1 animal vendido' : `${count} animales vendidos`),
    domains: (count) => (count === 1 ? '1 dominio requiere su atención' : `${count} dominios requieren su atención`),
    more: (count) => `y ${count} más`,
    request: 'Solicitud',
    domain: 'Dominio',
    toRequests: 'Decidir sobre las solicitudes',
    toDomains: 'Ver los dominios',
    toStore: 'Abrir la tienda',
  },
}
