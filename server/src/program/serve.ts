// `startService` runs the service from its configuration: database, guards, HTTP server and their
// small background work; and shuts it down in order. `serve`, `start`, development and tests all
// run exactly this.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { chargeStoreOf, createAttempts, type AttemptsDeps } from '../accounts/sign-in/attempts.io.ts'
import { createAccountGuard, type AccountGuardDeps } from '../accounts/sessions/guard.io.ts'
import { createPasswords, type Passwords } from '../accounts/sign-in/password.io.ts'
import { buildApp } from './api.ts'
import type { Config } from './config.ts'
import { contextOf, type ProgramContext, type Overrides } from './context.ts'
import { startControl, type ControlOptions } from './control.ts'
import { domainDepsOf, type Observe } from './domains.ts'
import { addressGroup } from '../foundation/address-group.ts'
import type { AdmissionRules } from '../foundation/load/admission.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import type { HttpOptions } from '../foundation/http/http.io.ts'
import { shareLimits } from '../foundation/load/rate-limit.io.ts'
import { newRequestId } from '../foundation/ids.io.ts'
import { checkStore } from '../photos/store/open-objects.io.ts'
import { createSiteHandler } from '../origin/site-routes.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { REVOCATION_CHANNEL, watchRevocations } from '../foundation/postgres/revocations.io.ts'
import { databaseMessage, openDatabaseOf } from './database.ts'
import { createGuard } from '../projects/guard.io.ts'
import { trackKeyUses } from '../projects/jobs.io.ts'
import { defaultOriginsOf } from './platform-names.ts'
import { serviceSchedule, startSchedule } from './schedule.ts'

export type ServiceOptions = Overrides & {
  logger?: HttpOptions['logger']
  /** Off only in tests of lost notifications. */
  listensForKeyChanges?: boolean
  /** Longer only in a test (negative control) which shows that caching keys for longer is detected. */
  keyHeldMs?: number
  /** Others only in negative controls: with another queue, or without the list of common passwords. */
  passwords?: Passwords
  /** Other ones only in negative controls, which show that attempts counted in another way are detected. */
  attempts?: Partial<Pick<AttemptsDeps, 'store' | 'allowances'>> | undefined
  /** False only in a negative control, which shows that quotas counted in memory alone are detected. */
  sharesQuotas?: boolean | undefined
  /** Others than the usual ones: in negative controls, and in tests that a slow machine must not reject. */
  admission?: Partial<AdmissionRules> | undefined
  /** False only in a negative control, which shows that a poll per event stream is detected. */
  sharesFeeds?: boolean | undefined
  referenceAssets?: string
  dashboardAssets?: string
  /** Replaces DNS by a test's observations. */
  observe?: Observe | undefined
}

export type Service = {
  app: FastifyInstance
  database: Database
  port: number
  /** The port for edges, if there is one. */
  controlPort: number | undefined
  isReady: () => Promise<boolean>
  stop: () => Promise<void>
}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { listensForKeyChanges = true, logger, admission } = options
  // Those that occur before the log exists are logged with its first lines.
  const early: Error[] = []
  let report: (error: Error) => void = (error) => void early.push(error)
  const onError = (error: Error) => report(error)
  const database = options.database ?? (await openDatabaseOf(config, 'serve', onError))

  const context = contextOf(config, database, { ...options, onError })
  const { inProjects, monotonic, now } = context
  const keyUses = trackKeyUses({ inProjects, now })
  const quotas = shareLimits({ run: database.run, now }, options.sharesQuotas)
  const attempts = createAttempts({
    store: chargeStoreOf(database.run),
    limits: config.limits,
    now,
    ...options.attempts,
  })
  const revocations = watchRevocations({ run: database.run, monotonic })
  const domains = domainDepsOf(context, options.observe)
  const app = await buildApp({
    ...context,
    ...guardsOf(context, { revocations, quotas, keyHeldMs: options.keyHeldMs }),
    passwords: options.passwords ?? createPasswords(),
    attempts,
    quotas,
    domains,
    keyUses,
    revocations,
    sharesFeeds: options.sharesFeeds,
    admission,
    newRequestId,
    referenceAssets: options.referenceAssets ?? join(import.meta.dirname, '../../public/reference'),
    dashboardAssets: options.dashboardAssets ?? join(import.meta.dirname, '../../public/dashboard'),
    ...(logger && { logger }),
  })
  report = (error) => app.log.warn({ err: error }, databaseMessage(error))
  early.forEach(report)

  await revocations.check()
  const parts = { revocations, keyUses, quotas, keyHeldMs: options.keyHeldMs }
  const stopSchedule = startSchedule(serviceSchedule(parts), report)
  const stopListening = listensForKeyChanges
    ? await database.listen(REVOCATION_CHANNEL, () => void revocations.check().catch(report))
    : undefined
  await app.listen({ host: config.host, port: config.port })
  void checkStore(config, (error) => app.log.error({ err: error }, 'the store of photos cannot be used'))
  const address = app.server.address()
  const control = await openControl(context, { logger, admission })

  const stop = async () => {
    stopSchedule()
    // Together: each may keep accepting connections for a while.
    await Promise.all([control?.stop(), app.close()])
    await stopListening?.()
    await keyUses.write().catch(report)
    if (!options.database) await database.close()
  }
  let stopped: Promise<void> | undefined
  return {
    app,
    database,
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    controlPort: control?.port,
    isReady: () => isReady(database),
    stop: () => (stopped ??= stop()),
  }
}

type GuardParts = Pick<AccountGuardDeps, 'revocations' | 'quotas'> & {
  keyHeldMs: number | undefined
}

/** The guards of `/v1`, for keys, and of `/platform/v1`, for people. */
function guardsOf(context: ProgramContext, { revocations, quotas, keyHeldMs }: GuardParts) {
  const { config, database, kind, now, monotonic, onError } = context
  const failures = { points: config.limits.perFailedAddress, windowSeconds: config.limits.windowSeconds }
  const guard = createGuard({
    run: database.run,
    revocations,
    kind,
    now,
    monotonic,
    failures,
    quotas,
    keyHeldMs,
  })
  const accountGuard = createAccountGuard({
    database,
    revocations,
    origin: config.dashboardOrigin,
    failures,
    quotas,
    groupOf: addressGroup,
    now,
    monotonic,
    onError,
    heldMs: keyHeldMs,
  })
  return { guard, accountGuard }
}

/** The control plane for edges, if it is configured. */
export async function openControl(context: ProgramContext, options: Omit<ControlOptions, 'serveSite'>) {
  const { config, database } = context
  if (!config.control) return undefined
  const deps = { ...config, ...context, run: database.run, originOf: defaultOriginsOf(config) }
  const serveSite = createSiteHandler(deps, true)
  return startControl(context, { ...options, serveSite })
}
