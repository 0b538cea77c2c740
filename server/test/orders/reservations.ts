// Shared set-up of tests of orders: animals, reservations as the site makes them, and the
// stored state.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { Database } from '../../src/foundation/postgres/postgres.io.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import type { TestDatabase } from '../../../testbed/harness/database.ts'

export const ben = { name: 'Ben', contact: 'ben@visitor.example', message: 'May I see him on Saturday?' }

export type StoredOrder = {
  status: PetStatus
  orders: { id: bigint; status: string; decidedBy: string | null; isDecided: boolean; hasTimer: boolean }[]
}

export function reserving(database: TestDatabase, opened: Pick<Database, 'transaction'>) {
  const inProject = inProjectOf(opened)
  return {
    inProject,
    reserve: (project: ProjectId, petId: bigint, visitor = ben) =>
      reserve({ inProject }, project, { petId, ...visitor }),

    addAnimal: (project: ProjectId, name = 'Rex', status: PetStatus = 'available'): Promise<bigint> =>
      asProject(database, project, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into pets (project_id, name, category_id, status) values ($1, $2, 1, $3) returning id',
          [project, name, status],
        )
        return BigInt(rows[0]?.id ?? '')
      }),

    /** An animal and its orders, oldest first, in one snapshot. */
    look: (project: ProjectId, petId: bigint): Promise<StoredOrder> =>
      asProject(database, project, async (client) => {
        const { rows } = await client.query<{
          status: PetStatus
          orders: (StoredOrder['orders'][number] & { id: string })[]
        }>(
          `select status, (
             select coalesce(json_agg(json_build_object(
               'id', o.id::text, 'status', o.status, 'decidedBy', decided_by, 'isDecided', decided_at is not null,
               'hasTimer', exists (select from due_directory d
                  where d.kind = 'order_expiry' and d.project_id = o.project_id and d.id = o.id::text)
             ) order by o.id), '[]') from orders o where o.project_id = pets.project_id and o.pet_id = pets.id
           ) as orders
           from pets where project_id = $1 and id = $2`,
          [project, petId],
        )
        const [found] = rows
        if (!found) throw new Error('the animal is not there')
        return { status: found.status, orders: found.orders.map((order) => ({ ...order, id: BigInt(order.id) })) }
      }),

    /** As if the order had been placed so long ago that it expired this many seconds ago. */
    age: (project: ProjectId, orderId: bigint, seconds = 1): Promise<void> =>
      asProject(database, project, async (client) => {
        const over = `now() - make_interval(secs => $3)`
        const values = [project, orderId, seconds]
        await client.query(`update orders set expires_at = ${over} where project_id = $1 and id = $2`, values)
        await client.query(
          `update due_directory set due_at = ${over} where kind = 'order_expiry' and project_id = $1 and id = $2::text`,
          [project, String(orderId), seconds],
        )
      }),

    /** The audit events of an order or an animal, oldest first. */
    auditEvents: (project: ProjectId, subject: bigint): Promise<string[]> =>
      asProject(database, project, async (client) => {
        const { rows } = await client.query<{ actor: string; action: string }>(
          'select actor, action from audit where project_id = $1 and subject = $2 order by id',
          [project, String(subject)],
        )
        return rows.map(({ actor, action }) => `${actor} ${action}`)
      }),
  }
}
