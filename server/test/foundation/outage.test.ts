// The service survives an outage of PostgreSQL: refused connections, ended connections, all
// connections busy. Requests that need the database get 503 with Retry-After, all others are
// served, and no restart is needed.

import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received, RawRequest } from '../../../testbed/harness/http.ts'
import { faultsOf } from '../v1/raw.ts'
import { startTestService } from '../../../testbed/harness/service.ts'
import { lockPets } from './lock-pets.ts'

const service = await startTestService({ env: { DATABASE_POOL_MAX: '3' }, hasRealDeadlines: true })
const { database, north, logs } = service
const send = (sent: RawRequest) => service.send(sent)
/** The same server, another database. */
const elsewhere = { ...database, ownerUrl: database.ownerUrl.replace(/[^/]+$/, 'postgres') }
const rex = '{"name":"Rex","categoryId":1}'
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

afterEach(async () => {
  await allowConnections(true)
  await expect.poll(async () => (await send({ path: '/readyz' })).status, { timeout: 10_000 }).toBe(200)
})

describe('while PostgreSQL refuses connections', () => {
  test('the service is alive but not ready, and becomes ready again automatically', async () => {
    await outage()
    expect(faults(await send({ path: '/readyz' }))).toEqual([])
    expect((await send({ path: '/livez' })).status).toBe(200)
    expect((await send({ method: 'HEAD', path: '/readyz' })).status).toBe(503)

    await allowConnections(true)
    await expect.poll(async () => (await send({ path: '/readyz' })).status, { timeout: 10_000 }).toBe(200)
    expect((await north.get('/v1/pets')).status).toBe(200)
  })

  test('every operation responds 503 with Retry-After, with a cached key and with an expired cache entry', async () => {
    expect((await north.get('/v1/pets')).status).toBe(200)
    await outage()
    const ask = async () => [
      await north.get('/v1/pets'),
      await north.get('/v1/pets/1'),
      await north.get('/v1/store/orders'),
      await north.post('/v1/pets', rex),
      await north.post('/v1/pets', rex, { 'Idempotency-Key': 'outage' }),
    ]
    expect((await ask()).flatMap(faults)).toEqual([])
    // That a path does not exist can be answered for as long as the key is cached.
    await expect.poll(async () => (await north.get('/v1/nowhere')).status, { timeout: 10_000 }).toBe(503)
    expect((await ask()).flatMap(faults)).toEqual([])

    await allowConnections(true)
    await expect.poll(async () => (await north.get('/v1/pets')).text, { timeout: 10_000 }).toBe('[]')
  })

  test('requests that need no database are answered as usual', async () => {
    await outage()
    const answers = {
      401: [
        await send({ path: '/v1/pets' }),
        await send({ path: '/v1/pets', headers: bearer('nonsense') }),
        await send({ path: '/v1/pets', headers: bearer(`${north.key.slice(0, -1)}!`) }),
        await send({ path: '/v1/nowhere' }),
        await send({ method: 'DELETE', path: '/v1/pets' }),
        await send({ method: 'POST', path: '/v1/pets', body: '{' }),
      ],
      404: [await send({ path: '/nowhere' }), await send({ path: '/%zz' })],
      204: [await send({ method: 'OPTIONS', path: '/v1/pets' })],
      200: [await send({ path: '/v1/openapi.json' }), await send({ path: '/docs/deprecations' })],
    }
    for (const [status, received] of Object.entries(answers)) {
      expect(received.map((one) => one.status)).toEqual(received.map(() => Number(status)))
    }
  })

  test('a request whose connection is ended during it is 503, and nothing of it is stored', async () => {
    const release = await lockPets(database)
    const requests = [north.get('/v1/pets'), north.post('/v1/pets', rex), north.post('/v1/pets', rex)]
    await expect.poll(waiters).toBeGreaterThan(0)
    await outage()
    expect((await Promise.all(requests)).flatMap(faults)).toEqual([])
    await release()
    await allowConnections(true)
    await expect.poll(async () => (await north.get('/v1/pets')).text, { timeout: 10_000 }).toBe('[]')
  })
})

test('a restart under load shows as 503 at most, never as 500', async () => {
  const tally = { seen: new Set<number>(), isOver: false }
  const clients = Array.from({ length: 8 }, async () => {
    do tally.seen.add((await north.get('/v1/pets')).status)
    while (!tally.isOver)
  })
  for (let round = 0; round < 5; round++) {
    await endConnections()
    await expect.poll(async () => (await north.get('/v1/pets')).status).toBe(200)
  }
  tally.isOver = true
  await Promise.all(clients)
  expect([...tally.seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
})

test('with every connection busy, requests that need one get 503, and all others are served', async () => {
  const release = await lockPets(database)
  const startedAt = performance.now()
  const requests = Array.from({ length: 12 }, async () => {
    const received = await north.get('/v1/pets')
    return { received, ms: performance.now() - startedAt }
  })
  await expect.poll(waiters).toBeGreaterThan(0)
  expect((await send({ path: '/livez' })).status).toBe(200)
  expect((await send({ path: '/v1/pets' })).status).toBe(401)
  expect((await send({ path: '/nowhere' })).status).toBe(404)
  const answers = await Promise.all(requests)
  await release()
  expect(answers.map(({ received }) => received).flatMap(faults)).toEqual([])
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3000)
})

test('no log line shows the connection parameters', async () => {
  await outage()
  await north.get('/v1/pets')
  await send({ path: '/readyz' })
  const all = logs.join('')
  expect(all).toContain('a database connection failed')
  expect(all).toContain('PostgreSQL cannot answer now')
  expect(all).not.toContain('postgresql://')
  expect(all).not.toContain('connectionParameters')
  expect(all).not.toContain(north.key)
  expect(Math.max(...logs.map((line) => line.length))).toBeLessThan(5000)
})

/** What is wrong with a response that should be 503 with Retry-After: 1. */
function faults({ status, headers, rawHeaders, text }: Received): string[] {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 ? [] : [[name, rawHeaders[index + 1] ?? ''] as const]))
  const found = faultsOf({ status, headers: pairs, body: text }, 503, 'service_unavailable')
  return headers['retry-after'] === '1' ? found : [...found, `Retry-After: ${headers['retry-after']}`]
}

/** No new connections, and none of the old ones. */
async function outage(): Promise<void> {
  await endConnections(() => allowConnections(false))
}

/** The owner of a database may close it, from another one. */
async function allowConnections(isAllowed: boolean): Promise<void> {
  await asOwner(elsewhere, (client) => client.query(`alter database ${database.name} allow_connections ${isAllowed}`))
}

/** The program's role may end its own connections, and no others. */
async function endConnections(before = async () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: database.appUrl })
  await client.connect()
  await before()
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  )
  await client.end()
}

/** How many statements wait for a lock; queried from another database, since this one may be closed. */
async function waiters(): Promise<number> {
  return asOwner(elsewhere, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int from pg_locks join pg_database on pg_database.oid = database
       where datname = $1 and not granted`,
      [database.name],
    )
    return rows[0]?.count ?? 0
  })
}
