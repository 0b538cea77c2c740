// `startService` runs the service from its configuration: database, guards, HTTP server and their
// small background work; and shuts it down in order. `serve`, `start`, development and tests all
// run exactly this.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { chargeStoreOf, createAttempts } from '../accounts/sign-in/attempts.io.ts'
import { createAccountGuard, type CredentialRules } from '../accounts/sessions/guard.io.ts'
import { allowancesOf } from '../accounts/sign-in/sign-in-limits.ts'
import { createPasswords } from '../accounts/sign-in/password.io.ts'
import { buildApp } from './api.ts'
import type { Config } from './config.ts'
import { contextOf, type ProgramContext } from './context.ts'
import { startControl } from './control.ts'
import { domainDepsOf } from './domains.ts'
import { reportFailuresOf } from '../foundation/failure-log.io.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import { portOf, socketFor } from '../foundation/http/inherited-sockets.io.ts'
import { shareLimits } from '../foundation/load/rate-limit.io.ts'
import { newRequestId } from '../foundation/ids.io.ts'
import { checkStore } from '../photos/store/open-objects.io.ts'
import { createSiteHandler } from '../origin/site-routes.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { REVOCATION_CHANNEL, watchRevocations } from '../foundation/postgres/revocations.io.ts'
import { databaseSubject, openDatabaseOf } from './database.ts'
import type { Overrides } from './overrides.ts'
import { createGuard } from '../projects/guard.io.ts'
import { trackKeyUses } from '../projects/jobs.io.ts'
import { defaultOriginsOf } from './platform-names.ts'
import { serviceSchedule, startSchedule } from './schedule.ts'

export type Service = {
  app: FastifyInstance
  database: Database
  port: number
  /** The port for edges, if there is one. */
  controlPort: number | undefined
  isReady: () => Promise<boolean>
  stop: () => Promise<void>
}

export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const { logger, admission, keyHeldMs, isListening = true } = overrides
  // Those that occur before the log exists are logged with its first lines.
  const early: Error[] = []
  let report: (error: Error) => void = (error) => void early.push(error)
  const onError = (error: Error) => report(error)
  const database = overrides.database ?? (await openDatabaseOf(config, 'serve', onError))

  const context = contextOf(config, database, { ...overrides, onError })
  const { inProjects, monotonic, now } = context
  const keyUses = trackKeyUses({ inProjects, now })
  const quotas = shareLimits({ run: database.run, now }, overrides.sharesQuotas)
  const { store = chargeStoreOf(database.run), allowances = allowancesOf(config.limits) } = overrides.attempts ?? {}
  const revocations = watchRevocations({ run: database.run, monotonic })
  const domains = domainDepsOf(context, overrides.observe)
  const failures = { points: config.limits.perFailedAddress, windowSeconds: config.limits.windowSeconds }
  const rules: CredentialRules = { revocations, failures, quotas, heldMs: keyHeldMs }
  const app = await buildApp({
    ...context,
    guard: createGuard(context, rules, context.kind),
    accountGuard: createAccountGuard(context, rules, config.dashboardOrigin),
    passwords: overrides.passwords ?? createPasswords(),
    attempts: createAttempts(store, allowances, now),
    quotas,
    domains,
    keyUses,
    revocations,
    sharesFeeds: overrides.sharesFeeds,
    admission,
    newRequestId,
    referenceAssets: overrides.referenceAssets ?? join(import.meta.dirname, '../../public/reference'),
    dashboardAssets: overrides.dashboardAssets ?? join(import.meta.dirname, '../../public/dashboard'),
    ...(logger && { logger }),
  })
  report = reportFailuresOf(app, databaseSubject)
  early.forEach(report)

  await revocations.check()
  const parts = { revocations, keyUses, quotas, keyHeldMs }
  const stopSchedule = startSchedule(serviceSchedule(parts), report)
  const stopListening = isListening
    ? await database.listen(REVOCATION_CHANNEL, () => void revocations.check().catch(report))
    : undefined
  await app.listen(socketFor('api', config))
  const port = portOf(app.server, config)
  void checkStore(config, (error) => app.log.error({ err: error }, 'the store of photos cannot be used'))
  const control = await openControl(context, { logger, admission })

  const stop = async () => {
    stopSchedule()
    // Together: each may keep accepting connections for a while.
    await Promise.all([control?.stop(), app.close()])
    await stopListening?.()
    await keyUses.write().catch(report)
    if (!overrides.database) await database.close()
  }
  let stopped: Promise<void> | undefined
  return {
    app,
    database,
    port,
    controlPort: control?.port,
    isReady: () => isReady(database),
    stop: () => (stopped ??= stop()),
  }
}

/** The control plane for edges, if it is configured. */
export async function openControl(context: ProgramContext, overrides: Pick<Overrides, 'logger' | 'admission'>) {
  const { config, database } = context
  if (!config.control) return undefined
  const deps = { ...config, ...context, run: database.run, originOf: defaultOriginsOf(config) }
  return startControl(context, createSiteHandler(deps, true), overrides)
}
