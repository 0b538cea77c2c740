// Creates and deletes projects. Created: its id, its slug permanently, and its row, or
// none of them. Deleted: gone for its members, its keys rejected, its slug still taken.

import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
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
  { slug, name, kind, owner }: queries.NewProject & { owner?: AccountId },
): Promise<ProjectId> {
  const fault = slugFault(slug)
  if (fault) throw new Refusal(fault === 'invalid' ? 'invalid_field' : 'slug_taken', slugSentence(slug, fault))
  if (!nameForm.test(name)) throw new Refusal('invalid_field', 'The name of a project must have 1 to 255 characters.')
  const project = await inDirectoryOf(database)(directory.newProjectId)
  await inProjectOf(database)(project, async (db) => {
    if (!(await directory.takeSlug(db, slug, project))) {
      throw new Refusal('slug_taken', slugSentence(slug, 'taken'))
    }
    await queries.insertProject(db, project, { slug, name, kind })
    if (owner !== undefined) {
      await queries.insertMember(db, project, owner, 'owner')
      await directory.addMember(db, owner, project)
    }
    await queries.recordAudit(db, project, { actor: owner ?? 'operator', action: 'project_created', subject: slug })
  })
  return project
}

/** Undefined fields stay unchanged. */
export function changeProject(
  inProject: InProject,
  { project, account: actor }: Member,
  { name, kind }: { name?: string | undefined; kind?: ProjectKind | undefined },
): Promise<void> {
  return inProject(project, async (db) => {
    const { slug: subject, ...before } = await lockedProject(db, project)
    if (name !== undefined && name !== before.name) {
      await queries.renameProject(db, project, name)
      const detail = { from: before.name, to: name }
      await queries.recordAudit(db, project, { actor, action: 'project_renamed', subject, detail })
    }
    if (kind !== undefined && kind !== before.kind) {
      await queries.setKind(db, project, kind)
      await queries.recordAudit(db, project, { actor, action: 'project_kind_set', subject, detail: { to: kind } })
    }
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
