// Observes PostgreSQL as the program uses it: version, rights, schema, limits, durability, clock, whether a pooler is in
// between, and whether stored private keys can be decrypted.

import pg from 'pg'
import { sealedFor } from '../certificates/acme-accounts.io.ts'
import { openKeys, type KeyRing } from '../certificates/key-encryption.io.ts'
import type { Observed } from '../foundation/finding.ts'
import {
  connectTimeoutMs,
  openDatabase,
  statement,
  type Database,
  type Db,
} from '../foundation/postgres/postgres.io.ts'
import { observeFitness } from '../foundation/postgres/startup-checks.io.ts'
import type { DatabaseFacts } from './judge-database.ts'

export type DatabaseSubject = Readonly<{
  url: string
  keys: KeyRing | undefined
  applicationName: string
  version: string
}>

export async function observeDatabase(subject: DatabaseSubject): Promise<Observed<DatabaseFacts>> {
  const { url, applicationName, version } = subject
  const database = openDatabase({ url, poolMax: 1, applicationName, onError: () => {} })
  try {
    const fitness = await observeFitness(database, version)
    const { settings, clockAheadMs } = await observeServer(database)
    const { max_connections: maxConnections = '0', ...durability } = settings
    return {
      value: {
        ...fitness,
        maxConnections: Number(maxConnections),
        durability,
        clockAheadMs,
        isPooled: await observePooling(subject),
        sealIds: fitness.schemaTrouble === undefined ? await observeSeals(database.run, subject.keys) : [],
      },
    }
  } catch (error) {
    const cause = (error as Error).cause
    return {
      unknown:
        cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : (error as Error).message,
    }
  } finally {
    await database.close()
  }
}

const serverSettings = statement<{ name: string; value: string; now: Date }, []>(
  'server-settings',
  `select name, setting as value, clock_timestamp() as now
   from pg_settings
   where name in ('max_connections', 'fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`,
)

async function observeServer({ run }: Database) {
  // The second time, the connection is there and the statement is prepared.
  await run(serverSettings)
  const before = Date.now()
  const rows = await run(serverSettings)
  const middle = (before + Date.now()) / 2
  return {
    settings: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
    clockAheadMs: (rows[0]?.now.getTime() ?? middle) - middle,
  }
}

/**
 * Two connections, of which the second one uses PostgreSQL between two transactions of the first one. A pooler that
 * assigns per transaction then gives the first one another process.
 */
async function observePooling({ url, applicationName }: DatabaseSubject): Promise<boolean> {
  const options = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs(url),
  }
  const [first, second] = [new pg.Client(options), new pg.Client(options)]
  for (const client of [first, second]) client.on('error', () => {})
  try {
    await first.connect()
    await second.connect()
    const before = await processOf(first)
    await second.query('begin')
    await processOf(second)
    const after = await processOf(first)
    await second.query('commit')
    return before !== after
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
}

const oneOfEachSeal = statement<
  { id: string; sealedKey: Buffer; hostname: string; generation: bigint; purpose: 'certificate' | 'account' },
  []
>(
  'one-of-each-seal',
  `(select distinct on (seal_id) seal_id as id, sealed_key as "sealedKey", hostname, generation,
      'certificate' as purpose
    from certificates
    order by seal_id, hostname, generation)
   union all
   (select seal_id, sealed_key, authority, 0, 'account'
    from authority_accounts)`,
)

/** Decrypts one private key of each id. */
async function observeSeals(run: Db, ring: KeyRing | undefined): Promise<DatabaseFacts['sealIds']> {
  const keys = ring && openKeys(ring)
  const states = new Map<string, boolean>()
  for (const { id, sealedKey, hostname, generation, purpose } of await run(oneOfEachSeal)) {
    const sealed = purpose === 'account' ? sealedFor(hostname) : { hostname, generation, purpose }
    const decrypts = keys !== undefined && keys.open(sealedKey, sealed) !== null
    states.set(id, (states.get(id) ?? true) && decrypts)
  }
  return [...states].map(([id, decrypts]) => ({ id, decrypts }))
}
