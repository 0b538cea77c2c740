// The mail about a failed deployment, to the member who started it, in the languages that a person can choose. The problems
// themselves are in English, as on the page of the site. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Mail } from '../../mail/mail.ts'
import { projectTexts } from '../../projects/mail-texts.ts'

export type FailedDeploymentFacts = {
  language: Language
  project: string
  projectUrl: string
  number: number
  /** One problem per line. */
  reason: string
  /** True if visitors see an earlier version. */
  isPublished: boolean
}

export const publishingMails = {
  deployment_failed(facts: FailedDeploymentFacts): Mail {
    const { language, project, projectUrl, number, reason, isPublished } = facts
    const texts = deploymentTexts[language]
    const problems = reason.split('\n').filter((line) => line.trim() !== '')
    return {
      language,
      subject: texts.subject(inSubject(project)),
      blocks: [
        { kind: 'heading', text: texts.subject(project) },
        { kind: 'paragraph', text: isPublished ? texts.failed(number) : texts.failedFirst(number) },
        { kind: 'facts', facts: problems.map((problem) => [texts.problem, problem] as const) },
        { kind: 'button', text: texts.button, url: `${projectUrl}/site` },
      ],
      footer: projectTexts[language].optional(project),
    }
  },
}

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
