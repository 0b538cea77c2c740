// The overview of a project: for a new project and after each step, the bounds of its
// counts, its cost, and who may read it.

import { COUNT_MAX, HISTORY_DAYS } from '@petstore-platform/contract/platform/overview'
import { expect, test } from 'vitest'
import { checkSite } from '../../src/sites/pages/check.ts'
import { setPlan } from '../../src/plans/plans.io.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { deploying } from '../sites/deployments.ts'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { startPeople } from './people.ts'
import { reserving } from '../orders/reservations.ts'

type Body = {
  animals: Record<'available' | 'pending' | 'sold', { count: number; isMore: boolean }>
  openOrders: number
  lastOrders: { id: number; petName: string }[]
  history: { orders: number[]; homes: number[] }
  currentDeployment: { id: string; isCurrent: boolean } | null
  lastDeployment: { id: string; state: string; isCurrent: boolean } | null
  domains: Record<'live' | 'waiting' | 'needAction' | 'others', number>
  steps: { step: string; isDone: boolean }[]
}

const people = await startPeople()
const on = reserving(people.test.database, people.test.service.database)
const sites = deploying(people)

const ask = (by: Visitor, of: PlatformOwner) => by.send('GET', `/projects/${of.slug}/overview`)
async function overview(owner: PlatformOwner): Promise<Body> {
  const answer = await ask(owner, owner)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json as Body
}
const done = ({ steps }: Body) => steps.filter(({ isDone }) => isDone).map(({ step }) => step)
const counted = (count: number) => ({ count, isMore: false })

test('a new project has nothing, and all steps ahead', async () => {
  const owner = await people.owner()
  expect(await overview(owner)).toEqual({
    animals: { available: counted(0), pending: counted(0), sold: counted(0) },
    openOrders: 0,
    lastOrders: [],
    history: { orders: [], homes: [] },
    currentDeployment: null,
    lastDeployment: null,
    domains: { live: 0, waiting: 0, needAction: 0, others: 0 },
    steps: ['animals', 'contact', 'about', 'look', 'publish', 'plan', 'domain', 'live'].map((step) => ({
      step,
      isDone: false,
    })),
  })
})

test('animals and orders are counted, and the last five orders shown, newest first', async () => {
  const owner = await people.owner()
  await on.addAnimal(owner.project, 'Sold', 'sold')
  await on.addAnimal(owner.project, 'Free')
  const ids: number[] = []
  for (let n = 1; n <= 7; n++) {
    const { id } = await on.reserve(owner.project, await on.addAnimal(owner.project, `Rex ${n}`))
    ids.push(Number(id))
  }
  await owner.send('POST', `/projects/${owner.slug}/orders/${ids[6]}/decline`)
  // It stays open until the animal is handed over.
  await owner.send('POST', `/projects/${owner.slug}/orders/${ids[0]}/approve`)
  const found = await overview(owner)
  expect(found.animals).toEqual({ available: counted(7), pending: counted(1), sold: counted(1) })
  expect(found.openOrders).toBe(6)
  expect(found.lastOrders.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 5))
  expect(found.lastOrders[0]).toMatchObject({ petName: 'Rex 7', status: 'declined', visitor: { name: 'Ben' } })
  expect(found.history).toEqual({ orders: [7], homes: [0] })
  expect(done(found)).toEqual(['animals'])
})

test('orders and animals that found a home are counted on their day, from the first order to today', async () => {
  const owner = await people.owner()
  const orderOf = async (name: string) => (await on.reserve(owner.project, await on.addAnimal(owner.project, name))).id
  const age = (id: bigint | number, days: number, column: 'created_at' | 'decided_at') =>
    asProject(people.test.database, owner.project, (client) =>
      client.query(
        `update orders set ${column} = now() - make_interval(days => $3) where project_id = $1 and id = $2`,
        [owner.project, id, days],
      ),
    )
  const [first, second] = [await orderOf('Rex'), await orderOf('Juno')]
  await orderOf('Bella')
  await age(first, 9, 'created_at')
  await age(second, 9, 'created_at')
  await owner.send('POST', `/projects/${owner.slug}/orders/${first}/move`, { fact: 'handed_over' })
  await owner.send('POST', `/projects/${owner.slug}/orders/${second}/decline`)
  await age(first, 7, 'decided_at')
  expect((await overview(owner)).history).toEqual({
    orders: [2, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    homes: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
  })
  await age(first, 400, 'created_at')
  const { orders, homes } = (await overview(owner)).history
  expect([orders.length, homes.length]).toEqual([HISTORY_DAYS, HISTORY_DAYS])
  expect(orders.slice(-10)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
})

test('the published and the newest deployment differ when the newest one failed', async () => {
  const owner = await people.owner()
  const first = await sites.deploy(owner)
  expect((await overview(owner)).lastDeployment).toMatchObject({ id: first.id, state: 'queued', isCurrent: false })
  expect((await overview(owner)).currentDeployment).toBeNull()
  await sites.working(checkSite, () => sites.finished(owner, first.id))
  expect(done(await overview(owner))).toEqual(['look', 'publish'])
  await sites.change(owner, 'Another')
  const second = await sites.deploy(owner)
  await sites.working(
    () => [['no']],
    () => sites.finished(owner, second.id),
  )
  const { currentDeployment, lastDeployment } = await overview(owner)
  expect([currentDeployment, lastDeployment]).toMatchObject([
    { id: first.id, state: 'succeeded', isCurrent: true },
    { id: second.id, state: 'failed', isCurrent: false },
  ])
})

test('domains are counted by status, and removed ones not at all', async () => {
  const owner = await people.owner()
  await setPlan({ inProject: on.inProject }, owner.project, 'pro', 'test')
  expect(done(await overview(owner))).toEqual(['plan'])
  await asProject(people.test.database, owner.project, async (client) => {
    const add = (n: number, more: Record<string, string>) => {
      const fields = { hostname: `shop-${n}.example.com`, token: `petstore-verify=${'x'.repeat(28)}`, ...more }
      const names = Object.keys(fields)
      return client.query(
        `insert into domains (project_id, id, token_generation, next_look_at, ${names.join()})
         values ($1, $2, 0, now(), ${names.map((_, index) => `$${index + 3}`).join()})`,
        [owner.project, `dom_${String(n).padStart(24, '0')}`, ...Object.values(fields)],
      )
    }
    const proven = { ownership: 'proven', generation: '1', routing: 'pointing' }
    await add(1, { ...proven, certificate: 'deployed' })
    await add(2, proven)
    await add(3, { cause: 'dns.no_record', cause_severity: 'blocks' })
    await add(4, { ...proven, certificate: 'deployed', routing: 'drifted' })
    await add(5, { rest: 'dormant' })
    await add(6, {})
    await add(7, { ownership: 'released', removed_at: '2026-11-01T00:00:00Z' })
  })
  const found = await overview(owner)
  expect(found.domains).toEqual({ live: 1, waiting: 2, needAction: 2, others: 1 })
  expect(done(found)).toEqual(['plan', 'domain', 'live'])
})

test('counting stops at its bound, and is exact up to it', async () => {
  const owner = await people.owner()
  const change = (text: string, ...more: number[]) =>
    asProject(people.test.database, owner.project, (client) => client.query(text, [owner.project, ...more]))
  await change(
    `insert into pets (project_id, name, category_id, status)
     select $1, 'Rex', 1, 'sold' from generate_series(1, $2::integer)`,
    COUNT_MAX + 1,
  )
  expect((await overview(owner)).animals.sold).toEqual({ count: COUNT_MAX, isMore: true })
  await change(`delete from pets where project_id = $1 and id = (select max(id) from pets where project_id = $1)`)
  expect((await overview(owner)).animals).toEqual({
    available: counted(0),
    pending: counted(0),
    sold: counted(COUNT_MAX),
  })
})

test('viewers and other members may read it, and no one else', async () => {
  const owner = await people.owner()
  const neighbour = await people.owner()
  await on.addAnimal(neighbour.project, 'Next door')
  const { admin, viewer, stranger, nobody } = await people.everybody(owner)
  const [found, ...same] = [await ask(owner, owner), await ask(admin, owner), await ask(viewer, owner)]
  for (const answer of same) expect(answer.text).toBe(found.text)
  expectRefusal(await ask(stranger, owner), 404, 'not_found', 'No project with this slug.')
  expectRefusal(await ask(nobody, owner), 401, 'not_signed_in')
  expect((await overview(owner)).animals.available).toEqual(counted(0))
  const again = await owner.send('GET', `/projects/${owner.slug}/overview`, undefined, {
    'If-None-Match': String(found.headers.etag),
  })
  expect(again.status).toBe(304)
})
