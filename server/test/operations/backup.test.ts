// Backups by PostgreSQL's own programs: what a dump contains is counted, and a dump that lacks rows is found.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { postgresqlClient } from '../../../testbed/harness/postgresql-client.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { verifyEmptyDump } from '../../../testbed/ship/restore-drill.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { readManifest } from '../../src/operations/backup/backup-file.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'

const PETS = 20
const programs = postgresqlClient()
let database: TestDatabase
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'petstore-backups-'))
  const app = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  const project = await createProject(app, { slug: 'willow', name: 'Willow' })
  await inProjectOf(app)(project, (db) =>
    db(
      {
        name: 'seed-pets',
        text: `insert into pets (project_id, id, name, category_id, status)
               select $1, n, E'one\\nline \\\\. and ' || n, 1, 'available' from generate_series(1, $2) as n`,
      },
      project,
      PETS,
    ),
  )
  await app.close()
  env = {
    DATABASE_URL: database.appUrl,
    DATABASE_BACKUP_URL: database.ownerUrl.replace('petstore_owner', 'petstore_backup'),
    POSTGRESQL_PROGRAMS: programs,
    BACKUP_DIRECTORY: folder,
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => runProgram(args, env).ended

async function taken(): Promise<{ file: string; rows: number; bytes: number }> {
  const { output, errors, code } = await run('backup', '--json')
  expect({ errors, code }).toEqual({ errors: '', code: 0 })
  return JSON.parse(output) as { file: string; rows: number; bytes: number }
}

test('a backup has every row of every project, passes its verification, and is recorded', async () => {
  const { file, rows } = await taken()
  const manifest = await readManifest(file)
  expect(manifest.rows).toMatchObject({ pets: PETS, projects: 1, schema_migrations: manifest.migrations.length })
  expect(manifest.rows).not.toHaveProperty('rate_directory')
  const { output, code } = await run('backup', 'verify', file)
  expect(code).toBe(0)
  expect(output).toContain(`${file} is complete: ${rows} rows`)
  const recorded = await asOwner(database, (client) => client.query('select taken_at from last_backup'))
  expect(recorded.rows).toEqual([{ taken_at: new Date(manifest.takenAt) }])
})

test('is an archive that pg_restore reads by itself', async () => {
  const { file } = await taken()
  const list = execFileSync(join(programs, 'pg_restore'), ['--list', file], { encoding: 'utf8' })
  expect(list).toContain('TABLE DATA public pets')
})

test('a dump that row-level security emptied fails, although pg_dump ended with 0 (negative control)', async () => {
  await expect(verifyEmptyDump(await cloneDatabase(), PETS)).rejects.toThrow(
    `pets: 0 rows in the dump, ${PETS} rows in the manifest`,
  )
})

test('a role that does not see every row takes no backup', async () => {
  env = { ...env, DATABASE_BACKUP_URL: database.ownerUrl }
  const { code, errors } = await run('backup')
  env = { ...env, DATABASE_BACKUP_URL: database.ownerUrl.replace('petstore_owner', 'petstore_backup') }
  expect(code).toBe(1)
  expect(errors).toMatch(/does not see every row of .*\bpets\b/)
})

test('a damaged file, and one that is no backup, fail', async () => {
  const { file, bytes } = await taken()
  const damaged = join(folder, 'damaged.backup')
  const text = readFileSync(file)
  text[Math.floor(bytes / 3)]! ^= 1
  writeFileSync(damaged, text)
  expect((await run('backup', 'verify', damaged)).errors).toContain('The dump is damaged')
  writeFileSync(damaged, 'no archive')
  expect((await run('backup', 'verify', damaged)).errors).toContain('This is no backup of Petstore')
})

test('programs that are missing are named before anything begins', async () => {
  const { errors, code } = await runProgram(['backup'], { ...env, POSTGRESQL_PROGRAMS: '/nowhere' }).ended
  expect(code).toBe(1)
  expect(errors).toContain('pg_dump is not in /nowhere. Install the Debian package postgresql-client-18')
})
