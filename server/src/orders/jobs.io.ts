// Background work for requests: members are reminded, holds end, and silent requests expire. Safe to run
// twice, or late, or while a member moves the request.

import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { advance } from './advance.io.ts'
import type { OrderContext } from './write-step.io.ts'

export const orderWork = (context: OrderContext): TimerWork => ({
  claimSeconds: 60,
  work: (due) => advance(context, due.project as ProjectId, BigInt(due.id)),
})
