// Tombstones leave the database for files, one writer at a time, and wait while the files cannot be written.

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { spawnProgram } from '../../../testbed/harness/program.ts'
import { until } from '../../../testbed/internet/processes.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { readTombstones, writeTombstones } from '../../src/operations/backup/tombstone-log.io.ts'
import { parseConfig } from '../../src/program/config.ts'
import { contextOf } from '../../src/program/context.ts'
import { createKey, revokeKey } from '../../src/projects/api-keys.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'

let clone: TestDatabase
let database: Database
let project: ProjectId
let folder: string
const folders: string[] = []

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.appUrl, poolMax: 4, onError: () => {} })
  project = await createProject(database, { slug: 'willow', name: 'Willow' })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-tombstones-'))
  folders.push(folder)
})
afterAll(async () => {
  await database.close()
  for (const one of folders) rmSync(one, { recursive: true, force: true })
})

async function revoked(count: number): Promise<string[]> {
  const context = contextOf(parseConfig({ DATABASE_URL: clone.appUrl }), database)
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { row } = await createKey(context, project, { label: `key ${n}` })
    ids.push((await revokeKey(context, project, row.id)).id)
  }
  return ids
}
const write = () => writeTombstones(database, folder, Date.now())
const subjects = async () => (await readTombstones(folder)).slice(1).map(({ subject }) => subject)

test('each is written once, by whichever of several writers comes first, in its order', async () => {
  const ids = await revoked(20)
  await Promise.all([write(), write(), write()])
  expect(await subjects()).toEqual(ids)
  await write()
  expect(await subjects()).toEqual(ids)
})

test('they wait while the folder cannot be written, and none is lost', async () => {
  const blocked = join(folder, 'file')
  writeFileSync(blocked, '')
  const ids = await revoked(2)
  await expect(writeTombstones(database, join(blocked, 'below'), Date.now())).rejects.toThrow('ENOTDIR')
  await write()
  expect(await subjects()).toEqual(ids)
})

test('what a writer that was killed has left of a line is replaced', async () => {
  const [first] = await revoked(1)
  await write()
  const [name = ''] = readdirSync(folder)
  appendFileSync(join(folder, name), '{"at":"2026-')
  const [second] = await revoked(1)
  await write()
  expect(await subjects()).toEqual([first, second])
  expect(readFileSync(join(folder, name), 'utf8')).not.toContain('"2026-{')
})

test('hold no address, name or key', async () => {
  await revoked(1)
  await write()
  const [, line] = await readTombstones(folder)
  expect(Object.keys(line!).sort()).toEqual(['at', 'endsAt', 'kind', 'project', 'subject'])
  expect(line!.subject).toMatch(/^key_\w+$/)
})

test('two processes of work write each of them once', async () => {
  const env = { DATABASE_URL: clone.appUrl, TOMBSTONES_DIRECTORY: folder, ADMIN_PORT: '0' }
  const processes = [1, 2].map(() => spawnProgram(['work'], env, { ready: 'working' }))
  try {
    await Promise.all(processes.map(({ port }) => port))
    const ids = await revoked(5)
    await until('That tombstones are written', async () => (await subjects()).length >= ids.length, 60_000)
    expect(await subjects()).toEqual(ids)
  } finally {
    for (const one of processes) one.end('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
  }
})
