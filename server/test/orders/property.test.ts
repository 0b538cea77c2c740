// Invariants of animals, requests and timers: they match after any sequence of actions by
// visitors, members and the clock on a few animals, sequential or concurrent. Runs against a
// real PostgreSQL; the actions of a batch really are concurrent.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { petStatuses } from '@petstore-platform/contract/pets'
import {
  holdRules,
  openStages,
  orderMoves,
  type HoldRule,
  type OrderMove,
} from '@petstore-platform/contract/platform/orders'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { Unavailable, openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { Refusal } from '../../src/foundation/refusal.ts'
import { advance, hold, move, release, undo } from '../../src/orders/advance.io.ts'
import { setStatusByOwner } from '../../src/orders/status-by-hand.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { asProject } from '../v1/responses.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { reserving, type StoredOrder } from './reservations.ts'

const ANIMALS = 3
const RUNS = 25
const account = 'acc_000000000000000000000001' as AccountId

/** `which`: of the requests for the animal, the oldest first. */
type OrderAction =
  | { animal: number; what: 'ask' }
  | { animal: number; which: number; what: 'expire' | 'end_hold' | 'hold' | 'release' | 'undo' }
  | { animal: number; which: number; what: 'move'; fact: OrderMove }
  | { animal: number; what: 'set'; status: PetStatus }
  | { animal: number; what: 'rule'; rule: HoldRule }

const animal = fc.nat({ max: ANIMALS - 1 })
const which = fc.nat({ max: 3 })
const action: fc.Arbitrary<OrderAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ animal, what: fc.constant('ask' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ animal, which, what: fc.constant('move' as const), fact: fc.constantFrom(...orderMoves) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      animal,
      which,
      what: fc.constantFrom(
        'expire' as const,
        'end_hold' as const,
        'hold' as const,
        'release' as const,
        'undo' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ animal, what: fc.constant('set' as const), status: fc.constantFrom(...petStatuses) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ animal, what: fc.constant('rule' as const), rule: fc.constantFrom(...holdRules) }),
  },
)
const batches = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })

const clone = await cloneDatabase()
const database = openDatabase({ url: clone.appUrl, poolMax: 10, onError: () => {} })
const on = reserving(clone, database)
const project = await createProject(database, { slug: 'shelter', name: 'Shelter' })

afterAll(() => database.close())

const open: readonly string[] = openStages

/** What is wrong with an animal and its requests; nothing if they match. */
function faultsOf({ status, orders }: StoredOrder, maySetPending: boolean): string[] {
  const holders = orders.filter(({ isHolding }) => isHolding)
  const openOrders = orders.filter(({ stage }) => open.includes(stage))
  return [
    ...(holders.length > 1 ? [`${holders.length} requests hold the animal`] : []),
    ...(holders.length === 1 && status !== 'pending' ? [`a request holds the animal, which is ${status}`] : []),
    ...(holders.length === 0 && status === 'pending' && !maySetPending ? ['pending without a hold'] : []),
    ...(status === 'sold' && openOrders.length > 0 ? ['sold, with open requests'] : []),
    ...orders
      .filter(({ stage, isHolding, hasTimer }) => hasTimer !== (stage === 'new' || stage === 'talking' || isHolding))
      .map(({ stage, hasTimer }) => `a request is ${stage}, and its timer is ${hasTimer ? 'there' : 'gone'}`),
    ...orders
      .filter(({ status: shown, isDecided }) => isDecided === (shown === 'placed'))
      .map(({ status: shown, isDecided }) => `an order is ${shown}, and decided: ${isDecided}`),
  ]
}

const deps = { inProject: on.inProject }
const member = { project, account }

/** Acts on a request that was there when the batch began, whatever has become of it by now. */
async function act(petId: bigint, ids: readonly bigint[], done: OrderAction): Promise<unknown> {
  if (done.what === 'ask') return on.reserve(project, petId)
  if (done.what === 'set') return setStatusByOwner(deps, member, petId, done.status)
  if (done.what === 'rule') return on.setRule(project, done.rule)
  const id = ids[done.which % Math.max(1, ids.length)]
  if (id === undefined) return undefined
  if (done.what === 'hold') return hold(deps, member, id)
  if (done.what === 'release') return release(deps, member, id)
  if (done.what === 'undo') return undo(deps, member, id)
  if (done.what === 'move') return move(deps, member, id, { fact: done.fact })
  return advance(deps, project, id)
}

async function runBatch(pets: readonly bigint[], batch: readonly OrderAction[]): Promise<void> {
  const before = await Promise.all(pets.map((petId) => on.look(project, petId)))
  for (const done of batch) {
    if (done.what !== 'expire' && done.what !== 'end_hold') continue
    const orders = before[done.animal]?.orders ?? []
    const order = orders[done.which % Math.max(1, orders.length)]
    if (done.what === 'end_hold' && order?.isHolding) await on.age(project, order.id, 1, 'held_until')
    if (done.what === 'expire' && order && ['new', 'talking'].includes(order.stage)) await on.age(project, order.id)
  }
  const outcomes = await Promise.allSettled(
    batch.map((done) => {
      const ids = before[done.animal]?.orders.map(({ id }) => id) ?? []
      return act(pets[done.animal] ?? 0n, ids, done)
    }),
  )
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue
    const { reason } = outcome as { reason: unknown }
    // On a busy machine a request may wait too long for a lock; then nothing of it was done.
    if (reason instanceof Unavailable) continue
    if (!(reason instanceof Refusal) || !['not_available', 'wrong_state', 'queue_full'].includes(reason.code))
      throw reason
  }
}

test('an animal is held by at most one request, or by hand, or not at all; and a sold one has no open request', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const pets = await Promise.all(Array.from({ length: ANIMALS }, () => on.addAnimal(project)))
      const isByHand = pets.map(() => false)
      for (const batch of all) {
        await runBatch(pets, batch)
        for (const { animal: n, ...done } of batch) {
          if (done.what === 'set' && done.status === 'pending') isByHand[n] = true
        }
        for (const [n, petId] of pets.entries()) {
          const stored = await on.look(project, petId)
          expect(faultsOf(stored, isByHand[n] ?? false)).toEqual([])
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

/** As a program would that knows no lock: it holds the animal for each of two requests. */
async function holdTwice(): Promise<StoredOrder> {
  const petId = await on.addAnimal(project)
  for (let n = 0; n < 2; n++) {
    const { id } = await on.reserve(project, petId)
    await asProject(clone, project, (client) =>
      client.query(
        `update orders set is_holding = true, held_until = now() + interval '1 day' where project_id = $1 and id = $2`,
        [project, id],
      ),
    )
  }
  return on.look(project, petId)
}

test('a second hold of one animal cannot be stored, whatever a program does', async () => {
  await on.setRule(project, 'by_hand')
  await expect(holdTwice()).rejects.toThrow(/orders_one_holding/)
})

test.each<[string, StoredOrder]>([
  ['a request holds the animal, which is sold', { status: 'sold', orders: [orderThatIs('closed', true)] }],
  ['pending without a hold', { status: 'pending', orders: [orderThatIs('expired')] }],
  ['sold, with open requests', { status: 'sold', orders: [orderThatIs('approved')] }],
  [
    'a request is declined, and its timer is there',
    { status: 'available', orders: [{ ...orderThatIs('declined'), hasTimer: true }] },
  ],
])('the property fails: %s (negative control)', (fault, stored) => {
  expect(faultsOf(stored, false)).toContain(fault)
})

test('without the index two requests hold one animal, and that is found (negative control)', async () => {
  await asOwner(clone, (client) => client.query('drop index orders_one_holding'))
  expect(faultsOf(await holdTwice(), false)).toContain('2 requests hold the animal')
})

function orderThatIs(stage: string, isHolding = false): StoredOrder['orders'][number] {
  const status = stage === 'closed' ? 'declined' : stage
  const isUndecided = stage === 'new' || stage === 'talking'
  return { id: 1n, status, stage, isHolding, decidedBy: null, isDecided: !isUndecided, hasTimer: isUndecided }
}
