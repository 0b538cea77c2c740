// Creates and deletes projects. Created: its id, its slug permanently, and its row, or
// none of them. Deleted: gone for its members, its keys rejected, its slug still taken.

import type { AccountId } from '../accounts/account-queries.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Member } from './membership.io.ts'
import * as directory from './directory.io.ts'
import { listMembers, lockMembers } from './member-queries.ts'
import * as queries from './project-queries.ts'
import { inDirectoryOf, inProjectOf, type InProject, type ProjectId } from './scope.io.ts'
import { slugFault, slugSentence } from './slugs.ts'

const nameForm = /^.{1,255}$/su

export async function createProject(
  database: Pick<Database, 'transaction'>,
  { slug, name, owner }: { slug: string; name: string; owner?: AccountId },
): Promise<ProjectId> {
  const fault = slugFault(slug)
  if (fault) throw new Refusal(fault === 'invalid' ? 'invalid_field' : 'slug_taken', slugSentence(slug, fault))
  if (!nameForm.test(name)) throw new Refusal('invalid_field', 'The name of a project must have 1 to 255 characters.')
  const project = await inDirectoryOf(database)(directory.newProjectId)
  await inProjectOf(database)(project, async (db) => {
    if (!(await directory.takeSlug(db, slug, project))) {
      throw new Refusal('slug_taken', slugSentence(slug, 'taken'))
    }
    await queries.insertProject(db, project, { slug, name })
    if (owner !== undefined) {
      await queries.insertMember(db, project, owner, 'owner')
      await directory.addMember(db, owner, project)
    }
    await queries.recordAudit(db, project, { actor: owner ?? 'operator', action: 'project_created', subject: slug })
  })
  return project
}

export function renameProject(inProject: InProject, { project, account }: Member, name: string): Promise<void> {
  return inProject(project, async (db) => {
    const { slug, name: from } = await lockedProject(db, project)
    if (name === from) return
    await queries.renameProject(db, project, name)
    await queries.recordAudit(db, project, {
      actor: account,
      action: 'project_renamed',
      subject: slug,
      detail: { from, to: name },
    })
  })
}

/** All or nothing: if the project is not found, none of its keys may be found either. */
export function deleteProject(
  { inProject, queueMail }: { inProject: InProject; queueMail?: QueueMail | undefined },
  { project, account }: Member,
): Promise<void> {
  return inProject(project, async (db) => {
    const { slug, name } = await lockedProject(db, project)
    // A concurrent join has completed before, or finds no project.
    await lockMembers(db, project)
    const members = await listMembers(db, project)
    await queries.deleteProject(db, project)
    await queries.revokeAllKeys(db, project)
    for (const { account: member, role } of members) {
      await directory.removeMember(db, member, project)
      const subject = { actor: account }
      if (role === 'owner') await queueMail?.(db, { kind: 'project_deleted', recipient: member, subject, project })
    }
    await queries.recordAudit(db, project, {
      actor: account,
      action: 'project_deleted',
      subject: slug,
      detail: { name },
    })
  })
}

async function lockedProject(db: Db, project: ProjectId): Promise<queries.ProjectRow> {
  const found = await queries.lockProject(db, project)
  if (!found) throw new Refusal('not_found', 'No project with this slug.')
  return found
}
