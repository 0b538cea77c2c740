// One real PostgreSQL for a whole test run, with a migrated template that every test file
// clones. The superuser only creates the roles; tests connect as the owner or as the program
// does, and never as superuser.

import type { TestProject } from 'vitest/node'
import { provision, startPostgres } from '../../devserver/postgres.ts'
import { newClusterDirectory } from './cluster-directory.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'

export const TEMPLATE = 'petstore_template'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({
    directory: newClusterDirectory(),
    ephemeral: true,
    // Of hundreds of databases it would visit several a second; those tests that need statistics gather them.
    settings: { max_connections: '300', autovacuum: 'off' },
  })
  await provision(postgres.superuserUrl, TEMPLATE)
  await migrate(postgres.urlOf('petstore_owner', TEMPLATE))
  project.provide('postgresPort', postgres.port)
  return () => postgres.stop()
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number
  }
}
