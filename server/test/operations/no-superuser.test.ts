// Where no superuser is to be had, as with a managed PostgreSQL: an administrator who may create roles, and grant neither
// BYPASSRLS nor pg_read_all_data. Backup and restore work all the same.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type RunningPostgres } from '../../../devserver/postgres.ts'
import { newClusterDirectory } from '../../../testbed/harness/cluster-directory.ts'
import { postgresqlClient } from '../../../testbed/harness/postgresql-client.ts'
import { spawnProgram } from '../../../testbed/harness/program.ts'
import { openAdmin } from '../../src/operations/setup/database-admin.io.ts'
import { databaseSql } from '../../src/operations/setup/database-sql.ts'

let postgres: RunningPostgres
let folder: string
let env: Record<string, string>

async function as(url: string, ...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const results = []
    for (const text of statements) results.push(await client.query(text))
    return results
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true })
  folder = mkdtempSync(join(tmpdir(), 'petstore-managed-'))
  const rights = 'login createrole createdb nosuperuser nobypassrls'
  const selfGrant = `alter role administrator set createrole_self_grant = 'set, inherit'`
  await as(postgres.superuserUrl, `create role administrator ${rights}`, selfGrant)
  const admin = await openAdmin(postgres.urlOf('administrator', 'postgres'))
  const password = { text: 'none', isNew: true }
  for (const { text } of databaseSql(await admin.state(), { owner: password, app: password, backup: password }))
    await admin.run(text)
  await admin.close()
  env = {
    DATABASE_URL: postgres.urlOf('petstore_app', 'petstore'),
    DATABASE_OWNER_URL: postgres.urlOf('petstore_owner', 'petstore'),
    DATABASE_BACKUP_URL: postgres.urlOf('petstore_backup', 'petstore'),
    POSTGRESQL_PROGRAMS: postgresqlClient(),
    BACKUP_DIRECTORY: folder,
  }
  expect((await run('migrate')).code).toBe(0)
  expect((await run('projects', 'create', '--slug', 'willow')).code).toBe(0)
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => spawnProgram(args, env).ended

test('migrate lets the role for backups read every table, and the backup is restored by the owner', async () => {
  const { output, errors } = await run('backup', '--json')
  expect(errors).toBe('')
  const { file, rows } = JSON.parse(output) as { file: string; rows: number }
  const administrator = postgres.urlOf('administrator', 'postgres')
  await as(administrator, 'drop database petstore', 'create database petstore owner petstore_owner')
  await as(administrator, 'revoke connect on database petstore from public')
  await as(administrator, 'grant connect on database petstore to petstore_app, petstore_backup')
  expect((await run('migrate')).code).toBe(0)
  const restored = await run('restore', file, '--without-tombstones', '--json')
  expect(restored.errors).toBe('')
  expect(JSON.parse(restored.output)).toMatchObject({ rows, left: [] })
  expect((await run('projects', 'create', '--slug', 'willow')).errors).toContain('willow')
})

test('a table that the role does not see is named, until migrate is run again (negative control)', async () => {
  await as(env['DATABASE_OWNER_URL']!, 'drop policy backup on pets')
  expect((await run('backup')).errors).toContain('does not see every row of pets')
  expect((await run('migrate')).code).toBe(0)
  expect((await run('backup')).code).toBe(0)
})
