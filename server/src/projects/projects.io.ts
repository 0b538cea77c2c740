// Creates and deletes projects. Created: its id, its slug permanently, and its row, or
// none of them. Deleted: gone for its members, its keys rejected, its slug still taken.

import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { hash } from 'node:crypto'
import { countProject, type AccountId } from '../accounts/account-queries.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { countRates } from '../foundation/load/rate-directory.io.ts'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Instant } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Member } from './membership.io.ts'
import * as directory from './directory.io.ts'
import { listMembers, lockMembers } from './member-queries.ts'
import type { PlanRules } from './plan-rules.ts'
import * as queries from './project-queries.ts'
import { inDirectoryOf, inProjectOf, inProjectsOf, type InProject, type ProjectId } from './scope.io.ts'
import { slugFault, slugSentence } from './slugs.ts'
import { UPKEEP_SECONDS, upkeepTimer } from './upkeep-timer.ts'

const nameForm = /^.{1,255}$/su

export async function createProject(
  database: Pick<Database, 'transaction'>,
  { slug, name, kind, owner }: queries.NewProject & { owner?: AccountId },
  limits?: ProjectLimits,
): Promise<ProjectId> {
  const fault = slugFault(slug, limits?.reservedNames)
  if (fault) throw new Refusal(fault === 'invalid' ? 'invalid_field' : 'slug_taken', slugSentence(slug, fault))
  if (!nameForm.test(name)) throw new Refusal('invalid_field', 'The name of a project must have 1 to 255 characters.')
  if (owner !== undefined && limits) await refuseUnpaid(database, owner, limits)
  const project = await inDirectoryOf(database)(directory.newProjectId)
  await inProjectOf(database)(project, async (db) => {
    if (!(await directory.takeSlug(db, slug, project))) {
      throw new Refusal('slug_taken', slugSentence(slug, 'taken'))
    }
    await queries.insertProject(db, project, { slug, name, kind })
    if (owner !== undefined && limits) await countCreated(db, owner, limits)
    if (owner !== undefined) {
      await queries.insertMember(db, project, owner, 'owner')
      await directory.addMember(db, owner, project)
    }
    await setTimer(db, upkeepTimer(project), UPKEEP_SECONDS)
    await queries.recordAudit(db, project, { actor: owner ?? 'operator', action: 'project_created', subject: slug })
  })
  return project
}

/** How many projects an account may have and create, and which names none may have; an operator creates without them. */
export type ProjectLimits = Pick<PlanRules['other'], 'unpaidProjects' | 'projectsPerDay' | 'projectsEver'> & {
  now: Instant
  reservedNames: readonly string[]
}

async function refuseUnpaid(database: Pick<Database, 'transaction'>, owner: AccountId, limits: ProjectLimits) {
  const all = await inDirectoryOf(database)((db) => directory.projectsOf(db, owner))
  const isUnpaid = await inProjectsOf(database)(all, (db) =>
    Promise.all(
      all.map(async (project) => {
        const [found, role] = await Promise.all([
          queries.findProject(db, project),
          queries.findRole(db, project, owner),
        ])
        return found?.plan === 'free' && role === 'owner'
      }),
    ),
  )
  const most = limits.unpaidProjects
  if (isUnpaid.filter(Boolean).length < most) return
  const remedy = 'Ask for a larger plan for one of them, or delete one.'
  throw new Refusal('limit_reached', `An account owns at most ${most} projects on the plan free. ${remedy}`)
}

const DAY_SECONDS = 24 * 3600

/** Slugs are never used again, so creating and deleting in a loop would consume them. */
async function countCreated(db: Db, owner: AccountId, limits: ProjectLimits): Promise<void> {
  const { projectsPerDay, projectsEver, now } = limits
  if (!(await countProject(db, owner, projectsEver))) {
    throw new Refusal('limit_reached', `An account creates at most ${projectsEver} projects, deleted ones included.`)
  }
  const key = Buffer.from(hash('sha256', `project_creation ${owner}`, 'hex'), 'hex')
  const counted = [{ kind: 'project_creation', key, most: projectsPerDay }]
  if ((await countRates(db, counted, { now, windowSeconds: DAY_SECONDS })).length > 0) {
    throw new Refusal(
      'limit_reached',
      `An account creates at most ${projectsPerDay} projects in a day. Try again tomorrow.`,
    )
  }
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
  inProject: InProject,
  { project, account }: Member,
  queueMail?: QueueMail<'project_deleted'>,
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
