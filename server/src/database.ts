// `openDatabaseOf` opens the database of a role from its configuration, or rejects one that is unfit for this release.

import type { Config } from './config.ts'
import type { Database } from './foundation/postgres/postgres.io.ts'
import { openFitDatabase } from './foundation/postgres/startup-checks.io.ts'
import { applicationNameOf, release } from './release.ts'

export const openDatabaseOf = (
  { databaseUrl, databasePoolMax }: Pick<Config, 'databaseUrl' | 'databasePoolMax'>,
  role: Parameters<typeof applicationNameOf>[0],
  onError: (error: Error) => void,
): Promise<Database> =>
  openFitDatabase({
    url: databaseUrl.reveal(),
    poolMax: databasePoolMax,
    applicationName: applicationNameOf(role),
    version: release.version,
    onError,
  })
