// The mail about a failed deployment, to the member who started it. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Mail } from '../../mail/mail.ts'
import { projectTexts } from '../../projects/mail-texts.ts'
import { deploymentTexts } from './mail-texts.ts'

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

export function deploymentFailedMail(facts: FailedDeploymentFacts): Mail {
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
}
