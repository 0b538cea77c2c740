// The clock of requests: the members are reminded, holds end, silent requests expire, with any
// number of workers, late or twice, and never against what a member does.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { runTimers, type Timer, type Worker } from '../../src/foundation/postgres/timer-leases.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { advance, hold, move } from '../../src/orders/advance.io.ts'
import { setStatusByOwner } from '../../src/orders/status-by-hand.io.ts'
import { orderWork } from '../../src/orders/jobs.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { asProject } from '../v1/responses.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { claimTimer } from '../foundation/claim-timers.ts'
import { reserving } from './reservations.ts'

const account = 'acc_000000000000000000000001' as AccountId
const DAY = 86_400

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

const workOf = () => orderWork({ inProject: on.inProject })
const dueOf = (id: bigint): Timer => ({ kind: 'order_expiry', project, id: String(id), fence: 1n, attempts: 1 })
const deps = () => ({ inProject: on.inProject })
const member = () => ({ project, account })

/** A request that was silent for so long that it expired this many seconds ago. */
async function asked(secondsLate?: number) {
  const petId = await on.addAnimal(project)
  const { id } = await on.reserve(project, petId)
  if (secondsLate !== undefined) await on.age(project, id, secondsLate)
  return { petId, id }
}

/** One that holds its animal, until this many seconds ago. */
async function held(secondsLate?: number) {
  const { petId, id } = await asked()
  await hold(deps(), member(), id)
  if (secondsLate !== undefined) await on.age(project, id, secondsLate, 'held_until')
  return { petId, id }
}

const secondsToTimer = async (id: bigint) => {
  const { rows } = await asProject(clone, project, (client) =>
    client.query<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from due_directory
       where kind = 'order_expiry' and id = $1`,
      [String(id)],
    ),
  )
  return rows[0]?.seconds ?? Number.NaN
}
const isNear = (seconds: number, expected: number) => Math.abs(seconds - expected) < 120

test('a request has one timer: for the reminder, then the end of the hold, then the expiry', async () => {
  const { id } = await held()
  expect(isNear(await secondsToTimer(id), 3 * DAY)).toBe(true)
  await on.age(project, id, -27 * DAY)
  const [due] = await database.run(claimTimer, 'order_expiry', String(id))
  if (!due) throw new Error('no timer')
  await workOf().work(due)
  expect(isNear(await secondsToTimer(id), 7 * DAY)).toBe(true)
  await on.age(project, id, 1, 'held_until')
  const [again] = await database.run(claimTimer, 'order_expiry', String(id))
  if (!again) throw new Error('no timer')
  await workOf().work(again)
  expect(isNear(await secondsToTimer(id), 27 * DAY)).toBe(true)
})

test('three workers expire what is due and free the animals, once each, and leave alone what is not due', async () => {
  const late = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const request = await held()
      await on.age(project, request.id, 1 + n * 1_000_000)
      return request
    }),
  )
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
      { timeout: 30_000 },
    )
    .toEqual(late.map(() => 'available'))
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))

  for (const { petId, id } of late) {
    const { orders } = await on.look(project, petId)
    expect(orders).toMatchObject([{ id, stage: 'expired', decidedBy: 'petstore', isDecided: true, hasTimer: false }])
    expect((await on.auditEvents(project, id)).slice(2)).toEqual(['petstore order_expired'])
  }
  expect(await on.look(project, early.petId)).toMatchObject({ status: 'pending', orders: [{ stage: 'new' }] })
  expect(errors).toEqual([])
})

test('a hold that ends frees the animal once, and the stage stays', async () => {
  const { petId, id } = await held(5)
  await Promise.all(Array.from({ length: 5 }, () => workOf().work(dueOf(id))))
  expect(await on.look(project, petId)).toMatchObject({
    status: 'available',
    orders: [{ stage: 'new', isHolding: false, hasTimer: true }],
  })
})

/** Work that notes the kinds of the mails that it queues. */
const notingWork = (queued: string[]) =>
  orderWork({
    inProject: on.inProject,
    queueMail: (_, { kind }) => Promise.resolve(void queued.push(kind)),
  })

test('after three silent days its members are reminded once; when a hold ends they are notified', async () => {
  const admin = 'acc_000000000000000000000002' as AccountId
  await on.inProject(project, (db) => insertMember(db, project, admin, 'admin'))
  const { petId, id } = await held()
  await on.age(project, id, -26 * DAY)
  const queued: string[] = []
  const [due] = await database.run(claimTimer, 'order_expiry', String(id))
  if (!due) throw new Error('no timer')
  await Promise.all([notingWork(queued).work(due), notingWork(queued).work(due)])
  await notingWork(queued).work(due)
  expect(queued).toEqual(['order_waiting'])
  expect((await on.look(project, petId)).status).toBe('pending')

  await on.age(project, id, 1, 'held_until')
  const [ended] = await database.run(claimTimer, 'order_expiry', String(id))
  if (!ended) throw new Error('no timer')
  await Promise.all([notingWork(queued).work(ended), notingWork(queued).work(ended)])
  expect(queued).toEqual(['order_waiting', 'hold_ended'])
})

test('what a member does ends the silence', async () => {
  const { id } = await asked()
  await on.age(project, id, -5 * DAY)
  await move(deps(), member(), id, { fact: 'contacted' })
  expect(isNear(await secondsToTimer(id), 3 * DAY)).toBe(true)
  await move(deps(), member(), id, { fact: 'approved' })
  expect(isNear(await secondsToTimer(id), 7 * DAY)).toBe(true)
})

test('work that comes too early does nothing, and returns when to come again', async () => {
  const { petId, id } = await asked()
  const again = (await workOf().work(dueOf(id))) ?? 0
  expect(isNear(again, 3 * DAY)).toBe(true)
  expect(await on.look(project, petId)).toMatchObject({ status: 'available', orders: [{ stage: 'new' }] })
})

test.each([
  ['approved', 'pending', true],
  ['declined', 'available', false],
] as const)('a request that was %s in the meantime does not expire, and its animal stays %s', async (fact, ...rest) => {
  const [status, hasTimer] = rest
  const { petId, id } = await asked(5)
  await move(deps(), member(), id, { fact })
  await workOf().work(dueOf(id))
  expect(await on.look(project, petId)).toMatchObject({
    status,
    orders: [{ id, stage: fact, decidedBy: account, isDecided: true, hasTimer }],
  })
})

test('late work for a hold that was ended by hand does not free an animal that another request holds', async () => {
  const { petId, id } = await held(5)
  await setStatusByOwner(deps(), member(), petId, 'available')
  const { id: second } = await on.reserve(project, petId)
  await hold(deps(), member(), second)
  await workOf().work(dueOf(id))
  const { status, orders } = await on.look(project, petId)
  expect([status, orders.map(({ isHolding }) => isHolding)]).toEqual(['pending', [false, true]])
})

test('of concurrent approval and expiry one wins, and the animal matches it', async () => {
  for (let round = 0; round < 10; round++) {
    const { petId, id } = await asked(5)
    await Promise.allSettled([
      advance(deps(), project, id),
      move(deps(), member(), id, { fact: 'approved' }),
      advance(deps(), project, id),
    ])
    const { status, orders } = await on.look(project, petId)
    expect([
      ['pending', 'approved'],
      ['available', 'expired'],
    ]).toContainEqual([status, orders[0]?.stage])
  }
})

test('an expired request can be neither approved nor declined, and is reopened', async () => {
  const { id } = await asked(5)
  await workOf().work(dueOf(id))
  for (const fact of ['approved', 'declined'] as const) {
    await expect(move(deps(), member(), id, { fact })).rejects.toMatchObject({
      code: 'wrong_state',
      message: 'This request has expired.',
    })
  }
  expect(await move(deps(), member(), id, { fact: 'reopened' })).toMatchObject({ stage: 'new' })
})

test('work for an order that does not exist is finished', async () => {
  expect(await workOf().work(dueOf(9007199254740991n))).toBeUndefined()
})
