// Stores domains as live, without DNS and a certificate authority.

import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../server/src/projects/scope.io.ts'

export const liveRows = statement<never, [project: ProjectId, hostnames: readonly string[]]>(
  'make-live',
  `update domains
   set ownership = 'proven', generation = 1, certificate = 'deployed', routing = 'pointing', cause = null,
     cause_severity = null, live_at = now()
   where project_id = $1 and hostname = any ($2)`,
)
