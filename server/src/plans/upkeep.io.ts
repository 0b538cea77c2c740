// Looks after every project once a day: removes what is older or more than its limits keep, and counts again the bytes
// and rows that it stores. A drift is corrected and reported: it is a bug of ours. What
// a deleted project leaves is erased.

import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { TimerWork } from '../foundation/postgres/timers.io.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { UPKEEP_SECONDS } from '../projects/upkeep-timer.ts'
import * as retention from './retention.io.ts'

export type UpkeepDeps = { inProject: InProject; plans: PlanRules; onError: (error: Error) => void }

const CLAIM_SECONDS = 120
const ROWS_AT_ONCE = 1000

export const upkeepWork = (deps: UpkeepDeps): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work({ project }) {
    return (await lookAfter(deps, project as ProjectId)) === 'erased' ? undefined : UPKEEP_SECONDS
  },
})

/** Once a project was deleted long enough ago, nothing of it is left to look after. */
export async function lookAfter(deps: UpkeepDeps, project: ProjectId): Promise<'erased' | 'kept'> {
  if (await isErased(deps, project)) return 'erased'
  await keepWithinLimits(deps, project)
  return 'kept'
}

async function isErased({ inProject, plans }: UpkeepDeps, project: ProjectId): Promise<boolean> {
  const { deletedProjectDays } = plans.other
  for (;;) {
    const removed = await inProject(project, (db) =>
      retention.eraseDeletedProject(db, project, deletedProjectDays, ROWS_AT_ONCE),
    )
    if (removed === undefined) return false
    if (removed === 0) return true
  }
}

async function keepWithinLimits({ inProject, plans, onError }: UpkeepDeps, project: ProjectId): Promise<void> {
  const { auditDays, endedKeyDays, endedKeys, endedImports, removedDomainDays } = plans.other
  const plan = (await inProject(project, (db) => findProject(db, project)))?.plan ?? 'free'
  const most = (what: 'auditEvents' | 'endedRequests' | 'customDomains') => plans.most(plan, what)
  const repeated = async (work: (count: number) => Promise<number>) => {
    while ((await work(ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  }
  await repeated((count) =>
    inProject(project, (db) => retention.limitAudit(db, project, auditDays, most('auditEvents'), count)),
  )
  await repeated((count) => inProject(project, (db) => retention.limitImports(db, project, endedImports, count)))
  await repeated((count) =>
    inProject(project, (db) => retention.limitRequests(db, project, most('endedRequests'), count)),
  )
  await inProject(project, (db) => retention.limitEndedKeys(db, project, endedKeyDays, endedKeys))
  // As many as the plan has domains: to add and remove one in a loop would otherwise store without end.
  const forget = (db: Db) =>
    retention.forgetRemovedDomains(db, project, removedDomainDays, most('customDomains'), ROWS_AT_ONCE)
  while ((await inProject(project, forget)) > 0);
  const bytes = await inProject(project, (db) => retention.recountBytes(db, project))
  for (const { kind, counted, actual } of bytes) {
    onError(new Error(`project ${project} stores ${actual} bytes of ${kind}, but ${counted} were counted`))
  }
  const rows = await inProject(project, (db) => retention.recountRows(db, project))
  for (const { kind, counted, actual } of rows) {
    onError(new Error(`project ${project} has ${actual} ${kind}, but ${counted} were counted`))
  }
}
