// Sets a project's plan; there is no other way. Existing data stays: a smaller plan
// removes nothing, it only prevents additions. A request for a plan is answered by it, or declined.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { Refusal } from '../foundation/refusal.ts'
import * as queries from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { answerRequest } from './plan-request-queries.ts'

export function setPlan(
  { inProject }: { inProject: InProject },
  project: ProjectId,
  plan: PlanName,
  actor: string,
): Promise<{ slug: string; from: PlanName; to: PlanName }> {
  return inProject(project, async (db) => {
    const found = await queries.lockProject(db, project)
    if (!found) throw new Refusal('not_found', 'There is no such project.')
    const { slug, plan: from } = found
    if (from !== plan) {
      await queries.setPlan(db, project, plan)
      await queries.recordAudit(db, project, { actor, action: 'plan_set', subject: slug, detail: { from, to: plan } })
    }
    await answerRequest(db, project, 'granted')
    return { slug, from, to: plan }
  })
}

/** Answers the open request of a project with a reason, which its owners see. */
export function declinePlan(
  { inProject }: { inProject: InProject },
  project: ProjectId,
  reason: string,
  actor: string,
): Promise<{ slug: string; plan: PlanName }> {
  return inProject(project, async (db) => {
    const found = await queries.lockProject(db, project)
    if (!found) throw new Refusal('not_found', 'There is no such project.')
    const declined = await answerRequest(db, project, 'declined', reason)
    if (!declined) throw new Refusal('not_found', `${found.slug} has no open request for a plan.`)
    const detail = { plan: declined.plan, reason }
    await queries.recordAudit(db, project, { actor, action: 'plan_declined', subject: found.slug, detail })
    return { slug: found.slug, plan: declined.plan }
  })
}
