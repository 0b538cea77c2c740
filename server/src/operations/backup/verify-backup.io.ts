// Verifies a backup without a database: its digest, that pg_restore can read it, and that it has the rows of the manifest,
// table by table. So a dump is found that is empty where row-level security hid the rows.

import { openArchive, type Archive } from './archive.io.ts'
import { outputOf, requirePrograms, textOf } from './client-programs.io.ts'
import { countCopiedRows } from './copied-rows.ts'
import { rowFaults, type BackupManifest } from './manifest.ts'

/** Throws what is wrong. */
export async function verifyBackup(file: string, programs: string | undefined): Promise<BackupManifest> {
  const archive = await openArchive(file)
  await listOf(archive, programs)
  const counter = countCopiedRows()
  const args = ['--data-only', '--file=-']
  for await (const chunk of outputOf({ folder: programs, name: 'pg_restore', args, input: archive.dump() })) {
    counter.push(chunk)
  }
  const faults = rowFaults(archive.manifest.rows, counter.rows(), 'the dump')
  if (faults.length > 0) throw new Error(`The dump does not have the rows that were counted:\n${faults.join('\n')}`)
  return archive.manifest
}

/** The contents of a dump that is as it was written, as pg_restore lists them. */
export async function listOf(archive: Archive, programs: string | undefined): Promise<string> {
  requirePrograms(programs, ['pg_restore'], 0)
  const { sha256 } = archive.manifest.dump
  if ((await archive.sha256()) !== sha256)
    throw new Error('The dump is damaged: its digest is not that of the manifest.')
  return textOf({ folder: programs, name: 'pg_restore', args: ['--list'], input: archive.dump() })
}
