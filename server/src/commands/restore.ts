// `petstore restore` restores a backup into an empty database, and replays what has ended since it was taken. Until all of
// that is done the program may not connect: a restore that fails halfway serves nothing, and revives nothing.

import { Command } from 'commander'
import { migrate, migrationNames } from '../foundation/postgres/migrate.io.ts'
import { extendDeadline, openDatabase, query, type Database, type Db } from '../foundation/postgres/postgres.io.ts'
import { withSnapshot } from '../foundation/postgres/snapshot.io.ts'
import { verifyBackup } from '../operations/backup/backup-file.io.ts'
import { runClient } from '../operations/backup/client-programs.io.ts'
import { progressOf, refuseOtherRows, sumOf, type BackupManifest } from '../operations/backup/manifest.ts'
import { replayTombstones } from '../operations/backup/replay.io.ts'
import { readTombstones } from '../operations/backup/tombstone-log.io.ts'
import { sinceBackup } from '../operations/backup/tombstones.ts'
import { HOUR, SECOND } from '../foundation/time.ts'
import { checkStore } from '../photos/store/open-objects.io.ts'
import type { Config } from '../program/config.ts'
import { contextOf } from '../program/context.ts'
import { domainDepsOf } from '../program/domains.ts'
import { applicationNameOf, release } from '../program/release.ts'
import { backupUrlOf, photosOf, type Progress } from './backup.ts'
import type { Invocation } from './command.ts'
import { reportBeforeStart } from './doctor.ts'
import { ownerUrlOf } from './migrate.ts'

type Installation = () => Promise<Parameters<typeof reportBeforeStart>[0]>
type Options = { tombstones?: string; withoutTombstones?: true; json?: true }

export function restoreCommand(invocation: Invocation, progress: Progress, installation: Installation): Command {
  return new Command('restore')
    .argument('<file>')
    .option('--tombstones <folder>', 'instead of TOMBSTONES_DIRECTORY')
    .option('--without-tombstones', 'revive what has ended since the backup, and end all sessions and access tokens')
    .option('--json', 'print one JSON object')
    .action(async (file: string, { tombstones, withoutTombstones, json }: Options) => {
      const { config, print, invalid } = invocation()
      const from = withoutTombstones ? undefined : (tombstones ?? config.backup.tombstones)
      if (from === undefined && !withoutTombstones)
        throw invalid('Use --tombstones with the folder of TOMBSTONES_DIRECTORY, or --without-tombstones.')
      const restored = await restore(file, config, from, json ? undefined : progress)
      if (json) return print(JSON.stringify(restored))
      const { rows, takenAt, replayed, left } = restored
      print(`Restored ${rows} rows of ${takenAt}, and replayed ${replayed} tombstones.`)
      for (const one of left) print(`- Not replayed: ${one}`)
      // Such as a key that is missing.
      print(await reportBeforeStart(await installation()))
    })
}

const prepareRestore = query<never, []>('prepare-restore', `select prepare_restore()`)
const seeAllProjects = query<never, []>('see-all-projects', `select see_all_projects()`)
const finishRestore = query<never, [takenAt: string, bytes: number, endsSessions: boolean]>(
  'finish-restore',
  `select finish_restore($1, $2, $3)`,
)

async function restore(file: string, config: Config, tombstones: string | undefined, report: Progress) {
  const [url, backupUrl, folder] = [ownerUrlOf(config), backupUrlOf(config), config.backup.programs]
  const manifest = await verifyBackup(file, folder)
  const { rows, takenAt, dump } = manifest
  await refuseUnusable(manifest, config)
  const since = tombstones === undefined ? [] : sinceBackup(await readTombstones(tombstones), takenAt)
  const applicationName = applicationNameOf('command')
  const owner = openDatabase({ url, poolMax: 1, onError: () => {}, applicationName })
  try {
    await owner.transaction({}, (db) => prepareRestore(db))
    const args = ['--single-transaction', '--exit-on-error', '--verbose', file]
    await runClient({ folder, name: 'pg_restore', args, url, onTable: report && progressOf(rows, report) })
    await withSnapshot(backupUrl, applicationName, async (found) => refuseOtherRows(rows, found.rows, 'the database'))
    await migrate(url, { applicationName, version: release.version })
    const left = await owner.transaction({}, async (db) => {
      await extendDeadline(db, HOUR / SECOND)
      await seeAllProjects(db)
      const database = within(owner, db)
      const deps = domainDepsOf({ ...contextOf(config, database), queueMail: undefined })
      const notReplayed = await replayTombstones(db, { ...deps, database }, since)
      await finishRestore(db, takenAt, dump.bytes, tombstones === undefined)
      return notReplayed
    })
    return { takenAt, rows: sumOf(rows), replayed: since.length, left }
  } finally {
    await owner.close()
  }
}

/** Of features that open transactions of their own: all of it is in this one. */
const within = (owner: Database, db: Db): Database => ({ ...owner, run: db, transaction: (_, work) => work(db) })

/** Before anything is changed. */
async function refuseUnusable({ migrations, photos }: BackupManifest, config: Config): Promise<void> {
  const known = await migrationNames()
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`The backup is of a newer release, which has ${unknown}: use that one.`)
  if (photos !== photosOf(config)) throw new Error(`The photos are in ${photos}: set MEDIA_STORE and S3_… to that.`)
  await checkStore(config, (error) => {
    throw error
  })
}
