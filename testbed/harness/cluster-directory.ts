// Where PostgreSQL of tests and experiments keeps its files: in memory if there is plenty of it, because a shared disk
// stalls for seconds at a time; else on disk.

import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A whole run of the slice tests leaves about 2 GB of databases. */
const PLENTY_BYTES = 8 * 1024 ** 3

export const newClusterDirectory = (): string =>
  mkdtempSync(join(hasPlenty() ? MEMORY : tmpdir(), 'petstore-postgres-'))

function hasPlenty(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > PLENTY_BYTES && process.availableMemory() > PLENTY_BYTES
  } catch {
    return false // not Linux
  }
}
