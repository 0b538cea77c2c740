// Observes how PostgreSQL is configured and reached, on two connections that are opened for it: those of a pool still have
// the settings of the time when they were opened.

import pg from 'pg'
import type { Clock } from '../time.ts'
import type { ServerFacts } from './judge-server.ts'
import { Unavailable } from './postgres.io.ts'

export type ObservedServer = ServerFacts &
  Readonly<{
    /** A server for tests declares that its data may be lost: `petstore.data_may_be_lost`. */
    dataMayBeLost: boolean
  }>

type Address = Readonly<{ url: string; applicationName?: string | undefined; now?: Clock }>

export async function observeServer({ url, applicationName, now = Date.now }: Address): Promise<ObservedServer> {
  const options = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  }
  const [first, second] = [new pg.Client(options), new pg.Client(options)]
  for (const client of [first, second]) client.on('error', () => {})
  try {
    await first.connect()
    await second.connect()
    const isPooled = await observePooling(first, second)
    const {
      max_connections: maxConnections = '0',
      server_encoding: encoding = '',
      ...durability
    } = await settingsOf(first)
    return {
      maxConnections: Number(maxConnections),
      encoding,
      durability,
      isPooled,
      ...(await observeRest(first, now)),
    }
  } catch (error) {
    throw new Unavailable(error)
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

/** No request waits for it, and a busy machine is no reason not to start. */
const PATIENCE_MS = 10_000

async function settingsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, setting as value
     from pg_settings
     where name in ('max_connections', 'fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'server_encoding')`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

async function observeRest(client: pg.Client, now: Clock) {
  const before = now()
  const { rows } = await client.query<{ now: Date; dataMayBeLost: boolean }>(
    `select clock_timestamp() as now, coalesce(current_setting('petstore.data_may_be_lost', true), '') = 'on' as "dataMayBeLost"`,
  )
  const halfMs = (now() - before) / 2
  const aheadMs = (rows[0]?.now.getTime() ?? before) - (before + halfMs)
  return {
    dataMayBeLost: rows[0]?.dataMayBeLost ?? false,
    // A slow exchange says less about the clock.
    clockAheadMs: Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - halfMs),
  }
}

/**
 * The second connection uses PostgreSQL between two transactions of the first one. A pooler that assigns per transaction
 * then gives the first one another process.
 */
async function observePooling(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await processOf(first)
  await second.query('begin')
  await processOf(second)
  const after = await processOf(first)
  await second.query('commit')
  return before !== after
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
}
