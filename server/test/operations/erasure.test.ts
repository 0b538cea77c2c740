// Erasure of a project while its clients write, also after a restore of a backup from before, and the legal hold that stops
// erasure and everything that removes rows for their age.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { postgresqlClient } from '../../../testbed/harness/postgresql-client.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'
import { startTestService, type TestService } from '../../../testbed/harness/service.ts'
import { until } from '../../../testbed/internet/processes.ts'
import { projectCommands } from '../../src/commands/projects.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { writeTombstones } from '../../src/operations/backup/tombstone-log.io.ts'
import { expiredRows, oldRowsOfProjects, type ExpiredRows } from '../../src/plans/retention.ts'
import { parseConfig } from '../../src/program/config.ts'
import { startWork } from '../../src/program/work.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { readCatalogue } from '../projects/database-catalogue.ts'
import { fill } from '../projects/statement-values/seed.ts'

let shop: TestService
let north: ProjectId

beforeEach(async () => {
  shop = await startTestService()
  north = shop.north.project
  const app = new pg.Client(shop.database.appUrl)
  await app.connect()
  await app.query('begin')
  await app.query(`select set_config('petstore.projects', '{${north}}', true)`)
  await fill(app, north, 'north')
  await app.query('commit')
  await app.end()
})

const inNorth = <Row extends object>(database: TestDatabase, text: string): Promise<Row[]> =>
  asOwner(database, async (client) => {
    await client.query(`select set_config('petstore.projects', '{${north}}', false)`)
    return (await client.query<Row>(text)).rows
  })

/** How many rows the project has, by table; of all tables that have rows of projects. */
async function rowsOf(database: TestDatabase, project: bigint): Promise<Record<string, number>> {
  const { tables } = await asOwner(database, readCatalogue)
  const client = new pg.Client(database.appUrl)
  await client.connect()
  try {
    await client.query(`select set_config('petstore.projects', '{${project}}', false)`)
    const counts: Record<string, number> = {}
    for (const { name } of tables.filter(({ hasProject }) => hasProject)) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from ${name} where project_id = ${project}`,
      )
      if (rows[0]?.count) counts[name.replace('public.', '')] = rows[0].count
    }
    return counts
  } finally {
    await client.end()
  }
}

/** Runs a command of `petstore projects` in this process, as an operator would; resolves with what it prints. */
async function projects(database: TestDatabase, ...args: string[]): Promise<Record<string, unknown>> {
  const printed: string[] = []
  const config = parseConfig({ DATABASE_URL: database.appUrl })
  const print = (text: string) => void printed.push(text)
  const invocation = () => ({ config, print, invalid: (why: string) => new Error(why) })
  await projectCommands(invocation).parseAsync([...args, '--json'], { from: 'user' })
  return JSON.parse(printed.join('\n')) as Record<string, unknown>
}

/** So that no test waits for it: the project was closed long enough ago, and its timers are due. */
const hurry = (database: TestDatabase) =>
  inNorth(
    database,
    `with closed as (
       update projects set deleted_at = now() - interval '2 minutes' where project_id = ${north} and deleted_at is not null
     )
     update due_directory set due_at = now() where project_id = ${north} and kind <> 'domain'`,
  )

async function work<T>(database: TestDatabase, wait: () => Promise<T>): Promise<T> {
  const errors: Error[] = []
  const worker = await startWork(parseConfig({ DATABASE_URL: database.appUrl }), {
    onError: (error) => void errors.push(error),
  })
  try {
    return await wait()
  } finally {
    await worker.stop()
  }
}

const isSwept = async (database: TestDatabase) => (await rowsOf(database, north))['projects'] === undefined

/** Its slug, the timer until the last look, who held its hostnames, the event of the erasure, and what a restore needs. */
const LEFT = ['audit', 'due_directory', 'holder_directory', 'slug_directory', 'tombstone_directory']

const sweep = (database: TestDatabase) =>
  work(database, async () => {
    await hurry(database)
    await until(
      'That the project is erased',
      async () => {
        if (await isSwept(database)) return true
        await hurry(database)
        return false
      },
      60_000,
    )
  })

test('a project is erased while its clients write, and also after a restore of a backup from before', async () => {
  const { database } = shop
  const folder = mkdtempSync(join(tmpdir(), 'petstore-erasure-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const settingsOf = ({ appUrl, ownerUrl }: TestDatabase) => ({
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_BACKUP_URL: ownerUrl.replace('petstore_owner', 'petstore_backup'),
    POSTGRESQL_PROGRAMS: postgresqlClient(),
    BACKUP_DIRECTORY: folder,
  })
  const tombstones = join(folder, 'tombstones')
  const app: Database = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  onTestFinished(() => app.close())
  await writeTombstones(app, tombstones, Date.now())
  const { output } = await runProgram(['backup', '--json'], settingsOf(database)).ended
  const { file } = JSON.parse(output) as { file: string }

  // What is held after the backup was taken is held after the restore.
  await projects(database, 'hold', '--project', 'south', '--reason', 'case 12')
  await writeTombstones(app, tombstones, Date.now())
  const before = await rowsOf(database, north)
  const neighbour = await rowsOf(database, shop.south.project)
  // Every table that is erased has rows, but those that no store of the test fills.
  const { rows: erased } = await asOwner(database, (client) =>
    client.query<{ name: string }>('select unnest(erased_tables()) as name'),
  )
  const empty = erased.map(({ name }) => name).filter((name) => before[name] === undefined)
  expect(empty).toEqual([
    'invitation_directory',
    'invited_directory',
    'member_directory',
    'share_directory',
    'mail_directory',
  ])

  const statuses: number[] = []
  const client = async () => {
    const pet = JSON.stringify({ name: 'Rex', categoryId: 1 })
    for (let status = 0; status !== 401 && status !== 404; statuses.push(status))
      ({ status } = await shop.north.post('/v1/pets', pet))
  }
  const clients = [client(), client(), client(), client()]
  await until('That clients write', async () => statuses.length > 20, 30_000)
  await projects(database, 'erase', '--project', 'north', '--as', 'mia', '--reason', 'asked for', '--yes')
  await Promise.all(clients)
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(10)
  await writeTombstones(app, tombstones, Date.now())
  await sweep(database)

  const after = await rowsOf(database, north)
  expect(Object.keys(after).filter((table) => !LEFT.includes(table))).toEqual([])
  expect(after).toMatchObject({ audit: 1, slug_directory: 1, due_directory: 1 })
  expect(await rowsOf(database, shop.south.project)).toEqual(neighbour)
  const shown = await projects(database, 'show', '--project', 'north')
  expect(shown).toMatchObject({ state: 'erased', owners: [] })
  const [event] = shown['events'] as { action: string; detail: { by: string; reason: string; rows: object } }[]
  expect(event).toMatchObject({ action: 'project_erased', detail: { by: 'mia', reason: 'asked for' } })
  expect(event?.detail.rows).toMatchObject({
    orders: before['orders'],
    order_notes: before['order_notes'],
    projects: 1,
  })
  await expect(projects(database, 'create', '--slug', 'north')).rejects.toThrow('taken')
  // A day later the timer ends.
  await asOwner(database, (one) => one.query(`update slug_directory set erasing_at = now() - interval '25 hours'`))
  await work(database, async () => {
    await hurry(database)
    await until('That the last timer ends', async () => !(await rowsOf(database, north))['due_directory'], 30_000)
  })

  const restored = await cloneDatabase()
  const back = await runProgram(['restore', file, '--tombstones', tombstones], settingsOf(restored)).ended
  expect(back.errors).toBe('')
  // It is there, and closed (negative control).
  expect(await rowsOf(restored, north)).toMatchObject({ order_notes: before['order_notes'] })
  expect(await projects(restored, 'show', '--project', 'north')).toMatchObject({ state: 'erasing' })
  expect((await projects(restored, 'show', '--project', 'south'))['heldAt']).toMatch(/^20/)
  await sweep(restored)
  expect(Object.keys(await rowsOf(restored, north)).filter((table) => !LEFT.includes(table))).toEqual([])
})

test('a table that is missing in the list keeps its rows (negative control)', async () => {
  const { database } = shop
  await asOwner(database, async (client) => {
    const { rows } = await client.query<{ all: string[] }>('select erased_tables() as all')
    const names = rows[0]!.all.filter((name) => name !== 'request_settings')
    await client.query(
      `create or replace function erased_tables() returns text[] language sql immutable return '{${names.join()}}'::text[]`,
    )
  })
  await projects(database, 'erase', '--project', 'north', '--reason', 'asked for', '--yes')
  await sweep(database)
  expect(Object.keys(await rowsOf(database, north)).filter((table) => !LEFT.includes(table))).toEqual([
    'request_settings',
  ])
})

/** Everything of the project is old, and everything that removes it for that is due. */
const age = (database: TestDatabase) =>
  inNorth(
    database,
    `with a as (update audit set at = now() - interval '3 years' where project_id = ${north} returning 1),
       b as (update orders set decided_at = now() - interval '3 years', visitor_name = 'Ben'
         where project_id = ${north} and decided_at is not null returning 1),
       c as (update imports set finished_at = now() - interval '3 years' where project_id = ${north} and finished_at is not null returning 1),
       d as (update domains set removed_at = now() - interval '3 years' where project_id = ${north} and removed_at is not null returning 1),
       e as (update idempotency set created_at = now() - interval '3 years' where project_id = ${north} returning 1),
       f as (insert into mail_directory (project_id, id, kind, recipient, valid_until, state, ended_at)
         values (${north}, 'mail_00000000000000000000000f', 'recovery', 'rec_000000000000000000000000', now(), 'sent', now() - interval '3 years') returning 1),
       g as (insert into share_directory (digest, project_id, domain_id, expires_at)
         values (sha256('share'), ${north}, 'dom_x', now() - interval '3 years') returning 1),
       h as (insert into site_reports (id, slug, host, message, contact, reported_at)
         values ('rep_000000000000000000000000', 'north', 'x', 'x', '', now() - interval '3 years') returning 1),
       i as (insert into invited_directory (address_digest, project_id, invitation_id, expires_at)
         select sha256('address'), project_id, id, now() - interval '3 years' from invitations
         where project_id = ${north} limit 1 returning 1),
       j as (update api_keys set revoked_at = now() - interval '3 years' where project_id = ${north} and label <> 'test' returning 1)
     insert into due_directory (kind, project_id, id, due_at)
     select kind, ${north}, id, now()
     from (
       values ('project_upkeep', 'all'), ('photo_sweep', 'photos'), ('visitor_erasure', 'all'), ('photo_removal', 'x')
       union all
       select 'request_confirmation', id from request_confirmations where project_id = ${north}
     ) as due (kind, id)
     on conflict (kind, project_id, id) do update set due_at = now()`,
  )

const retained = async (database: TestDatabase) => {
  const { due_directory: _, ...rows } = await rowsOf(database, north)
  const [reports] = await asOwner(
    database,
    async (client) =>
      (await client.query<{ count: number }>('select count(*)::integer as count from site_reports')).rows,
  )
  const [visitors] = await inNorth<{ count: number }>(
    database,
    `select count(*)::integer as count from orders where project_id = ${north} and visitor_name <> ''`,
  )
  return { ...rows, reports: reports?.count, visitors: visitors?.count }
}

const isDone = async (database: TestDatabase) => {
  const due = await inNorth<{ kind: string }>(
    database,
    `select kind from due_directory where project_id = ${north} and due_at <= now() and kind not in ('domain', 'photo')`,
  )
  return due.length === 0
}

/** Whatever is due by the list of retention as well. */
async function retain(database: TestDatabase): Promise<void> {
  const app = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  try {
    for (const table of [...Object.keys(expiredRows), 'idempotency', 'invitations']) await removeExpired(app, table)
  } finally {
    await app.close()
  }
  await work(database, () => until('That retention is done', () => isDone(database), 60_000))
}

test('a legal hold keeps every row from retention and from erasure, until it is released', async () => {
  const { database } = shop
  const reason = ['--project', 'north', '--as', 'mia', '--reason', 'case 12']
  await age(database)
  expect(await projects(database, 'hold', ...reason)).toEqual({ slug: 'north', state: 'held' })
  await expect(projects(database, 'hold', ...reason)).rejects.toThrow('held already')
  await expect(projects(database, 'erase', ...reason, '--yes')).rejects.toThrow('on legal hold')
  const held = await retained(database)
  await retain(database)
  expect(await retained(database)).toEqual(held)
  expect((await projects(database, 'show', '--project', 'north'))['heldAt']).toMatch(/^20/)

  expect(await projects(database, 'release', ...reason)).toEqual({ slug: 'north', state: 'released' })
  await age(database).catch(() => hurry(database))
  await hurry(database)
  await retain(database)
  const kept = (await retained(database)) as Record<string, number>
  const fewer = Object.entries(held).filter(([table, rows]) => (kept[table] ?? 0) < (rows ?? 0))
  // Negative control: without the hold each of these would have been removed.
  expect(fewer.map(([table]) => table).sort()).toEqual(
    expect.arrayContaining([
      'audit',
      'idempotency',
      'invited_directory',
      'mail_directory',
      'reports',
      'share_directory',
      'visitors',
    ]),
  )
})

test('a deleted project that is held is not erased', async () => {
  const { database } = shop
  await projects(database, 'hold', '--project', 'north', '--reason', 'case 12')
  await inNorth(database, `update projects set deleted_at = now() - interval '400 days' where project_id = ${north}`)
  const held = await retained(database)
  await work(database, async () => {
    await inNorth(database, `update due_directory set due_at = now() where project_id = ${north} and kind <> 'domain'`)
    await until('That the upkeep is done', () => isDone(database), 60_000)
  })
  expect(await retained(database)).toEqual(held)
})

/** Removals in functions of the schema that no person asked for, and how a hold stops them. */
const byUpkeep = Object.values(oldRowsOfProjects).map((rows) => rows.function)
const ofOneRow = ['change_words_of_name', 'change_words_of_profile', 'recount_rows', 'words_of']
const ofOperators = ['finish_restore', 'replay_tombstones', 'take_tombstones']

test('every removal for age knows of the hold: in lists of retention, and in functions of the schema', async () => {
  const { rows: columns } = await asOwner(shop.database, (client) =>
    client.query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = 'public' and column_name in ('project_id', 'slug')`,
    ),
  )
  const ofProjects = new Set(columns.map(({ table }) => table))
  const unaware = Object.entries<ExpiredRows>(expiredRows).filter(
    ([table, { heldBy }]) => ofProjects.has(table) && heldBy === undefined,
  )
  // What a restore must not revive is no row of the project.
  expect(unaware.map(([table]) => table)).toEqual(['tombstone_directory'])

  const { rows: functions } = await asOwner(shop.database, (client) =>
    client.query<{ name: string; text: string }>(
      `select proname as name, pg_get_functiondef(pg_proc.oid) as text from pg_proc
       where pronamespace = 'public'::regnamespace and prokind = 'f'`,
    ),
  )
  const removing = functions.filter(({ text }) => /delete from/i.test(text)).map(({ name, text }) => ({ name, text }))
  const aware = removing.filter(({ text }) => /is_held|held_at/.test(text)).map(({ name }) => name)
  expect(aware.sort()).toEqual([
    'erase_deleted_project',
    'limit_deployments',
    'limit_domain_events',
    'sweep_idempotency',
  ])
  const others = removing.map(({ name }) => name).filter((name) => !aware.includes(name))
  expect(others.filter((name) => ![...byUpkeep, ...ofOneRow, ...ofOperators].includes(name))).toEqual([])
  expect(others).toEqual(expect.arrayContaining(byUpkeep))
})
