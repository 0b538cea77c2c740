// Tenancy of `/v1`: for a client, another project's resources do not exist. The matrix is
// generated from the operations of the contract: for everything in a request that can
// reference something, the response for another project's resource is byte for byte that for
// one that never existed. Then many concurrent requests of both projects, on few
// connections, with clients that disconnect and connections that die.

import { Agent } from 'node:http'
import { operations, type Operation } from '@petstore-platform/contract/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import { startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'
import { writeCursor } from '../../src/foundation/http/list-response.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'

const addPet = statement<{ id: bigint }, [project: bigint, name: string, status: string]>(
  'test-add-pet',
  `insert into pets (project_id, category_id, status, name) values ($1, 1, $3, $2) returning id`,
)
const addOrder = statement<{ id: bigint }, [project: bigint, pet: bigint]>(
  'test-add-order',
  `insert into orders (project_id, pet_id, status) values ($1, $2, 'placed') returning id`,
)
const addCategory = statement<{ id: bigint }, [project: bigint]>(
  'test-add-category',
  `insert into categories (project_id, name) values ($1, 'Dogs') returning id`,
)
const skipId = statement<{ id: bigint }, [sequence: string, count: number]>(
  'test-skip-id',
  `select max(nextval($1::regclass)) as id from generate_series(1, $2)`,
)

type Belongings = { pets: bigint[]; orders: bigint[]; categories: bigint[] }
type Whose = 'own' | 'others' | 'missing'

let service: TestService
let south: Tenant
let north: Tenant
/** Ids of the south, of the north, and of no project; each of the south is followed by the other two. */
const belongings: Record<Whose, Belongings> = {
  own: { pets: [], orders: [], categories: [] },
  others: { pets: [], orders: [], categories: [] },
  missing: { pets: [], orders: [], categories: [] },
}
const statuses = ['available', 'pending', 'sold'] as const

beforeAll(async () => {
  service = await startTestService({ env: { DATABASE_POOL_MAX: '4' } })
  ;({ south, north } = service)
  // All ids get four digits, so that responses which differ in an id alone are equally long.
  for (const sequence of ['pet_ids', 'order_ids', 'category_ids']) await skip(sequence, 1000)
  for (let round = 0; round < 12; round++) {
    for (const [whose, tenant, name] of [
      ['own', south, 'south'],
      ['others', north, 'north'],
    ] as const) {
      await inProjectOf(service.service.database)(tenant.project, async (db) => {
        const pet = (await db(addPet, tenant.project, `${name}-${round}`, statuses[round % 3] ?? ''))[0]?.id ?? 0n
        belongings[whose].pets.push(pet)
        belongings[whose].orders.push((await db(addOrder, tenant.project, pet))[0]?.id ?? 0n)
        belongings[whose].categories.push((await db(addCategory, tenant.project))[0]?.id ?? 0n)
      })
    }
    belongings.missing.pets.push(await skip('pet_ids', 1))
    belongings.missing.orders.push(await skip('order_ids', 1))
    belongings.missing.categories.push(await skip('category_ids', 1))
  }
})

async function skip(sequence: string, count: number): Promise<bigint> {
  const [row] = await service.service.database.transaction({}, (db) => db(skipId, sequence, count))
  return row?.id ?? 0n
}

/** What in a request can reference something of a project: a path, a parameter, a field of the body. */
const pointers: Record<string, (whose: Whose, operation: Operation) => Promise<string> | string> = {
  petId: (whose) => String(belongings[whose].pets[5]),
  cursor: (whose, { path }) =>
    writeCursor({ after: belongings[whose][path === '/pets' ? 'pets' : 'orders'][5] ?? 0n, filter: undefined }),
  'If-None-Match': async (whose, operation) => {
    if (whose === 'missing') return 'W/"there-is-none-such"'
    // The tag that the owner of the resource received.
    const owner = whose === 'own' ? south : north
    const { headers } = await owner.send(await requestOf(operation, {}, whose))
    return String(headers.etag)
  },
  'Idempotency-Key': async (whose, operation) => {
    const key = crypto.randomUUID()
    const owner = whose === 'own' ? south : north
    if (whose === 'missing') return key
    const { json } = await owner.send(await requestOf(operation, { 'Idempotency-Key': key }))
    belongings[whose].pets.push(BigInt((json as { id: number }).id))
    return key
  },
  'body.categoryId': (whose) => String(belongings[whose].categories[5]),
}
/** These are plain values and reference nothing. */
const values = ['limit', 'status', 'body.name', 'body.status']

const namesIn = ({ parameters, body }: Operation): string[] => [
  ...Object.keys(parameters),
  ...Object.keys(body?.faults ?? {}).map((field) => `body.${field}`),
]

/** A request for the project's own resources, with some of them replaced. */
async function requestOf(
  operation: Operation,
  replaced: Record<string, string>,
  path: Whose = 'own',
): Promise<RawRequest> {
  const { method, parameters, body } = operation
  const query = new URLSearchParams(Object.entries(replaced).filter(([name]) => parameters[name]?.in === 'query'))
  const headers = Object.fromEntries(Object.entries(replaced).filter(([name]) => parameters[name]?.in === 'header'))
  const petId = replaced['petId'] ?? String(belongings[path].pets[5])
  return {
    method,
    path: `/v1${operation.path.replace('{petId}', petId)}${query.size > 0 ? `?${query.toString()}` : ''}`,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: `{"name":"made","categoryId":${replaced['body.categoryId'] ?? 1}}` }),
  }
}

const matrix = operations.flatMap((operation) =>
  (operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]).flatMap((method) =>
    namesIn(operation)
      .filter((name) => !values.includes(name))
      .map((name) => [`${method} ${operation.path}`, name, operation, method] as const),
  ),
)

describe("another project's resource is answered like one that never existed", () => {
  test('in everything of the contract that can reference something', () => {
    const known = [...Object.keys(pointers), ...values]
    for (const operation of operations) for (const name of namesIn(operation)) expect(known).toContain(name)
    expect(matrix.length).toBe(14)
  })

  test.each(matrix)('%s: %s', async (_, name, operation, method) => {
    const answers = {} as Record<Whose, string>
    for (const whose of ['own', 'others', 'missing'] as const) {
      const pointer = await pointers[name]?.(whose, operation)
      const answer = await south.send({ ...(await requestOf(operation, { [name]: pointer ?? '' })), method })
      answers[whose] = bytesOf(answer, operation, pointer ?? '')
      expect(answer.text).not.toContain('north')
      expect(answer.status).toBeLessThan(500)
    }
    expect(answers.others).toBe(answers.missing)
    // The response for the own resource differs, or nothing would have been compared. A
    // category has no effect on `/v1`.
    if (name === 'body.categoryId') expect(answers.own).toBe(answers.missing)
    else expect(answers.own).not.toBe(answers.missing)
  })
})

/** The whole response, without the parts that differ between requests. A created resource has an id of its own. */
function bytesOf({ status, rawHeaders, text }: Received, { method }: Operation, pointer: string): string {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index)
    if (!/^(request-id|date|ratelimit)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  const whole = `${status}\n${lines.join('\n')}\n\n${text}`
  if (method !== 'POST') return whole
  return whole.replace(/("id":|\/pets\/)\d{4}/g, '$1(id)').replace(`"categoryId":${pointer}`, '"categoryId":(sent)')
}

describe('a list shows nothing of another project', () => {
  const idsAround = (all: bigint[]) => [...new Set(all.flatMap((id) => [id - 1n, id, id + 1n]))]

  test('from any position, with any filter, on any page', async () => {
    let rows = 0
    const foreign = belongings.others.pets.map(Number)
    const everywhere = idsAround([...belongings.own.pets, ...belongings.others.pets])
    for (const after of [...everywhere, -(2n ** 63n), 0n, 2n ** 63n - 1n]) {
      for (const filter of [undefined, ...statuses]) {
        const query = `cursor=${writeCursor({ after, filter })}${filter ? `&status=${filter}` : ''}`
        const found = (await south.get(`/v1/pets?limit=100&${query}`)).json as { id: number; name: string }[]
        expect(found.filter(({ id, name }) => foreign.includes(id) || name.startsWith('north'))).toEqual([])
        expect(found.every(({ id }) => BigInt(id) < after)).toBe(true)
        rows += found.length
      }
    }
    expect(rows).toBeGreaterThan(400)
  })

  test('of orders either', async () => {
    const own = belongings.own.orders.map(Number)
    let rows = 0
    for (const after of [...idsAround([...belongings.own.orders, ...belongings.others.orders]), 2n ** 63n - 1n]) {
      const answer = await south.get(`/v1/store/orders?limit=100&cursor=${writeCursor({ after, filter: undefined })}`)
      const found = (answer.json as { id: number; petId: number }[]).map(({ id }) => id)
      expect(found).toEqual(own.filter((id) => id < after).toReversed())
      rows += found.length
    }
    expect(rows).toBeGreaterThan(100)
  })

  test('with a cursor of the other project', async () => {
    for (const path of ['/v1/pets?limit=3', '/v1/pets?limit=2&status=sold', '/v1/store/orders?limit=3']) {
      for (let page: string | undefined = path; page !== undefined;) {
        const given: Received = await north.get(page)
        page = /<[^>]*(\/v1[^>]*)>; rel="next"/.exec(String(given.headers.link))?.[1]
        if (page === undefined) break
        const answer = await south.get(page)
        expect(answer.status).toBe(200)
        expect(answer.text).not.toContain('north')
        const ids = (answer.json as { id: number }[]).map(({ id }) => BigInt(id))
        const foreign = path.includes('orders') ? belongings.others.orders : belongings.others.pets
        expect(ids.filter((id) => foreign.includes(id))).toEqual([])
      }
    }
  })
})

describe('an Idempotency-Key belongs to its project', () => {
  test('the same key creates an animal in each, and replays its own to each', async () => {
    const headers = { 'Idempotency-Key': 'the-same' }
    const made = await north.post('/v1/pets', '{"name":"north-first","categoryId":1}', headers)
    const other = await south.post('/v1/pets', '{"name":"south-first","categoryId":2}', headers)
    expect([made.status, other.status]).toEqual([201, 201])
    const again = await north.post('/v1/pets', '{"name":"north-first","categoryId":1}', headers)
    expect(again.text).toBe(made.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await south.post('/v1/pets', '{"name":"south-first","categoryId":2}', headers)).text).toBe(other.text)
  })

  test('a request in progress in one project does not delay the other', async () => {
    const { database } = service.service
    const lock = statement<{ held: boolean }, [project: bigint, key: string]>(
      'test-lock',
      `select pg_try_advisory_xact_lock(hashtextextended($2, $1)) as held`,
    )
    await inProjectOf(database)(north.project, async (db) => {
      expect(await db(lock, north.project, 'running')).toEqual([{ held: true }])
      const headers = { 'Idempotency-Key': 'running' }
      const [blocked, free] = await Promise.all([
        north.post('/v1/pets', '{"name":"north-second","categoryId":1}', headers),
        south.post('/v1/pets', '{"name":"south-second","categoryId":1}', headers),
      ])
      expect([blocked.status, free.status]).toEqual([409, 201])
    })
  })
})

describe('requests are isolated from each other', () => {
  const REQUESTS = 8000
  const AT_ONCE = 200

  test(`${REQUESTS} mixed requests of two projects, ${AT_ONCE} at once on 4 connections, return no foreign row`, async () => {
    const { foreign, answered, aborted, unavailable, statusesSeen } = await storm({ north, south })
    process.stdout.write(
      `pool bleed: ${answered} answered, ${aborted} aborted, ${unavailable} refused for want of a connection, ` +
        `${foreign.length} with foreign rows\n`,
    )
    expect(foreign).toEqual([])
    expect(answered + aborted).toBe(REQUESTS)
    expect(aborted).toBeGreaterThan(REQUESTS / 50)
    expect([...statusesSeen].filter((status) => ![200, 201, 304, 400, 404, 409, 422, 503].includes(status))).toEqual([])
    expect(unavailable).toBeLessThan(REQUESTS / 4)
  })

  test('a foreign row is detected (negative control)', async () => {
    const { foreign } = await storm({ north: { ...north, key: south.key }, south }, 200)
    expect(foreign.length).toBeGreaterThan(20)
  })

  type Names = 'north' | 'south'
  type Storm = {
    foreign: string[]
    answered: number
    aborted: number
    unavailable: number
    statusesSeen: Set<number>
  }

  async function storm(tenants: Record<Names, Tenant>, count = REQUESTS): Promise<Storm> {
    const seen: Storm = { foreign: [], answered: 0, aborted: 0, unavailable: 0, statusesSeen: new Set() }
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    let sent = 0
    const one = async () => {
      while (sent < count) {
        const turn = sent++
        const name: Names = Math.random() < 0.5 ? 'north' : 'south'
        const other = name === 'north' ? 'south' : 'north'
        const request = mixed(name, tenants[name].key)
        if (turn % 500 === 499) await killConnections()
        const answer = await (Math.random() < 0.1 ? aborting(request) : exchange(service.origin, request, agent))
        if (answer === undefined) {
          seen.aborted++
          continue
        }
        seen.answered++
        seen.statusesSeen.add(answer.status)
        if (answer.status === 503) seen.unavailable++
        if (answer.text.includes(other) || hasForeignOrder(name, answer))
          seen.foreign.push(`${name}: ${answer.text.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    agent.destroy()
    return seen
  }

  /** Every name carries the name of its project, and the response repeats nothing else of the request. */
  function mixed(name: Names, key: string): RawRequest {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: `${name}-${Math.random()}`, categoryId: 1 })
    const replayed = `${name}-retried`
    const anyPet = () => pick([...belongings.own.pets, ...belongings.others.pets, ...belongings.missing.pets])
    return pick<() => RawRequest>([
      () => ({ path: `/v1/pets?limit=${pick([1, 20, 100])}`, headers }),
      () => ({ path: `/v1/pets?status=${pick([...statuses])}&limit=5`, headers }),
      () => ({ path: `/v1/pets?cursor=${writeCursor({ after: anyPet(), filter: undefined })}`, headers }),
      () => ({ path: `/v1/pets/${anyPet()}`, headers }),
      () => ({ path: '/v1/store/orders?limit=100', headers }),
      () => ({ path: '/v1/pets', method: 'POST', headers, body }),
      () => ({ path: '/v1/pets', method: 'POST', headers, body: '{"name":' }),
      // The same few keys in both projects at once: responses, replays, refusals and rollbacks.
      () => ({
        path: '/v1/pets',
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': `shared-${pick([1, 2, 3, 4])}` },
        body: JSON.stringify({ name: replayed, categoryId: pick([1, 1, 1, 2]) }),
      }),
    ])()
  }

  function hasForeignOrder(name: Names, { status, text }: Received): boolean {
    if (status !== 200 || !text.includes('petId')) return false
    const own = belongings[name === 'south' ? 'own' : 'others'].pets
    return (JSON.parse(text) as { petId: number }[]).some(({ petId }) => !own.includes(BigInt(petId)))
  }

  /** Disconnects at a random moment; undefined if that was before the response. */
  async function aborting(request: RawRequest): Promise<Received | undefined> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const answer = exchange(service.origin, request, agent).catch(() => undefined)
    setTimeout(() => agent.destroy(), Math.random() * 20)
    return answer
  }

  const terminate = statement<{ ended: boolean }, []>(
    'test-terminate',
    `select pg_terminate_backend(pid) as ended from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  /** A role may end its own connections: all but the current one, whatever they are doing. */
  const killConnections = () => service.service.database.transaction({}, (db) => db(terminate)).catch(() => [])

  const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T
})
