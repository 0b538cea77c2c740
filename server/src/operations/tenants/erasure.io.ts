// The operator's erasure of a project: it is closed for everyone at once, as by a deletion, and everything that it stores is
// due to be erased (plans/upkeep.io.ts). Its slug stays taken, and a tombstone keeps a restore from reviving it.

import type { AccountId } from '../../accounts/account-queries.ts'
import { forgetProject, type DomainAdvanceDeps } from '../../domains/advance.io.ts'
import { bringForward, setTimer } from '../../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { sweepTimer } from '../../photos/photo-timers.ts'
import * as directory from '../../projects/directory.io.ts'
import { findProject, recordAudit } from '../../projects/project-queries.ts'
import { deleteProject } from '../../projects/projects.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { upkeepTimer } from '../../projects/upkeep-timer.ts'

const OPERATOR = 'operator' as AccountId

/** Requests that were under way have ended by then: the schema erases nothing before. */
const CLOSED_SECONDS = 61

/** Of a deleted project as well. Returns the slug. */
export async function beginErasure(deps: DomainAdvanceDeps, project: ProjectId): Promise<string> {
  const { inProject } = deps
  const [standing, found] = await inProject(project, (db) =>
    Promise.all([directory.findStanding(db, project), findProject(db, project)]),
  )
  if (!standing) throw new Refusal('not_found', 'There is no such project.')
  const { slug, heldAt, erasingAt } = standing
  if (heldAt) throw new Refusal('invalid_field', `The project ${slug} is on legal hold: release it first.`)
  if (erasingAt) throw new Refusal('invalid_field', `The erasure of ${slug} has begun already.`)
  await forgetProject(deps, project, OPERATOR)
  if (found) await deleteProject(inProject, { project, account: OPERATOR, slug, role: 'owner' })
  await inProject(project, async (db) => {
    if (!(await directory.beginErasure(db, project)))
      throw new Refusal('invalid_field', `The project ${slug} is deleted, and was put on legal hold in the meantime.`)
    await recordAudit(db, project, { actor: OPERATOR, action: 'project_erased', subject: slug })
    // The files of photos first; without them the rest would wait.
    await bringForward(db, sweepTimer(project), CLOSED_SECONDS)
    await setTimer(db, upkeepTimer(project), CLOSED_SECONDS + 30)
  })
  return slug
}
