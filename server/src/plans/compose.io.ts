// Reads the facts of a request for another plan when its mail is sent.

import { findAccount } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Compose } from '../mail/jobs.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { planRequestedMail } from './mails.ts'
import { findRequest } from './plan-request-queries.ts'

export type PlanMailDeps = { run: Db; inProject: InProject; operatorEmail: string | undefined }

export const planComposers = ({
  run,
  inProject,
  operatorEmail,
}: PlanMailDeps): Readonly<Record<'plan_requested', Compose>> => ({
  async plan_requested({ project: of, recipient }) {
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
    return { to: operatorEmail, mail: planRequestedMail(facts), replyTo: email }
  },
})
