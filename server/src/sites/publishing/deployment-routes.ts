// Routes for deployments on `/platform/v1`, and for the draft that they are created from.
// Deploying copies the draft and sets a timer, in one transaction; the rest happens in
// the background. Rolling back is one update.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import * as contract from '@petstore-platform/contract/platform/deployments'
import type { FastifyInstance } from 'fastify'
import { pageLinks, readCursor, writeCursor } from '../../foundation/http/list-response.ts'
import { mount, type OperationResponse } from '../../foundation/http/operation.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { setTimer } from '../../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Platform } from '../../projects/platform.ts'
import { findProject, recordAudit } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { planOf, refuseFullStore } from '../../projects/stored-usage.io.ts'
import { contentJson, digestOf, draftSettings, type SiteContent } from './content.ts'
import * as queries from './deployment-queries.ts'
import type { DeploymentRow } from './deployment-queries.ts'
import { DEPLOYMENT_DUE } from './jobs.io.ts'
import { contentShownJson, deploymentJson } from './json.ts'
import { canBePublished } from './lifecycle.ts'
import { limitDeployments } from './limit-deployments.io.ts'
import * as drafts from './site-queries.ts'
import { siteRoutes } from './site-routes.ts'

export function deploymentRoutes(app: FastifyInstance, platform: Platform): void {
  const { inProject, within, newId, baseUrl, plans } = platform
  siteRoutes(app, platform)

  mount(app, contract.deploy, within, ({ caller: { project, account } }) =>
    inProject(project, async (db) => {
      const draft = await takeDraft(db, project)
      const content = contentJson(draft)
      const id = newId('dep')
      const digest = digestOf(content)
      await queries.insertDeployment(db, project, { id, digest, content, logo: draft.logo, createdBy: account })
      await limitDeployments(db, project, plans.most(await planOf(db, project), 'deployments'))
      await refuseFullStore(db, project, plans)
      await setTimer(db, { kind: DEPLOYMENT_DUE, project, id })
      const made = await found(db, project, id)
      const detail = { number: made.number, digest }
      await recordAudit(db, project, { actor: account, action: 'deployment_created', subject: id, detail })
      return { json: deploymentJson(made) }
    }),
  )

  mount(app, contract.listDeployments, within, async ({ caller: { project, slug }, query: { limit, cursor } }) => {
    const wanted = limit ?? LIMIT_DEFAULT
    const before = beginningOf(cursor)
    const rows = await inProject(project, (db) => queries.listDeployments(db, project, before, wanted + 1))
    return pageOf(rows, { url: `${baseUrl}/projects/${slug}/deployments`, limit: wanted, cursor })
  })

  mount(app, contract.getDeployment, within, ({ caller: { project }, path }) =>
    inProject(project, async (db) => ({ json: deploymentJson(await found(db, project, path['deploymentId'])) })),
  )

  mount(app, contract.getDeploymentSettings, within, async ({ caller: { project }, path: { deploymentId = '' } }) => {
    const content = await inProject(project, (db) => queries.findContent(db, project, deploymentId))
    if (!content) throw deploymentNotFound()
    return { json: contentShownJson(content) }
  })

  mount(app, contract.rollback, within, ({ caller: { project, account }, path }) =>
    inProject(project, async (db) => {
      // Before anything is read: a deployment that is requested in the meantime comes after this.
      await drafts.lockSite(db, project)
      const { id, number, state } = await found(db, project, path['deploymentId'])
      if (!canBePublished(state) || !(await queries.publishAgain(db, project, id))) {
        throw new Refusal('wrong_state', `Only a deployment that succeeded can be published; this one is '${state}'.`)
      }
      await recordAudit(db, project, {
        actor: account,
        action: 'deployment_published',
        subject: id,
        detail: { number },
      })
      return { json: deploymentJson(await found(db, project, id)) }
    }),
  )
}

/** The current draft; changes to it wait until the transaction ends. */
async function takeDraft(db: Db, project: ProjectId): Promise<SiteContent> {
  const { settings, logo } = await drafts.lockSite(db, project)
  const [owner, categories] = await Promise.all([findProject(db, project), drafts.categoriesOf(db, project)])
  if (!owner) throw new Refusal('not_found', 'No project with this slug.')
  return { settings: draftSettings(settings, owner.name), categories, logo }
}

async function found(db: Db, project: ProjectId, id = ''): Promise<DeploymentRow> {
  const row = await queries.findDeployment(db, project, id)
  if (!row) throw deploymentNotFound()
  return row
}

const deploymentNotFound = () => new Refusal('not_found', 'No deployment with this identifier.')

/** Above every number, so the first page begins below it. */
const BEGINNING = 2n ** 31n

function beginningOf(cursor: string | undefined): bigint {
  if (cursor === undefined) return BEGINNING
  const read = readCursor(cursor)
  if (!read || read.filter !== undefined) throw new Refusal('invalid_cursor')
  return read.after
}

type Page = { url: string; limit: number; cursor: string | undefined }

/** Like every list, but paginated by number, since the ids of deployments have no order. */
function pageOf(rows: readonly DeploymentRow[], { url, limit, cursor }: Page): OperationResponse {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? writeCursor({ after: BigInt(last.number), filter: undefined }) : undefined
  const link = pageLinks(url, [['limit', String(limit)]], { cursor, next })
  return { json: `[${shown.map(deploymentJson).join(',')}]`, ...(link !== undefined && { headers: { Link: link } }) }
}
