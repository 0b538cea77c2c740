// `petstore backup` takes a backup: one file with everything in PostgreSQL. The rows of every table are counted in the
// snapshot that is dumped, and those in the dump are counted again before the backup counts as one.

import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { query } from '../foundation/postgres/postgres.io.ts'
import { withSnapshot } from '../foundation/postgres/snapshot.io.ts'
import { appendManifest, digestOf, verifyBackup } from '../operations/backup/backup-file.io.ts'
import { requirePrograms, runClient } from '../operations/backup/client-programs.io.ts'
import { fileNameAt, progressOf, sumOf, superseded } from '../operations/backup/manifest.ts'
import type { Config } from '../program/config.ts'
import { applicationNameOf, release } from '../program/release.ts'
import { withDatabase, type Invocation } from './command.ts'

/** Receives the share that is done; undefined unless a person watches. */
export type Progress = ((share: number) => void) | undefined

export function backupCommand(invocation: Invocation, withoutDatabase: Invocation, progress: Progress): Command {
  const backup = new Command('backup')
    .option('--to <folder>', 'instead of BACKUP_DIRECTORY')
    .option('--json', 'print one JSON object')
    .action(async ({ to, json }: { to?: string; json?: true }) => {
      const { config, print } = invocation()
      const taken = await takeBackup(config, to ?? config.backup.directory, json ? undefined : progress)
      const { file, rows, bytes, removed } = taken
      const text = `${file} has ${rows} rows in ${bytes} bytes, and was verified. ${removed.length} others were removed.`
      print(json ? JSON.stringify(taken) : text)
    })
  backup
    .command('verify')
    .description('check that a backup is undamaged and has the rows that were counted; needs no database')
    .argument('<file>')
    .option('--json', 'print one JSON object')
    .action(async (file: string, { json }: { json?: true }) => {
      const { config, print } = withoutDatabase()
      const { rows, takenAt, release: of } = await verifyBackup(file, config.backup.programs)
      const text = `${file} is complete: ${sumOf(rows)} rows, taken at ${takenAt} by release ${of}.`
      print(json ? JSON.stringify({ takenAt, release: of, rows: sumOf(rows), file }) : text)
    })
  return backup
}

const recordBackup = query<never, [takenAt: string, bytes: number]>(
  'record-backup',
  `insert into last_backup (taken_at, bytes)
   values ($1, $2)
   on conflict (one) do update
   set taken_at = excluded.taken_at, bytes = excluded.bytes`,
)

async function takeBackup(config: Config, directory: string, report: Progress) {
  const [url, folder] = [backupUrlOf(config), config.backup.programs]
  // Without the name of a backup: an attempt that failed is none.
  const partial = join(directory, '.petstore-backup')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await rm(partial, { force: true })
  await writeFile(partial, '', { mode: 0o600 })
  const manifest = await withSnapshot(
    url,
    applicationNameOf('command'),
    async ({ id, server, seesByPolicy, ...found }) => {
      requirePrograms(folder, ['pg_dump', 'pg_restore'], server)
      const args = ['--format=custom', '--no-unlogged-table-data', '--verbose', `--snapshot=${id}`, `--file=${partial}`]
      if (seesByPolicy) args.push('--enable-row-security')
      await runClient({ folder, name: 'pg_dump', args, url, onTable: report && progressOf(found.rows, report) })
      const dump = { bytes: (await stat(partial)).size, sha256: await digestOf(partial) }
      return { format: 1 as const, release: release.version, photos: photosOf(config), ...found, dump }
    },
  )
  await appendManifest(partial, manifest)
  await verifyBackup(partial, folder)
  const { takenAt, photos, rows } = manifest
  const file = join(directory, fileNameAt(takenAt))
  await rename(partial, file)
  const { size: bytes } = await stat(file)
  await withDatabase(config, ({ run }) => recordBackup(run, takenAt, bytes))
  const removed = superseded(await readdir(directory))
  for (const name of removed) await rm(join(directory, name))
  return { takenAt, release: release.version, rows: sumOf(rows), photos, file, bytes, removed }
}

export function backupUrlOf({ backup: { url } }: Config): string {
  if (!url) throw new Error('DATABASE_BACKUP_URL is required (the role petstore_backup): run petstore setup again.')
  return url.reveal()
}

/** Where the files of photos are. */
export const photosOf = ({ s3 }: Config): string => (s3 ? `${s3.endpoint}/${s3.bucket}/${s3.prefix}` : 'database')
