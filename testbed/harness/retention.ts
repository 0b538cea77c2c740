// The job that removes expired rows, run for one table now instead of by a worker in time.

import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import type { Clock } from '../../server/src/foundation/time.ts'
import { retentionWork } from '../../server/src/plans/retention.io.ts'
import { removersOf } from '../../server/src/program/schedule.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'

/** Returns the seconds after which the table is due again. */
export function removeExpired(database: Database, table: string, now: Clock = Date.now): Promise<number | void> {
  const removers = removersOf({ database, inProject: inProjectOf(database) })
  const due = { kind: 'retention', project: 0n, id: table, fence: 1n, attempts: 1 }
  return retentionWork({ database, now }, removers).work(due)
}
