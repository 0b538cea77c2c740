// Removes deployments beyond those that a project keeps, and the logos that none of the others uses.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { dropBlob } from './deployment-queries.ts'

const limitRows = statement<{ logo: string | null }, [project: ProjectId, most: number]>(
  'limit-deployments',
  `select logo
   from limit_deployments($1, $2) as logo`,
)

/** Keeps the newest, those that are not finished, and the current one. */
export async function limitDeployments(db: Db, project: ProjectId, most: number): Promise<void> {
  const logos = new Set((await db(limitRows, project, most)).map(({ logo }) => logo))
  for (const logo of logos) if (logo !== null) await dropBlob(db, project, logo)
}
