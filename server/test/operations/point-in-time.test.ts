// The recipe for any point in time, by PostgreSQL's own tools: a base backup, an incremental one, the log as it is written, and
// a server that stops at the time between two rows.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres, type RunningPostgres } from '../../../devserver/postgres.ts'
import { newClusterDirectory } from '../../../testbed/harness/cluster-directory.ts'
import { postgresqlClient } from '../../../testbed/harness/postgresql-client.ts'
import { until } from '../../../testbed/internet/processes.ts'

const client = (name: string, ...args: string[]) =>
  execFileSync(join(postgresqlClient(), name), args, { stdio: 'pipe' })

async function query(url: string, text: string): Promise<string[]> {
  const connection = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await connection.connect()
  try {
    const { rows } = await connection.query<{ one: string }>(text)
    return rows.map(({ one }) => one)
  } finally {
    await connection.end()
  }
}

/** What is there after a recovery; without a time, everything. */
async function recovered(folder: string, wal: string, time: string | undefined): Promise<string[]> {
  const directory = mkdtempSync(`${newClusterDirectory()}-`)
  rmSync(directory, { recursive: true })
  client('pg_combinebackup', join(folder, 'full'), join(folder, 'monday'), '-o', directory)
  writeFileSync(join(directory, 'recovery.signal'), '')
  const settings = { restore_command: `cp ${wal}/%f %p`, fsync: 'off', recovery_target_action: 'promote' }
  const target = time === undefined ? {} : { recovery_target_time: time }
  const server: RunningPostgres = await startPostgres({ directory, settings: { ...settings, ...target } })
  try {
    return await query(server.superuserUrl, 'select name as one from shops order by name')
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

test('a database is restored to the time between two rows', async () => {
  const server = await startPostgres({
    directory: newClusterDirectory(),
    ephemeral: true,
    settings: { summarize_wal: 'on', full_page_writes: 'on' },
  })
  onTestFinished(() => server.stop())
  const folder = mkdtempSync(join(tmpdir(), 'petstore-point-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const wal = join(folder, 'wal')
  mkdirSync(wal)
  chmodSync(folder, 0o755)
  const on = ['-d', server.superuserUrl]
  const add = (name: string) => query(server.superuserUrl, `insert into shops values ('${name}')`)
  await query(server.superuserUrl, 'create table shops (name text)')
  client('pg_receivewal', ...on, '-D', wal, '--slot=petstore', '--create-slot', '--if-not-exists')
  const receiving = spawn(join(postgresqlClient(), 'pg_receivewal'), [
    ...on,
    '-D',
    wal,
    '--slot=petstore',
    '--synchronous',
  ])
  const ended = once(receiving, 'close')
  client('pg_basebackup', ...on, '-D', join(folder, 'full'), '-c', 'fast')
  await add('in the base backup of Monday')
  client(
    'pg_basebackup',
    ...on,
    '-D',
    join(folder, 'monday'),
    '-c',
    'fast',
    `--incremental=${join(folder, 'full/backup_manifest')}`,
  )
  client('pg_verifybackup', '-n', join(folder, 'monday'))
  await add('wanted')
  const [time] = await query(server.superuserUrl, 'select clock_timestamp()::text as one')
  await add('too late')
  const [last = ''] = await query(server.superuserUrl, 'select pg_walfile_name(pg_switch_wal()) as one')
  await until('That the log has arrived', () => Promise.resolve(existsSync(join(wal, last))), 60_000)
  receiving.kill('SIGINT')
  await ended
  for (const name of readdirSync(wal)) chmodSync(join(wal, name), 0o644)

  expect(await recovered(folder, wal, time)).toEqual(['in the base backup of Monday', 'wanted'])
  expect(await recovered(folder, wal, undefined)).toEqual(['in the base backup of Monday', 'too late', 'wanted'])
})
