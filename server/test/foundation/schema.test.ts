// The schema: the migrations result in the reviewed schema.sql, they can be run again and
// concurrently, and the program does not run on a schema that it does not know.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject, expect, test } from 'vitest'
import { printSchema } from '../../../testbed/harness/print-schema.ts'
import { parseConfig } from '../../src/program/config.ts'
import { migrate } from '../../src/foundation/postgres/migrate.io.ts'
import { startService } from '../../src/program/serve.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'

const reviewed = join(import.meta.dirname, '../../schema.sql')

test('schema.sql is the schema after all migrations', async () => {
  const schema = await asOwner(await cloneDatabase(), printSchema)
  expect(await readFile(reviewed, 'utf8'), 'run "npm run generate -- schema" and review what it changes').toBe(schema)
})

test('a new database has no account, no credential, no project and no edge', async () => {
  const tables = [
    'accounts',
    'sessions',
    'access_tokens',
    'passkeys',
    'key_directory',
    'slug_directory',
    'edge_directory',
  ]
  const all = tables.map((table) => `select '${table}' as name from ${table}`).join(' union all ')
  expect(await asOwner(await cloneDatabase(), async (client) => (await client.query(all)).rows)).toEqual([])
})

test('migrating a migrated database changes nothing', async () => {
  const database = await cloneDatabase()
  const before = await stateOf(database)
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [], left: [] })
  expect(await stateOf(database)).toEqual(before)
})

test('concurrent migrations are applied once, and all of them succeed', async () => {
  const database = await emptyDatabase()
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.ownerUrl)))
  const { schema, migrations } = await stateOf(database)
  expect(applied.flatMap((one) => one.applied).sort()).toEqual(migrations.map(({ name }) => name))
  expect(applied.filter((one) => one.applied.length > 0)).toHaveLength(1)
  expect(schema).toBe(await readFile(reviewed, 'utf8'))
})

test('a migration that was changed after it had been applied is refused, and nothing is done', async () => {
  const database = await cloneDatabase()
  await asOwner(database, (client) =>
    client.query(`
      update schema_migrations set digest = 'another' where name = '0001-foundation.sql';
      delete from schema_migrations where name = (select max(name) from schema_migrations)`),
  )
  const before = await stateOf(database)
  await expect(migrate(database.ownerUrl)).rejects.toThrow('0001-foundation.sql was changed after it had been applied.')
  expect(await stateOf(database)).toEqual(before)
  await expect(serve(database)).rejects.toThrow('0001-foundation.sql was changed after it had been applied.')
})

test('a migration that fails leaves nothing behind, and the next run continues from there', async () => {
  const database = await emptyDatabase()
  // Blocks the third migration: the two before it are applied, and nothing of the third.
  await asOwner(database, (client) => client.query('create table audit (in_the_way integer)'))
  await expect(migrate(database.ownerUrl)).rejects.toThrow('"audit" already exists')
  const { migrations } = await stateOf(database)
  expect(migrations.map(({ name }) => name)).toEqual(['0001-foundation.sql', '0002-accounts.sql'])
  const exists = await asOwner(database, (client) => client.query(`select from pg_class where relname = 'projects'`))
  expect(exists.rowCount).toBe(0)

  await asOwner(database, (client) => client.query('drop table audit'))
  expect((await migrate(database.ownerUrl)).applied[0]).toBe('0003-projects.sql')
  expect((await stateOf(database)).schema).toBe(await readFile(reviewed, 'utf8'))
})

test('the program serves the schema of a newer release that was declared to support it', async () => {
  const database = await cloneDatabase()
  await fromTheFuture(database, '1.0')
  await serve(database)
  expect(await migrate(database.ownerUrl, { version: '1.0.0' })).toEqual({ applied: [], left: [] })
})

test.each(['1.1', null])(
  'the program refuses to serve a newer schema whose oldest release is %s (negative control)',
  async (oldest) => {
    const database = await cloneDatabase()
    await fromTheFuture(database, oldest)
    const use = oldest === null ? 'the release that applied it' : `release ${oldest} or a later one`
    const message = `holds 9999-from-the-future.sql, which this release (1.0.0) does not know. Use ${use}.`
    await expect(serve(database)).rejects.toThrow(message)
    await expect(migrate(database.ownerUrl, { version: '1.0.0' })).rejects.toThrow(message)
  },
)

const fromTheFuture = (database: TestDatabase, oldest: string | null) =>
  asOwner(database, (client) =>
    client.query(
      `insert into schema_migrations (name, digest, oldest_release) values ('9999-from-the-future.sql', 'x', $1)`,
      [oldest],
    ),
  )

test('the program refuses to serve a schema older than itself', async () => {
  const database = await cloneDatabase()
  await asOwner(database, (client) => client.query(`delete from schema_migrations where name = '0005-animals.sql'`))
  await expect(serve(database)).rejects.toThrow('The schema lacks 0005-animals.sql. Run the command "migrate" first.')
})

test('the program refuses to serve an empty database', async () => {
  await expect(serve(await emptyDatabase())).rejects.toThrow(
    'The database has no schema yet. Run the command "migrate"',
  )
})

test('the program refuses to serve as the owner of the tables', async () => {
  const { ownerUrl } = await cloneDatabase()
  await expect(serve({ appUrl: ownerUrl })).rejects.toThrow('could step over row level security')
})

async function serve({ appUrl }: Pick<TestDatabase, 'appUrl'>): Promise<void> {
  const service = await startService(parseConfig({ DATABASE_URL: appUrl, PORT: '0', LOG_LEVEL: 'silent' }))
  await service.stop()
}

type State = { schema: string; migrations: { name: string; digest: string; applied_at: Date }[] }

const stateOf = (database: TestDatabase): Promise<State> =>
  asOwner(database, async (client) => ({
    schema: await printSchema(client),
    migrations: (await client.query('select name, digest, applied_at from schema_migrations order by name')).rows,
  }))

async function emptyDatabase(): Promise<TestDatabase> {
  const name = `empty_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const urlOf = (role: string, database: string) =>
    `postgresql://${role}@127.0.0.1:${inject('postgresPort')}/${database}`
  const client = new pg.Client(urlOf('petstore_owner', 'postgres'))
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { name, ownerUrl: urlOf('petstore_owner', name), appUrl: urlOf('petstore_app', name) }
}
