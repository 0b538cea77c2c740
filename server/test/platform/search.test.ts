// The search of a project: by the beginning of a name, bounded, in one's own project only, and by an index.

import { FOUND_MAX } from '@petstore-platform/contract/platform/search'
import { expect, test } from 'vitest'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { reserving } from '../orders/reservations.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { startPeople } from './people.ts'

type Found = { animals: { name: string }[]; orders: { petName: string; visitor: { name: string } }[] }

const people = await startPeople()
const on = reserving(people.test.database, people.test.service.database)

const ask = (by: Visitor, of: PlatformOwner, text: string) =>
  by.send('GET', `/projects/${of.slug}/search?text=${encodeURIComponent(text)}`)

async function found(owner: PlatformOwner, text: string): Promise<{ animals: string[]; visitors: string[] }> {
  const { status, json } = await ask(owner, owner, text)
  expect(status).toBe(200)
  const { animals, orders } = json as Found
  return { animals: animals.map(({ name }) => name), visitors: orders.map(({ visitor }) => visitor.name) }
}

async function order(owner: PlatformOwner, animal: string, visitor: string): Promise<void> {
  const contact = { contact: 'ben@visitor.example', message: '' }
  await on.reserve(owner.project, await on.addAnimal(owner.project, animal), { name: visitor, ...contact })
}

test('animals and visitors are found by the beginning of their names, ignoring case', async () => {
  const owner = await people.owner()
  await order(owner, 'Bella', 'Zoë Adams')
  await order(owner, 'Rex', 'BEN Miller')
  await order(owner, 'Kit', 'Ben')
  await on.addAnimal(owner.project, 'Élan', 'sold')
  expect(await found(owner, 'be')).toEqual({ animals: ['Bella'], visitors: ['Ben', 'BEN Miller'] })
  expect(await found(owner, 'ZOË')).toEqual({ animals: [], visitors: ['Zoë Adams'] })
  expect(await found(owner, 'él')).toEqual({ animals: ['Élan'], visitors: [] })
  expect(await found(owner, 'miller')).toEqual({ animals: [], visitors: [] })
  expect(await found(owner, '%')).toEqual({ animals: [], visitors: [] })
})

test('at most six of each are returned', async () => {
  const owner = await people.owner()
  for (let n = 1; n <= FOUND_MAX + 2; n++) await order(owner, `Rex ${n}`, `Rea ${n}`)
  const { animals, visitors } = await found(owner, 're')
  expect([animals.length, visitors.length]).toEqual([FOUND_MAX, FOUND_MAX])
  expect(visitors[0]).toBe('Rea 1')
})

test('without a text nothing is found, and an invalid one is rejected', async () => {
  const owner = await people.owner()
  await order(owner, 'Bella', 'Ben')
  const empty = await owner.send('GET', `/projects/${owner.slug}/search`)
  expect([empty.status, empty.json]).toEqual([200, { animals: [], orders: [] }])
  for (const text of ['', 'a'.repeat(101), 'a\u0000'])
    expectRefusal(await ask(owner, owner, text), 400, 'invalid_parameter')
})

test('members of the project may search it, and no one else', async () => {
  const owner = await people.owner()
  const neighbour = await people.owner()
  await order(owner, 'Bella', 'Ben')
  await order(neighbour, 'Benno', 'Bea')
  const { admin, viewer, stranger, nobody } = await people.everybody(owner)
  const own = (await ask(owner, owner, 'be')).text
  expect(own).not.toContain('Benno')
  for (const member of [admin, viewer]) expect((await ask(member, owner, 'be')).text).toBe(own)
  expectRefusal(await ask(stranger, owner, 'be'), 404, 'not_found')
  expectRefusal(await ask(nobody, owner, 'be'), 401, 'not_signed_in')
})

test('orders are found by their index, not by reading all of them', async () => {
  const owner = await people.owner()
  const plan = await asProject(people.test.database, owner.project, async (client) => {
    await client.query('set local enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select id from orders
       where project_id = ${owner.project} and visitor_key >= (select 'be') and visitor_key < (select 'bf')
       order by visitor_key, id desc limit 6`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('orders_by_visitor')
  expect(plan).toMatch(/Index Cond: .*visitor_key/)
  expect(plan).not.toContain('Sort')
})
