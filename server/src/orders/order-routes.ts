// Routes for orders on `/platform/v1`: list, show, approve, decline; and the status of an
// animal, set by hand, since it may decide an order.

import { int64FromPath } from '@petstore-platform/contract/int64'
import * as contract from '@petstore-platform/contract/platform/orders'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import { Refusal } from '../foundation/refusal.ts'
import { petNotFound } from '../pets/v1-pet-routes.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { decide, orderNotFound, setStatusByOwner, setStatusesByOwner } from './advance.io.ts'
import { heldAnimalJson, managedOrderJson, statusesSetJson } from './json.ts'
import * as orders from './order-queries.ts'
import type { OrderRow } from './order-queries.ts'
import { notified, type NotificationDeps } from './visitor-mails.io.ts'

export type OrderRouteDeps = PlatformDeps & NotificationDeps

export function orderPlatformRoutes(app: FastifyInstance, deps: OrderRouteDeps): void {
  const { inProject, baseUrl, within } = deps
  const listJson = async (project: ProjectId, rows: readonly OrderRow[]) =>
    (await notified(deps, project, rows)).map(managedOrderJson).join(',')

  mount(app, contract.listOrders, within, ({ caller: { project, slug }, query: { limit, status, cursor } }) =>
    pageOf(
      { url: `${baseUrl}/projects/${slug}/orders`, limit, cursor, filter: status, filterName: 'status' },
      async (before, count) => {
        const rows = await inProject(project, (db) => orders.listManaged(db, project, { before, count, status }))
        return { json: await listJson(project, rows), count: rows.length }
      },
    ),
  )

  mount(app, contract.getOrder, within, async ({ caller: { project }, path }) => {
    const id = orderIdOf(path)
    const order = await inProject(project, (db) => orders.findManaged(db, project, id))
    if (!order) throw orderNotFound()
    return { json: await listJson(project, [order]) }
  })

  mount(app, contract.approveOrder, within, async ({ caller, path }) => ({
    json: await listJson(caller.project, [await decide(deps, caller, orderIdOf(path), 'approved')]),
  }))

  mount(app, contract.declineOrder, within, async ({ caller, path }) => ({
    json: await listJson(caller.project, [await decide(deps, caller, orderIdOf(path), 'declined')]),
  }))

  mount(app, contract.setAnimalStatus, within, async ({ caller, path, body }) => {
    const id = int64FromPath(path['petId'] ?? '')
    const animal = id === undefined ? undefined : await setStatusByOwner(deps, caller, id, body.status)
    if (!animal) throw petNotFound()
    return { json: heldAnimalJson(animal) }
  })

  mount(app, contract.setAnimalStatuses, within, async ({ caller, body: { ids, status } }) => {
    if (new Set(ids).size < ids.length) throw new Refusal('invalid_field', contract.idsFault)
    return { json: statusesSetJson(await setStatusesByOwner(deps, caller, ids, status)) }
  })
}

function orderIdOf(path: Record<string, string>): bigint {
  const id = int64FromPath(path['orderId'] ?? '')
  if (id === undefined) throw orderNotFound()
  return id
}
