// Orders of a project: SQL inside one project.

import type { OrderStatus } from '@petstore/contract/orders'
import { statement, type Db } from '../foundation/postgres.ts'
import type { ProjectId } from '../projects/scope.ts'

export type StoredOrder = { id: bigint; petId: bigint; status: OrderStatus; shipDate: Date | null; createdAt: Date }

const listOrders = statement<StoredOrder, [project: ProjectId, before: bigint, count: number]>(
  'list-orders',
  `select id, pet_id as "petId", status, ship_date as "shipDate", created_at as "createdAt"
   from orders
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

export const list = (db: Db, project: ProjectId, { before, count }: { before: bigint; count: number }) =>
  db(listOrders, project, before, count)
