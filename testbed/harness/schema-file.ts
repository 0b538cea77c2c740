// `npm run generate -- schema`: writes server/schema.sql, the schema after all migrations, from
// a throw-away PostgreSQL. With --check it writes nothing and fails if the file differs from
// what it would write.

import { mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { provision, startPostgres } from '../../devserver/postgres.ts'
import { printSchema } from './print-schema.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'

const file = join(import.meta.dirname, '../../server/schema.sql')
const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const schema = await schemaAfterMigrations()
if (!flags.check) await writeFile(file, schema)
else if ((await readFile(file, 'utf8').catch(() => '')) !== schema) {
  process.stderr.write('server/schema.sql is not the schema after all migrations. Run "npm run generate -- schema".\n')
  process.exitCode = 1
}

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
