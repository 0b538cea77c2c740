// The overview of a project on `/platform/v1`: everything that the first page of the
// dashboard shows, read in one transaction.

import {
  COUNT_MAX,
  HISTORY_DAYS,
  HISTORY_ORDERS_MAX,
  LAST_ORDERS,
  getOverview,
} from '@petstore-platform/contract/platform/overview'
import { FOUND_MAX, searchProject } from '@petstore-platform/contract/platform/search'
import type { FastifyInstance } from 'fastify'
import { animalJson } from '../animals/json.ts'
import { listByText } from '../animals/word-queries.ts'
import { shownStatus } from '../domains/lifecycle/status.ts'
import { listDomains } from '../domains/store/domain-queries.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { managedOrderJson } from '../orders/json.ts'
import { listManaged, listByVisitor } from '../orders/order-queries.ts'
import { notified } from '../orders/visitor-mails.io.ts'
import type { Platform } from '../projects/platform.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { draftSettings } from '../sites/publishing/content.ts'
import { findCurrent, listDeployments } from '../sites/publishing/deployment-queries.ts'
import { deploymentJson } from '../sites/publishing/json.ts'
import { findSite } from '../sites/publishing/site-queries.ts'
import * as queries from './overview-queries.ts'
import { DOMAINS_MAX, bounded, domainGroups, historyOf, stepsOf } from './summary.ts'

/** Above every id and every number. */
const NEWEST = { order: 2n ** 63n - 1n, deployment: 2n ** 31n }

export function overviewRoutes(app: FastifyInstance, platform: Platform): void {
  const { inProject, within, plans } = platform
  mount(app, getOverview, within, async ({ caller: { project } }) => {
    const read = await inProject(project, (db) => readAll(db, project))
    const { owner, available, pending, sold, openOrders, lastOrders, days, current, last, rows, site } = read
    if (!owner) throw new Refusal('not_found', 'No project with this slug.')
    const domains = rows.map(shownStatus)
    const front = {
      animals: { available: bounded(available), pending: bounded(pending), sold: bounded(sold) },
      openOrders,
      history: historyOf(days),
      domains: domainGroups(domains),
      steps: stepsOf({
        hasAnimals: available + pending + sold > 0,
        site: draftSettings(site?.settings ?? null, owner.name),
        hasLogo: Boolean(site?.logo),
        isPublished: current !== undefined,
        includesDomains: plans.most(owner.plan, 'customDomains') > 0,
        domains,
      }),
    }
    const orders = `[${(await notified(platform, project, lastOrders)).map(managedOrderJson).join(',')}]`
    const shown = [current, last].map((deployment) => (deployment ? deploymentJson(deployment) : 'null'))
    const json =
      `${JSON.stringify(front).slice(0, -1)},"lastOrders":${orders},` +
      `"currentDeployment":${shown[0]},"lastDeployment":${shown[1]}}`
    return { json }
  })
}

/** Sent concurrently; none depends on the result of another. */
async function readAll(db: Db, project: ProjectId) {
  const [owner, available, pending, sold, openOrders, lastOrders, days, current, [last], rows, site] =
    await Promise.all([
      findProject(db, project),
      queries.countAnimals(db, project, 'available', COUNT_MAX + 1),
      queries.countAnimals(db, project, 'pending', COUNT_MAX + 1),
      queries.countAnimals(db, project, 'sold', COUNT_MAX + 1),
      queries.countOpenOrders(db, project, COUNT_MAX),
      listManaged(db, project, { before: NEWEST.order, count: LAST_ORDERS }),
      queries.countByDay(db, project, HISTORY_DAYS, HISTORY_ORDERS_MAX),
      findCurrent(db, project),
      listDeployments(db, project, NEWEST.deployment, 1),
      listDomains(db, project, '', DOMAINS_MAX),
      findSite(db, project),
    ])
  return { owner, available, pending, sold, openOrders, lastOrders, days, current, last, rows, site }
}

// The search of a project on `/platform/v1`: animals by name, breed and chip number, and orders by name, read in one transaction.

export function searchRoutes(app: FastifyInstance, platform: Platform): void {
  const { inProject, within } = platform
  mount(app, searchProject, within, async ({ caller: { project }, query: { text } }) => {
    if (text === undefined) return { json: '{"animals":[],"orders":[]}' }
    const [{ rows: animals }, orders] = await inProject(project, (db) =>
      Promise.all([
        listByText(db, project, {
          prefix: text,
          after: undefined,
          count: FOUND_MAX,
          status: undefined,
          categoryId: undefined,
        }),
        listByVisitor(db, project, text, FOUND_MAX),
      ]),
    )
    const shown = (await notified(platform, project, orders)).map(managedOrderJson)
    return { json: `{"animals":[${animals.map(animalJson).join(',')}],"orders":[${shown.join(',')}]}` }
  })
}
