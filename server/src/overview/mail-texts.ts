// The texts of the digest, in the languages that a person can choose.

import type { Language } from '@petstore-platform/contract/platform/site'

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
