// Looks after every project once a day: removes what is older or more than its limits keep, and counts again the bytes
// and rows that it stores. A drift is corrected and reported: it is a bug of ours.

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
    await lookAfter(deps, project as ProjectId)
    return UPKEEP_SECONDS
  },
})

export async function lookAfter({ inProject, plans, onError }: UpkeepDeps, project: ProjectId): Promise<void> {
  const { auditDays, endedKeyDays, endedKeys, endedImports } = plans.other
  const plan = (await inProject(project, (db) => findProject(db, project)))?.plan ?? 'free'
  const most = (what: 'auditEvents' | 'endedRequests') => plans.most(plan, what)
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
  const bytes = await inProject(project, (db) => retention.recountBytes(db, project))
  for (const { kind, counted, actual } of bytes) {
    onError(new Error(`project ${project} stores ${actual} bytes of ${kind}, but ${counted} were counted`))
  }
  const rows = await inProject(project, (db) => retention.recountRows(db, project))
  for (const { kind, counted, actual } of rows) {
    onError(new Error(`project ${project} has ${actual} ${kind}, but ${counted} were counted`))
  }
}
