// Legal hold: while a project is held, nothing of it is removed for its age or number, and it cannot be erased. Its members
// can still delete what is theirs; who must not, is suspended as well.

import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { DAY, SECOND } from '../foundation/time.ts'
import * as directory from './directory.io.ts'
import { recordAudit } from './project-queries.ts'
import type { InProject, ProjectId } from './scope.io.ts'

/** Of a deleted project as well, until it is erased. Returns the slug. */
export function setHeld(inProject: InProject, project: ProjectId, isHeld: boolean): Promise<string> {
  return inProject(project, async (db) => {
    const standing = await directory.findStanding(db, project)
    if (!standing) throw new Refusal('not_found', 'There is no such project.')
    const { slug, erasingAt } = standing
    if (isHeld && erasingAt) throw new Refusal('invalid_field', `The erasure of ${slug} has begun: restore a backup.`)
    if (!(await directory.setHeld(db, project, isHeld)))
      throw new Refusal('invalid_field', `The project ${slug} is ${isHeld ? 'held already' : 'not held'}.`)
    const action = isHeld ? 'project_held' : 'project_released'
    await recordAudit(db, project, { actor: 'operator', action, subject: slug })
    return slug
  })
}

/** Of work that removes rows or files of a project for their age; it is due again a day later. */
export const unlessHeld = ({ inProject }: { inProject: InProject }, { work, ...rest }: TimerWork): TimerWork => ({
  ...rest,
  async work(due) {
    const project = due.project as ProjectId
    const standing = await inProject(project, (db) => directory.findStanding(db, project))
    return standing?.heldAt ? DAY / SECOND : work(due)
  },
})
