// Objects in PostgreSQL: one backup and any number of hosts. Each call is a transaction of its own, and its bytes are
// durable once it has resolved.

import { refuseUnstorable, type Objects } from '../../foundation/objects.ts'
import type { InProject, ProjectId } from '../../projects/scope.io.ts'
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
