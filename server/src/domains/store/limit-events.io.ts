// Keeps the newest events of a domain.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

const DOMAIN_EVENTS_MAX = 1000

const limitRows = statement<never, [project: ProjectId, domain: string, most: number]>(
  'limit-domain-events',
  `select limit_domain_events($1, $2, $3)`,
)

export const limitEvents = (db: Db, project: ProjectId, domain: string) =>
  db(limitRows, project, domain, DOMAIN_EVENTS_MAX)
