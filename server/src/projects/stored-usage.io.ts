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
  await capacityLeft(db, project, plans, { kind, more: 0 })
}

/** How many more rows the project may have. Refuses if there is no room for these. */
export async function capacityLeft(
  db: Db,
  project: ProjectId,
  plans: PlanRules,
  { kind, more }: { kind: CountedRows; more: number },
): Promise<number> {
  const plan = await planOf(db, project)
  const used = await countedRows(db, project, kind)
  const over = plans.overLimit(plan, kind, used, more)
  if (over) throw over
  return plans.most(plan, kind) - used
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
