// `migrate` brings the schema up to date: plain SQL files, in the order of their names, each in a
// transaction of its own, under an advisory lock, so that two concurrent runs do no harm. Forward
// only. Runs as a command of its own as the owner of the tables, never in the serving process.

import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { statement, type Database } from './postgres.io.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const lock = 7243392847

export async function migrate(ownerUrl: string, applicationName?: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: applicationName })
  // A connection that ends while idle is not an error here: the next query fails and reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        digest text not null,
        applied_at timestamptz not null default now()
      );
      grant select on schema_migrations to petstore_app`)
    const applied = await client.query<Applied>('select name, digest from schema_migrations')
    const pending = outstanding(await readMigrations(), applied.rows)
    for (const { name, text, digest } of pending) {
      await client.query('begin')
      // A migration that waits for a long read must not make other queries queue behind it.
      await client.query("set local lock_timeout = '2s'")
      await client.query(text)
      await client.query('insert into schema_migrations (name, digest) values ($1, $2)', [name, digest])
      await client.query('commit')
    }
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

const listApplied = statement<Applied, []>('list-migrations', 'select name, digest from schema_migrations')

/** The reason why this program cannot work with this database; undefined if it can. */
export async function schemaTrouble(database: Database): Promise<string | undefined> {
  try {
    const pending = outstanding(await readMigrations(), await database.transaction({}, (db) => db(listApplied)))
    return pending.length === 0 ? undefined : `The schema lacks ${pending.map(({ name }) => name).join(', ')}.`
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') return 'The database has no schema yet.'
    if (error instanceof MigrationError) return error.message
    throw error
  }
}

export class MigrationError extends Error {}

type Applied = { name: string; digest: string }
type Migration = Applied & { text: string }

function outstanding(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  for (const { name, digest } of applied) {
    const same = known.find((migration) => migration.name === name)
    if (!same) throw new MigrationError(`The database holds ${name}, which this release does not know.`)
    if (same.digest !== digest) throw new MigrationError(`${name} was changed after it had been applied.`)
  }
  return known.filter(({ name }) => !applied.some((done) => done.name === name))
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8')
      return { name, text, digest: hash('sha256', text) }
    }),
  )
}
