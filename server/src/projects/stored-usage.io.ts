// Refuses what a project stores beyond its plan: called at the end of a transaction that has written, so that the triggers
// have counted it; the refusal rolls it back.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { CountedRows, PlanRules } from './plan-rules.ts'
import { findProject, lockProject } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'
import { countedRows, storedBytes } from './stored-usage-queries.ts'

export async function refuseFullStore(db: Db, project: ProjectId, plans: PlanRules): Promise<void> {
  const plan = await planOf(db, project)
  const over = plans.overLimit(plan, 'storedBytes', await storedBytes(db, project), 0)
  if (over) throw over
}

/** For animals and photos one by one: those that are added at the same moment may exceed the limit by a few. */
export async function refuseTooMany(db: Db, project: ProjectId, plans: PlanRules, kind: CountedRows): Promise<void> {
  const plan = await planOf(db, project)
  const over = plans.overLimit(plan, kind, await countedRows(db, project, kind), 0)
  if (over) throw over
}

/** The refusal of one more than the plan includes. */
export async function fullOf(db: Db, project: ProjectId, plans: PlanRules, kind: CountedRows): Promise<Error> {
  const plan = await planOf(db, project)
  return plans.overLimit(plan, kind, plans.most(plan, kind)) ?? new Error(`the plan ${plan} has room for ${kind}`)
}

/** At the end of an import: of several that end at the same moment, each counts what the one before has committed. */
export async function refuseFullProject(db: Db, project: ProjectId, plans: PlanRules): Promise<void> {
  await lockProject(db, project)
  await refuseTooMany(db, project, plans, 'animals')
  await refuseFullStore(db, project, plans)
}

export async function planOf(db: Db, project: ProjectId): Promise<PlanName> {
  const owner = await findProject(db, project)
  if (!owner) throw new Refusal('not_found', 'No project with this slug.')
  return owner.plan
}
