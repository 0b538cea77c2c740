// Claims timers as a worker does that comes now, whichever worker had them before.

import type { Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'

const claiming = (condition: string): string =>
  `update due_directory
   set claimed_until = now() + interval '1 minute', fence = fence + 1, attempts = attempts + 1
   where kind = $1 and ${condition}
   returning kind, project_id as project, id, fence, attempts`

export const claimTimer = statement<Timer, [kind: string, id: string]>('test-claim-timer', claiming('id = $2'))
export const claimTimersOf = statement<Timer, [kind: string, project: bigint]>(
  'test-claim-timers-of-project',
  claiming('project_id = $2'),
)
