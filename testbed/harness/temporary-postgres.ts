// A PostgreSQL of its own for one run of a program. It is stopped and removed when the scope that
// declares it with `await using` ends, whatever happened in it.

import { provision, startPostgres } from '../../devserver/postgres.ts'
import { newClusterDirectory } from './cluster-directory.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'

export async function startTemporaryPostgres() {
  const postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true })
  return {
    /** With the schema of the service, without data. */
    async createDatabase(name = 'petstore'): Promise<{ ownerUrl: string; appUrl: string }> {
      await provision(postgres.superuserUrl, name)
      const ownerUrl = postgres.urlOf('petstore_owner', name)
      await migrate(ownerUrl)
      return { ownerUrl, appUrl: postgres.urlOf('petstore_app', name) }
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}
