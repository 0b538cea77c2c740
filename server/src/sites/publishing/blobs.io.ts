// Stores the files of a project by the SHA-256 of their bytes. A small port: today they
// are rows, and moving them elsewhere changes this file alone.

import { hash } from 'node:crypto'
import type { ImageType } from '@petstore-platform/contract/platform/site'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import * as queries from './deployment-queries.ts'

export type Blobs = {
  /** Returns the digest; the same bytes twice are one file. */
  put(db: Db, project: ProjectId, bytes: Uint8Array, type: ImageType): Promise<string>
  get(db: Db, project: ProjectId, digest: string): Promise<queries.StoredBlob | undefined>
  /** Deletes the file, unless it is still in use. */
  drop(db: Db, project: ProjectId, digest: string): Promise<void>
}

export const databaseBlobs: Blobs = {
  async put(db, project, bytes, type) {
    const digest = hash('sha256', bytes, 'hex')
    await queries.insertBlob(db, project, digest, { type, bytes: Buffer.from(bytes) })
    return digest
  },
  get: queries.findBlob,
  async drop(db, project, digest) {
    await queries.dropBlob(db, project, digest)
  },
}
