// Suspends and resumes a project: the operator's takedown. In one transaction: the state in the directory of slugs, the row
// of the host table that closes its sites at every edge, a note for each of its keys, so that each process drops them from
// its cache within a second, and the audit event with the operator's name and reason. Nothing else changes: deployments,
// domains and certificates continue, and so everything is back at once when the project is resumed.

import { notifyRevocation } from '../foundation/postgres/revocations.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import * as directory from '../projects/directory.io.ts'
import { listMembers } from '../projects/member-queries.ts'
import * as queries from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { endRoute, findRoute, putRoute } from './directory.io.ts'
import { suspensionOf } from './table-name.ts'

/** Who decided it and why; both are in the audit events, which the members of the project see. */
export type Takedown = { by: string; reason: string }

/** Returns the slug. The owners get a mail, if mail is sent. */
export function setSuspended(
  inProject: InProject,
  project: ProjectId,
  { isSuspended, by, reason }: Takedown & { isSuspended: boolean },
  queueMail?: QueueMail<'project_suspended' | 'project_resumed'>,
): Promise<string> {
  return inProject(project, async (db) => {
    const found = await queries.lockProject(db, project)
    if (!found) throw new Refusal('not_found', 'This project is deleted.')
    const { slug } = found
    if (!(await directory.setSuspended(db, slug, isSuspended))) {
      throw new Refusal(
        'invalid_field',
        `The project ${slug} is ${isSuspended ? 'suspended already' : 'not suspended'}.`,
      )
    }
    const action = isSuspended ? 'project_suspended' : 'project_resumed'
    await queries.recordAudit(db, project, { actor: 'operator', action, subject: slug, detail: { by, reason } })
    for (const { account, role } of await listMembers(db, project))
      if (role === 'owner') await queueMail?.(db, { kind: action, recipient: account, project })
    await directory.noteKeys(db, project)
    await notifyRevocation(db)
    // Last: the change locks the clock of the host table until the transaction ends.
    const name = suspensionOf(slug)
    const generation = BigInt((await findRoute(db, name))?.generation ?? 0) + 1n
    if (isSuspended) await putRoute(db, name, generation, { kind: 'suspended', slug })
    else await endRoute(db, name, generation)
    return slug
  })
}
