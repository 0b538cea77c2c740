// Expiry of orders: expired orders free their animals, with any number of workers, late or
// twice, and never against a decision.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { runTimers, type Timer, type Worker } from '../../src/foundation/postgres/timers.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { decide, expire, setStatusByOwner } from '../../src/orders/advance.io.ts'
import { expireWork } from '../../src/orders/jobs.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { claimTimer } from '../foundation/claim-timers.ts'
import { reserving } from './reservations.ts'

const account = 'acc_000000000000000000000001' as AccountId

let clone: TestDatabase
let database: Database
let project: ProjectId
let on: ReturnType<typeof reserving>
const workers: Worker[] = []
const errors: Error[] = []

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.appUrl, poolMax: 10, onError: () => {} })
  on = reserving(clone, database)
  project = await createProject(database, { slug: 'shelter', name: 'Shelter' })
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await database.close()
})

const workOf = () => expireWork({ database, inProject: on.inProject, now: Date.now })
const dueOf = (id: bigint): Timer => ({ kind: 'order_expiry', project, id: String(id), fence: 1n, attempts: 1 })

async function held(secondsLate?: number) {
  const petId = await on.addAnimal(project)
  const { id } = await on.reserve(project, petId)
  if (secondsLate !== undefined) await on.age(project, id, secondsLate)
  return { petId, id }
}

/** How long before the expiry of the order its timer is due, in seconds. */
const timerLead = async (id: bigint) => {
  const { rows } = await asProject(clone, project, (client) =>
    client.query<{ seconds: number }>(
      `select extract(epoch from expires_at - due_at)::float8 as seconds from due_directory, orders
       where kind = 'order_expiry' and due_directory.id = $1::text and orders.id = $1::bigint`,
      [String(id)],
    ),
  )
  return rows[0]?.seconds
}

test('the timer of an order is due a day before the order expires', async () => {
  const { id } = await held()
  expect(await timerLead(id)).toBe(86_400)
})

test('three workers expire what is due and free the animals, once each, and leave alone what is not due', async () => {
  const late = await Promise.all(Array.from({ length: 12 }, (_, n) => held(1 + n * 1_000_000)))
  const early = await held()
  for (let n = 0; n < 3; n++) {
    const kinds = { order_expiry: workOf() }
    workers.push(
      runTimers({ run: database.run, kinds, atOnce: 4, pauseMs: 20, onError: (error) => void errors.push(error) }),
    )
  }
  await expect
    .poll(
      async () => (await Promise.all(late.map(({ petId }) => on.look(project, petId)))).map(({ status }) => status),
      {
        timeout: 20_000,
      },
    )
    .toEqual(late.map(() => 'available'))
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))

  for (const { petId, id } of late) {
    const { orders } = await on.look(project, petId)
    expect(orders).toEqual([{ id, status: 'expired', decidedBy: 'petstore', isDecided: true, hasTimer: false }])
    expect(await on.auditEvents(project, id)).toEqual(['visitor order_placed', 'petstore order_expired'])
  }
  expect(await on.look(project, early.petId)).toMatchObject({ status: 'pending', orders: [{ status: 'placed' }] })
  expect(errors).toEqual([])
})

test('the work done twice, even concurrently, has one effect', async () => {
  const { petId, id } = await held(5)
  await Promise.all(Array.from({ length: 5 }, () => workOf().work(dueOf(id))))
  await workOf().work(dueOf(id))
  expect(await on.auditEvents(project, id)).toEqual(['visitor order_placed', 'petstore order_expired'])
  expect((await on.look(project, petId)).status).toBe('available')
})

test('work that comes too early does nothing, and returns when to come again', async () => {
  const { petId, id } = await held()
  const again = await workOf().work(dueOf(id))
  expect(again).toBeGreaterThan(518_400 - 120)
  expect(again).toBeLessThanOrEqual(518_400)
  expect(await on.look(project, petId)).toMatchObject({ status: 'pending', orders: [{ status: 'placed' }] })
})

/** Work that notes the kinds of the mails that it queues. */
const notingWork = (queued: string[]) =>
  expireWork({
    database,
    inProject: on.inProject,
    now: Date.now,
    queueMail: (_, { kind }) => Promise.resolve(void queued.push(kind)),
  })

test('on the last day its members are reminded once, and the timer moves to the expiry', async () => {
  const member = { id: 'acc_000000000000000000000002' as AccountId }
  await on.inProject(project, (db) => insertMember(db, project, member.id, 'admin'))
  const { petId, id } = await held(-3600)
  const queued: string[] = []
  const [due] = await database.run(claimTimer, 'order_expiry', String(id))
  if (!due) throw new Error('no timer')
  // The second one has lost its claim, since the first has moved the timer.
  await Promise.all([notingWork(queued).work(due), notingWork(queued).work(due)])
  await notingWork(queued).work(due)
  expect(queued).toEqual(['order_expiring'])
  expect(Math.abs((await timerLead(id)) ?? Number.NaN)).toBeLessThanOrEqual(1)
  expect(await on.look(project, petId)).toMatchObject({
    status: 'pending',
    orders: [{ status: 'placed', hasTimer: true }],
  })
})

test.each([
  ['approved', 'sold'],
  ['declined', 'available'],
] as const)('an order that was %s in the meantime is left alone, and its animal stays %s', async (fact, status) => {
  const { petId, id } = await held(5)
  await decide({ inProject: on.inProject }, { project, account }, id, fact)
  await workOf().work(dueOf(id))
  const { orders, ...animal } = await on.look(project, petId)
  expect(animal).toEqual({ status })
  expect(orders).toEqual([{ id, status: fact, decidedBy: account, isDecided: true, hasTimer: false }])
})

test('late work for an overridden order does not free an animal that another order holds', async () => {
  const { petId, id } = await held(5)
  await setStatusByOwner({ inProject: on.inProject }, { project, account }, petId, 'available')
  const { id: second } = await on.reserve(project, petId)
  await workOf().work(dueOf(id))
  const { status, orders } = await on.look(project, petId)
  expect([status, ...orders.map((order) => order.status)]).toEqual(['pending', 'declined', 'placed'])
  expect(orders[1]).toMatchObject({ id: second, hasTimer: true })
})

test('of concurrent approval and expiry one wins, and the animal matches it', async () => {
  for (let round = 0; round < 10; round++) {
    const { petId, id } = await held(5)
    await Promise.allSettled([
      expire({ inProject: on.inProject }, project, id),
      decide({ inProject: on.inProject }, { project, account }, id, 'approved'),
      expire({ inProject: on.inProject }, project, id),
    ])
    const { status, orders } = await on.look(project, petId)
    expect([
      ['sold', 'approved'],
      ['available', 'expired'],
    ]).toContainEqual([status, orders[0]?.status])
    expect(await on.auditEvents(project, id)).toHaveLength(2)
  }
})

test('an expired order can be neither approved nor declined', async () => {
  const { id } = await held(5)
  await workOf().work(dueOf(id))
  for (const fact of ['approved', 'declined'] as const) {
    await expect(decide({ inProject: on.inProject }, { project, account }, id, fact)).rejects.toMatchObject({
      code: 'wrong_state',
      message: 'This order has expired; the animal is available again.',
    })
  }
})

test('work for an order that does not exist is finished', async () => {
  expect(await workOf().work(dueOf(9007199254740991n))).toBeUndefined()
})
