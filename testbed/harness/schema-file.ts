// Writes server/schema.sql, the schema after all migrations, from a throw-away PostgreSQL
// (`npm run generate -- schema`).

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { provision, startPostgres } from '../../devserver/postgres.ts'
import { writeGenerated } from '../../tools/generated-file.ts'
import { printSchema } from './print-schema.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'

const file = join(import.meta.dirname, '../../server/schema.sql')
writeGenerated('schema', file, await schemaAfterMigrations())

async function schemaAfterMigrations(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-schema-'))
  const postgres = await startPostgres({ directory, ephemeral: true })
  try {
    await provision(postgres.superuserUrl, 'petstore')
    const ownerUrl = postgres.urlOf('petstore_owner', 'petstore')
    await migrate(ownerUrl)
    const client = new pg.Client(ownerUrl)
    await client.connect()
    try {
      return await printSchema(client)
    } finally {
      await client.end()
    }
  } finally {
    await postgres.stop()
  }
}
