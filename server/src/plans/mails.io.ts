// The kind of mail about a request for another plan, and what it reads when it is sent.

import { findAccount } from '../accounts/account-queries.ts'
import { DAY_SECONDS } from '../mail/kinds.ts'
import type { Compose, MailKinds } from '../mail/mail-kind.ts'
import type { ProjectMailContext } from '../projects/member-mails.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { planMails } from './mails.ts'
import { findRequest } from './plan-request-queries.ts'

export const planMailKinds = {
  plan_requested: { queue: 'bulk', validSeconds: 3 * DAY_SECONDS, limit: undefined, compose: planRequested },
} satisfies MailKinds<ProjectMailContext>

function planRequested({ run, inProject, operatorEmail }: ProjectMailContext): Compose {
  return async ({ project: of, recipient }) => {
    const id = of as ProjectId
    const [request, project] = await inProject(id, async (db) => [
      await findRequest(db, id, recipient),
      await findProject(db, id),
    ])
    const person = request && (await findAccount(run, request.requestedBy))
    if (!request || request.answer !== null || !project || !person || operatorEmail === undefined) return undefined
    const { name, email } = person
    const { slug, name: projectName, plan: from } = project
    const facts = { project: projectName, slug, person: name, email, from, to: request.plan, message: request.message }
    return { to: operatorEmail, mail: planMails.plan_requested(facts), replyTo: email }
  }
}
