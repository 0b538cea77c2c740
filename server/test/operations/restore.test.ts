// A restore brings everything back, except what has ended since the backup.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { restoreDrill, restoreFault } from '../../../testbed/ship/restore-drill.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { postgresqlClient } from '../../../testbed/harness/postgresql-client.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'

const sizes = { keys: 3, domains: 2 }
const drill = async (withTombstones: boolean) =>
  restoreDrill([await cloneDatabase(), await cloneDatabase()], { ...sizes, withTombstones })

test('revoked keys, removed domains, a suspension, a deletion and an erasure stay so', async () => {
  expect(restoreFault(await drill(true))).toBeUndefined()
})

test('without tombstones all of it revives (negative control)', async () => {
  const figures = await drill(false)
  expect(figures).toMatchObject({
    keysRevived: sizes.keys,
    domainsRevived: sizes.domains,
    routesRevived: sizes.domains,
  })
  expect(figures).toMatchObject({ isSuspensionKept: 0, isDeletionKept: 0, isAccountErased: 0, queuedMails: 0 })
})

const settingsOf = ({ appUrl, ownerUrl }: TestDatabase, folder: string) => ({
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  DATABASE_BACKUP_URL: ownerUrl.replace('petstore_owner', 'petstore_backup'),
  POSTGRESQL_PROGRAMS: postgresqlClient(),
  BACKUP_DIRECTORY: folder,
})

test('a database that is used, a process that is connected, and tombstones that begin later are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-refused-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const settings = settingsOf(await cloneDatabase(), folder)
  const run = (args: string[], env: Record<string, string> = settings) => runProgram(args, env).ended
  const { output } = await run(['backup', '--json'])
  const { file } = JSON.parse(output) as { file: string }
  const restore = ['restore', file, '--without-tombstones', '--json']
  mkdirSync(join(folder, 'tombstones'))
  expect((await run(['restore', file])).errors).toContain('--without-tombstones')
  const late = await run(['restore', file, '--tombstones', join(folder, 'tombstones')])
  expect(late.errors).toContain('The tombstones begin at no time')
  const s3 = { MEDIA_STORE: 's3', S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'shop-photos', S3_ACCESS_KEY_ID: 'one' }
  const other = await run(restore, { ...settings, ...s3, S3_SECRET_ACCESS_KEY: 'one' })
  expect(other.errors).toContain('The photos are in database')
  const connected = openDatabase({
    url: settings.DATABASE_URL,
    poolMax: 1,
    applicationName: 'petstore/1.0.0 serve here',
    onError: () => {},
  })
  await connected.run({ name: 'one', text: 'select 1' })
  expect((await run(restore)).errors).toContain(
    'These processes are connected, stop them first: petstore/1.0.0 serve here',
  )
  await createProject(connected, { slug: 'willow', name: 'Willow' })
  await connected.close()
  expect((await run(restore)).errors).toContain('This database has projects or accounts')
})
