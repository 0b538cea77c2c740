// Keeps the newest events of a domain, as many as the limits say.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

const limitRows = statement<never, [project: ProjectId, domain: string, most: number]>(
  'limit-domain-events',
  `select limit_domain_events($1, $2, $3)`,
)

export const limitEvents = (db: Db, project: ProjectId, domain: string, most: number) =>
  db(limitRows, project, domain, most)
