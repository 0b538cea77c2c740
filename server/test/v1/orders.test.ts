// Orders: read-only on `/v1`, in the shape of the well-known petstore, with the same pages
// as animals.

import { beforeAll, describe, expect, test } from 'vitest'
import { asProject, expectRefusal, linksOf, newTenant, nextOf, petOf, withKey, type PetBody } from './responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { BASE_URL, startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'

type OrderBody = { id: number; petId: number; status: string; complete: boolean; createdAt: string }

let service: TestService
let tenant: Tenant
let rex: PetBody

beforeAll(async () => {
  service = await startTestService()
  tenant = await newTenant(service)
  rex = petOf(await tenant.post('/v1/pets', '{"name":"Rex","categoryId":1}'))
})

const PATH = '/v1/store/orders'
const ordersOf = ({ json }: Received) => json as OrderBody[]
const idsOf = (answer: Received) => ordersOf(answer).map(({ id }) => id)

/** Inserts orders as reservations and the dashboard write them; returns their ids, oldest first. */
function place(by: Tenant, petId: number, statuses: string[], createdAt = '2026-11-14T22:00:00Z'): Promise<number[]> {
  return asProject(service.database, by.project, async (client) => {
    const ids: number[] = []
    for (const status of statuses) {
      const { rows } = await client.query<{ id: string }>(
        `insert into orders (project_id, pet_id, status, created_at, stage)
         values ($1, $2, $3, $4, case $3 when 'placed' then 'new' when 'delivered' then 'completed' else $3 end) returning id`,
        [by.project, petId, status, createdAt],
      )
      ids.push(Number(rows[0]?.id))
    }
    return ids
  })
}

describe('the shape of an order', () => {
  test('a placed order has exactly these fields, in these words', async () => {
    const own = await newTenant(service)
    const { id: petId } = petOf(await own.post('/v1/pets', '{"name":"Rex","categoryId":1}'))
    const [id] = await place(own, petId, ['placed'])
    const { status, text } = await own.get(PATH)
    expect(status).toBe(200)
    expect(text).toBe(
      `[{"id":${id},"petId":${petId},"quantity":1,"shipDate":null,"status":"placed","complete":false,` +
        `"createdAt":"2026-11-14T22:00:00.000Z"}]`,
    )
  })

  test.each([
    ['placed', false],
    ['approved', true],
    ['delivered', true],
    ['declined', true],
    ['expired', true],
  ])('an order that is %s has complete: %s', async (status, complete) => {
    const [id] = await place(tenant, rex.id, [status])
    expect(ordersOf(await tenant.get(`${PATH}?limit=1`))[0]).toMatchObject({ id, petId: rex.id, status, complete })
  })

  test('no other status can be stored', async () => {
    await expect(place(tenant, rex.id, ['shipped'])).rejects.toThrow(/check constraint/)
  })

  test('createdAt is an RFC 3339 time in UTC, wherever the order was placed', async () => {
    await place(tenant, rex.id, ['approved'], '2026-11-14T23:30:00.25+05:30')
    expect(ordersOf(await tenant.get(`${PATH}?limit=1`))[0]?.createdAt).toBe('2026-11-14T18:00:00.250Z')
  })

  test('the largest id of an animal is written exactly', async () => {
    const own = await newTenant(service)
    await asProject(service.database, own.project, (client) =>
      client.query(
        `insert into pets (project_id, id, name, category_id, status) values ($1, 9007199254740991, 'Rex', 1, 'sold')`,
        [own.project],
      ),
    )
    await place(own, Number.MAX_SAFE_INTEGER, ['approved'])
    expect((await own.get(PATH)).text).toContain('"petId":9007199254740991,')
  })
})

describe('the list of orders', () => {
  let own: Tenant
  let ids: number[]
  beforeAll(async () => {
    own = await newTenant(service)
    const { id } = petOf(await own.post('/v1/pets', '{"name":"Mia","categoryId":1}'))
    ids = await place(
      own,
      id,
      Array.from({ length: 25 }, () => 'declined'),
    )
  })

  test('is newest first, 20 by default', async () => {
    expect(idsOf(await own.get(PATH))).toEqual(ids.toReversed().slice(0, 20))
  })

  test('is paged by limit, cursor and Link', async () => {
    const seen: number[][] = []
    for (let path: string | undefined = `${PATH}?limit=10`; path !== undefined;) {
      const page = await own.get(path)
      expect(linksOf(page)['first']).toBe(`${BASE_URL}/store/orders?limit=10`)
      seen.push(idsOf(page))
      path = nextOf(page)
    }
    expect(seen.map((page) => page.length)).toEqual([10, 10, 5])
    expect(seen.flat()).toEqual(ids.toReversed())
  })

  test('has no Link when everything fits one page', async () => {
    expect((await own.get(`${PATH}?limit=25`)).headers.link).toBeUndefined()
  })

  test.each(['', 'nonsense', Buffer.from('{"v":1,"k":"5","s":"sold"}').toString('base64url')])(
    'refuses the cursor %j as invalid_cursor',
    async (cursor) => {
      expectRefusal(await own.get(`${PATH}?cursor=${cursor}`), 400, 'invalid_cursor')
    },
  )

  test.each(['status=placed', 'petId=1', 'complete=true'])('has no filter: %s', async (query) => {
    expectRefusal(await own.get(`${PATH}?${query}`), 400, 'unknown_parameter')
  })

  test('has an ETag, and is 304 when it matches', async () => {
    const { etag } = (await own.get(PATH)).headers
    expect(etag).toMatch(/^W\/"/)
    expect((await own.get(PATH, { 'If-None-Match': String(etag) })).status).toBe(304)
  })

  test("shows the project's own orders only", async () => {
    const other = await newTenant(service)
    expect((await other.get(PATH)).text).toBe('[]')
    const cursor = Buffer.from('{"v":1,"k":"9007199254740991"}').toString('base64url')
    expect((await other.get(`${PATH}?cursor=${cursor}`)).text).toBe('[]')
  })

  test('requires the scope orders:read', async () => {
    const narrow = await withKey(service, own, { scopes: ['pets:read', 'pets:write'] })
    const answer = await narrow.get(PATH)
    expectRefusal(answer, 403, 'insufficient_scope')
    expect(answer.headers['www-authenticate']).toContain('scope="orders:read"')
  })
})

describe('an order is read-only', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is 405', async (method) => {
    const before = (await tenant.get(PATH)).text
    const body = `{"petId":${rex.id},"quantity":1}`
    const answer = await tenant.send({ method, path: PATH, body, headers: { 'Content-Type': 'application/json' } })
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await tenant.get(PATH)).text).toBe(before)
  })

  test('a single order has no address', async () => {
    expectRefusal(await tenant.get(`${PATH}/1`), 404, 'not_found')
  })
})
