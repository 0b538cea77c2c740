// `/v1/store/orders` (experimental): the project's orders, read-only.

import { listOrders } from '@petstore-platform/contract/operations'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import type { V1 } from '../projects/v1.ts'
import { orderJson } from './json.ts'
import * as orders from './order-queries.ts'

export function orderRoutes(app: FastifyInstance, { inProject, baseUrl, mounting }: V1): void {
  mount(app, listOrders, mounting, ({ caller: { project }, query: { limit, cursor } }) =>
    pageOf({ url: `${baseUrl}/store/orders`, limit, cursor }, async (before, count) => {
      const rows = await inProject(project, (db) => orders.list(db, project, { before, count }))
      return { json: rows.map(orderJson).join(','), count: rows.length }
    }),
  )
}
