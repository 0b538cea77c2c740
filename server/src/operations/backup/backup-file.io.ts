// The file of a backup: an archive of pg_dump in its custom format, with the manifest behind it as a line of JSON.
// pg_restore reads no further than its archive, so an operator can restore the file by hand.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { outputOf, requirePrograms, runClient } from './client-programs.io.ts'
import { countCopiedRows } from './copied-rows.ts'
import { parseManifest, refuseOtherRows, type BackupManifest } from './manifest.ts'

const MANIFEST_BYTES_MAX = 1_000_000

export const appendManifest = (path: string, manifest: BackupManifest): Promise<void> =>
  appendFile(path, `\n${JSON.stringify(manifest)}\n`, { flush: true })

export async function readManifest(path: string): Promise<BackupManifest> {
  await using file = await open(path)
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, MANIFEST_BYTES_MAX))
  await file.read(tail, 0, tail.length, size - tail.length)
  return parseManifest(tail.subarray(Math.max(0, tail.lastIndexOf('\n{"format":'))).toString())
}

/** Of the first bytes, which are the dump. */
export async function digestOf(path: string, bytes = Infinity): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) digest.update(chunk as Buffer)
  return digest.digest('hex')
}

/**
 * Needs no database: throws unless the dump has its digest, can be read, and has the rows of the manifest, table by table. So
 * one is found that is empty where row-level security hid the rows.
 */
export async function verifyBackup(file: string, folder: string): Promise<BackupManifest> {
  requirePrograms(folder, ['pg_restore'])
  const manifest = await readManifest(file)
  const { bytes, sha256 } = manifest.dump
  if ((await digestOf(file, bytes)) !== sha256)
    throw new Error('The dump is damaged: its digest is not that of the manifest.')
  await runClient({ folder, name: 'pg_restore', args: ['--list', file] })
  const counter = countCopiedRows()
  const args = ['--data-only', '--file=-', file]
  for await (const chunk of outputOf({ folder, name: 'pg_restore', args })) counter.push(chunk)
  refuseOtherRows(manifest.rows, counter.rows(), 'the dump')
  return manifest
}
