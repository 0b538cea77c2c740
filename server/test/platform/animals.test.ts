// Animals and categories on `/platform/v1`: listed, added, changed, deleted and exported by
// members, with every refusal. Those of another project are answered exactly like those that
// do not exist.

import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'

const platform = await startTestPlatform()
const owner = await platform.owner()
const stranger = await platform.owner()
const viewer = await platform.signUp('Viewer')
const database = openDatabase({ url: platform.test.database.appUrl, poolMax: 2, onError: () => {} })
const inProject = inProjectOf(database)
await inProject(owner.project, (db) => insertMember(db, owner.project, viewer.id as never, 'viewer'))
afterAll(() => database.close())

const at = (path: string, of: PlatformOwner = owner) => `/projects/${of.slug}${path}`
const codeOf = ({ json }: Received) => (json as { code?: string }).code
type Animal = { id: number; name: string; categoryId: number; status: string; createdAt: string }
const idIn = ({ text }: Received) => /"id":(-?\d+)/.exec(text)?.[1] ?? ''

async function add(
  animal: { name: string; categoryId?: bigint; status?: string },
  of: PlatformOwner = owner,
): Promise<string> {
  const answer = await of.send('POST', at('/animals', of), { categoryId: 1n, ...animal })
  expect(answer.status).toBe(201)
  return idIn(answer)
}

async function list(query: string, of: PlatformOwner = owner): Promise<Animal[]> {
  const answer = await of.send('GET', at(`/animals?${query}`, of))
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json as Animal[]
}
const namesOf = async (query: string, of: PlatformOwner = owner) => (await list(query, of)).map(({ name }) => name)

/** The audit events of a subject, in order. */
async function auditEventsOf(subject: string, project: ProjectId = owner.project) {
  const text = `select actor, action from audit where project_id = $1 and subject = $2 order by id`
  return inProject(project, (db) =>
    db<{ actor: string; action: string }, [bigint, string]>({ name: 'audit-events', text }, project, subject),
  )
}

describe('an animal', () => {
  test('is added, returned, changed and deleted, each with an audit event', async () => {
    const made = await owner.send('POST', at('/animals'), { name: 'Rex "the" Größe', categoryId: 2n ** 63n - 1n })
    expect(made.status).toBe(201)
    const id = idIn(made)
    expect(made.text).toMatch(
      /^{"id":\d+,"name":"Rex \\"the\\" Größe","categoryId":9223372036854775807,"status":"available","createdAt":"\d{4}-[^"]+Z"}$/,
    )
    const shown = await owner.send('GET', at(`/animals/${id}`))
    const profile = `,"profile":${JSON.stringify(emptyProfile)},"photos":[]}`
    expect([shown.status, shown.text]).toEqual([200, made.text.replace(/}$/, profile)])
    expect(
      (await owner.send('GET', at(`/animals/${id}`), undefined, { 'If-None-Match': `${shown.headers.etag}` })).status,
    ).toBe(304)

    const renamed = await owner.send('PATCH', at(`/animals/${id}`), { name: 'Max' })
    expect([renamed.status, renamed.text]).toEqual([200, made.text.replace('Rex \\"the\\" Größe', 'Max')])
    const moved = await owner.send('PATCH', at(`/animals/${id}`), { categoryId: -(2n ** 63n) })
    expect(moved.text).toContain('"name":"Max","categoryId":-9223372036854775808,')

    const deleted = await owner.send('DELETE', at(`/animals/${id}`))
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await owner.send('GET', at(`/animals/${id}`))).status).toBe(404)
    expect(await auditEventsOf(id)).toEqual(
      ['animal_created', 'animal_changed', 'animal_changed', 'animal_deleted'].map((action) => ({
        actor: owner.id,
        action,
      })),
    )
  })

  test('may be added with a status', async () => {
    const id = await add({ name: 'Sold', status: 'sold' })
    expect((await owner.send('GET', at(`/animals/${id}`))).json).toMatchObject({ status: 'sold' })
  })

  test.each([
    [{ name: ' ', categoryId: 1 }, 'invalid_field'],
    [{ name: 'x'.repeat(256), categoryId: 1 }, 'invalid_field'],
    [{ name: 'Rex', categoryId: '1' }, 'invalid_field'],
    [{ name: 'Rex', categoryId: 1, status: 'gone' }, 'invalid_field'],
    [{ name: 'Rex' }, 'missing_field'],
    [{ name: 'Rex', categoryId: 1, id: 5 }, 'unknown_field'],
  ])('that is %j is refused', async (body, code) => {
    const answer = await owner.send('POST', at('/animals'), body)
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
  })

  test('is not changed by an empty change, nor in its status', async () => {
    const id = await add({ name: 'Same' })
    const nothing = await owner.send('PATCH', at(`/animals/${id}`), {})
    expect([nothing.status, codeOf(nothing)]).toEqual([400, 'missing_field'])
    const status = await owner.send('PATCH', at(`/animals/${id}`), { status: 'sold' })
    expect([status.status, codeOf(status)]).toEqual([400, 'unknown_field'])
  })

  test('with an order is not deleted', async () => {
    const id = await add({ name: 'Wanted' })
    const text = `insert into orders (project_id, pet_id, status, stage) values ($1, $2, 'declined', 'declined')`
    await inProject(owner.project, (db) => db({ name: 'order', text }, owner.project, id))
    const answer = await owner.send('DELETE', at(`/animals/${id}`))
    expect([answer.status, codeOf(answer)]).toEqual([409, 'in_use'])
    expect((await owner.send('GET', at(`/animals/${id}`))).status).toBe(200)
  })

  test('is readable and not writable for a viewer', async () => {
    const id = await add({ name: 'Looked at' })
    expect((await viewer.send('GET', at(`/animals/${id}`))).status).toBe(200)
    expect((await viewer.send('GET', at('/animals'))).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/animals', { name: 'No', categoryId: 1 }],
      ['PATCH', `/animals/${id}`, { name: 'No' }],
      ['DELETE', `/animals/${id}`, undefined],
      ['POST', '/categories', { name: 'No' }],
      ['PUT', '/categories/1', { name: 'No' }],
      ['DELETE', '/categories/1', undefined],
    ] as const) {
      const answer = await viewer.send(method, at(path), body)
      expect([method, path, answer.status, codeOf(answer)]).toEqual([method, path, 403, 'insufficient_role'])
    }
  })

  test.each(['GET', 'PATCH', 'DELETE'])('of another project is to %s like one that does not exist', async (method) => {
    const foreign = await add({ name: 'Foreign' }, stranger)
    const body = method === 'PATCH' ? { name: 'Stolen' } : undefined
    const seen = await owner.send(method, at(`/animals/${foreign}`), body)
    for (const other of ['9007199254740991', '-1', '01', 'x', '99999999999999999999']) {
      const missing = await owner.send(method, at(`/animals/${other}`), body)
      expect([other, missing.status, missing.text]).toEqual([other, 404, seen.text])
    }
    expect(seen.status).toBe(404)
    expect((await stranger.send('GET', at(`/animals/${foreign}`, stranger))).json).toMatchObject({ name: 'Foreign' })
  })

  test.each(['/animals', '/animals.csv', '/animals/1', '/categories'])(
    'of a project of others: %s is not found',
    async (path) => {
      const foreign = await owner.send('GET', at(path, stranger))
      const missing = await owner.send('GET', `/projects/no-such-project${path}`)
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
      expect((await platform.anyone.send('GET', at(path))).status).toBe(401)
    },
  )
})

describe('a list of animals', () => {
  let shop: PlatformOwner
  const statuses = ['available', 'pending', 'sold'] as const
  const names = ['Äffchen', 'äffin', 'Bello', 'bella', 'BELLA 2', 'Be%lla', 'Zo_e', '猫', 'b', "O'Hara"]

  beforeAll(async () => {
    shop = await platform.owner()
    for (const [index, name] of names.entries()) {
      for (const status of statuses) await add({ name, status, categoryId: BigInt(index % 2) }, shop)
    }
  })
  const all = names.flatMap((name, index) => statuses.map((status) => ({ name, status, categoryId: index % 2 })))
  const key = ({ name }: { name: string }) => name.toLowerCase()
  const byKey = (a: { name: string }, b: { name: string }) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)

  test('is newest first', async () => {
    const found = await list('limit=100', shop)
    expect(found.map(({ name }) => name)).toEqual(all.map(({ name }) => name).toReversed())
    expect(await namesOf('limit=100&status=sold', shop)).toEqual(names.toReversed())
  })

  test.each([undefined, '', 'b', 'BE', 'bella', 'ä', 'Ä', '猫', 'be%', '_', 'zz'])(
    'whose names begin with %j, of any category and status, holds these by name and no others',
    async (prefix) => {
      for (const categoryId of [undefined, 0, 1, 2]) {
        if (prefix === '' || (prefix === undefined && categoryId === undefined)) continue
        for (const status of [undefined, ...statuses]) {
          const wanted = all
            .filter((animal) => key(animal).startsWith((prefix ?? '').toLowerCase()))
            .filter((animal) => categoryId === undefined || animal.categoryId === categoryId)
            .filter((animal) => status === undefined || animal.status === status)
            .toSorted(byKey)
          const query = new URLSearchParams({
            limit: '100',
            ...(prefix !== undefined && { name: prefix }),
            ...(categoryId !== undefined && { categoryId: String(categoryId) }),
            ...(status !== undefined && { status }),
          }).toString()
          const found = await list(query, shop)
          const seen = found.map(({ name, status, categoryId }) => ({ name, status, categoryId }))
          expect([query, ...seen]).toEqual([query, ...wanted])
        }
      }
    },
  )

  test.each([
    '',
    'status=sold&',
    'name=b&',
    'categoryId=1&',
    'name=be&status=available&',
    'name=b&categoryId=0&status=sold&',
  ])('with %j is read page by page along its links, each animal once', async (filters) => {
    const whole = await list(`${filters}limit=100`, shop)
    const seen: Animal[] = []
    let next: string | undefined = `?${filters}limit=2`
    while (next !== undefined) {
      const answer: Received = await shop.send('GET', at(`/animals${next}`, shop))
      seen.push(...(answer.json as Animal[]))
      const link = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link']))?.[1]
      expect(link ?? 'https://api.petstore.example/platform/v1').toMatch(
        /^https:\/\/api\.petstore\.example\/platform\/v1/,
      )
      next = link === undefined ? undefined : new URL(link).search
    }
    expect(seen).toEqual(whole)
  })

  test('continues although the last animal of a page was deleted, whatever its name', async () => {
    const other = await platform.owner()
    const long = ['x', 'y', 'z'].map((end) => `${'🐶'.repeat(254)}${end}`)
    for (const name of long) await add({ name }, other)
    const first = await other.send('GET', at(`/animals?limit=1&name=${encodeURIComponent('🐶'.repeat(254))}`, other))
    const [link = ''] = /(?<=<)[^>]+(?=>; rel="next")/.exec(String(first.headers['link'])) ?? []
    await other.send('DELETE', at(`/animals/${idIn(first)}`, other))
    const second = await other.send('GET', at(`/animals${new URL(link).search}`, other))
    expect((second.json as Animal[]).map(({ name }) => name)).toEqual([long[1]])
  })

  test('does not continue with the cursor of another list', async () => {
    const first = await shop.send('GET', at('/animals?limit=1&name=b', shop))
    const cursor = new URL(/<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '').searchParams.get(
      'cursor',
    )
    for (const query of [
      'name=be',
      'name=b&status=sold',
      'name=b&categoryId=1',
      'limit=3',
      'status=sold',
      'categoryId=0',
    ]) {
      const answer = await shop.send('GET', at(`/animals?${query}&cursor=${cursor}`, shop))
      expect([query, answer.status, codeOf(answer)]).toEqual([query, 400, 'invalid_cursor'])
    }
    expect((await shop.send('GET', at(`/animals?name=b&cursor=${cursor}`, shop))).status).toBe(200)
  })

  test.each([
    ['limit=0', 'invalid_parameter'],
    ['status=gone', 'invalid_parameter'],
    ['categoryId=1.5', 'invalid_parameter'],
    ['categoryId=99999999999999999999', 'invalid_parameter'],
    ['name=', 'invalid_parameter'],
    [`name=${'x'.repeat(256)}`, 'invalid_parameter'],
    ['name=%00', 'invalid_parameter'],
    ['cursor=abc', 'invalid_cursor'],
    ['name=b&cursor=abc', 'invalid_cursor'],
    ['colour=red', 'unknown_parameter'],
  ])('with %s is refused', async (query, code) => {
    const answer = await owner.send('GET', at(`/animals?${query}`))
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
  })
})

describe('a category', () => {
  test('is created, renamed, listed by name and deleted, each with an audit event', async () => {
    const shop = await platform.owner()
    const made = await shop.send('POST', at('/categories', shop), { name: 'Dogs' })
    expect(made.status).toBe(201)
    const id = idIn(made)
    expect(made.text).toBe(`{"id":${id},"name":"Dogs"}`)
    const named = await shop.send('PUT', at('/categories/-9223372036854775808', shop), { name: 'Cats' })
    expect([named.status, named.text]).toEqual([200, '{"id":-9223372036854775808,"name":"Cats"}'])
    const renamed = await shop.send('PUT', at(`/categories/${id}`, shop), { name: 'Hounds' })
    expect(renamed.text).toBe(`{"id":${id},"name":"Hounds"}`)
    const listed = await shop.send('GET', at('/categories', shop))
    expect(listed.text).toBe(`[{"id":-9223372036854775808,"name":"Cats"},{"id":${id},"name":"Hounds"}]`)
    expect((await shop.send('DELETE', at(`/categories/${id}`, shop))).status).toBe(204)
    expect((await shop.send('GET', at('/categories', shop))).text).toBe('[{"id":-9223372036854775808,"name":"Cats"}]')
    expect((await auditEventsOf(id, shop.project)).map(({ action }) => action)).toEqual([
      'category_created',
      'category_renamed',
      'category_deleted',
    ])
  })

  test('with animals is not deleted', async () => {
    await owner.send('PUT', at('/categories/77'), { name: 'Carried' })
    const animal = await add({ name: 'Rex', categoryId: 77n })
    const refused = await owner.send('DELETE', at('/categories/77'))
    expect([refused.status, codeOf(refused)]).toEqual([409, 'in_use'])
    expect((await owner.send('GET', at('/categories'))).text).toContain('{"id":77,"name":"Carried"}')
    await owner.send('DELETE', at(`/animals/${animal}`))
    expect((await owner.send('DELETE', at('/categories/77'))).status).toBe(204)
  })

  test('of another project is to DELETE like one that does not exist', async () => {
    const made = await stranger.send('POST', at('/categories', stranger), { name: 'Foreign' })
    const foreign = await owner.send('DELETE', at(`/categories/${idIn(made)}`))
    const missing = await owner.send('DELETE', at('/categories/5555555'))
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    for (const path of ['01', 'x', '9223372036854775808']) {
      const answer = await owner.send('PUT', at(`/categories/${path}`), { name: 'No' })
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
    expect((await stranger.send('GET', at('/categories', stranger))).text).toContain('Foreign')
  })

  test.each([{}, { name: '' }, { name: 'a\tb' }, { name: 'x', id: 1 }, { name: 5 }])('%j is refused', async (body) => {
    expect((await owner.send('POST', at('/categories'), body)).status).toBe(400)
    expect((await owner.send('PUT', at('/categories/1'), body)).status).toBe(400)
  })

  test('gets an identifier that was never used before', async () => {
    const shop = await platform.owner()
    const last = BigInt(idIn(await shop.send('POST', at('/categories', shop), { name: 'first' })))
    for (let next = 1n; next <= 3n; next++)
      await shop.send('PUT', at(`/categories/${last + next}`, shop), { name: 'taken' })
    const made = await shop.send('POST', at('/categories', shop), { name: 'second' })
    expect([made.status, BigInt(idIn(made)) > last + 3n]).toEqual([201, true])
    expect((await shop.send('GET', at('/categories', shop))).json).toHaveLength(5)
  })

  test('is refused where there are 1000, and those can still be renamed', async () => {
    const shop = await platform.owner()
    const text = `insert into categories (project_id, id, name) select $1, generate_series(1, 999), 'x'`
    await inProject(shop.project, (db) => db({ name: 'fill', text }, shop.project))
    const results = await Promise.all(
      ['a', 'b', 'c'].map((name) => shop.send('POST', at('/categories', shop), { name })),
    )
    // A request that waited too long for the others gets a retry response; the limit is never exceeded.
    expect(results.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(results.filter(({ status }) => status === 409 || status === 503)).toHaveLength(2)
    const named = await shop.send('PUT', at('/categories/-5', shop), { name: 'd' })
    expect([named.status, codeOf(named)]).toEqual([409, 'limit_reached'])
    expect((await shop.send('PUT', at('/categories/5', shop), { name: 'e' })).status).toBe(200)
    expect((await shop.send('GET', at('/categories', shop))).json).toHaveLength(1000)
  })
})

describe('the exported CSV file', () => {
  test('holds every animal once, oldest first, and nothing that a spreadsheet would execute', async () => {
    const shop = await platform.owner()
    const first = await add({ name: '=cmd|"calc",1', categoryId: -5n }, shop)
    await add({ name: "'=already", status: 'sold', categoryId: 2n ** 63n - 1n }, shop)
    await add({ name: 'Größe 🐶' }, shop)
    const answer = await shop.send('GET', at('/animals.csv', shop))
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ])
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${shop.slug}-animals.csv"`)
    const lines = answer.text.split('\r\n').map((line) => line.replace(/^\d+,/, ''))
    expect(answer.text).toContain(`\r\n${first},`)
    expect(lines).toEqual([
      'id,name,categoryId,status',
      `"'=cmd|""calc"",1",'-5,available`,
      `''=already,9223372036854775807,sold`,
      'Größe 🐶,1,available',
      '',
    ])
  })

  test('continues past a page', async () => {
    const shop = await platform.owner()
    const text = `insert into pets (project_id, name, category_id, status) select $1, 'Animal ' || g, g, 'sold' from generate_series(1, 2000) g`
    await inProject(shop.project, (db) => db({ name: 'many', text }, shop.project))
    const { text: table } = await shop.send('GET', at('/animals.csv', shop))
    const names = table
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1])
    expect(names).toEqual(Array.from({ length: 2000 }, (_, index) => `Animal ${index + 1}`))
  })

  test('has only its header row where there are no animals, and supports HEAD and Accept', async () => {
    const shop = await platform.owner()
    expect((await shop.send('GET', at('/animals.csv', shop))).text).toBe('id,name,categoryId,status\r\n')
    const head = await shop.send('HEAD', at('/animals.csv', shop))
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8'])
    expect((await shop.send('GET', at('/animals.csv', shop), undefined, { Accept: 'text/csv' })).status).toBe(200)
    const json = await shop.send('GET', at('/animals.csv', shop), undefined, { Accept: 'application/json' })
    expect([json.status, codeOf(json)]).toEqual([406, 'not_acceptable'])
    expect((await viewer.send('GET', at('/animals.csv'))).status).toBe(200)
  })
})
