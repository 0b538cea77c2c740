// The PostgreSQL client: one pool, in which projects take turns, named statements, transactions with settings.
// - A statement is declared once, as a constant: PostgreSQL prepares it under its name on each
//   connection, and tests and benchmarks can run exactly the same text.
// - Connections are pipelined, so `begin`, the settings and the first statement of a transaction
//   are sent together.
// - Every failure that means "the database is unavailable" becomes `Unavailable`; a faulty
//   statement keeps its own error: it is a bug of ours.

import pg from 'pg'
import { Slots } from '../load/slots.io.ts'
import { databaseUnavailable } from '../measurements.io.ts'
import { openNotifier, type Notification, type Notifier } from './notifier.io.ts'

export type Statement<Row, Values extends readonly unknown[]> = {
  readonly name: string
  readonly text: string
  readonly of?: (values: Values) => Row
}

export const statement = <Row, Values extends readonly unknown[]>(
  name: string,
  text: string,
): Statement<Row, Values> => ({ name, text })

/** Runs statements; every returned row is a new object owned by the caller. */
export type Db = <Row, Values extends readonly unknown[]>(
  statement: Statement<Row, Values>,
  ...values: Values
) => Promise<Row[]>

type Query<Values extends readonly unknown[], Result> = (db: Db, ...values: Values) => Promise<Result>

/** A statement as a function that runs it: with its rows, or with what `read` makes of them. */
export function query<Row, Values extends readonly unknown[]>(name: string, text: string): Query<Values, Row[]>
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a statement names its row wherever it is declared
export function query<Row, Values extends readonly unknown[], Result>(
  name: string,
  text: string,
  read: (rows: Row[]) => Result,
): Query<Values, Result>
export function query(
  name: string,
  text: string,
  read = (rows: unknown[]): unknown => rows,
): Query<unknown[], unknown> {
  return async (db, ...values) => read(await db({ name, text }, ...values))
}

/** With the first row, if there is one. */
export const queryFirst = <Row, Values extends readonly unknown[]>(
  name: string,
  text: string,
): Query<Values, Row | undefined> => query(name, text, ([row]: Row[]) => row)

/** With whether there is a row. */
export const queryAny = <Values extends readonly unknown[]>(name: string, text: string): Query<Values, boolean> =>
  query(name, text, (rows) => rows.length > 0)

export type Database = {
  /**
   * A single statement as its own transaction, in one round trip. The statement itself restricts
   * which rows it may touch.
   */
  run: Db
  /** All of `work` commits, or none of it. The settings apply to this transaction only. */
  transaction<T>(settings: Readonly<Record<string, string>>, work: (db: Db) => Promise<T>): Promise<T>
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
  /** False after PostgreSQL became one that no process would start with; only if startup-checks.io.ts watches it. */
  isFit?(): boolean
}

export class Unavailable extends Error {
  constructor(cause: unknown, reason: 'pool' | 'server' = 'server') {
    super('PostgreSQL cannot answer now', { cause })
    databaseUnavailable.publish({ reason })
  }
}

/** Deadlines can be set as parameters of the URL, by the names of libpq and of PostgreSQL. */
export type DatabaseOptions = {
  url: string
  poolMax: number
  onError: (error: Error) => void
  /** The name under which PostgreSQL lists the connections. */
  applicationName?: string | undefined
}

/** The time for a new connection, and for one of the pool to become free; the driver does not read it from the URL. */
export function connectTimeoutMs(url: string): number {
  const seconds = Number(URL.parse(url)?.searchParams.get('connect_timeout'))
  return seconds > 0 ? seconds * 1000 : 1000
}

export function openDatabase({ url, poolMax, onError, applicationName }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: poolMax,
    pipeline: true,
    types,
    connectionTimeoutMillis: connectTimeoutMs(url),
    idleTimeoutMillis: 30_000,
    // The server ends a statement itself; the client's timeout is for a server that is gone, whose connections occupy the
    // pool until then. So the service serves again within 2 s of a network that is back, and a request that waited for
    // its connection before does not hang for 3 s.
    statement_timeout: 1500,
    lock_timeout: 500,
    idle_in_transaction_session_timeout: 5000,
    query_timeout: 1750,
    keepAlive: true,
    // One plan for all values. A plan for particular values is planned again at each call, and
    // without statistics, as after a restore, it reads a whole store for one page of it.
    options: '-c plan_cache_mode=force_generic_plan',
  })
  // Without these two listeners a restart of PostgreSQL would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))

  const connections = { pool, slots: new Slots<string>(poolMax), waitMs: connectTimeoutMs(url) }
  const run: Db = async ({ name, text }, ...values) => {
    const { client, release } = await connect(connections)
    try {
      return (await client.query({ name, text, values: [...values] })).rows
    } catch (error) {
      throw isOutage(error) ? new Unavailable(error) : error
    } finally {
      release()
    }
  }
  const notifier = openNotifier((notifications) => notifyNow(run, notifications), onError)
  afterCommit.set(run, (notification) => notifier.send([notification]))
  return {
    run,
    transaction: (settings, work) => inTransaction({ ...connections, notifier }, settings, work),
    listen: (channel, onNotification) => listen({ url, onError, applicationName }, channel, onNotification),
    async close() {
      await notifier.end()
      await pool.end()
    },
  }
}

type Connections = { pool: pg.Pool; slots: Slots<string>; waitMs: number }
type PooledClient = { client: pg.PoolClient; release: (isBroken?: boolean) => void }

/**
 * Without a connection, for whatever reason, the caller cannot be served now. Projects take turns: otherwise one whose
 * transactions are long (imports), or wait for each other (reservations of one shop), would keep all others waiting. Work
 * that belongs to no project, such as looking up a key, is short.
 */
async function connect({ pool, slots, waitMs }: Connections, project?: string): Promise<PooledClient> {
  const leave = await slots.take(project, waitMs)
  if (!leave) throw new Unavailable(new Error(`no connection became free within ${waitMs} ms`), 'pool')
  try {
    const client = await pool.connect()
    const release = (isBroken = false) => {
      client.release(isBroken)
      leave()
    }
    return { client, release }
  } catch (error) {
    leave()
    throw new Unavailable(error)
  }
}

const setting = 'select set_config($1, $2, true)'

const notifyRows = statement<never, [channels: readonly string[], payloads: readonly string[]]>(
  'notify',
  `select pg_notify(channel, payload)
   from unnest($1::text[], $2::text[]) as notification (channel, payload)`,
)

const notifyNow = (db: Db, notifications: readonly Notification[]) =>
  db(
    notifyRows,
    notifications.map(([channel]) => channel),
    notifications.map(([, payload]) => payload),
  )

/** Takes what is to be sent once the transaction has committed; a single statement has by then. */
const afterCommit = new WeakMap<Db, (notification: Notification) => void>()

/** Notifies the listeners of the channel when the transaction has committed; listeners may not rely on it. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  const send = afterCommit.get(db)
  if (send) send([channel, payload])
  else await notifyNow(db, [[channel, payload]])
}

/** How much longer the client waits than the server works on a statement, so that it receives the server's error. */
const GRACE_MS = 250

const extendRow = statement<never, [ms: string]>('extend-deadline', `select set_config('statement_timeout', $1, true)`)

const patience = new WeakMap<Db, number>()

export type NamedOperator = { by: string; reason?: string | undefined }

/** Every audit event of every transaction names the operator: no command can forget it. */
export const asOperator = (database: Database, operator: NamedOperator | undefined): Database => ({
  ...database,
  transaction: (settings, work) =>
    database.transaction({ ...settings, ...(operator && { 'petstore.operator': JSON.stringify(operator) }) }, work),
})

/** For work in the background: the next statements of this transaction may take longer than those of a request. */
export async function extendDeadline(db: Db, seconds: number): Promise<void> {
  patience.set(db, seconds * 1000 + GRACE_MS)
  await db(extendRow, String(seconds * 1000))
}

async function inTransaction<T>(
  { notifier, ...connections }: Connections & { notifier: Notifier },
  settings: Readonly<Record<string, string>>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { client, release } = await connect(connections, Object.values(settings).join() || undefined)
  const db: Db = async ({ name, text }, ...values) => {
    // The driver reads `query_timeout`, which its types leave out.
    const query = { name, text, values: [...values], query_timeout: patience.get(db) }
    return (await client.query(query)).rows
  }
  const notifications: Notification[] = []
  afterCommit.set(db, (notification) => void notifications.push(notification))
  // Sent, not awaited: if one of these fails, so does every later statement of the transaction.
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
    // After a failed rollback the state of the connection is unknown, so it is not reused.
    const isClean = await client.query('rollback').then(
      () => true,
      () => false,
    )
    release(!isClean)
    throw isOutage(error) ? new Unavailable(error) : error
  }
  release()
  notifier.send(notifications)
  return result
}

/**
 * Receives notifications on a connection of its own and reconnects when it is lost. Notifications
 * sent in the meantime are lost: they may speed things up, but nothing may rely on them.
 */
async function listen(
  { url, onError, applicationName }: Omit<DatabaseOptions, 'poolMax'>,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<() => Promise<void>> {
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 1000,
    })
    current = client
    client.on('error', onError)
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
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

// int8 as bigint: calling Number() on the driver's own strings would round them.
const int8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** True if PostgreSQL rejected the data of a statement (classes 22 and 23), so that none of it was done. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code))
}

// Classes 08 (connection), 53 (resources), 57 (operator, shutdown, timeouts); lock_not_available.
const outage = /^(08...|53...|57...|55P03|25P03)$/
const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code !== undefined) return outage.test(code) || network.has(code)
  return /^(Connection terminated|Query read timeout|timeout exceeded|Client has encountered)/i.test(error.message)
}
