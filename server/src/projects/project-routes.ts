// Routes for projects on `/platform/v1`: create, show, rename, delete; and whether a slug
// is free; and the audit events of a project. The limits of the plan are shown with the project and decided elsewhere.

import * as auditContract from '@petstore-platform/contract/platform/audit'
import type { ActorKind } from '@petstore-platform/contract/platform/audit'
import * as contract from '@petstore-platform/contract/platform/projects'
import type { SlugReason, Usage } from '@petstore-platform/contract/platform/projects'
import type { FastifyInstance } from 'fastify'
import { namesOf, type AccountId } from '../accounts/account-queries.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import * as directory from './directory.io.ts'
import type { Member } from './membership.io.ts'
import type { Platform } from './platform.ts'
import * as queries from './project-queries.ts'
import type { AuditRow } from './project-queries.ts'
import { changeProject, createProject, deleteProject } from './projects.io.ts'
import { inProjectsOf, type ProjectId } from './scope.io.ts'
import { slugFault } from './slugs.ts'

/** `onDeleted` releases what other features own when a project is deleted. */
export function projectRoutes(
  app: FastifyInstance,
  { database, inProject, now, defaultSiteUrlOf, siteUrlOf, personal, within, plans, reservedNames }: Platform,
  queueMail: QueueMail<'project_deleted'> | undefined,
  onDeleted: (member: Member) => Promise<void>,
): void {
  const shown = ({ slug, name, kind, plan, role, usage, siteUrl, defaultSiteUrl, isSuspended, createdAt }: Shown) =>
    JSON.stringify({
      slug,
      name,
      kind: kind ?? contract.FIRST_KIND,
      isKindChosen: kind !== null,
      plan,
      limits: plans.limitsOf(plan),
      usage,
      role,
      siteUrl,
      defaultSiteUrl,
      isSuspended,
      createdAt,
    })
  const findShown = async (db: Db, project: ProjectId, account: AccountId): Promise<Shown | undefined> => {
    const [found, role, usage] = await Promise.all([
      queries.findProject(db, project),
      queries.findRole(db, project, account),
      queries.usageOf(db, project),
    ])
    if (!found || !role) return undefined
    const siteUrl = await siteUrlOf(db, project, found.slug)
    const isSuspended = (await directory.findPlace(db, found.slug))?.isSuspended === true
    return { ...found, isSuspended, role, usage, siteUrl, defaultSiteUrl: await defaultSiteUrlOf(db, found.slug) }
  }
  const show = async (project: ProjectId, account: AccountId) => {
    const found = await inProject(project, (db) => findShown(db, project, account))
    if (!found) throw new Refusal('not_found', 'No project with this slug.')
    return { json: shown(found) }
  }

  mount(app, contract.listProjects, personal, async ({ caller: { account } }) => {
    const projects = await directory.projectsOf(database.run, account)
    // One transaction for all: a hundred would wait for each other's connections.
    const found = await inProjectsOf(database)(projects, (db) =>
      Promise.all(projects.map((project) => findShown(db, project, account))),
    )
    const there = found.filter((project) => project !== undefined).toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    return { json: `[${there.map(shown).join(',')}]` }
  })

  mount(app, contract.createProject, personal, async ({ caller: { account }, body }) =>
    show(
      await createProject(database, { ...body, owner: account }, { ...plans.other, now: now(), reservedNames }),
      account,
    ),
  )

  mount(app, contract.getProject, within, ({ caller: { project, account } }) => show(project, account))

  mount(app, contract.changeProject, within, async ({ caller, body }) => {
    if (body.name === undefined && body.kind === undefined) {
      throw new Refusal('missing_field', 'Body must contain name, kind, or both.')
    }
    await changeProject(inProject, caller, body)
    return show(caller.project, caller.account)
  })

  mount(app, contract.deleteProject, within, async ({ caller, body }) => {
    if (body.slug !== caller.slug) throw new Refusal('invalid_field', contract.repeatFault)
    await deleteProject(inProject, caller, queueMail)
    // The project is deleted whatever the result; what could not be released now is released in the background.
    await onDeleted(caller).catch((error: Error) =>
      app.log.error({ err: error }, 'cleanup after deleting a project failed'),
    )
    return {}
  })

  mount(app, contract.checkSlug, personal, async ({ path: { slug = '' } }) => {
    const isTaken = async () => (await directory.findSlug(database.run, slug)) !== undefined
    const reason: SlugReason | null = slugFault(slug, reservedNames) ?? ((await isTaken()) ? 'taken' : null)
    const siteUrl = reason === 'invalid' || reason === 'reserved' ? null : await defaultSiteUrlOf(database.run, slug)
    return { json: JSON.stringify({ slug, isFree: reason === null, reason, siteUrl }) }
  })

  mount(app, contract.listPlans, personal, async () => ({
    json: JSON.stringify(contract.plans.map((plan) => ({ plan, limits: plans.limitsOf(plan) }))),
  }))
}

type Shown = queries.ProjectRow & {
  isSuspended: boolean
  role: Member['role']
  usage: Usage
  siteUrl: string
  defaultSiteUrl: string
}

export function auditRoutes(app: FastifyInstance, { database, inProject, baseUrl, within }: Platform): void {
  mount(app, auditContract.listAudit, within, ({ caller: { project, slug }, query: { limit, cursor } }) =>
    pageOf({ url: `${baseUrl}/projects/${slug}/audit`, limit, cursor }, async (before, count) => {
      const rows = await inProject(project, (db) => queries.listAudit(db, project, before, count))
      const names = await namesOf(
        database.run,
        rows.map(({ actor }) => actor).filter((actor) => isAccount(actor)),
      )
      return { json: rows.map((row) => entryJson(row, names)).join(','), count: rows.length }
    }),
  )
}

const isAccount = (actor: string): actor is AccountId => actor.startsWith('acc_')

type Actor = { kind: ActorKind; id: string | null; name: string | null }

const actorOf = (actor: string, names: ReadonlyMap<AccountId, string>): Actor =>
  isAccount(actor)
    ? { kind: 'account', id: actor, name: names.get(actor) ?? null }
    : { kind: actor as ActorKind, id: null, name: null }

const entryJson = ({ id, at, actor, action, subject, detail }: AuditRow, names: ReadonlyMap<AccountId, string>) =>
  `{"id":${id},"at":${JSON.stringify(at)},"actor":${JSON.stringify(actorOf(actor, names))},` +
  `"action":${JSON.stringify(action)},"subject":${JSON.stringify(subject)},"detail":${detail}}`
