// A running service from its configuration: database, guard, HTTP server and the
// small background work that goes with them; and its orderly end. `serve`,
// `start`, development and tests all run exactly this.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import type { HttpOptions } from './foundation/http.ts'
import { newId, newRequestId } from './foundation/ids.ts'
import { schemaTrouble } from './foundation/migrate.ts'
import { openDatabase, statement, type Database } from './foundation/postgres.ts'
import { MINUTE, SECOND, type Clock } from './foundation/time.ts'
import { sweepAnswers } from './pets/jobs.ts'
import { KEY_CHANNEL, sweepRevocations } from './projects/directory.ts'
import { KEY_HELD_MS, createGuard } from './projects/guard.ts'
import { trackKeyUses } from './projects/jobs.ts'
import type { KeyKind } from './projects/key-format.ts'
import type { KeyDeps } from './projects/keys.ts'
import { inDirectoryOf, inProjectOf, inProjectsOf } from './projects/scope.ts'

export type ServiceOptions = {
  now?: Clock
  logger?: HttpOptions['logger']
  /** Off only where a test wants to see what happens when notifications are lost. */
  listensForKeyChanges?: boolean
  /** Longer only where a test wants to see that holding keys for longer is noticed. */
  keyHeldMs?: number
  referenceAssets?: string
}

export type Service = { app: FastifyInstance; database: Database; port: number; stop(): Promise<void> }

export const kindOf = ({ environment }: Pick<Config, 'environment'>): KeyKind =>
  environment === 'production' ? 'live' : 'test'

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { now = Date.now, listensForKeyChanges = true } = options
  // Errors of idle connections come before the log exists only if PostgreSQL is not there at all.
  let report: (error: Error) => void = () => {}
  const database = openDatabase({
    url: config.databaseUrl.reveal(),
    poolMax: config.databasePoolMax,
    onError: (error) => report(error),
  })
  try {
    await refuseUnfit(database)
  } catch (error) {
    await database.close()
    throw error
  }

  const inDirectory = inDirectoryOf(database)
  const keyUses = trackKeyUses({ inProjects: inProjectsOf(database), now })
  const guard = createGuard({
    run: database.run,
    kind: kindOf(config),
    now,
    monotonic: () => performance.now(),
    failures: { points: config.limits.perFailedAddress, windowSeconds: config.limits.windowSeconds },
    keyHeldMs: options.keyHeldMs,
  })
  const app = await buildApp({
    config,
    database,
    guard,
    keyUses,
    now,
    newRequestId,
    referenceAssets: options.referenceAssets ?? join(import.meta.dirname, '../public/reference'),
    ...(options.logger && { logger: options.logger }),
  })
  report = (error) => app.log.warn({ err: error }, 'a database connection failed')

  await guard.refresh()
  const timers = [
    // Often enough that a key is hardly ever too old when it is asked for.
    every((options.keyHeldMs ?? KEY_HELD_MS) / 2, () => guard.refresh(), report),
    every(5 * SECOND, () => keyUses.write(), report),
    every(MINUTE, () => sweepAnswers(inDirectory), report),
    every(MINUTE, () => sweepRevocations(database.run), report),
  ]
  const stopListening = listensForKeyChanges
    ? await database.listen(KEY_CHANNEL, (digest) => guard.forget(digest))
    : undefined
  await app.listen({ host: config.host, port: config.port })
  const address = app.server.address()

  const stop = async () => {
    for (const timer of timers) clearInterval(timer)
    await app.close()
    await stopListening?.()
    await keyUses.write().catch(report)
    await database.close()
  }
  let stopped: Promise<void> | undefined
  return {
    app,
    database,
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    stop: () => (stopped ??= stop()),
  }
}

/** What making keys needs, for commands and for development. */
export const keyDepsOf = (config: Config, database: Database): KeyDeps => ({
  inProject: inProjectOf(database),
  kind: kindOf(config),
  newId,
  randomBytes,
})

const ownRights = statement<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean }, []>(
  'own-rights',
  `select rolsuper as "isSuper", rolbypassrls as "canBypass",
     exists (select from pg_class where relnamespace = 'public'::regnamespace and relowner = pg_roles.oid) as "ownsTables"
   from pg_roles
   where rolname = current_user`,
)

/** Row level security is the second wall around every project; a role that can step over it is refused. */
async function refuseUnfit(database: Database): Promise<void> {
  const [rights] = await database.transaction({}, (db) => db(ownRights))
  if (!rights || rights.isSuper || rights.canBypass || rights.ownsTables) {
    throw new Error(
      'DATABASE_URL names a role that could step over row level security. Use petstore_app: not superuser, not owner of the tables, no BYPASSRLS.',
    )
  }
  const trouble = await schemaTrouble(database)
  if (trouble !== undefined) throw new Error(`${trouble} Run "petstore migrate" first.`)
}

function every(periodMs: number, work: () => Promise<unknown>, report: (error: Error) => void): NodeJS.Timeout {
  let isRunning = false
  return setInterval(() => {
    if (isRunning) return
    isRunning = true
    work()
      .catch(report)
      .finally(() => (isRunning = false))
  }, periodMs)
}
