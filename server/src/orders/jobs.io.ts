// Background work for requests: members are reminded, holds end, and silent requests expire. Safe to run
// twice, or late, or while a member moves the request.

import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { advance } from './advance.io.ts'
import type { OrderAdvanceDeps } from './write-step.io.ts'

export type OrderWorkDeps = OrderAdvanceDeps & { database: Database; now: Clock }

export const orderWork = (deps: OrderWorkDeps): TimerWork => ({
  claimSeconds: 60,
  work: (due) => advance(deps, due.project as ProjectId, BigInt(due.id)),
})
