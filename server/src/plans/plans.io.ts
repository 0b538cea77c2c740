// Sets a project's plan; there is no other way. Existing data stays: a smaller plan
// removes nothing, it only prevents additions.

import type { PlanName } from '@petstore/contract/platform/projects'
import { Refusal } from '../foundation/refusal.ts'
import * as queries from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'

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
    return { slug, from, to: plan }
  })
}
