// Graceful shutdown: accepted requests are answered, clients do not have to wait, and the
// process exits with code 0. And refusal to start on an invalid environment.

import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../../devserver/free-port.ts'
import type { Service } from '../../src/program/serve.ts'
import { asOwner, cloneDatabase, withRealDeadlines, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { startRelay } from '../../../testbed/harness/tcp-relay.ts'
import { RawConnection, faultsOf, headerOf } from '../v1/raw.ts'
import { BASE_URL, STAGING_URL, startTestService } from '../../../testbed/harness/service.ts'
import { lockPets } from './lock-pets.ts'

const get = (target: string, key = '') =>
  `GET ${target} HTTP/1.1\r\nHost: petstore\r\n${key && `Authorization: Bearer ${key}\r\n`}\r\n`
const post = (key: string, body: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const rex = '{"name":"Rex","categoryId":1}'

describe('a service that is stopped', () => {
  test('answers requests in progress, sends Connection: close on every response, and is alive but not ready until then', async () => {
    const { service, database, north } = await startTestService()
    const { server } = service.app
    const [reading, writing, ready, live] = await Promise.all([open(), open(), open(), open()])
    for (const idle of [ready, live]) {
      await idle.send(get('/readyz'))
      const answer = await idle.answer()
      expect([answer?.status, answer && headerOf(answer, 'Connection')]).toEqual([200, 'keep-alive'])
    }
    const release = await lockPets(database)
    await reading.send(get('/v1/pets', north.key))
    await writing.send(post(north.key, rex))
    await waiters(database)

    const stopped = stop(service)
    await ready.send(get('/readyz'))
    const notReady = await ready.answer()
    expect(notReady && faultsOf(notReady, 503, 'service_unavailable')).toEqual([])
    expect(notReady && headerOf(notReady, 'Retry-After')).toBe('1')
    await live.send(get('/livez'))
    const alive = await live.answer()
    expect(alive?.status).toBe(200)
    // A load balancer sends the request elsewhere.
    expect(server.listening).toBe(false)

    await release()
    const answers = [await reading.answer(), await writing.answer(), notReady, alive]
    expect(answers.map((answer) => answer?.status)).toEqual([200, 201, 503, 200])
    expect(answers.map((answer) => answer && headerOf(answer, 'Connection'))).toEqual(answers.map(() => 'close'))
    for (const connection of [reading, writing, ready, live]) {
      expect(await connection.answersToEnd()).toEqual([])
      connection.destroy()
    }
    await stopped

    async function open(): Promise<RawConnection> {
      return RawConnection.open(server)
    }
  })

  test('does not wait for connections that are silent, idle or within a header', async () => {
    const { service } = await startTestService()
    const { server } = service.app
    const [silent, idle, begun] = await Promise.all([1, 2, 3].map(() => RawConnection.open(server)))
    await silent?.send('')
    await idle?.send(get('/livez'))
    expect((await idle?.answer())?.status).toBe(200)
    await begun?.send('GET /livez HTTP/1.1\r\nHost: pet')
    const before = performance.now()
    await stop(service)
    expect(performance.now() - before).toBeLessThan(2000)
    for (const connection of [silent, idle, begun]) expect(await connection?.answersToEnd()).toEqual([])
  })

  test('accepts connections until a load balancer has noticed, and is not ready from the beginning', async () => {
    const { service, north } = await startTestService({ shutdown: { delayMs: 3000, waitMs: 20_000 } })
    const { server } = service.app
    const stopped = stop(service)
    for (const [target, status] of [
      ['/readyz', 503],
      ['/v1/pets', 200],
    ] as const) {
      const late = await RawConnection.open(server)
      await late.send(get(target, north.key))
      const answer = await late.answer()
      expect([answer?.status, answer && headerOf(answer, 'Connection')]).toEqual([status, 'close'])
      expect(await late.answersToEnd()).toEqual([])
    }
    await stopped
    expect(server.listening).toBe(false)
  })

  test('cuts off clients that do not finish sending', async () => {
    const { service, north } = await startTestService({ shutdown: { delayMs: 0, waitMs: 1000 } })
    const upload = await RawConnection.open(service.app.server)
    await upload.send(post(north.key, rex).slice(0, -5))
    const before = performance.now()
    await stop(service)
    expect(performance.now() - before).toBeLessThan(8000)
    expect(await upload.answersToEnd()).toEqual([])
  })
})

describe('petstore serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'exits within two seconds of %s, under load, with no request failed',
    async (signal) => {
      const { database, north } = await startTestService()
      const program = runProgram(['serve'], environment(database))
      const origin = `http://127.0.0.1:${await program.port}`
      const tally = { served: 0, made: 0, failures: [] as string[] }
      const clients = [
        ...Array.from({ length: 6 }, () => client(new Agent({ keepAlive: true, maxSockets: 1 }))),
        ...Array.from({ length: 2 }, () => client()),
      ]
      await expect.poll(() => tally.served, { timeout: 30_000 }).toBeGreaterThan(200)
      const before = performance.now()
      program.end(signal)
      program.end(signal) // As npm does when Ctrl-C has already reached the program.
      const { code, errors } = await program.ended
      const took = performance.now() - before
      await Promise.all(clients)

      expect(tally.failures).toEqual([])
      expect([code, errors]).toEqual([0, ''])
      expect(took).toBeLessThan(2000)
      expect(await countPets(database, north.project)).toBe(tally.made)
      // Every request that the program accepted has been answered.
      expect(program.lines.filter((line) => line.includes('"status":'))).toHaveLength(tally.served)
      expect(program.lines.filter((line) => line.includes('isAborted'))).toEqual([])

      /** Sends one request after the other until connections are refused. */
      async function client(agent?: Agent): Promise<void> {
        let isFresh = true
        for (let round = 0; ; round++) {
          const isPost = round % 3 === 0
          const sent = isPost ? { method: 'POST', path: '/v1/pets', body: rex } : { path: '/v1/pets?limit=5' }
          const headers = {
            Authorization: `Bearer ${north.key}`,
            ...(isPost && { 'Content-Type': 'application/json' }),
          }
          try {
            const { status, headers: received } = await exchange(origin, { ...sent, headers }, agent)
            isFresh = agent === undefined || received.connection === 'close'
            tally.served += 1
            if (status === 201) tally.made += 1
            if (status >= 300) tally.failures.push(String(status))
          } catch (error) {
            const { code = String(error) } = error as { code?: string }
            // A new connection that the system accepted and the program never saw was not accepted either.
            const isRefused = code === 'ECONNREFUSED' || (code === 'ECONNRESET' && isFresh)
            if (!isRefused) tally.failures.push(code)
            return
          }
        }
      }
    },
  )

  test('exits with code 0 and without output when it has no clients', async () => {
    const program = runProgram(['serve'], environment(await cloneDatabase()))
    await program.port
    program.end('SIGTERM')
    expect(await program.ended).toMatchObject({ code: 0, errors: '' })
    expect(program.lines.at(-1)).toContain('"msg":"stopping"')
  })

  const secret = 'Wq7dPz3nRk9cVt5mXh2b'
  const urlOf = (role: string, { name }: TestDatabase) =>
    `postgresql://${role}:${secret}@127.0.0.1:${inject('postgresPort')}/${name}`

  test.each(['postgres', 'petstore_owner'])(
    'refuses to start as %s, which could bypass row-level security',
    async (role) => {
      const DATABASE_URL = `${urlOf(role, await cloneDatabase())}?connect_timeout=30`
      const { code, output, errors } = await runProgram(['serve'], environment({ DATABASE_URL })).ended
      expect([code, output]).toEqual([1, ''])
      expect(errors).toMatch(
        /^DATABASE_URL names a role that could step over row level security\. Use petstore_app.*\n$/,
      )
      expect(errors).not.toContain(secret)
    },
  )

  test('refuses to start on a database that was never migrated, and prints what to do', async () => {
    const database = await emptyDatabase()
    const { code, output, errors } = await runProgram(
      ['serve'],
      environment({ DATABASE_URL: urlOf('petstore_app', database) }),
    ).ended
    expect([code, output]).toEqual([1, ''])
    expect(errors).toBe('The database has no schema yet. Run the command "migrate" first.\n')
  })

  test('refuses to start on a schema of another release', async () => {
    const database = await cloneDatabase()
    await asOwner(database, (client) =>
      client.query(`insert into schema_migrations (name, digest) values ('9999-later.sql', 'x')`),
    )
    const { code, errors } = await runProgram(['serve'], environment(database)).ended
    expect(code).toBe(1)
    expect(errors).toContain('The database holds 9999-later.sql, which this release')
  })

  test('prints why it cannot reach PostgreSQL, and never the password', async () => {
    const wrong = {
      [`postgresql://petstore_app:${secret}@[bad`]: 'Invalid URL',
      [urlOf('nobody', await cloneDatabase())]: 'role "nobody" does not exist',
    }
    for (const [DATABASE_URL, reason] of Object.entries(wrong)) {
      const { code, output, errors } = await runProgram(['serve'], {
        ...environment({ DATABASE_URL }),
        PETSTORE_DEBUG: '1',
      }).ended
      expect([code, output]).toEqual([1, ''])
      expect(errors).toContain(reason)
      expect(errors).not.toContain(secret)
    }
  })

  test('waits for PostgreSQL that is away, and serves once it answers', async () => {
    const { appUrl } = await cloneDatabase()
    const port = await freePort()
    const DATABASE_URL = withRealDeadlines(appUrl)
      .replace('petstore_app@', `petstore_app:${secret}@`)
      .replace(`:${inject('postgresPort')}/`, `:${port}/`)
    const program = runProgram(['serve'], environment({ DATABASE_URL }))
    await expect.poll(() => program.lines.length).toBe(1)
    expect(program.lines[0]).toMatch(/"msg":"reaching PostgreSQL failed"/)
    expect(program.lines[0]).toContain('ECONNREFUSED')
    expect(program.lines[0]).not.toContain(secret)
    const relay = await startRelay(inject('postgresPort'), port)
    onTestFinished(() => relay.close())
    expect(await program.port).toBeGreaterThan(0)
  })

  test.each([
    ['serve', 'PORT'],
    ['work', 'ADMIN_PORT'],
    ['edge', 'EDGE_PORT'],
    ['start', 'EDGE_PORT'],
  ])('ends with 1 as %s where %s is taken, whatever it has begun', async (role, setting) => {
    const { appUrl, ownerUrl } = await cloneDatabase()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const env = { ...environment({ appUrl }), DATABASE_OWNER_URL: ownerUrl, EDGE_PORT: '0', ADMIN_PORT: '0' }
    const { port } = taken.address() as AddressInfo
    const { code, errors } = await runProgram([role], { ...env, [setting]: String(port) }).ended
    expect(code).toBe(1)
    expect(errors).toContain('EADDRINUSE')
  })

  test('reports all configuration errors at once, and no secret', async () => {
    const mistakes = {
      ENVIRONMENT: 'prodcution',
      BASE_URL: 'https://petstore.example/v2',
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: `mysql://petstore:${secret}@127.0.0.1/petstore`,
      DATABASE_OWNER_URL: secret,
      DATABASE_POOL_MAX: '0',
      TRUSTED_PROXIES: secret,
      RATE_LIMIT_PER_KEY: '-1',
      GET_PET_DEPRECATED_SINCE: 'yesterday',
      SUNSET_REHEARSAL: 'yes',
      REQUEST_TIMEOUT_MS: '1',
    }
    const { code, output, errors } = await runProgram(['serve'], mistakes).ended
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain(`${Object.keys(mistakes).length} mistake(s)`)
    for (const name of Object.keys(mistakes)) expect(errors).toContain(`- ${name} must be `)
    expect(errors).not.toContain(secret)
    expect(errors).not.toContain('    at ')
  })
})

/** Stops once, even if the test's own clean-up calls it again. */
function stop(service: Service): Promise<void> {
  const stopped = service.stop()
  service.stop = () => stopped
  return stopped
}

/** Resolves when a statement waits for a lock. */
const waiters = (database: TestDatabase) =>
  asOwner(database, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int from pg_locks join pg_database on pg_database.oid = database
         where datname = $1 and not granted`,
        [database.name],
      )
      if (rows[0]?.count) return
      await sleep(5)
    }
  })

async function countPets(database: TestDatabase, project: bigint): Promise<number> {
  return asOwner(database, async (client) => {
    await client.query(`select set_config('petstore.projects', $1, false)`, [`{${project}}`])
    const { rows } = await client.query<{ count: number }>('select count(*)::int from pets')
    return rows[0]?.count ?? Number.NaN
  })
}

async function emptyDatabase(): Promise<TestDatabase> {
  const { ownerUrl } = await cloneDatabase()
  const name = `test_empty_${crypto.randomUUID().slice(0, 8)}`
  await asOwner({ name: '', appUrl: '', ownerUrl }, (client) => client.query(`create database ${name}`))
  return { name, appUrl: '', ownerUrl: '' }
}

function environment(database: { appUrl: string } | { DATABASE_URL: string }): Record<string, string> {
  return {
    BASE_URL,
    STAGING_URL,
    PORT: '0',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_PROJECT: '1000000',
    DATABASE_URL: 'appUrl' in database ? database.appUrl : database.DATABASE_URL,
  }
}
