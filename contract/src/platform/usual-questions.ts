// The questions of a site whose owner has written none: the usual ones of the project's kind, in the language of the
// page. An empty list of the owner asks nothing.

import type { ProjectKind } from './projects.ts'
import type { VisitorQuestion, QuestionKind } from './questions.ts'
import type { Language } from './site.ts'

const optional = (kind: QuestionKind, text: string): VisitorQuestion => ({ kind, text, isRequired: false, choices: [] })

/** None is required: a visitor who only wants to be called back can leave all of them empty. */
const usual: Readonly<Record<ProjectKind, Readonly<Record<Language, readonly VisitorQuestion[]>>>> = {
  shelter: {
    en: [
      optional('long_text', 'Who lives with you: adults, children, other animals?'),
      optional('yes_no', 'Have you lived with such an animal before?'),
      optional('yes_no', 'May you keep animals where you live?'),
      optional('number', 'How many hours a day would the animal be alone?'),
    ],
    de: [
      optional('long_text', 'Wer lebt bei Ihnen: Erwachsene, Kinder, andere Tiere?'),
      optional('yes_no', 'Haben Sie schon einmal mit so einem Tier gelebt?'),
      optional('yes_no', 'Dürfen Sie dort, wo Sie wohnen, Tiere halten?'),
      optional('number', 'Wie viele Stunden am Tag wäre das Tier allein?'),
    ],
    fr: [
      optional('long_text', 'Qui vit chez vous : adultes, enfants, autres animaux ?'),
      optional('yes_no', 'Avez-vous déjà vécu avec un tel animal ?'),
      optional('yes_no', 'Les animaux sont-ils autorisés là où vous habitez ?'),
      optional('number', "Combien d'heures par jour l'animal serait-il seul ?"),
    ],
    es: [
      optional('long_text', '¿Quién vive contigo: adultos, niños, otros animales?'),
      optional('yes_no', '¿Has convivido antes con un animal así?'),
      optional('yes_no', '¿Puedes tener animales donde vives?'),
      optional('number', '¿Cuántas horas al día estaría solo el animal?'),
    ],
  },
  shop: {
    en: [optional('short_text', 'When would you like to come by?')],
    de: [optional('short_text', 'Wann möchten Sie vorbeikommen?')],
    fr: [optional('short_text', 'Quand souhaitez-vous passer ?')],
    es: [optional('short_text', '¿Cuándo te gustaría venir?')],
  },
}

/** Those that a site asks in a language: the owner's, as written, otherwise the usual ones. */
export const questionsIn = (
  questions: readonly VisitorQuestion[] | null,
  kind: ProjectKind,
  language: Language,
): readonly VisitorQuestion[] => questions ?? usual[kind][language]
