// The mail about a long import that has ended, to the member who started it, in the languages that a person can choose. The
// reason of a failure is in English, as on the page of the imports. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../mail/mail.ts'
import { projectTexts } from '../projects/mail-texts.ts'

export type ImportFacts = {
  language: Language
  project: string
  projectUrl: string
  /** Undefined if it succeeded. */
  failure: string | undefined
  added: number
  bad: number
}

export const importMails = {
  import_finished(facts: ImportFacts): Mail {
    const { language, project, projectUrl, failure } = facts
    const texts = importTexts[language]
    const subject = failure === undefined ? texts.succeeded : texts.failed
    return {
      language,
      subject: subject(inSubject(project)),
      blocks: [
        { kind: 'heading', text: subject(project) },
        ...resultOf(facts),
        { kind: 'button', text: texts.button, url: `${projectUrl}/animals/import` },
      ],
      footer: projectTexts[language].optional(project),
    }
  },
}

function resultOf({ language, failure, added, bad }: ImportFacts): Block[] {
  const texts = importTexts[language]
  if (failure !== undefined) {
    return [
      { kind: 'paragraph', text: texts.nothingAdded },
      { kind: 'facts', facts: [[texts.problem, failure]] },
    ]
  }
  const text = bad === 0 ? texts.added(added) : `${texts.added(added)} ${texts.skipped(bad)}`
  return [{ kind: 'paragraph', text }]
}

type Texts = {
  succeeded: (project: string) => string
  failed: (project: string) => string
  added: (count: number) => string
  skipped: (count: number) => string
  nothingAdded: string
  problem: string
  button: string
}

const counted = (locale: string, count: number, one: string, many: string) =>
  count === 1 ? one : many.replace('#', new Intl.NumberFormat(locale).format(count))

export const importTexts: Readonly<Record<Language, Texts>> = {
  en: {
    succeeded: (project) => `${project}: the import is done`,
    failed: (project) => `${project}: the import failed`,
    added: (count) => counted('en-GB', count, '1 animal was added.', '# animals were added.'),
    skipped: (count) => counted('en-GB', count, '1 row was skipped.', '# rows were skipped.'),
    nothingAdded: 'Nothing was added.',
    problem: 'Problem',
    button: 'See the imports',
  },
  de: {
    succeeded: (project) => `${project}: Der Import ist fertig`,
    failed: (project) => `${project}: Der Import ist fehlgeschlagen`,
    added: (count) => counted('de-DE', count, '1 Tier wurde hinzugefügt.', '# Tiere wurden hinzugefügt.'),
    skipped: (count) => counted('de-DE', count, '1 Zeile wurde übersprungen.', '# Zeilen wurden übersprungen.'),
    nothingAdded: 'Es wurde nichts hinzugefügt.',
    problem: 'Problem',
    button: 'Importe ansehen',
  },
  fr: {
    succeeded: (project) => `${project} : l’importation est terminée`,
    failed: (project) => `${project} : l’importation a échoué`,
    added: (count) => counted('fr-FR', count, '1 animal a été ajouté.', '# animaux ont été ajoutés.'),
    skipped: (count) => counted('fr-FR', count, '1 ligne a été ignorée.', '# lignes ont été ignorées.'),
    nothingAdded: 'Rien n’a été ajouté.',
    problem: 'Problème',
    button: 'Voir les importations',
  },
  es: {
    succeeded: (project) => `${project}: la importación ha terminado`,
    failed: (project) => `${project}: la importación ha fallado`,
    added: (count) => counted('es-ES', count, 'Se ha añadido 1 animal.', 'Se han añadido # animales.'),
    skipped: (count) => counted('es-ES', count, 'Se ha omitido 1 fila.', 'Se han omitido # filas.'),
    nothingAdded: 'No se ha añadido nada.',
    problem: 'Problema',
    button: 'Ver las importaciones',
  },
}
