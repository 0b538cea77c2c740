// `startEdge` runs the server of the published sites, and shuts it down in order. With a control
// plane it has no database: host table, certificates, challenges and pages come from there. Without
// one it serves from the database, under default addresses only, with its own pool of connections.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { contextOf, type Overrides } from './context.ts'
import { databaseMessage, openDatabaseOf } from './database.ts'
import { buildSiteServer } from '../origin/site-server.io.ts'
import { openOrigin, PHOTO_DEADLINE_MS } from '../edge/origin-client.io.ts'
import { openPageDisk } from '../edge/pages/page-disk.io.ts'
import type { EdgeConfig } from '../edge/settings.ts'
import { startReplica } from '../edge/replica.io.ts'
import { buildGateway } from '../edge/visitor-routes.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import type { CountRates } from '../foundation/load/rate-directory.io.ts'
import type { ServerDeps } from '../sites/pages/visitor-server.io.ts'
import { defaultOriginsOf } from './platform-names.ts'

export type RunningEdge = {
  port: number
  /** The port at which the server in front requests certificates; only with a control plane. */
  certificatePort?: number
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

/** With another clock in tests of what grows old; with a database that other roles of the process share, and close. */
export type EdgeOptions = Overrides & {
  logger?: { level: string; stream?: { write(line: string): void } }
  /** Longer only in a test (negative control) which shows that photos that are never confirmed are noticed. */
  photoConfirmMs?: number
  /** Others only in tests of visitors who read slowly. */
  readers?: ServerDeps['readers']
  /** In memory only in a test (negative control) which shows that such counters admit too many. */
  countRates?: CountRates
}

export const startEdge = (config: Config, options: EdgeOptions = {}): Promise<RunningEdge> =>
  config.edge ? startGateway(config, config.edge, options) : startLocal(config, options)

async function startLocal(config: Config, options: EdgeOptions): Promise<RunningEdge> {
  const early: Error[] = []
  let report: (error: Error) => void = (error) => void early.push(error)
  const database = options.database ?? (await openDatabaseOf(config, 'edge', (error) => report(error)))
  const app = buildSiteServer({
    ...contextOf(config, database, options),
    run: database.run,
    platformHost: config.platformHost,
    originOf: defaultOriginsOf(config),
    limits: config.limits,
    countRates: options.countRates,
    ...serverSettings(config, options),
  })
  report = (error) => app.log.warn({ err: error }, databaseMessage(error))
  early.forEach(report)
  const running = await listening(app, config, async () => {
    await app.close()
    if (!options.database) await database.close()
  })
  return { ...running, isReady: () => isReady(database) }
}

/** More files than this take long to list when an edge starts. */
const PHOTOS_ON_DISK_MAX = 200_000

async function startGateway(config: Config, edge: EdgeConfig, options: EdgeOptions): Promise<RunningEdge> {
  let report: (error: Error) => void = () => {}
  const context = {
    now: options.now ?? Date.now,
    monotonic: options.monotonic ?? (() => performance.now()),
    onError: (error: Error) => report(error),
  }
  const disk = await openPageDisk(context, join(edge.directory, 'pages'))
  const photoDisk = await openPageDisk(context, join(edge.directory, 'photos'), {
    countMax: PHOTOS_ON_DISK_MAX,
    bytesMax: edge.photoBytes,
  })
  const replica = await startReplica(edge, config.platformHost, context)
  const { identity } = replica
  const origin = openOrigin({ ...edge, identity })
  // Of their own: however many photos are fetched, pages do not wait for them.
  const photoOrigin = openOrigin({ ...edge, identity }, PHOTO_DEADLINE_MS)
  const known = {
    find: (hostname: string) => replica.table.find(hostname),
    platformHost: config.platformHost,
    hasPlatformCertificate: edge.platformCertificate !== undefined,
    isIsolated: () => replica.isolated(),
  }
  const pages = { origin, disk }
  const photos = { origin: photoOrigin, disk: photoDisk, confirmMs: options.photoConfirmMs }
  const parts = { known, control: replica.control, pages, photos }
  const app = buildGateway(context, parts, serverSettings(config, options))
  report = (error) => app.log.warn({ err: error }, 'edge background task failed')
  const running = await listening(app, config, async () => {
    await app.close()
    origin.close()
    photoOrigin.close()
    await replica.stop()
    await disk.close()
    await photoDisk.close()
  })
  return { ...running, certificatePort: replica.certificatePort, isReady: async () => !replica.isolated() }
}

const serverSettings = (config: Config, options: EdgeOptions) => ({
  probeSecret: config.probeSecret?.reveal(),
  trustedProxies: config.trustedProxies,
  requestTimeoutMs: config.requestTimeoutMs,
  headersTimeoutMs: config.headersTimeoutMs,
  shutdown: config.shutdown,
  readers: options.readers,
  connectionsMax: config.limitTable.other.connections,
  logger: options.logger ?? { level: config.logLevel },
})

/** Stops everything if it cannot listen. */
async function listening(app: FastifyInstance, config: Config, stop: () => Promise<void>) {
  try {
    await app.listen({ host: config.edgeHost, port: config.edgePort })
  } catch (error) {
    await stop()
    throw error
  }
  const address = app.server.address()
  let stopped: Promise<void> | undefined
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.edgePort,
    stop: () => (stopped ??= stop()),
  }
}
