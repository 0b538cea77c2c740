// Shared set-up of tests of orders: animals, reservations as the site makes them, and the
// stored state.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { defaultRequestSettings } from '@petstore-platform/contract/platform/order-holds'
import type { HoldRule } from '@petstore-platform/contract/platform/orders'
import type { Database } from '../../src/foundation/postgres/postgres.io.ts'
import type { VisitorWords } from '../../src/orders/visitor.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import { setRequestSettings } from '../../src/orders/settings-queries.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import type { TestDatabase } from '../../../testbed/harness/database.ts'

export const ben = { name: 'Ben', contact: 'ben@visitor.example', message: 'May I see him on Saturday?' }

export type StoredOrder = {
  status: PetStatus
  orders: {
    id: bigint
    status: string
    stage: string
    isHolding: boolean
    decidedBy: string | null
    isDecided: boolean
    hasTimer: boolean
  }[]
}

export function reserving(database: TestDatabase, opened: Pick<Database, 'transaction'>) {
  const inProject = inProjectOf(opened)
  return {
    inProject,
    reserve: (project: ProjectId, petId: bigint, visitor: VisitorWords = ben) =>
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
               'id', o.id::text, 'status', o.status, 'stage', o.stage, 'isHolding', o.is_holding, 'decidedBy', decided_by, 'isDecided', decided_at is not null,
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

    /** As if the request had been silent, or its hold had begun, so long ago that it ended this many seconds ago. */
    age: (project: ProjectId, orderId: bigint, seconds = 1, what = 'expires_at'): Promise<void> =>
      asProject(database, project, async (client) => {
        const over = `now() - make_interval(secs => $3)`
        const values = [project, orderId, seconds]
        await client.query(`update orders set ${what} = ${over} where project_id = $1 and id = $2`, values)
        await client.query(
          `update due_directory set due_at = ${over} where kind = 'order_expiry' and project_id = $1 and id = $2::text`,
          [project, String(orderId), seconds],
        )
      }),

    /** How the animals of the project are held. */
    setRule: (project: ProjectId, holdRule: HoldRule) =>
      inProject(project, (db) => setRequestSettings(db, project, { ...defaultRequestSettings, holdRule })),

    /** As if the last changes of the requests for the animal had been made long ago. */
    forgetUndo: (project: ProjectId, petId: bigint): Promise<void> =>
      asProject(database, project, async (client) => {
        const text = 'update orders set undo = null, undo_until = null where project_id = $1 and pet_id = $2'
        await client.query(text, [project, petId])
      }),

    /** Every column of the animal and its requests, and the timers of these, as text. */
    dump: (project: ProjectId, petId: bigint): Promise<string> =>
      asProject(database, project, async (client) => {
        const { rows } = await client.query<{ line: string }>(
          `select to_jsonb(pets)::text as line from pets where project_id = $1 and id = $2
           union all
           select to_jsonb(orders)::text from orders where project_id = $1 and pet_id = $2
           union all
           select kind || ' ' || d.id || ' ' || date_trunc('second', d.due_at + interval '0.5 seconds')
           from due_directory d join orders o on o.project_id = d.project_id and o.id::text = d.id
           where d.kind = 'order_expiry' and d.project_id = $1 and o.pet_id = $2
           order by 1`,
          [project, petId],
        )
        return rows.map(({ line }) => line).join('\n')
      }),

    /** The audit events of an order or an animal, oldest first: both have numbers. */
    auditEvents: (project: ProjectId, subject: bigint, of: 'order' | 'animal' = 'order'): Promise<string[]> =>
      asProject(database, project, async (client) => {
        const { rows } = await client.query<{ actor: string; action: string }>(
          `select actor, action from audit
           where project_id = $1 and subject = $2 and starts_with(action, $3) order by id`,
          [project, String(subject), of],
        )
        return rows.map(({ actor, action }) => `${actor} ${action}`)
      }),
  }
}
