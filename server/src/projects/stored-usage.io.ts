// Refuses what a project stores beyond its plan: called at the end of a transaction that has written, so that the triggers
// have counted it; the refusal rolls it back.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlanRules } from './plan-rules.ts'
import { findProject } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'
import { storedBytes } from './stored-usage-queries.ts'

export async function refuseFullStore(db: Db, project: ProjectId, plans: PlanRules): Promise<void> {
  const plan = await planOf(db, project)
  const over = plans.overLimit(plan, 'storedBytes', await storedBytes(db, project), 0)
  if (over) throw over
}

export async function planOf(db: Db, project: ProjectId): Promise<PlanName> {
  const owner = await findProject(db, project)
  if (!owner) throw new Refusal('not_found', 'No project with this slug.')
  return owner.plan
}
