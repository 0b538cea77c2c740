// `petstore backup` takes a backup, and `backup verify` checks one without a database.

import { Command } from 'commander'
import { withDatabase, type Invocation } from './command.ts'
import { recordBackup } from '../operations/backup/last-backup.io.ts'
import { sumOf, type BackupManifest } from '../operations/backup/manifest.ts'
import { takeBackup } from '../operations/backup/take-backup.io.ts'
import { verifyBackup } from '../operations/backup/verify-backup.io.ts'
import type { Config } from '../program/config.ts'
import { applicationNameOf, release } from '../program/release.ts'

type Progress = (share: number) => void

/** `progress` is undefined unless a person watches. */
export function backupCommand(
  invocation: Invocation,
  withoutDatabase: Invocation,
  progress: Progress | undefined,
): Command {
  const backup = new Command('backup')
    .option('--to <folder>', 'instead of BACKUP_DIRECTORY')
    .option('--json', 'print one JSON object')
    .action(async ({ to, json }: { to?: string; json?: true }) => {
      const { config, print } = invocation()
      const taken = await takeBackup({
        url: backupUrlOf(config),
        applicationName: applicationNameOf('command'),
        release: release.version,
        photos: photosOf(config),
        directory: to ?? config.backup.directory,
        programs: config.backup.programs,
        ...(progress && !json && { report: progress }),
      })
      const { file, bytes, manifest, removed } = taken
      await withDatabase(config, ({ run }) => recordBackup(run, new Date(manifest.takenAt), bytes))
      print(
        json
          ? JSON.stringify({ ...describedBy(manifest), file, bytes, removed })
          : `${file} has ${sumOf(manifest.rows)} rows in ${bytes} bytes, and was verified.${removedText(removed)}`,
      )
    })
  backup
    .command('verify')
    .description('check that a backup is undamaged and has the rows that were counted; needs no database')
    .argument('<file>')
    .option('--json', 'print one JSON object')
    .action(async (file: string, { json }: { json?: true }) => {
      const { config, print } = withoutDatabase()
      const manifest = await verifyBackup(file, config.backup.programs)
      const described = describedBy(manifest)
      print(
        json
          ? JSON.stringify({ ...described, file })
          : `${file} is complete: ${described.rows} rows, taken at ${manifest.takenAt} by release ${manifest.release}.`,
      )
    })
  return backup
}

export function backupUrlOf({ backup }: Config): string {
  if (!backup.url)
    throw new Error('DATABASE_BACKUP_URL is required (the role petstore_backup): run petstore setup again.')
  return backup.url.reveal()
}

export const photosOf = ({ s3 }: Config): string => (s3 ? `${s3.endpoint}/${s3.bucket}/${s3.prefix}` : 'database')

const describedBy = ({ takenAt, release: of, rows, photos }: BackupManifest) => ({
  takenAt,
  release: of,
  rows: sumOf(rows),
  photos,
})

const removedText = (removed: readonly string[]) =>
  removed.length === 0 ? '' : ` Removed ${removed.length} that ${removed.length === 1 ? 'is' : 'are'} no longer needed.`
