// `migrate` brings the schema up to date: plain SQL files, in the order of their names, each in a
// transaction of its own, under an advisory lock, so that two concurrent runs do no harm. Forward
// only. Runs as a command of its own as the owner of the tables, never in the serving process.
// - It applies expand migrations, on which older releases run as well; contract migrations wait until
//   they are requested, and until no older release is connected.
// - It never makes other statements wait for longer than the lock timeout: it tries again later.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { judgeVersion } from './judge-server.ts'
import {
  compatibilityTrouble,
  contractTrouble,
  lockRetrySeconds,
  MIGRATE_FIRST,
  planOf,
  startTrouble,
  toApply,
  conflictsOf,
  MigrationError,
  parseMigration,
  statementsOf,
  type AppliedMigration,
  type SchemaTrouble,
  type Migration,
} from './migration-plan.ts'
import { statement, type Database } from './postgres.io.ts'

export type MigrateOptions = {
  applicationName?: string
  /** The running release; without it every unknown migration is rejected. */
  version?: string
  /** Contract migrations as well. */
  isContract?: boolean
  /** Off: a lock timeout is an error. */
  isRetrying?: boolean
  /** Receives a line for every lock timeout. */
  report?: (line: string) => void
  /** Another folder, clock or observer only in tests. */
  directory?: string
  pause?: (seconds: number) => Promise<unknown>
  beforeCommit?: (client: pg.Client, migration: Migration) => Promise<void>
}

export type MigrateResult = {
  applied: readonly string[]
  /** Contract migrations that are still pending. */
  left: readonly string[]
}

const ADVISORY_LOCK = 7243392847
/** While a migration waits for a table, every later statement on that table waits behind it. */
const LOCK_TIMEOUT_MS = 50

export function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<MigrateResult> {
  const { version = '0.0', isContract = false } = options
  return asOwner(ownerUrl, options, async (client) => {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    const known = await readMigrations(options.directory)
    await prepareRecord(client)
    const plan = planOf(known, await appliedOf(client))
    refuseFor(textOf(compatibilityTrouble(plan, version)))
    const chosen = toApply(plan, isContract)
    if (!plan.isNew) refuseFor(contractTrouble(chosen, await connectedNames(client)))
    for (const migration of chosen) await applyPatiently(client, migration, options)
    await client.query(letBackupsRead)
    const applied = chosen.map(({ name }) => name)
    return { applied, left: plan.pending.flatMap(({ name }) => (applied.includes(name) ? [] : [name])) }
  })
}

/** The schema may be one without the function. A policy needs a lock on its table for a moment. */
const letBackupsRead = `
  do $$ begin
    set local lock_timeout = '2s';
    if to_regprocedure('let_backups_read()') is not null then perform let_backups_read(); end if;
  end $$`

/** Before the first migration: what an older server rejects halfway is hard to explain. */
async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  )
  const [finding] = judgeVersion(rows[0]?.number ?? 0)
  if (finding) throw new MigrationError(`${finding.sentence} ${finding.remedy}`)
}

export type PlannedMigration = Pick<Migration, 'name' | 'phase' | 'oldestRelease' | 'isTransactional'> & {
  /** `bytes` is null for a table that an earlier pending migration creates. */
  locks: readonly { table: string; mode: string; bytes: number | null }[]
}

/** The pending migrations; changes nothing. */
export function planMigrations(ownerUrl: string, options: MigrateOptions = {}): Promise<PlannedMigration[]> {
  return asOwner(ownerUrl, options, async (client) => {
    const { rowCount } = await client.query(`select where to_regclass('schema_migrations') is not null`)
    const plan = planOf(await readMigrations(options.directory), rowCount === 0 ? [] : await appliedOf(client))
    refuseFor(textOf(compatibilityTrouble(plan, options.version ?? '0.0')))
    const planned: PlannedMigration[] = []
    for (const { name, phase, oldestRelease, isTransactional, locks } of plan.pending) {
      const sized = []
      for (const lock of locks) sized.push({ ...lock, bytes: await sizeOf(client, lock.table) })
      planned.push({ name, phase, oldestRelease, isTransactional, locks: sized })
    }
    return planned
  })
}

// By way of JSON, because a checkout from before the first release may have left the record without this column.
const listApplied = statement<AppliedMigration, []>(
  'list-migrations',
  `select name, digest, to_jsonb(schema_migrations) ->> 'oldest_release' as "oldestRelease" from schema_migrations`,
)

/** The reason why this release cannot work with this database; undefined if it can. */
export async function schemaTrouble(database: Database, version: string): Promise<SchemaTrouble | undefined> {
  try {
    const applied = await database.transaction({}, (db) => db(listApplied))
    return startTrouble(planOf(await readMigrations(), applied), version)
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') {
      return { sentence: 'The database has no schema yet.', remedy: MIGRATE_FIRST }
    }
    if (error instanceof MigrationError) {
      return { sentence: error.message, remedy: 'Use the release whose migrations this database has.' }
    }
    throw error
  }
}

async function asOwner<T>(
  ownerUrl: string,
  { applicationName }: MigrateOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: applicationName })
  // A connection that ends while idle is not an error here: the next query fails and reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The record of applied migrations, with what the headers declare. */
const prepareRecord = (client: pg.Client) =>
  client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      digest text not null,
      applied_at timestamptz not null default now(),
      phase text,
      oldest_release text
    );
    grant select on schema_migrations to petstore_app`)

const appliedOf = async (client: pg.Client): Promise<AppliedMigration[]> =>
  (await client.query<AppliedMigration>(listApplied.text)).rows

/** PostgreSQL shows the names of all connections to every role. */
async function connectedNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity where datname = current_database() order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function sizeOf(client: pg.Client, table: string): Promise<number | null> {
  const { rows } = await client.query<{ bytes: string | null }>(
    'select pg_total_relation_size(to_regclass($1)) as bytes',
    [table],
  )
  const bytes = rows[0]?.bytes ?? null
  return bytes === null ? null : Number(bytes)
}

async function applyPatiently(client: pg.Client, migration: Migration, options: MigrateOptions): Promise<void> {
  const { isRetrying = true, report = () => {}, pause = (seconds: number) => sleep(seconds * 1000) } = options
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await apply(client, migration, options)
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      const waited = `${migration.name} could not lock ${await blockedBy(client, migration)}`
      const seconds = isRetrying ? lockRetrySeconds[attempt] : undefined
      if (seconds === undefined) throw new MigrationError(waited, { cause: error })
      report(`${waited}. Attempt ${attempt + 2} of ${lockRetrySeconds.length + 1} follows in ${seconds} s.`)
      await pause(seconds)
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

async function apply(client: pg.Client, migration: Migration, { beforeCommit }: MigrateOptions): Promise<void> {
  if (!migration.isTransactional) {
    // These locks make no other statement wait, so there is no timeout.
    for (const sql of statementsOf(migration)) await client.query(sql)
    return record(client, migration)
  }
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`)
    await client.query(migration.text)
    await record(client, migration)
    await beforeCommit?.(client, migration)
    await client.query('commit')
  } catch (error) {
    // Fails only if the connection is lost, and PostgreSQL rolls back then.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function record(client: pg.Client, { name, digest, phase, oldestRelease }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, digest, phase, oldest_release) values ($1, $2, $3, $4)', [
    name,
    digest,
    phase,
    oldestRelease,
  ])
}

/** The tables of a migration that another transaction has locked, and the names of the connections that hold them. */
async function blockedBy(client: pg.Client, { locks }: Migration): Promise<string> {
  const held: string[] = []
  for (const { table, mode } of locks) {
    const { rows } = await client.query<{ name: string }>(
      `select distinct coalesce(nullif(application_name, ''), usename || ', process ' || pid) as name
       from pg_locks join pg_stat_activity using (pid)
       where locktype = 'relation' and granted and pid <> pg_backend_pid() and relation = to_regclass($1)
         and pg_locks.database = (select oid from pg_database where datname = current_database())
         and mode = any ($2)
       order by 1`,
      [table, conflictsOf(mode)],
    )
    if (rows.length > 0) held.push(`${table}, which is in use by ${rows.map(({ name }) => name).join('; ')}`)
  }
  // What blocked it may have ended by now.
  return held.length > 0 ? held.join(', nor ') : `${locks.map(({ table }) => table).join(', ')} in time`
}

const textOf = (trouble: SchemaTrouble | undefined) => trouble && `${trouble.sentence} ${trouble.remedy}`

function refuseFor(trouble: string | undefined): void {
  if (trouble !== undefined) throw new MigrationError(trouble)
}

export const migrationNames = async (): Promise<string[]> => (await readMigrations()).map(({ name }) => name)

async function readMigrations(directory = join(import.meta.dirname, '../../../migrations')): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(directory, name), 'utf8'))))
}
