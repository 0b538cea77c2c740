// A store to send requests to: a project with an API key, in a database that is migrated.

import { parseConfig } from '../../server/src/program/config.ts'
import { openDatabase } from '../../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { createKey } from '../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'

export type DrillDatabase = { appUrl: string; ownerUrl: string }

/** Settings of a process that serves it, on a port of its own choice. */
export const settingsOf = ({ appUrl, ownerUrl }: DrillDatabase): Record<string, string> => ({
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  PORT: '0',
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_PROJECT: '1000000',
})

/** Its API key. */
export async function createStore(drillDatabase: DrillDatabase): Promise<string> {
  const database = openDatabase({ url: drillDatabase.appUrl, poolMax: 1, onError: () => {} })
  try {
    const project = await createProject(database, { slug: 'upgraded', name: 'Upgraded' })
    const config = parseConfig(settingsOf(drillDatabase))
    return (await createKey(contextOf(config, database), project, { label: 'load' })).key
  } finally {
    await database.close()
  }
}
