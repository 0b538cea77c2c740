// PostgreSQL: one pool, statements by name, transactions with settings.
//
// A statement is written once, as a constant: PostgreSQL prepares it under its
// name on each connection, and tests and benchmarks can run the very same text.
// Connections are pipelined, so `begin`, the settings and the first statement
// of a transaction leave together.
//
// Whatever means "the database cannot answer now" becomes `Unavailable`; what
// is wrong with a statement stays what it is: our bug.

import pg from 'pg'

export type Statement<Row, Values extends readonly unknown[]> = {
  readonly name: string
  readonly text: string
  readonly of?: (values: Values) => Row
}

export const statement = <Row, Values extends readonly unknown[]>(
  name: string,
  text: string,
): Statement<Row, Values> => ({ name, text })

/** Runs statements; every row that comes back is new and yours. */
export type Db = <Row, Values extends readonly unknown[]>(
  statement: Statement<Row, Values>,
  ...values: Values
) => Promise<Row[]>

export type Database = {
  /** One statement that is a transaction by itself, in one round trip. What it may touch it says itself. */
  run: Db
  /** All of `work` commits, or none of it. The settings hold for this transaction alone. */
  transaction<T>(settings: Readonly<Record<string, string>>, work: (db: Db) => Promise<T>): Promise<T>
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export class Unavailable extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL cannot answer now', { cause })
  }
}

export type DatabaseOptions = { url: string; poolMax: number; onError: (error: Error) => void }

export function openDatabase({ url, poolMax, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    pipeline: true,
    types,
    connectionTimeoutMillis: 1000,
    idleTimeoutMillis: 30_000,
    // The server ends a statement by itself; the client's own patience is for a server that is gone.
    statement_timeout: 2000,
    lock_timeout: 500,
    idle_in_transaction_session_timeout: 5000,
    query_timeout: 3000,
    keepAlive: true,
    // One plan for all values. A plan made for particular values is planned anew at each call, and without
    // statistics, as after a restore, it reads a whole store for one page of it.
    options: '-c plan_cache_mode=force_generic_plan',
  })
  // Without these two listeners a restart of PostgreSQL would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))

  return {
    run: async ({ name, text }, ...values) => {
      const client = await connect(pool)
      try {
        return (await client.query({ name, text, values: [...values] })).rows
      } catch (error) {
        throw isOutage(error) ? new Unavailable(error) : error
      } finally {
        client.release()
      }
    },
    transaction: (settings, work) => inTransaction(pool, settings, work),
    listen: (channel, heard) => listen(url, channel, heard, onError),
    close: () => pool.end(),
  }
}

/** Whatever the reason, who gets no connection cannot be served now. */
function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw new Unavailable(error)
  })
}

const setting = 'select set_config($1, $2, true)'

async function inTransaction<T>(
  pool: pg.Pool,
  settings: Readonly<Record<string, string>>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  const db: Db = async ({ name, text }, ...values) => (await client.query({ name, text, values: [...values] })).rows
  // Sent, not awaited: if one of these fails, so does whatever follows it in the transaction.
  const opening = [
    client.query('begin'),
    ...Object.entries(settings).map((pair) => client.query({ name: 'setting', text: setting, values: pair })),
  ]
  const opened = Promise.all(opening)
  opened.catch(() => {})

  let result: T
  try {
    result = await work(db)
    await opened
    await client.query('commit')
  } catch (error) {
    // After a failed rollback nobody knows the state of the connection, so it is not used again.
    const isClean = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!isClean)
    throw isOutage(error) ? new Unavailable(error) : error
  }
  client.release()
  return result
}

/**
 * Hears notifications on a connection of its own, for as long as it can, and
 * connects again when it was lost. What was said meanwhile is not heard: a
 * notification may hurry things up, and nothing may rely on it.
 */
async function listen(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async () => {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 1000 })
    current = client
    client.on('error', onError)
    client.on('notification', ({ payload }) => heard(payload ?? ''))
    client.on('end', () => {
      if (!isClosed) timer = setTimeout(() => void connect(), 250)
    })
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      onError(error as Error)
      await client.end().catch(onError)
    }
  }
  await connect()

  return async () => {
    isClosed = true
    clearTimeout(timer)
    await current?.end().catch(onError)
  }
}

// int8 as bigint: the driver's own strings would be rounded by whoever calls Number() on them.
const int8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Whether PostgreSQL refused the data of a statement (classes 22 and 23), so that nothing of it was done. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code))
}

// Classes 08 (connection), 53 (resources), 57 (operator, shutdown, timeouts); lock_not_available.
const outage = /^(08...|53...|57...|55P03|25P03)$/
const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code !== undefined) return outage.test(code) || network.has(code)
  return /^(Connection terminated|Query read timeout|timeout exceeded|Client has encountered)/i.test(error.message)
}
