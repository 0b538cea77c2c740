// The database of a development server that a checkout from before the first release migrated. Such a schema cannot be
// continued, and demo data is not worth keeping: `npm run dev` drops it and starts with a new one. Nothing else does.

import pg from 'pg'
import { FIRST_BEFORE_BASELINE } from '../server/src/foundation/postgres/migration-plan.ts'
import type { RunningPostgres } from './postgres.ts'

/** True if it was one, and is gone. */
export async function dropEarlierDatabase({ urlOf }: Pick<RunningPostgres, 'urlOf'>, name: string): Promise<boolean> {
  const isEarlier = await asOwner(urlOf('petstore_owner', name), async (client) => {
    const { rowCount } = await client.query(`select where to_regclass('schema_migrations') is not null`)
    if (rowCount === 0) return false
    const first = await client.query('select from schema_migrations where name = $1', [FIRST_BEFORE_BASELINE])
    return first.rowCount === 1
  })
  if (isEarlier) {
    await asOwner(urlOf('petstore_owner', 'postgres'), (client) =>
      client.query(`drop database ${pg.escapeIdentifier(name)}`),
    )
  }
  return isEarlier
}

async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(ownerUrl)
  client.on('error', () => {}) // a server that stops while idle: the next query fails and reports it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
