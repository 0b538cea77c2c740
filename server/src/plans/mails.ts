// The mail with which an owner asks the operator for another plan. In English, like everything
// for operators. Pure: facts in, mail out.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { inSubject, type Mail } from '../mail/mail.ts'

export type PlanRequestFacts = {
  project: string
  slug: string
  person: string
  email: string
  from: PlanName
  to: PlanName
  message: string
}

export const planMails = {
  plan_requested({ project, slug, person, email, from, to, message }: PlanRequestFacts): Mail {
    return {
      language: 'en',
      subject: `${inSubject(project)} asks for the plan ${to}`,
      blocks: [
        { kind: 'heading', text: `${project} asks for the plan ${to}` },
        {
          kind: 'facts',
          facts: [
            ['Project', slug],
            ['Current plan', from],
            ['Asked by', `${person} (${email})`],
            ...(message === '' ? [] : [['Message', message] as const]),
          ],
        },
        {
          kind: 'paragraph',
          text: `To grant it, run: petstore plans set --project ${slug} --plan ${to}`,
        },
        {
          kind: 'paragraph',
          text: `To decline it, run: petstore plans decline --project ${slug} --reason "…". The owner sees the reason on the page of the plan.`,
        },
      ],
      footer: 'You get this mail because your address is the OPERATOR_EMAIL of this installation.',
    }
  },
}
