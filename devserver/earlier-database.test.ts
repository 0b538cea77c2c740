// `npm run dev` recreates its database if a checkout from before the first release migrated it, and no other.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../server/src/foundation/postgres/migrate.io.ts'
import { dropEarlierDatabase } from './earlier-database.ts'
import { provision, startPostgres, type RunningPostgres } from './postgres.ts'

let folder: string
let postgres: RunningPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-test-'))
  await chmod(folder, 0o755)
  postgres = await startPostgres({ directory: join(folder, 'postgres'), ephemeral: true })
})

afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

const ownerUrl = (name: string) => postgres.urlOf('petstore_owner', name)

async function query(name: string, sql: string): Promise<number | null> {
  const client = new pg.Client(ownerUrl(name))
  await client.connect()
  try {
    return (await client.query(sql)).rowCount
  } finally {
    await client.end()
  }
}

/** Its record of migrations changed by this SQL. */
async function migrated(name: string, sql: string): Promise<void> {
  await provision(postgres.superuserUrl, name)
  await migrate(ownerUrl(name))
  await query(name, sql)
}

const exists = async (name: string) =>
  (await query('postgres', `select from pg_database where datname = '${name}'`)) === 1

test('the database of a checkout from before the first release is dropped, and a new one can be migrated', async () => {
  await migrated(
    'earlier',
    `update schema_migrations set name = '0001-projects.sql' where name = '0001-foundation.sql'`,
  )
  await expect(migrate(ownerUrl('earlier'))).rejects.toThrow('from before the first release')
  expect(await dropEarlierDatabase(postgres, 'earlier')).toBe(true)
  expect(await exists('earlier')).toBe(false)

  await provision(postgres.superuserUrl, 'earlier')
  expect(await migrate(ownerUrl('earlier'))).toMatchObject({ left: [] })
  expect(await dropEarlierDatabase(postgres, 'earlier')).toBe(false)
})

test.each([
  ['current', 'select'],
  ['later', `insert into schema_migrations (name, digest) values ('9999-later.sql', 'x')`],
  ['empty', 'drop table schema_migrations'],
])('a database of another origin stays: %s (negative control)', async (name, sql) => {
  await migrated(name, sql)
  expect(await dropEarlierDatabase(postgres, name)).toBe(false)
  expect(await exists(name)).toBe(true)
})
