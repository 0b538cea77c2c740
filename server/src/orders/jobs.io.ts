// Background work for orders: members are reminded, and overdue orders expire and free their animals. Safe to run
// twice, or late, or while a member decides the order.

import type { TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { expire, type OrderAdvanceDeps } from './advance.io.ts'

export type ExpireDeps = OrderAdvanceDeps & { database: Database; now: Clock }

export const expireWork = (deps: ExpireDeps): TimerWork => ({
  claimSeconds: 60,
  work: (due) => expire(deps, due.project as ProjectId, BigInt(due.id), due),
})
