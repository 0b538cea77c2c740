// A process starts with no PostgreSQL that could lose what it acknowledged, or that it could not work with; outside
// production it warns. While it runs, the checks are repeated, and it is not ready while they fail.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { provision, startPostgres, type RunningPostgres } from '../../../devserver/postgres.ts'
import { parseConfig } from '../../src/program/config.ts'
import { openDatabaseOf } from '../../src/program/database.ts'
import { migrate } from '../../src/foundation/postgres/migrate.io.ts'
import { openFitDatabase } from '../../src/foundation/postgres/startup-checks.io.ts'
import { release } from '../../src/program/release.ts'
import { startService } from '../../src/program/serve.ts'
import { newClusterDirectory } from '../../../testbed/harness/cluster-directory.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { startTransactionPooler } from '../../../testbed/harness/transaction-pooler.ts'

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', 'petstore.data_may_be_lost': 'off' }
const undeclared = 'options=-c%20petstore.data_may_be_lost%3Doff'
let postgres: RunningPostgres
let appUrl: string

beforeAll(async () => {
  postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true, settings: durable })
  await provision(postgres.superuserUrl, 'petstore')
  await migrate(postgres.urlOf('petstore_owner', 'petstore'))
  appUrl = postgres.urlOf('petstore_app', 'petstore')
})
afterEach(() => asRole('petstore_app', 'alter role petstore_app reset synchronous_commit'))
afterAll(() => postgres.stop())

/** Every role may change the settings of its own connections. */
async function asRole(role: string, text: string): Promise<void> {
  const client = new pg.Client(postgres.urlOf(role, 'petstore'))
  await client.connect()
  await client.query(text)
  await client.end()
}
const losing = () => asRole('petstore_app', 'alter role petstore_app set synchronous_commit = off')

/** What a process reports at its start, or `refused` with the reason. */
async function atStart(env: Record<string, string> = {}): Promise<string[] | { refused: string }> {
  const reported: string[] = []
  try {
    const config = parseConfig({ DATABASE_URL: appUrl, ...env })
    await (await openDatabaseOf(config, 'serve', ({ message }) => reported.push(message))).close()
    return reported
  } catch (error) {
    return { refused: (error as Error).message }
  }
}
const refused = (text: string) => ({ refused: expect.stringContaining(text) as string })
const staging = { ENVIRONMENT: 'staging' }

describe('a process of production', () => {
  test('starts with PostgreSQL as it is installed, and reports nothing', async () => {
    expect(await atStart()).toEqual([])
  })

  test('does not start if its role commits without waiting for the disk, and says what to change', async () => {
    await losing()
    expect(await atStart()).toEqual(refused('synchronous_commit is off: a crash loses or destroys data. Set sync'))
  })

  test('does not start without fsync and full_page_writes, and names all of them at once', async () => {
    const { appUrl: fast } = await cloneDatabase()
    const DATABASE_URL = `${fast}&${undeclared}`
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
      expect(await atStart({ DATABASE_URL })).toEqual(refused(`${name} is off`))
  })

  test('starts with such a server if that declares that its data may be lost', async () => {
    const { appUrl: fast } = await cloneDatabase()
    expect(await atStart({ DATABASE_URL: fast })).toEqual([])
  })

  test('does not start if its pools need more connections than PostgreSQL has', async () => {
    expect(await atStart({ DATABASE_POOL_MAX: '60' })).toEqual(
      refused('uses up to 133 connections, more than 100 % of'),
    )
    expect(await atStart({ DATABASE_POOL_MAX: '40' })).toEqual([])
  })

  test('does not start with a database in another encoding', async () => {
    await asRole('petstore_owner', "create database latin encoding 'LATIN1' template template0")
    const DATABASE_URL = postgres.urlOf('petstore_app', 'latin')
    expect(await atStart({ DATABASE_URL })).toEqual(refused('The encoding of the database is LATIN1'))
  })

  test('does not start behind a pooler that assigns connections per transaction', async () => {
    const pooler = await startTransactionPooler(postgres.port)
    const DATABASE_URL = appUrl.replace(`:${postgres.port}/`, `:${pooler.port}/`)
    expect(await atStart({ DATABASE_URL })).toEqual(refused('DATABASE_URL leads to a pooler'))
    await pooler.close()
  })

  test('does not start if its clock is three seconds behind', async () => {
    await expect(watched({ now: () => Date.now() - 3000 })).rejects.toThrow(/^The clock of this machine is .* s behind/)
  })
})

test('a process outside production starts with all of that, and reports it', async () => {
  await losing()
  expect(await atStart({ ...staging, DATABASE_POOL_MAX: '60' })).toEqual([
    expect.stringContaining('connections'),
    expect.stringContaining('synchronous_commit'),
  ])
})

const watched = ({ isProduction = true, now = Date.now } = {}, reported: string[] = []) =>
  openFitDatabase(
    { url: appUrl, poolMax: 2, onError: ({ message }) => reported.push(message) },
    { version: release.version, needs: { processes: 1, poolMax: 2 }, isProduction },
    { everyMs: 20, now },
  )

describe('while a process runs', () => {
  test('it is not ready as long as PostgreSQL could lose data, and logs why', async () => {
    const reported: string[] = []
    const database = await watched({}, reported)
    const service = await startService(parseConfig({ DATABASE_URL: appUrl, PORT: '0' }), {
      database,
      logger: { level: 'silent' },
    })
    const ready = async () => (await exchange(`http://127.0.0.1:${service.port}`, { path: '/readyz' })).status
    expect(await ready()).toBe(200)
    await losing()
    await expect.poll(ready).toBe(503)
    expect(reported.at(-1)).toContain('synchronous_commit is off')
    await asRole('petstore_app', 'alter role petstore_app reset synchronous_commit')
    await expect.poll(ready).toBe(200)
    await service.stop()
    await database.close()
  })

  test('outside production it stays ready, and logs why a process of production would not be', async () => {
    const reported: string[] = []
    const database = await watched({ isProduction: false }, reported)
    await losing()
    await expect.poll(() => reported.length).toBeGreaterThan(1)
    expect(database.isFit?.()).toBe(true)
    await database.close()
  })

  test('it stays ready if the clocks drift apart', async () => {
    const reported: string[] = []
    let aheadMs = 0
    const database = await watched({ now: () => Date.now() + aheadMs }, reported)
    aheadMs = 5000
    await expect.poll(() => reported.length).toBeGreaterThan(1)
    expect(reported.at(-1)).toMatch(/^The clock of this machine is .* s ahead of/)
    expect(database.isFit?.()).toBe(true)
    await database.close()
  })
})
