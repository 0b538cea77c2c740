// `openObjects` opens the store of files that an installation has chosen. `checkStore` tries it once when a process
// starts, and reports what is wrong. A process starts all the same: the store may be back in a minute, and everything
// that does not need it works.

import { refuseUnstorable, type Objects } from '../../foundation/objects.ts'
import type { InProject, ProjectId } from '../../projects/scope.io.ts'
import { checkS3, s3Objects } from './s3-objects.io.ts'
import type { MediaConfig } from '../settings.ts'
import * as queries from './object-queries.ts'

const KEYS_AT_ONCE = 1000

export const databaseObjects = (inProject: InProject): Objects => {
  const within = <T>(project: bigint, work: (db: Parameters<typeof queries.find>[0], id: ProjectId) => Promise<T>) =>
    inProject(project as ProjectId, (db) => work(db, project as ProjectId))
  return {
    async putIfAbsent(project, key, bytes) {
      refuseUnstorable(key, bytes)
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return within(project, (db, id) => queries.insert(db, id, key, whole))
    },
    get: (project, key) => within(project, (db, id) => queries.find(db, id, key)),
    remove: (project, key) => within(project, async (db, id) => void (await queries.remove(db, id, key))),
    list: (project, prefix, after = '') =>
      within(project, (db, id) => queries.list(db, id, prefix, after, KEYS_AT_ONCE)),
  }
}

export const openObjects = ({ s3 }: Pick<MediaConfig, 's3'>, inProject: InProject): Objects =>
  s3 ? s3Objects(s3) : databaseObjects(inProject)

/** PostgreSQL has been checked by then. */
export async function checkStore({ s3 }: Pick<MediaConfig, 's3'>, report: (error: Error) => void): Promise<void> {
  if (s3) await checkS3(s3).catch(report)
}
