// `/v1/store/orders` (experimental): the project's orders, read-only.

import { listOrders, type Operation } from '@petstore-platform/contract/operations'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import type { Caller } from '../projects/guard.io.ts'
import type { InProject } from '../projects/scope.io.ts'
import { orderJson } from './json.ts'
import * as orders from './order-queries.ts'

type Deps = { inProject: InProject; baseUrl: string; mounting: Mounting<Caller, Operation> }

export function orderRoutes(app: FastifyInstance, { inProject, baseUrl, mounting }: Deps): void {
  mount(app, listOrders, mounting, ({ caller: { project }, query: { limit, cursor } }) =>
    pageOf({ url: `${baseUrl}/store/orders`, limit, cursor }, async (before, count) => {
      const rows = await inProject(project, (db) => orders.list(db, project, { before, count }))
      return { json: rows.map(orderJson).join(','), count: rows.length }
    }),
  )
}
