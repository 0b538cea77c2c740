// The texts of the mail about a failed deployment, in the languages that a person can choose. The
// problems themselves are in English, as on the page of the site.

import type { Language } from '@petstore-platform/contract/platform/site'

type Texts = {
  subject: (project: string) => string
  failed: (number: number) => string
  failedFirst: (number: number) => string
  problem: string
  button: string
}

export const deploymentTexts: Readonly<Record<Language, Texts>> = {
  en: {
    subject: (project) => `Publishing ${project} failed`,
    failed: (number) => `Version ${number} could not be published. Visitors still see the previous version.`,
    failedFirst: (number) => `Version ${number} could not be published, so there is nothing to see yet.`,
    problem: 'Problem',
    button: 'Open the site editor',
  },
  de: {
    subject: (project) => `${project} konnte nicht veröffentlicht werden`,
    failed: (number) =>
      `Version ${number} konnte nicht veröffentlicht werden. Besucher sehen weiterhin die vorherige Version.`,
    failedFirst: (number) => `Version ${number} konnte nicht veröffentlicht werden. Deshalb ist noch nichts zu sehen.`,
    problem: 'Problem',
    button: 'Website bearbeiten',
  },
  fr: {
    subject: (project) => `La publication de ${project} a échoué`,
    failed: (number) =>
      `La version ${number} n’a pas pu être publiée. Les visiteurs voient toujours la version précédente.`,
    failedFirst: (number) => `La version ${number} n’a pas pu être publiée ; il n’y a donc encore rien à voir.`,
    problem: 'Problème',
    button: 'Modifier le site',
  },
  es: {
    subject: (project) => `No se pudo publicar ${project}`,
    failed: (number) => `La versión ${number} no se pudo publicar. Los visitantes siguen viendo la versión anterior.`,
    failedFirst: (number) => `La versión ${number} no se pudo publicar, así que todavía no hay nada que ver.`,
    problem: 'Problema',
    button: 'Editar el sitio',
  },
}
