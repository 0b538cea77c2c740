// Writes server/schema.sql, the schema after all migrations, from a throw-away PostgreSQL
// (`npm run generate -- schema`).

import { join } from 'node:path'
import pg from 'pg'
import { writeGenerated } from '../../tools/generated-file.ts'
import { printSchema } from './print-schema.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

const file = join(import.meta.dirname, '../../server/schema.sql')
writeGenerated('schema', file, await schemaAfterMigrations())

async function schemaAfterMigrations(): Promise<string> {
  await using postgres = await startTemporaryPostgres()
  const { ownerUrl } = await postgres.createDatabase()
  const client = new pg.Client(ownerUrl)
  await client.connect()
  try {
    return await printSchema(client)
  } finally {
    await client.end()
  }
}
