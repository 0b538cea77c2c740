// Routes for orders on `/platform/v1`: list, show, approve, decline; and the status of an
// animal, set by hand, since it may decide an order.

import { int64FromPath } from '@petstore/contract/int64'
import * as contract from '@petstore/contract/platform/orders'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import { Refusal } from '../foundation/refusal.ts'
import { petNotFound } from '../pets/v1-pet-routes.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import { decide, orderNotFound, setStatusByOwner, setStatusesByOwner } from './advance.io.ts'
import { heldAnimalJson, managedOrderJson, statusesSetJson } from './json.ts'
import * as orders from './order-queries.ts'

export function orderPlatformRoutes(app: FastifyInstance, { inProject, baseUrl, within }: PlatformDeps): void {
  mount(app, contract.listOrders, within, ({ caller: { project, slug }, query: { limit, status, cursor } }) =>
    pageOf(
      { url: `${baseUrl}/projects/${slug}/orders`, limit, cursor, filter: status, filterName: 'status' },
      async (before, count) => {
        const rows = await inProject(project, (db) => orders.listManaged(db, project, { before, count, status }))
        return { json: rows.map(managedOrderJson).join(','), count: rows.length }
      },
    ),
  )

  mount(app, contract.getOrder, within, async ({ caller: { project }, path }) => {
    const id = orderIdOf(path)
    const order = await inProject(project, (db) => orders.findManaged(db, project, id))
    if (!order) throw orderNotFound()
    return { json: managedOrderJson(order) }
  })

  mount(app, contract.approveOrder, within, async ({ caller, path }) => ({
    json: managedOrderJson(await decide({ inProject }, caller, orderIdOf(path), 'approved')),
  }))

  mount(app, contract.declineOrder, within, async ({ caller, path }) => ({
    json: managedOrderJson(await decide({ inProject }, caller, orderIdOf(path), 'declined')),
  }))

  mount(app, contract.setAnimalStatus, within, async ({ caller, path, body }) => {
    const id = int64FromPath(path['petId'] ?? '')
    const animal = id === undefined ? undefined : await setStatusByOwner({ inProject }, caller, id, body.status)
    if (!animal) throw petNotFound()
    return { json: heldAnimalJson(animal) }
  })

  mount(app, contract.setAnimalStatuses, within, async ({ caller, body: { ids, status } }) => {
    if (new Set(ids).size < ids.length) throw new Refusal('invalid_field', contract.idsFault)
    return { json: statusesSetJson(await setStatusesByOwner({ inProject }, caller, ids, status)) }
  })
}

function orderIdOf(path: Record<string, string>): bigint {
  const id = int64FromPath(path['orderId'] ?? '')
  if (id === undefined) throw orderNotFound()
  return id
}
