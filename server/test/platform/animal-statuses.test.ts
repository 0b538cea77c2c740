// The status of many animals at once: the effect on the animals and their orders, refusals,
// and concurrent changes without deadlocks.

import { ANIMALS_AT_ONCE_MAX } from '@petstore-platform/contract/platform/animal-statuses'
import { describe, expect, test } from 'vitest'
import { asProject, expectRefusal } from '../v1/responses.ts'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { startPeople } from './people.ts'
import { reserving } from '../orders/reservations.ts'

const people = await startPeople()
const on = reserving(people.test.database, people.test.service.database)
const mia = await people.owner()
const other = await people.owner()

const set = (by: Visitor, ids: unknown, status: unknown, of = mia) =>
  by.send('PUT', `/projects/${of.slug}/animals/statuses`, { ids, status })

const addMany = (owner: PlatformOwner, count: number): Promise<bigint[]> =>
  asProject(people.test.database, owner.project, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into pets (project_id, name, category_id, status)
       select $1, 'Rex ' || n, 1, 'available' from generate_series(1, $2::integer) as n returning id`,
      [owner.project, count],
    )
    return rows.map(({ id }) => BigInt(id))
  })

const statusesOf = (owner: PlatformOwner, ids: readonly bigint[]): Promise<string[]> =>
  asProject(people.test.database, owner.project, async (client) => {
    const { rows } = await client.query<{ status: string }>(
      'select distinct status from pets where project_id = $1 and id = any ($2) order by status',
      [owner.project, ids.map(String)],
    )
    return rows.map(({ status }) => status)
  })

const notesOf = (owner: PlatformOwner): Promise<{ actor: string; subject: string; detail: unknown }[]> =>
  asProject(people.test.database, owner.project, async (client) => {
    const { rows } = await client.query<{ actor: string; subject: string; detail: unknown }>(
      `select actor, subject, detail from audit where project_id = $1 and action = 'animal_statuses_set' order by id`,
      [owner.project],
    )
    return rows
  })

describe('setAnimalStatuses', () => {
  test('returns how many have changed, how many had it already, and which do not exist', async () => {
    const own = await people.owner()
    const [first, second] = await addMany(own, 2)
    const sold = await on.addAnimal(own.project, 'Sold', 'sold')
    const foreign = await on.addAnimal(other.project)
    const never = 9_223_372_036_854_775_807n
    const answer = await set(own, [never, second, sold, foreign, first, -5n], 'sold', own)
    expect([answer.status, answer.text]).toEqual([
      200,
      `{"changed":2,"unchanged":1,"closed":0,"missing":[${never},${foreign},-5]}`,
    ])
    expect(await statusesOf(own, [first ?? 0n, second ?? 0n, sold])).toEqual(['sold'])
    expect((await on.look(other.project, foreign)).status).toBe('available')
    expect(await notesOf(own)).toEqual([{ actor: own.id, subject: 'animals', detail: { to: 'sold', count: 2 } }])
    expect(await on.auditEvents(own.project, first ?? 0n)).toEqual([])
  })

  test('records no audit event when nothing changes', async () => {
    const own = await people.owner()
    const id = await on.addAnimal(own.project, 'Sold', 'sold')
    expect((await set(own, [id, -5n], 'sold', own)).text).toBe('{"changed":0,"unchanged":1,"closed":0,"missing":[-5]}')
    expect(await notesOf(own)).toEqual([])
  })

  test.each([
    ['available', 'new'],
    ['sold', 'closed'],
    ['pending', 'new'],
  ] as const)('%s leaves open requests %s, as for one animal', async (status, stage) => {
    const ids = [await on.addAnimal(mia.project), await on.addAnimal(mia.project), await on.addAnimal(mia.project)]
    const orders = [await on.reserve(mia.project, ids[0] ?? 0n), await on.reserve(mia.project, ids[1] ?? 0n)]
    expect((await set(mia, ids, status)).status).toBe(200)
    const isDecided = stage === 'closed'
    for (const [index, { id }] of orders.entries()) {
      expect(await on.look(mia.project, ids[index] ?? 0n)).toMatchObject({
        status,
        orders: [{ id, stage, isDecided, decidedBy: isDecided ? mia.id : null, hasTimer: !isDecided }],
      })
      expect(await on.auditEvents(mia.project, id)).toEqual([
        'visitor order_placed',
        ...(isDecided ? [`${mia.id} order_closed`] : []),
      ])
    }
    expect(await on.look(mia.project, ids[2] ?? 0n)).toEqual({ status, orders: [] })
  })

  test('accepts up to its limit, within one request', async () => {
    const ids = await addMany(mia, ANIMALS_AT_ONCE_MAX)
    const answer = await set(mia, ids, 'pending')
    expect(answer.text).toBe(`{"changed":${ANIMALS_AT_ONCE_MAX},"unchanged":0,"closed":0,"missing":[]}`)
    expect(await statusesOf(mia, ids)).toEqual(['pending'])
  })

  test('succeeds for many concurrent callers, each with another order of the same animals', async () => {
    const own = await people.owner()
    const ids = await addMany(own, 200)
    const wishes = [ids, ids.toReversed(), [...ids.slice(77), ...ids.slice(0, 77)], ids.toReversed(), ids]
    for (let round = 0; round < 4; round++) {
      const statuses = ['sold', 'pending', 'available', 'sold', 'pending']
      const answers = await Promise.all(wishes.map((wish, index) => set(own, wish, statuses[index], own)))
      expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => 200))
      expect(await statusesOf(own, ids)).toHaveLength(1)
    }
  })

  test('leaves no animal half held while visitors reserve the same animals', async () => {
    const own = await people.owner()
    const ids = await addMany(own, 20)
    await Promise.all([
      ...ids.map((id) => on.reserve(own.project, id).catch(() => undefined)),
      set(own, ids.toReversed(), 'sold', own),
    ])
    await set(own, ids, 'sold', own)
    for (const id of ids) {
      const { status, orders } = await on.look(own.project, id)
      expect([status, orders.filter((order) => order.status === 'placed' || order.hasTimer)]).toEqual(['sold', []])
    }
  })

  test.each([
    ['no animal', { ids: [], status: 'sold' }, 'invalid_field'],
    ['an animal twice', { ids: [1, 2, 1], status: 'sold' }, 'invalid_field'],
    ['an id that is text', { ids: ['1'], status: 'sold' }, 'invalid_field'],
    ['an id that is no integer', { ids: [1.5], status: 'sold' }, 'invalid_field'],
    ['an id of more than 64 bits', { ids: [9_223_372_036_854_775_808n], status: 'sold' }, 'invalid_field'],
    ['an id that is no list', { ids: 1, status: 'sold' }, 'invalid_field'],
    [
      'too many',
      { ids: Array.from({ length: ANIMALS_AT_ONCE_MAX + 1 }, (_, n) => n), status: 'sold' },
      'invalid_field',
    ],
    ['a status that nothing has', { ids: [1], status: 'gone' }, 'invalid_field'],
    ['no status', { ids: [1] }, 'missing_field'],
    ['no ids', { status: 'sold' }, 'missing_field'],
    ['something else', { ids: [1], status: 'sold', name: 'Max' }, 'unknown_field'],
  ] as const)('refuses %s', async (_, body, code) => {
    expectRefusal(await mia.send('PUT', `/projects/${mia.slug}/animals/statuses`, body), 400, code)
  })

  test('is for admins, and a project of others is not found', async () => {
    const id = await on.addAnimal(mia.project)
    const { admin, viewer, stranger, nobody } = await people.everybody(mia)
    expectRefusal(await set(viewer, [id], 'sold'), 403, 'insufficient_role')
    expectRefusal(await set(stranger, [id], 'sold'), 404, 'not_found', 'No project with this slug.')
    expectRefusal(await set(nobody, [id], 'sold'), 401, 'not_signed_in')
    expect((await on.look(mia.project, id)).status).toBe('available')
    expect((await set(admin, [id], 'sold')).text).toBe('{"changed":1,"unchanged":0,"closed":0,"missing":[]}')
  })
})

describe('listAnimals, for a table that people scroll', () => {
  test('returns up to 1000 animals a page, and continues from there', async () => {
    const own = await people.owner()
    const ids = (await addMany(own, 2001)).toReversed().map(String)
    const seen: string[] = []
    const sizes: number[] = []
    let path = `/projects/${own.slug}/animals?limit=1000`
    while (path !== '') {
      const answer = await own.send('GET', path)
      const page = [...answer.text.matchAll(/"id":(\d+)/g)].map(([, id = '']) => id)
      seen.push(...page)
      sizes.push(page.length)
      const next = /<[^>]*(\/projects\/[^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      path = next ?? ''
    }
    expect(sizes).toEqual([1000, 1000, 1])
    expect(seen).toEqual(ids)
    expect((await own.send('GET', `/projects/${own.slug}/animals?limit=1000&name=rex`)).json).toHaveLength(1000)
  })

  test.each(['1001', '0', '-1', '1e3'])('refuses a limit of %s', async (limit) => {
    const answer = await mia.send('GET', `/projects/${mia.slug}/animals?limit=${limit}`)
    expectRefusal(answer, 400, 'invalid_parameter', /an integer from 1 to 1000/)
  })
})
