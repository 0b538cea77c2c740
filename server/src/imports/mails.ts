// The mail about a long import that has ended, to the member who started it. Pure: facts in, mail
// out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Block, type Mail } from '../mail/mail.ts'
import { projectTexts } from '../projects/mail-texts.ts'
import { importTexts } from './mail-texts.ts'

export type ImportFacts = {
  language: Language
  project: string
  projectUrl: string
  /** Undefined if it succeeded. */
  failure: string | undefined
  added: number
  bad: number
}

export function importFinishedMail(facts: ImportFacts): Mail {
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
