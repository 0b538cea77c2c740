// Background work for orders: overdue orders expire and free their animals. Safe to run
// twice, or late, or while a member decides the order.

import type { TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { expire } from './advance.io.ts'

export const expireWork = ({ inProject }: { database: Database; inProject: InProject; now: Clock }): TimerWork => ({
  claimSeconds: 60,
  work: ({ project, id }) => expire({ inProject }, project as ProjectId, BigInt(id)),
})
