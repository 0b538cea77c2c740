// Takes a backup: one file with a dump of everything in PostgreSQL and its manifest. The rows of every table are counted in
// the snapshot that is dumped, and the rows in the dump are counted again before the backup counts as one. A file without
// its final name is an attempt that failed.

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withSnapshot } from '../../foundation/postgres/snapshot.io.ts'
import { writeArchive } from './archive.io.ts'
import { connectionOf, outputOf, requirePrograms, tableBegun } from './client-programs.io.ts'
import { fileNameAt, sumOf, superseded, type BackupManifest } from './manifest.ts'
import { verifyBackup } from './verify-backup.io.ts'

export type BackupOptions = Readonly<{
  url: string
  applicationName: string
  release: string
  photos: string
  directory: string
  programs: string | undefined
  /** Receives the share of rows that are done. */
  report?: (share: number) => void
}>

export type TakenBackup = Readonly<{
  file: string
  bytes: number
  manifest: BackupManifest
  removed: readonly string[]
}>

export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { directory, programs: folder, release, photos, report } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { partial, manifest } = await withSnapshot(options, async (snapshot) => {
    const { versionNumber, id, takenAt, rows, migrations, seesByPolicy } = snapshot
    requirePrograms(folder, ['pg_dump', 'pg_restore'], versionNumber)
    const { args, env } = connectionOf(options.url)
    const dumping = ['--format=custom', '--no-unlogged-table-data', '--verbose', `--snapshot=${id}`]
    const dump = outputOf({
      folder,
      name: 'pg_dump',
      args: [...args, ...dumping, ...(seesByPolicy ? ['--enable-row-security'] : [])],
      env,
      ...(report && { onLine: progressOf(rows, report) }),
    })
    const partial = join(directory, `.${fileNameAt(takenAt)}`)
    await rm(partial, { force: true })
    const manifest = await writeArchive(partial, dump, (described) => ({
      format: 1,
      release,
      takenAt: takenAt.toISOString(),
      migrations: [...migrations],
      rows,
      photos,
      dump: described,
    })).catch(async (error: Error) => {
      await rm(partial, { force: true })
      throw error
    })
    return { partial, manifest }
  })
  await verifyBackup(partial, folder)
  const file = join(directory, fileNameAt(new Date(manifest.takenAt)))
  await rename(partial, file)
  const removed = superseded(await readdir(directory))
  for (const name of removed) await rm(join(directory, name))
  return { file, bytes: (await stat(file)).size, manifest, removed }
}

/** Reports the share of rows in the tables that are done, for each table that is begun. */
export function progressOf(rows: BackupManifest['rows'], report: (share: number) => void): (line: string) => void {
  const all = Math.max(1, sumOf(rows))
  let done = 0
  let current = 0
  return (line) => {
    const table = tableBegun(line)
    if (table === undefined) return
    done += current
    current = rows[table] ?? 0
    report(done / all)
  }
}
