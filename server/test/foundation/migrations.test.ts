// Migrations: their headers are true, the baseline does not change, an expand migration breaks no older release, a database
// from before the baseline is refused, and a migration that must wait for a table makes no other statement wait long.

import { mkdtemp, readFile, rm, writeFile, cp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { migrate, planMigrations } from '../../src/foundation/postgres/migrate.io.ts'
import {
  declaredModes,
  parseMigration,
  pgLockName,
  type Migration,
} from '../../src/foundation/postgres/migration-plan.ts'
import { parseConfig } from '../../src/program/config.ts'
import { startService } from '../../src/program/serve.ts'
import { baselineDigests } from './baseline-digests.ts'
import { breakages, breakingParts, isOfFirstRelease } from './expand-rules.ts'

const directory = join(import.meta.dirname, '../../migrations')
const parsed = async (folder = directory): Promise<Migration[]> => {
  const names = (await readdir(folder)).sort()
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'))))
}

const header = (locks: string, phase = 'expand', oldest = '1.0') =>
  `-- phase: ${phase}\n-- oldest-release: ${oldest}\n-- locks: ${locks}\n`
const addsWeight = `${header('pets access exclusive')}\nalter table pets add column weight integer;\n`

describe('headers', () => {
  test('declare the locks that each migration holds just before its commit', async () => {
    expect(await undeclared(await emptyDatabase(), directory)).toEqual([])
  })

  test('that declare other locks are found (negative control)', async () => {
    const wrong = await folderWith({
      '9001-weaker.sql': addsWeight.replace('access exclusive', 'share'),
      '9002-undeclared.sql': `${header('none')}\ncreate index orders_by_test on orders (id);\n`,
      '9003-needless.sql': `${header('orders share')}\ncreate table new_table (id bigint);\n`,
    })
    expect(await undeclared(await cloneDatabase(), wrong)).toEqual([
      '9001-weaker.sql: holds [pets access exclusive], declares [pets share]',
      '9002-undeclared.sql: holds [orders share], declares []',
      '9003-needless.sql: holds [], declares [orders share]',
    ])
  })
})

test('the migrations of the first release are the baseline, as databases have recorded it', async () => {
  const ofFirst = (await parsed()).filter(({ name }) => isOfFirstRelease(name))
  expect(Object.fromEntries(ofFirst.map(({ name, digest }) => [name, digest]))).toEqual(baselineDigests)
})

describe('expand migrations', () => {
  test('contain nothing that breaks the previous release', async () => {
    expect(breakages(await parsed())).toEqual([])
  })

  test('that follow the baseline are judged from the first one on (negative control)', async () => {
    const next = Object.keys(baselineDigests).length + 1
    const name = `${String(next).padStart(4, '0')}-drop.sql`
    const folder = await folderWith({
      [name]: `${header('pets access exclusive')}\nalter table pets drop column name;\n`,
    })
    expect(breakages(await parsed(folder))).toEqual([`${name}: drop column name`])
  })

  test.each([
    'alter table pets drop column weight;',
    'alter table pets rename column weight to mass;',
    'alter table pets alter column weight set not null;',
    'alter table pets alter column weight type bigint;',
    'alter table pets alter column weight set data type bigint;',
    'alter table pets drop constraint pets_weight_check;',
    'alter table pets add column weight integer not null;',
    'alter table pets add column weight numeric(5, 2) not null check (weight > 0);',
    'DROP TABLE pets;',
  ])('that contain "%s" are found (negative control)', (sql) => {
    expect(breakingParts(sql)).toHaveLength(1)
  })

  test.each([
    'alter table pets add column weight integer not null default 0;',
    'alter table pets add column weight integer; -- drop it later',
    `alter table pets add column note text default 'drop it';`,
    'alter table pets drop constraint c, add constraint c check (weight > 0);',
    'drop index concurrently if exists i;\ncreate index concurrently i on pets (id);',
  ])('may contain "%s"', (sql) => {
    expect(breakingParts(sql)).toEqual([])
  })
})

describe('a database from before the baseline', () => {
  const record = (database: TestDatabase) =>
    asOwner(database, async (client) => (await client.query('select * from schema_migrations order by name')).rows)

  // Such a database has the schema of the baseline, under the names of its own migrations.
  const earlier = async (alter = '') => {
    const database = await cloneDatabase()
    await asOwner(database, (client) =>
      client.query(`
        truncate schema_migrations;
        insert into schema_migrations (name, digest, phase, oldest_release)
        values ('0001-projects.sql', 'x', 'expand', '1.0'), ('0060-time-zones-of-accounts.sql', 'x', 'expand', '1.0');
        ${alter}`),
    )
    return database
  }

  test.each([
    ['with what headers declare', ''],
    ['from before there were headers', 'alter table schema_migrations drop column phase, drop column oldest_release'],
  ])('and a record %s is refused by name, and nothing is done', async (_, alter) => {
    const database = await earlier(alter)
    const before = await record(database)
    const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl }
    for (const args of [['migrate'], ['migrate', '--plan'], ['serve']]) {
      const { code, output, errors } = await runProgram(args, env).ended
      expect([args, code, output]).toEqual([args, 1, ''])
      expect(errors).toContain('from before the first release migrated the database (0001-projects.sql)')
      expect(errors).toContain('Create a new database')
    }
    expect(await record(database)).toEqual(before)
  })

  test('is left by creating a new one, as the message says', async () => {
    await expect(migrate((await earlier()).ownerUrl)).rejects.toThrow(
      'Create a new database, set DATABASE_URL and DATABASE_OWNER_URL to it, and run "migrate".',
    )
    const { ownerUrl, appUrl } = await emptyDatabase()
    const env = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl }
    expect(await runProgram(['migrate'], env).ended).toMatchObject({ code: 0, errors: '' })
    const service = await startService(parseConfig({ DATABASE_URL: appUrl, PORT: '0', LOG_LEVEL: 'silent' }))
    await service.stop()
  })
})

describe('a migration that has to wait for a table', () => {
  test('names the table and the connection that uses it, and succeeds once it is free', async () => {
    const database = await cloneDatabase()
    const release = await readPets(database)
    const lines: string[] = []
    const pauses: number[] = []
    const { applied } = await migrate(database.ownerUrl, {
      directory: await folderWith({ '9001-weight.sql': addsWeight }),
      report: (line) => lines.push(line),
      async pause(seconds) {
        pauses.push(seconds)
        if (pauses.length === 3) await release()
      },
    })
    expect(applied).toEqual(['9001-weight.sql'])
    expect(pauses).toEqual([1, 2, 4])
    expect(lines[0]).toBe(
      '9001-weight.sql could not lock pets, which is in use by petstore/1.0.0 serve test. Attempt 2 of 21 follows in 1 s.',
    )
  })

  test('fails without retries (negative control)', async () => {
    const database = await cloneDatabase()
    await readPets(database)
    const options = { directory: await folderWith({ '9001-weight.sql': addsWeight }), isRetrying: false }
    await expect(migrate(database.ownerUrl, options)).rejects.toThrow(
      '9001-weight.sql could not lock pets, which is in use by petstore/1.0.0 serve test',
    )
  })
})

test('a migration without a transaction can be repeated after it has failed', async () => {
  const database = await cloneDatabase()
  const file = (columns: string) =>
    `${header('pets share update exclusive')}-- transaction: none\n
drop index concurrently if exists pets_by_test;
create unique index concurrently pets_by_test on pets (${columns});
create index concurrently if not exists pets_by_other_test on pets (project_id, ${columns});\n`
  const broken = await folderWith({ '9001-index.sql': file('no_such_column') })
  await expect(migrate(database.ownerUrl, { directory: broken })).rejects.toThrow('no_such_column')
  const { applied } = await migrate(database.ownerUrl, {
    directory: await folderWith({ '9001-index.sql': file('id') }),
  })
  expect(applied).toEqual(['9001-index.sql'])
})

test('a contract migration is applied on request, and not while an older release is connected', async () => {
  const database = await cloneDatabase()
  const files = {
    '9001-drop.sql': `${header('pets access exclusive', 'contract', '1.1')}\nalter table pets drop column name cascade;\n`,
    '9002-weight.sql': addsWeight,
  }
  const options = { directory: await folderWith(files), version: '1.1.0' }
  expect(await migrate(database.ownerUrl, options)).toEqual({ applied: ['9002-weight.sql'], left: ['9001-drop.sql'] })
  expect(await planMigrations(database.ownerUrl, options)).toEqual([
    {
      name: '9001-drop.sql',
      phase: 'contract',
      oldestRelease: '1.1',
      isTransactional: true,
      locks: [{ table: 'pets', mode: 'access exclusive', bytes: expect.any(Number) as number }],
    },
  ])

  // An idle connection of an older release holds no lock, but its next statement would miss the column.
  const older = new pg.Client({ connectionString: database.appUrl, application_name: 'petstore/1.0.0 serve test' })
  await older.connect()
  await expect(migrate(database.ownerUrl, { ...options, isContract: true })).rejects.toThrow(
    '9001-drop.sql must wait: older releases still run (petstore/1.0.0 serve test).',
  )
  await older.end()
  await expect
    .poll(() => migrate(database.ownerUrl, { ...options, isContract: true }).catch((error: Error) => error.message))
    .toEqual({ applied: ['9001-drop.sql'], left: [] })
})

describe('petstore migrate', () => {
  test('--plan changes nothing and lists what is pending, for people and for programs', async () => {
    const { ownerUrl, appUrl, name } = await emptyDatabase()
    const env = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl }
    const text = await runProgram(['migrate', '--plan'], env).ended
    expect([text.code, text.errors]).toEqual([0, ''])
    expect(text.output).toContain('0008-orders.sql')
    expect(text.output).toContain('pets share row exclusive')
    const json = await runProgram(['migrate', '--plan', '--json'], env).ended
    const { pending } = JSON.parse(json.output) as { pending: { name: string; phase: string }[] }
    expect(pending.map((one) => one.name)).toEqual(await readdir(directory))
    const tables = await asOwner({ name, ownerUrl, appUrl }, (client) =>
      client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
    )
    expect(tables.rowCount).toBe(0)
  })
})

/** The migrations whose held locks differ from the declared ones. */
async function undeclared(database: TestDatabase, folder: string): Promise<string[]> {
  const names = declaredModes.map(pgLockName)
  const differing: string[] = []
  await asOwner(database, (observer) =>
    migrate(database.ownerUrl, {
      directory: folder,
      async beforeCommit(client, { name, locks }) {
        const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        // The observer does not see tables that the migration itself has created.
        const { rows } = await observer.query<{ lock: string }>(
          `select relname || ' ' || ($2::text[])[max(array_position($3, mode))] as lock
           from pg_locks join pg_class on pg_class.oid = relation
           where pid = $1 and granted and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
             and mode = any ($3::text[])
           group by relname order by relname`,
          [own[0]?.pid, declaredModes, names],
        )
        const held = rows.map(({ lock }) => lock).join(', ')
        const declared = locks.map(({ table, mode }) => `${table} ${mode}`).join(', ')
        if (held !== declared) differing.push(`${name}: holds [${held}], declares [${declared}]`)
      },
    }),
  )
  return differing
}

/** The migrations of this release, and these. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(directory, folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** A transaction of the service that has read animals and is still open. */
async function readPets({ appUrl }: TestDatabase): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: appUrl, application_name: 'petstore/1.0.0 serve test' })
  await client.connect()
  let isOver = false
  const release = async () => {
    if (!isOver) await client.end()
    isOver = true
  }
  onTestFinished(release)
  await client.query('begin')
  await client.query('select from pets')
  return release
}

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
