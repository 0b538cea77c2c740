// Batching is invisible to clients: requests of many callers share one statement, and each
// gets exactly its own result; a write is visible to every later read, on every process; and
// an invalid request fails alone.

import { Agent } from 'node:http'
import { petStatuses } from '@petstore-platform/contract/pets'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { openDatabase, type Database, type Db } from '../../src/foundation/postgres/postgres.io.ts'
import { petJson } from '../../src/animals/json.ts'
import { openPetStore, type PetStore } from '../../src/animals/batched-pets.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { startService } from '../../src/program/serve.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import {
  BASE_URL,
  STAGING_URL,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../testbed/harness/service.ts'

const NORTH = 1n as ProjectId
const SOUTH = 2n as ProjectId
const BEGINNING = 2n ** 63n - 1n
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

/** The store of the program, on a database of its own, with a log of its statements. */
type Counted = { store: PetStore; database: TestDatabase; statements: string[] }

async function openCounted(): Promise<Counted> {
  const database = await cloneDatabase()
  const opened: Database = openDatabase({ url: database.appUrl, poolMax: 4, onError: () => {} })
  afterAll(() => opened.close())
  const statements: string[] = []
  const run: Db = (statement, ...values) => {
    statements.push(statement.name)
    return opened.run(statement, ...values)
  }
  return { store: openPetStore({ run }), database, statements }
}

const insert = ({ store }: Counted, project: ProjectId, name: string) =>
  store.insert({ project, pet: { name, categoryId: 1n, status: 'available' } })

/** Names that break code which cuts JSON in the wrong place or escapes it differently. */
const hostile = [
  '"',
  '\\',
  '\\"',
  '"\\',
  '\\\\"},{"id":',
  '},{"id":',
  '},{"id":9007199254740991,"name":"x"}',
  '{"id":1,"name":"',
  'ends with },{',
  'ends with {\\',
  'ends with a backslash \\',
  '\\u0022},{\\u0022id\\u0022:',
  '\u2028line\u2029',
  '\u00A0 \uFEFF\u200B\u200D',
  '👩‍👩‍👧‍👦🐕‍🦺🏳️‍🌈',
  '\u202Eריקס\u202C مرحبا',
  'e\u0301 é Å Å',
  '~\u0080\u009F',
  "</script><!-- & ' / %s %% %1$s {} [] ,",
  '\u{10FFFF}\u{1F415}\uFFFD\uFFFF\uE000',
  `'; drop table pets; --`,
  'x'.repeat(255),
  '"'.repeat(255),
  '\\'.repeat(255),
  '🐈'.repeat(255),
  '},{"id":'.repeat(31),
]

const named = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }) },
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 4 }).map((x) => x.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }) },
    {
      weight: 2,
      arbitrary: fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ':', 'id', '\u007F', '~'), minLength: 1 }),
    },
  )
  // What the database accepts; that is more than the API does, which refuses control characters.
  .map((name) => Array.from(name.replaceAll('\0', '')).slice(0, 255).join(''))
  .filter((name) => name !== '')

describe('an animal as PostgreSQL writes it', () => {
  let counted: Counted
  beforeAll(async () => void (counted = await openCounted()))

  const pets = fc.array(
    fc.record({
      name: named,
      categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      status: fc.constantFrom(...petStatuses),
    }),
    { minLength: 1, maxLength: 12 },
  )

  test('is byte for byte as the program writes it, alone and in a list, whatever its name', async () => {
    let project = 1000n
    let looked = 0
    await fc.assert(
      fc.asyncProperty(pets, async (wanted) => {
        const own = ++project as ProjectId
        const { store } = counted
        const ids = await Promise.all(wanted.map((pet) => store.insert({ project: own, pet })))
        const right = wanted.map((pet, index) => petJson({ id: ids[index] ?? 0n, ...pet }))
        expect(await Promise.all(ids.map((id) => store.find({ project: own, id })))).toEqual(right)
        const page = { project: own, before: BEGINNING, count: 101 }
        expect(await store.list({ ...page, status: undefined })).toEqual({
          json: right.toReversed().join(','),
          count: right.length,
        })
        for (const status of petStatuses) {
          const some = right.filter((_, index) => wanted[index]?.status === status).toReversed()
          expect(await store.list({ ...page, status })).toEqual({ json: some.join(',') || null, count: some.length })
        }
        expect(JSON.parse(`[${right.join()}]`)).toHaveLength(wanted.length)
        looked += wanted.length
      }),
      { numRuns: 200 },
    )
    expect(looked).toBeGreaterThan(500)
  })

  test('gets ids in the order of the requests', async () => {
    const ids = await Promise.all(times(100, (index) => insert(counted, NORTH, String(index))))
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})

describe('a page of animals with hostile names', () => {
  let service: TestService
  const right: string[] = []
  beforeAll(async () => {
    service = await startTestService()
    for (const name of hostile) {
      const { text, status } = await service.north.post('/v1/pets', JSON.stringify({ name, categoryId: 7 }))
      expect([status, name]).toEqual([201, (JSON.parse(text) as { name: string }).name])
      right.unshift(text)
    }
  })

  test.each([1, 2, 3, 7, hostile.length - 1, hostile.length, 100])(
    'ends where it should, and the next one begins there: %d at a time',
    async (limit) => {
      for (const filter of ['', '&status=available']) {
        const pages: string[] = []
        let path: string | undefined = `/v1/pets?limit=${limit}${filter}`
        while (path !== undefined) {
          const answer: Received = await service.north.get(path)
          expect(answer.status).toBe(200)
          pages.push(answer.text)
          path = nextOf(answer)
        }
        const cut = times(Math.ceil(right.length / limit), (page) => right.slice(page * limit, (page + 1) * limit))
        expect(pages).toEqual(cut.map((rows) => `[${rows.join(',')}]`))
      }
    },
  )
})

const nextOf = ({ headers }: Received) =>
  /<https:\/\/[^/]+([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]

describe('a read that starts after a write was acknowledged', () => {
  const INTERLEAVINGS = 500

  test(`returns that write, on every process, in ${INTERLEAVINGS} interleavings`, async () => {
    const first = await startTestService()
    const second = await startService(
      parseConfig({
        BASE_URL,
        STAGING_URL,
        PORT: '0',
        RATE_LIMIT_PER_KEY: '1000000',
        RATE_LIMIT_PER_PROJECT: '1000000',
        DATABASE_URL: first.database.appUrl,
      }),
      { logger: { level: 'silent' } },
    )
    afterAll(() => second.stop())
    const origins = [first.origin, `http://127.0.0.1:${second.port}`]
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    const random = randomOf(20_261_115)
    const send = ({ key }: Tenant, sent: RawRequest) =>
      exchange(
        origins[random(2)] ?? '',
        { ...sent, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...sent.headers } },
        agent,
      )
    let left = INTERLEAVINGS
    const tally = { writes: 0, reads: 0 }

    const client = async () => {
      while (left-- > 0) {
        const tenant = random(2) === 0 ? first.north : first.south
        const status = petStatuses[random(3)] ?? 'sold'
        const headers = random(3) === 0 ? { 'Idempotency-Key': crypto.randomUUID() } : {}
        const body = JSON.stringify({ name: `one of ${left}`, categoryId: 1, status })
        const made = await send(tenant, { method: 'POST', path: '/v1/pets', body, headers })
        expect(made.status).toBe(201)
        tally.writes += 1
        const ways = [
          `/v1/pets/${(made.json as { id: number }).id}`,
          '/v1/pets?limit=100',
          `/v1/pets?limit=100&status=${status}`,
        ]
        // Some at once, so that they are batched with each other and with those of others.
        const reads = times(1 + random(4), () => ways[random(3)] ?? '')
        for (const { status: code, text } of await Promise.all(reads.map((path) => send(tenant, { path })))) {
          expect(code).toBe(200)
          expect(text).toContain(made.text)
          tally.reads += 1
        }
      }
    }
    await Promise.all(times(24, client))
    agent.destroy()
    process.stdout.write(`read after write: ${tally.writes} writes, ${tally.reads} reads, two processes, none stale\n`)
    expect(tally.writes).toBe(INTERLEAVINGS)
  })
})

/** Seeded random numbers, from 0 up to, and not including, the given one. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('an animal that PostgreSQL refuses', () => {
  const COUNT = 32
  const POISON = 'poison'
  const names = times(COUNT, (index) => (index === 17 ? POISON : `good ${index}`))
  const good = names.filter((name) => name !== POISON)

  /** Makes the table refuse one name, with the given error code. */
  const poison = (database: TestDatabase, code: string) =>
    asOwner(database, async (client) => {
      await client.query(`create function refuse_poison() returns trigger language plpgsql as $$
        begin
          if new.name = '${POISON}' then raise exception 'refused' using errcode = '${code}'; end if;
          return new;
        end $$`)
      await client.query('create trigger poison before insert on pets for each row execute function refuse_poison()')
    })
  const storedNames = (database: TestDatabase, project: bigint) =>
    asOwner(database, async (client) => {
      await client.query(`select set_config('petstore.projects', '{${project}}', false)`)
      const { rows } = await client.query<{ name: string }>('select name from pets order by name collate "C"')
      return rows.map(({ name }) => name)
    })

  test.each(['22023', '22P05', '23514', '23505'])(
    'for its data (%s) fails alone: all others of its batch are added exactly once',
    async (code) => {
      const counted = await openCounted()
      await poison(counted.database, code)
      const settled = await Promise.allSettled(names.map((name) => insert(counted, NORTH, name)))
      expect(settled.flatMap(({ status }, index) => (status === 'rejected' ? [names[index]] : []))).toEqual([POISON])
      expect(counted.statements).toHaveLength(1 + COUNT)
      expect(await storedNames(counted.database, NORTH)).toEqual(good.toSorted())
      const ids = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(new Set(ids).size).toBe(COUNT - 1)
      for (const [index, id] of ids.entries()) {
        expect(await counted.store.find({ project: NORTH, id })).toContain(`"name":"${good[index]}"`)
      }
    },
  )

  test.each(['P0001', '40001', '57014', '42501'])(
    'for another reason (%s) fails with its whole batch; none is added, none is retried',
    async (code) => {
      const counted = await openCounted()
      await poison(counted.database, code)
      const settled = await Promise.allSettled(names.map((name) => insert(counted, NORTH, name)))
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(COUNT)
      expect(counted.statements).toEqual(['insert-pets'])
      expect(await storedNames(counted.database, NORTH)).toEqual([])
    },
  )

  test(`fails its own request only: of ${COUNT} at once, ${COUNT - 1} are answered with 201, and none is there twice`, async () => {
    const { north, south, database } = await startTestService()
    await poison(database, '22023')
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        names.map((name, index) =>
          (index % 2 === 0 ? north : south).post('/v1/pets', JSON.stringify({ name: name, categoryId: round })),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(names.map((name) => (name === POISON ? 500 : 201)))
    }
    const stored = [...(await storedNames(database, north.project)), ...(await storedNames(database, south.project))]
    const expected = good.flatMap((name) => times(10, () => name))
    expect(stored.toSorted()).toEqual(expected.toSorted())
  })
})

describe('batched requests of two projects', () => {
  const COUNT = 2000

  test(`never mix: ${COUNT} at once in few statements, each with its own result`, async () => {
    const counted = await openCounted()
    const { store, statements } = counted
    const canaries = { north: NORTH, south: SOUTH }
    const ids = { north: [] as bigint[], south: [] as bigint[] }
    await Promise.all(
      times(100, async (index) => {
        for (const [canary, project] of Object.entries(canaries) as ['north' | 'south', ProjectId][]) {
          ids[canary].push(await insert(counted, project, `${canary}-${index}`))
        }
      }),
    )
    const added = { north: [] as bigint[], south: [] as bigint[] }
    statements.length = 0
    const random = randomOf(4711)
    await Promise.all(
      times(COUNT, async () => {
        const [own, other] = random(2) === 0 ? (['north', 'south'] as const) : (['south', 'north'] as const)
        const project = canaries[own]
        const way = random(5)
        const id = ids[own][random(100)] ?? 0n
        const foreign = ids[other][random(100)] ?? 0n
        const page = { project, before: BEGINNING, count: 1 + random(101) }
        if (way === 0) expect(await store.find({ project, id })).toContain(`{"id":${id},"name":"${own}-`)
        if (way === 1) expect(await store.find({ project, id: foreign })).toBeUndefined()
        if (way === 2 || way === 3) {
          const { json, count } = await store.list({ ...page, status: way === 2 ? undefined : 'available' })
          expect(json?.match(new RegExp(`"${own}-`, 'g'))?.length).toBe(count)
          expect(count).toBeGreaterThanOrEqual(Math.min(page.count, 100))
          expect(json).not.toContain(other)
        }
        if (way === 4) added[own].push(await insert(counted, project, `${own}-added`))
      }),
    )
    process.stdout.write(`merging: ${COUNT} requests of two projects in ${statements.length} statements\n`)
    expect(statements.length).toBeLessThan(COUNT / 5)
    for (const own of ['north', 'south'] as const) {
      const found = await Promise.all(added[own].map((id) => store.find({ project: canaries[own], id })))
      expect(found.every((json) => json?.includes(`"${own}-added"`))).toBe(true)
    }
  })

  test(`never mix over HTTP: ${COUNT} at once, with animals added in the meantime`, async () => {
    const { origin, north, south } = await startTestService()
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const tenants = { north, south }
    const random = randomOf(42)
    const send = ({ key }: Tenant, sent: RawRequest) =>
      exchange(
        origin,
        { ...sent, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } },
        agent,
      )
    const ids = { north: [] as number[], south: [] as number[] }
    const add = async (own: 'north' | 'south') => {
      const body = JSON.stringify({ name: `${own}-canary`, categoryId: own === 'north' ? 1 : 2 })
      const { status, json, text } = await send(tenants[own], { method: 'POST', path: '/v1/pets', body })
      expect([status, text]).toEqual([201, expect.stringContaining(`"${own}-canary"`)])
      ids[own].push((json as { id: number }).id)
    }
    await Promise.all(times(60, (index) => add(index % 2 === 0 ? 'north' : 'south')))

    const tally = { pages: 0, found: 0, missing: 0, added: 0 }
    await Promise.all(
      times(COUNT, async () => {
        const [own, other] = random(2) === 0 ? (['north', 'south'] as const) : (['south', 'north'] as const)
        const way = random(4)
        if (way === 0) {
          await add(own)
          tally.added += 1
        } else if (way === 1) {
          const { status, text } = await send(tenants[own], { path: `/v1/pets/${ids[own][random(30)]}` })
          expect([status, text]).toEqual([200, expect.stringContaining(`"${own}-canary"`)])
          tally.found += 1
        } else if (way === 2) {
          const { status, text } = await send(tenants[own], { path: `/v1/pets/${ids[other][random(30)]}` })
          expect([status, text]).toEqual([404, expect.not.stringContaining('canary')])
          tally.missing += 1
        } else {
          const limit = 1 + random(100)
          const filter = random(2) === 0 ? '' : '&status=available'
          const { status, text } = await send(tenants[own], { path: `/v1/pets?limit=${limit}${filter}` })
          expect([status, text]).toEqual([200, expect.not.stringContaining(other)])
          expect(text.match(new RegExp(`"${own}-canary"`, 'g'))?.length).toBeGreaterThanOrEqual(Math.min(limit, 30))
          tally.pages += 1
        }
      }),
    )
    agent.destroy()
    process.stdout.write(`canaries over HTTP: ${JSON.stringify(tally)}, none in the wrong cage\n`)
  })
})
