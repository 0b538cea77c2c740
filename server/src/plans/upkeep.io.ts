// Looks after every project once a day: removes what is older or more than its limits keep, a bounded number of rows at a
// time, and counts again the bytes and rows that it stores. A drift is corrected and reported: it is a bug of ours. What
// a deleted project leaves is erased; of one that is held nothing is removed. Row-level security lets no function of the
// schema remove a valid key, an event of the last day, or a recent request.

import { extendDeadline, statement, type Statement } from '../foundation/postgres/postgres.io.ts'
import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { OtherLimit, PlanLimit, PlanRules } from '../projects/plan-rules.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { findStanding } from '../projects/directory.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { UPKEEP_SECONDS } from '../projects/upkeep-timer.ts'
import { oldRowsOfProjects, type OldRows } from './retention.ts'

const CLAIM_SECONDS = 120

export const upkeepWork = (context: Pick<ProjectContext, 'inProject' | 'plans' | 'onError'>): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work({ project }) {
    return againAfter[await runUpkeep(context, project as ProjectId)]
  },
})

/**
 * `waits` while something has to end before it can be erased; `swept` when nothing was left, and a slow request may still have
 * left something since.
 */
type Kept = 'kept' | 'waits' | 'swept' | 'erased'
const againAfter: Readonly<Record<Kept, number | undefined>> = {
  kept: UPKEEP_SECONDS,
  waits: 600,
  swept: UPKEEP_SECONDS,
  erased: undefined,
}

/** Once a project was deleted long enough ago, nothing of it is left to keep up. */
export async function runUpkeep(
  context: Pick<ProjectContext, 'inProject' | 'plans' | 'onError'>,
  project: ProjectId,
): Promise<Kept> {
  const erasure = await erase(context, project)
  if (erasure !== 'kept') return erasure
  const standing = await context.inProject(project, (db) => findStanding(db, project))
  if (standing?.erasingAt && !standing.heldAt) return 'waits'
  if (!standing?.heldAt) await removeOldRows(context, project)
  await recount(context, project)
  return 'kept'
}

type Removed = { removed: number }

const eraseRows = statement<{ removed: number | null }, [project: ProjectId, days: number, atMost: number]>(
  'erase-deleted-project',
  `select erase_deleted_project($1, $2, $3) as removed`,
)

const ERASED_AT_ONCE = 1000
/** A thousand photos take longer than a request may. */
const ERASING_SECONDS = 30

async function erase(
  { inProject, plans }: Pick<ProjectContext, 'inProject' | 'plans'>,
  project: ProjectId,
): Promise<Kept> {
  const { deletedProjectDays } = plans.other
  for (;;) {
    const [row] = await inProject(project, async (db) => {
      await extendDeadline(db, ERASING_SECONDS)
      return db(eraseRows, project, deletedProjectDays, ERASED_AT_ONCE)
    })
    if (typeof row?.removed !== 'number') return 'kept'
    if (row.removed > 0) continue
    const standing = await inProject(project, (db) => findStanding(db, project))
    return standing?.isLongAgo ? 'erased' : 'swept'
  }
}

async function removeOldRows(
  { inProject, plans }: Pick<ProjectContext, 'inProject' | 'plans'>,
  project: ProjectId,
): Promise<void> {
  const plan = (await inProject(project, (db) => findProject(db, project)))?.plan ?? 'free'
  for (const rows of Object.values<OldRows>(oldRowsOfProjects)) {
    const removal = removalOf(rows)
    const kept = rows.limits.map((name) => limitOf(plans, plan, name))
    const remove = async () => {
      const atMost = rows.atMost === undefined ? [] : [rows.atMost]
      const [row] = await inProject(project, (db) => db(removal, project, ...kept, ...atMost))
      return row?.removed ?? 0
    }
    while ((await remove()) > 0 && rows.atMost !== undefined);
  }
}

function removalOf({ function: name, limits, atMost }: OldRows): Statement<Removed, [ProjectId, ...number[]]> {
  const count = 1 + limits.length + (atMost === undefined ? 0 : 1)
  const values = Array.from({ length: count }, (_, index) => `$${index + 1}`)
  return { name: name.replaceAll('_', '-'), text: `select ${name}(${values.join(', ')}) as removed` }
}

const limitOf = ({ most, other }: PlanRules, plan: PlanName, name: PlanLimit | OtherLimit): number =>
  name in other ? other[name as OtherLimit] : most(plan, name as PlanLimit)

type Drift = { kind: string; counted: number; actual: number }

const recountByteRows = statement<Drift, [project: ProjectId]>(
  'recount-stored-bytes',
  `select kind, counted::float8 as counted, actual::float8 as actual
   from recount_stored_bytes($1)`,
)

const recountRowRows = statement<Drift, [project: ProjectId]>(
  'recount-rows',
  `select kind, counted::float8 as counted, actual::float8 as actual
   from recount_rows($1)`,
)

/** A project with a hundred million animals takes longer than a request may. */
const COUNTING_SECONDS = 60

/** The bytes that it stores; its animals, photos and idempotency keys. */
async function recount(
  { inProject, onError }: Pick<ProjectContext, 'inProject' | 'onError'>,
  project: ProjectId,
): Promise<void> {
  const bytes = await inProject(project, (db) => db(recountByteRows, project))
  for (const { kind, counted, actual } of bytes) {
    onError(new Error(`project ${project} stores ${actual} bytes of ${kind}, but ${counted} were counted`))
  }
  const rows = await inProject(project, async (db) => {
    await extendDeadline(db, COUNTING_SECONDS)
    return db(recountRowRows, project)
  })
  for (const { kind, counted, actual } of rows) {
    onError(new Error(`project ${project} has ${actual} ${kind}, but ${counted} were counted`))
  }
}
