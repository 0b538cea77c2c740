// Invariants of animals, orders and timers: they match after any sequence of actions by
// visitors, members and the clock on a few animals, sequential or concurrent. Runs against a
// real PostgreSQL; the actions of a batch really are concurrent.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { petStatuses } from '@petstore-platform/contract/pets'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { Unavailable, openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { Refusal } from '../../src/foundation/refusal.ts'
import { decide, expire, setStatusByOwner } from '../../src/orders/advance.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { asProject } from '../v1/responses.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { reserving, type StoredOrder } from './reservations.ts'

const ANIMALS = 3
const account = 'acc_000000000000000000000001' as AccountId

type OrderAction =
  | { animal: number; what: 'reserve' | 'approve' | 'decline' | 'expire' }
  | { animal: number; what: 'set'; status: PetStatus }

const animal = fc.nat({ max: ANIMALS - 1 })
const action: fc.Arbitrary<OrderAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ animal, what: fc.constant('reserve' as const) }) },
  { weight: 4, arbitrary: fc.record({ animal, what: fc.constantFrom('approve', 'decline', 'expire') }) },
  {
    weight: 2,
    arbitrary: fc.record({ animal, what: fc.constant('set' as const), status: fc.constantFrom(...petStatuses) }),
  },
)
const batches = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })

const clone = await cloneDatabase()
const database = openDatabase({ url: clone.appUrl, poolMax: 10, onError: () => {} })
const on = reserving(clone, database)
const project = await createProject(database, { slug: 'shelter', name: 'Shelter' })

afterAll(() => database.close())

/** What is wrong with an animal and its orders; nothing if they match. */
function faultsOf({ status, orders }: StoredOrder, maySetPending: boolean): string[] {
  const placed = orders.filter((order) => order.status === 'placed')
  return [
    ...(placed.length > 1 ? [`${placed.length} orders are placed`] : []),
    ...(placed.length === 1 && status !== 'pending' ? [`an order is placed, and the animal is ${status}`] : []),
    ...(placed.length === 0 && status === 'pending' && !maySetPending ? ['pending without an order'] : []),
    ...orders
      .filter((order) => order.hasTimer !== (order.status === 'placed'))
      .map((order) => `an order is ${order.status}, and its timer is ${order.hasTimer ? 'there' : 'gone'}`),
    ...orders
      .filter((order) => order.isDecided === (order.status === 'placed'))
      .map((order) => `an order is ${order.status}, and decided: ${order.isDecided}`),
  ]
}

/** Acts on the order that was newest when the batch began, decided by now or not. */
async function act(petId: bigint, newest: bigint | undefined, done: OrderAction): Promise<unknown> {
  const deps = { inProject: on.inProject }
  if (done.what === 'reserve') return on.reserve(project, petId)
  if (done.what === 'set') return setStatusByOwner(deps, { project, account }, petId, done.status)
  if (newest === undefined) return undefined
  if (done.what === 'expire') return expire(deps, project, newest)
  return decide(deps, { project, account }, newest, done.what === 'approve' ? 'approved' : 'declined')
}

async function runBatch(pets: readonly bigint[], batch: readonly OrderAction[]): Promise<void> {
  const before = await Promise.all(pets.map((petId) => on.look(project, petId)))
  const newest = before.map(({ orders }) => orders.at(-1)?.id)
  for (const { animal, what } of batch) {
    const id = newest[animal]
    if (what === 'expire' && id !== undefined) await on.age(project, id)
  }
  const outcomes = await Promise.allSettled(
    batch.map((done) => act(pets[done.animal] ?? 0n, newest[done.animal], done)),
  )
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue
    const { reason } = outcome as { reason: unknown }
    // On a busy machine a request may wait too long for a lock; then nothing of it was done.
    if (reason instanceof Unavailable) continue
    if (!(reason instanceof Refusal) || !['not_available', 'wrong_state'].includes(reason.code)) throw reason
  }
}

test('an animal is held by exactly one placed order, or by hand, or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const pets = await Promise.all(Array.from({ length: ANIMALS }, () => on.addAnimal(project)))
      const isByHand = pets.map(() => false)
      for (const batch of all) {
        await runBatch(pets, batch)
        for (const { animal, ...done } of batch) {
          if (done.what === 'set' && done.status === 'pending') isByHand[animal] = true
        }
        for (const [n, petId] of pets.entries()) {
          const stored = await on.look(project, petId)
          expect(faultsOf(stored, isByHand[n] ?? false)).toEqual([])
          if (stored.status !== 'pending') isByHand[n] = false
        }
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('a second placed order for one animal cannot be stored, whatever a program does', async () => {
  const petId = await on.addAnimal(project)
  await on.reserve(project, petId)
  const again = asProject(clone, project, (client) =>
    client.query(`insert into orders (project_id, pet_id, status) values ($1, $2, 'placed')`, [project, petId]),
  )
  await expect(again).rejects.toThrow(/orders_one_placed/)
})

test.each<[string, StoredOrder]>([
  ['2 orders are placed', { status: 'pending', orders: [orderThatIs('placed'), orderThatIs('placed')] }],
  ['an order is placed, and the animal is sold', { status: 'sold', orders: [orderThatIs('placed')] }],
  ['pending without an order', { status: 'pending', orders: [orderThatIs('expired')] }],
  ['an order is declined, and its timer is there', { status: 'available', orders: [orderThatIs('declined', true)] }],
])('the property fails: %s (negative control)', (fault, stored) => {
  expect(faultsOf(stored, false)).toEqual([fault])
})

function orderThatIs(status: string, hasTimer = status === 'placed'): StoredOrder['orders'][number] {
  return { id: 1n, status, decidedBy: null, isDecided: status !== 'placed', hasTimer }
}
