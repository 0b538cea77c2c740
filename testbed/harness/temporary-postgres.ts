// A PostgreSQL of its own for one run of a program. It is stopped and removed when the scope that
// declares it with `await using` ends, whatever happened in it.

import pg from 'pg'
import { provision, startPostgres } from '../../devserver/postgres.ts'
import { newClusterDirectory } from './cluster-directory.ts'
import { TEMPLATE } from './global-setup.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'

export async function startTemporaryPostgres() {
  const postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true })
  const ownerUrlOf = (name: string) => postgres.urlOf('petstore_owner', name)
  // Migrated once: a clone takes a fraction of the time.
  await provision(postgres.superuserUrl, TEMPLATE)
  await migrate(ownerUrlOf(TEMPLATE))
  return {
    /** With the schema of the service, without data. */
    async createDatabase(name = 'petstore'): Promise<{ ownerUrl: string; appUrl: string }> {
      const client = new pg.Client(ownerUrlOf('postgres'))
      await client.connect()
      try {
        await client.query(`create database ${pg.escapeIdentifier(name)} template ${TEMPLATE}`)
      } finally {
        await client.end()
      }
      await provision(postgres.superuserUrl, name)
      return { ownerUrl: ownerUrlOf(name), appUrl: postgres.urlOf('petstore_app', name) }
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}
