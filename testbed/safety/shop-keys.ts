// Projects with an API key each, for the lines about load.

import { parseConfig } from '../../server/src/program/config.ts'
import { openDatabase } from '../../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { createKey } from '../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'

export async function keysOf(env: Record<string, string>, count: number): Promise<string[]> {
  const config = parseConfig(env)
  const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 2, onError: () => {} })
  try {
    const keys: string[] = []
    for (let number = 1; number <= count; number += 1) {
      const project = await createProject(database, { slug: `shop-${number}`, name: `Shop ${number}` })
      keys.push((await createKey(contextOf(config, database), project, { label: 'load' })).key)
    }
    return keys
  } finally {
    await database.close()
  }
}
