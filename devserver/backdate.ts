// Requests of the demo, as if they had been placed some time ago.

import { statement } from '../server/src/foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../server/src/projects/scope.io.ts'

export const backdateRow = statement<never, [project: ProjectId, order: bigint, hours: number]>(
  'demo-backdate',
  `update orders
   set created_at = created_at - make_interval(hours => $3), confirmed_at = confirmed_at - make_interval(hours => $3)
   where project_id = $1 and id = $2`,
)
