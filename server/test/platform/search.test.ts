// The search of a project: by the beginning of a name or of a word in it, by breed and by chip number, bounded, in one's own
// project only, and by an index.

import { ANIMALS_SORTED_MAX } from '@petstore-platform/contract/platform/animals'
import { FOUND_MAX } from '@petstore-platform/contract/platform/search'
import { expect, test } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
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

/** With a profile, written as a member writes it. */
async function addWith(owner: PlatformOwner, name: string, fields: object): Promise<bigint> {
  const id = await on.addAnimal(owner.project, name)
  const path = `/projects/${owner.slug}/animals/${id}`
  const { profile } = (await owner.send('GET', path)).json as { profile: object }
  const written = await owner.send('PUT', `${path}/profile`, { ...profile, ...fields })
  expect([written.status, written.text]).toEqual([200, written.text])
  return id
}

test('animals are found by every word of a name, by their breeds and by their chip number', async () => {
  const owner = await people.owner()
  await on.addAnimal(owner.project, 'Tommy')
  await on.addAnimal(owner.project, 'Old Tom')
  await on.addAnimal(owner.project, 'Anne-Élan')
  await addWith(owner, 'Rex', {
    breed: 'Lakeland Terrier',
    secondBreed: 'Poodle',
    isMixed: true,
    chipNumber: '941 000-026.100201',
  })
  await addWith(owner, 'Terry Terrier', { breed: 'Terrier' })
  const animals = async (text: string) => (await found(owner, text)).animals
  expect(await animals('tom')).toEqual(['Tommy', 'Old Tom'])
  expect(await animals('old t')).toEqual(['Old Tom'])
  expect(await animals('om')).toEqual([])
  expect(await animals('él')).toEqual(['Anne-Élan'])
  expect(await animals('TERRI')).toEqual(['Rex', 'Terry Terrier'])
  expect(await animals('poodle')).toEqual(['Rex'])
  for (const chip of ['941000026100201', '941 000 026 100 201', '941000']) expect(await animals(chip)).toEqual(['Rex'])
  expect(await animals('100201')).toEqual([])
})

test('words follow a change of a name and of a profile, and are deleted with the animal', async () => {
  const owner = await people.owner()
  const id = await addWith(owner, 'Old Tom', { breed: 'Tabby', chipNumber: '7' })
  const path = `/projects/${owner.slug}/animals/${id}`
  expect((await owner.send('PATCH', path, { name: 'Young Max' })).status).toBe(200)
  const { profile } = (await owner.send('GET', path)).json as { profile: object }
  expect((await owner.send('PUT', `${path}/profile`, { ...profile, breed: 'Siamese' })).status).toBe(200)
  const animals = async (text: string) => (await found(owner, text)).animals
  for (const text of ['tom', 'tabby']) expect(await animals(text)).toEqual([])
  for (const text of ['max', 'siam', '7']) expect(await animals(text)).toEqual(['Young Max'])
  expect((await owner.send('DELETE', path)).status).toBe(204)
  const left = await asProject(people.test.database, owner.project, (client) => client.query('select from pet_words'))
  expect(left.rowCount).toBe(0)
})

test('animals whose words were not written are found once fill_pet_words has added them', async () => {
  const owner = await people.owner()
  const asTableOwner = (sql: string) => asOwner(people.test.database, (client) => client.query(sql))
  const triggers = (state: string) =>
    ['pets', 'pet_profiles'].map((table) => `alter table ${table} ${state} trigger words_on_insert`).join(';')
  await asTableOwner(triggers('disable'))
  await asProject(people.test.database, owner.project, (client) =>
    client.query(
      `insert into pets (project_id, category_id, status, name)
       select ${owner.project}, 1, 'sold', 'Old Zora ' || g from generate_series(1, 1500) g`,
    ),
  )
  await addWith(owner, 'Rex', { breed: 'Zebra Finch' })
  await asTableOwner(triggers('enable'))
  expect((await found(owner, 'z')).animals).toEqual([])
  // Twice: a migration without a transaction may be repeated.
  for (let time = 0; time < 2; time++) await asTableOwner('call fill_pet_words()')
  expect((await found(owner, 'zora 1500')).animals).toEqual(['Old Zora 1500'])
  expect((await found(owner, 'zebra')).animals).toEqual(['Rex'])
})

test('a list of what is found continues page by page, each animal once, through more than one scan', async () => {
  const owner = await people.owner()
  const many = 5200
  await asProject(people.test.database, owner.project, (client) =>
    client.query(
      `insert into pets (project_id, category_id, status, name)
       select ${owner.project}, 1, case when g % 1700 = 0 then 'available' else 'sold' end, name
       from generate_series(1, ${many}) g, unnest(array['Old Tommy Tom ' || g]) name
       union all select ${owner.project}, 1, 'available', name from unnest(array['Tom', 'Tomcat']) name`,
    ),
  )
  const all = await readList(owner, 'name=tom&limit=1000')
  expect([all.ids.length, new Set(all.ids).size]).toEqual([many + 2, many + 2])
  const available = await readList(owner, 'name=tom&limit=2&status=available')
  expect(available.ids).toHaveLength(5)
  expect(available.sizes[0]).toBe(2)
  expect(new Set(available.ids).size).toBe(5)
})

/** Every page, continued by its Link header: the animals, and how many there were on each. */
async function readList(
  owner: PlatformOwner,
  query: string,
): Promise<{ ids: string[]; names: string[]; sizes: number[] }> {
  const [ids, names, sizes]: [string[], string[], number[]] = [[], [], []]
  for (let path = `/projects/${owner.slug}/animals?${query}`; path !== '';) {
    const { json, headers } = await owner.send('GET', path)
    const page = json as { id: number; name: string }[]
    ids.push(...page.map(({ id }) => String(id)))
    names.push(...page.map(({ name }) => name))
    sizes.push(page.length)
    path = /<[^>]*(\/projects\/[^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
  }
  return { ids, names, sizes }
}

test('the list is sorted by name, and shows animals without a photo, page by page', async () => {
  const owner = await people.owner()
  for (const name of ['Rex', 'ada', 'Mia', 'Old Tom', 'Bo', 'Cleo']) {
    const id = await on.addAnimal(owner.project, name, name === 'Bo' ? 'sold' : 'available')
    if (name === 'Rex' || name === 'ada') continue
    // Of Cleo's nothing can be shown.
    const [state, reason, size] = name === 'Cleo' ? ["'failed'", "'damaged'", 'null'] : ["'ready'", 'null', '320']
    await asProject(people.test.database, owner.project, (client) =>
      client.query(
        `insert into photos (project_id, pet_id, id, position, state, reason, upload, digest, recipe, widths, sizes, width, height)
         values (${owner.project}, ${id}, 'pho_' || repeat('0', 24), 1, ${state}, ${reason}, repeat('a', 64),
           repeat('a', 64), 1, '{320}', '{1}', ${size}, ${size})`,
      ),
    )
  }
  const names = async (query: string) => (await readList(owner, query)).names
  expect(await names('sort=name&limit=4')).toEqual(['ada', 'Bo', 'Cleo', 'Mia', 'Old Tom', 'Rex'])
  expect(await names('sort=name&limit=1&status=available')).toEqual(['ada', 'Cleo', 'Mia', 'Old Tom', 'Rex'])
  expect(await readList(owner, 'photo=none&limit=2')).toMatchObject({ names: ['Cleo', 'ada', 'Rex'], sizes: [1, 0, 2] })
  expect(await names('photo=none&sort=name&limit=2')).toEqual(['ada', 'Cleo', 'Rex'])
  expect(await names('photo=none&name=c')).toEqual(['Cleo'])
  const first = await owner.send('GET', `/projects/${owner.slug}/animals?photo=none&limit=2`)
  const cursor = /cursor=([\w-]+)/.exec(String(first.headers.link))?.[1]
  const other = await owner.send('GET', `/projects/${owner.slug}/animals?sort=name&limit=2&cursor=${cursor}`)
  expectRefusal(other, 400, 'invalid_cursor')
})

test('the list is sorted by completeness, least complete first, among a bounded number of animals', async () => {
  const owner = await people.owner()
  const bare = await on.addAnimal(owner.project, 'Rex')
  const some = await addWith(owner, 'Ada', { breed: 'Terrier', sex: 'female' })
  const most = await addWith(owner, 'Mia', { breed: 'Terrier', sex: 'female', headline: 'Hello', story: 'Long' })
  const same = await addWith(owner, 'Rexi', { breed: 'Poodle', sex: 'male' })
  await on.addAnimal(owner.project, 'Sold', 'sold')
  const sorted = (query: string) => readList(owner, `sort=completeness&${query}`)
  const [Rex, Ada, Mia, Rexi] = [bare, some, most, same].map(String)
  expect(await sorted('status=available&limit=1')).toMatchObject({ ids: [Rex, Rexi, Ada, Mia], sizes: [1, 1, 1, 1] })
  expect((await sorted('limit=3')).names).toEqual(['Sold', 'Rex', 'Rexi', 'Ada', 'Mia'])
  expect((await sorted('name=rex&limit=1')).names).toEqual(['Rex', 'Rexi'])
  expect((await sorted('name=terr')).names).toEqual(['Ada', 'Mia'])
  expect((await sorted('categoryId=1&status=sold')).names).toEqual(['Sold'])
  expect((await sorted('photo=none&limit=2')).names).toHaveLength(5)
  const path = `/projects/${owner.slug}/animals?limit=2`
  const first = await owner.send('GET', `${path}&sort=completeness`)
  const cursor = /cursor=([\w-]+)/.exec(String(first.headers.link))?.[1]
  for (const other of ['', '&sort=name', '&sort=completeness&status=sold'])
    expectRefusal(await owner.send('GET', `${path}${other}&cursor=${cursor}`), 400, 'invalid_cursor')

  await asProject(people.test.database, owner.project, (client) =>
    client.query(
      `insert into pets (project_id, category_id, status, name)
       select ${owner.project}, 2, 'available', 'Late ' || g from generate_series(1, ${ANIMALS_SORTED_MAX}) g`,
    ),
  )
  // The newest ones alone.
  const late = await sorted('limit=1000')
  expect([late.ids.length, new Set(late.ids).size]).toEqual([ANIMALS_SORTED_MAX, ANIMALS_SORTED_MAX])
  expect(late.names.every((name) => name.startsWith('Late'))).toBe(true)
  expect((await sorted('categoryId=1&limit=1000')).ids).toHaveLength(5)
})

test('the order by completeness counts what the shown completeness counts', async () => {
  const owner = await people.owner()
  const parts = [
    { headline: 'Hello' },
    { story: 'Long' },
    { traits: ['calm'] },
    { breed: 'Terrier' },
    { sex: 'male' },
    { size: 'small' },
    { born: { date: '2020-01-01', precision: 'year', isEstimated: true } },
    { inCareSince: '2026-01-01' },
    { isNeutered: 'no' },
    { goodWithCats: 'yes' },
  ]
  const ids: bigint[] = []
  for (const [index, part] of parts.entries()) ids.push(await addWith(owner, `Part ${index}`, part))
  await addWith(owner, 'Two', { sex: 'male', size: 'small' })
  // Says nothing of what is counted.
  await addWith(owner, 'Bare', { secondBreed: '', color: 'black', location: 'Berlin', isFeatured: true })
  const { names } = await readList(owner, 'sort=completeness&limit=100')
  expect(names).toEqual(['Bare', ...ids.map((_, index) => `Part ${index}`).toReversed(), 'Two'])
  const { json } = await owner.send('GET', `/projects/${owner.slug}/animals?sort=completeness&limit=100`)
  const shown = (json as { profile: { completeness: number } }[]).map(({ profile }) => profile.completeness)
  expect(shown).toEqual([0, ...parts.map(() => 9), 18])
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
