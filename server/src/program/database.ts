// `openDatabaseOf` opens the database of a role from its configuration, or rejects one that is unfit for this release.

import type { Config } from './config.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { openFitDatabase, UnfitDatabase } from '../foundation/postgres/startup-checks.io.ts'
import { applicationNameOf, release } from './release.ts'

export const openDatabaseOf = (
  config: Pick<Config, 'databaseUrl' | 'databasePoolMax' | 'processes' | 'environment'>,
  role: Parameters<typeof applicationNameOf>[0],
  onError: (error: Error) => void,
): Promise<Database> =>
  openFitDatabase(
    {
      url: config.databaseUrl.reveal(),
      poolMax: config.databasePoolMax,
      applicationName: applicationNameOf(role),
      onError,
    },
    {
      version: release.version,
      needs: { processes: config.processes, poolMax: config.databasePoolMax },
      isProduction: config.environment === 'production',
    },
  )

/** What has failed, of errors that `onError` received. */
export const databaseSubject = (error: Error): string =>
  error instanceof UnfitDatabase ? 'the check of PostgreSQL’s configuration' : 'a database connection'
