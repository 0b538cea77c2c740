// Keeps the newest events of a domain, as many as the limits say.

import { query } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

export const limitEvents = query<never, [project: ProjectId, domain: string, most: number]>(
  'limit-domain-events',
  `select limit_domain_events($1, $2, $3)`,
)
