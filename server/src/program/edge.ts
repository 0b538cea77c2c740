// `startEdge` runs the server of the published sites, and shuts it down in order. With a control
// plane it has no database: host table, certificates, challenges and pages come from there. Without
// one it serves from the database, under default addresses only, with its own pool of connections.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { contextOf } from './context.ts'
import { databaseSubject, openDatabaseOf } from './database.ts'
import { buildSiteServer } from '../origin/site-server.io.ts'
import { openOrigin, PHOTO_DEADLINE_MS } from '../edge/origin-client.io.ts'
import { openPageDisk } from '../edge/pages/page-disk.io.ts'
import type { EdgeConfig } from '../edge/settings.ts'
import { startReplica } from '../edge/replica.io.ts'
import { buildGateway } from '../edge/visitor-routes.ts'
import { reportFailuresOf } from '../foundation/failure-log.io.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import { portOf, socketFor } from '../foundation/http/inherited-sockets.io.ts'
import type { Overrides } from './overrides.ts'
import { defaultOriginsOf } from './platform-names.ts'

export type RunningEdge = {
  port: number
  /** The port at which the server in front requests certificates; only with a control plane. */
  certificatePort?: number
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

export const startEdge = (config: Config, overrides: Overrides = {}): Promise<RunningEdge> =>
  config.edge ? startGateway(config, config.edge, overrides) : startLocal(config, overrides)

async function startLocal(config: Config, overrides: Overrides): Promise<RunningEdge> {
  const early: Error[] = []
  let report: (error: Error) => void = (error) => void early.push(error)
  const database = overrides.database ?? (await openDatabaseOf(config, 'edge', (error) => report(error)))
  const app = buildSiteServer({
    ...contextOf(config, database, overrides),
    run: database.run,
    platformHost: config.platformHost,
    originOf: defaultOriginsOf(config),
    operatorEmail: config.operatorEmail,
    limits: config.limits,
    countRates: overrides.countRates,
    ...serverSettings(config, overrides),
  })
  report = reportFailuresOf(app, databaseSubject)
  early.forEach(report)
  const running = await listening(app, config, async () => {
    await app.close()
    if (!overrides.database) await database.close()
  })
  return { ...running, isReady: () => isReady(database) }
}

/** More files than this take long to list when an edge starts. */
const PHOTOS_ON_DISK_MAX = 200_000

async function startGateway(config: Config, edge: EdgeConfig, overrides: Overrides): Promise<RunningEdge> {
  let report: (error: Error) => void = () => {}
  const context = {
    now: overrides.now ?? Date.now,
    monotonic: overrides.monotonic ?? (() => performance.now()),
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
    formerHosts: config.formerPlatformHosts,
    hasPlatformCertificate: edge.platformCertificate !== undefined,
    isIsolated: () => replica.isolated(),
  }
  const pages = { origin, disk }
  const photos = { origin: photoOrigin, disk: photoDisk, confirmMs: overrides.photoConfirmMs }
  const parts = { known, control: replica.control, pages, photos }
  const app = buildGateway(context, parts, serverSettings(config, overrides))
  report = reportFailuresOf(app)
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

const serverSettings = (config: Config, overrides: Overrides) => ({
  probeSecret: config.probeSecret?.reveal(),
  trustedProxies: config.trustedProxies,
  requestTimeoutMs: config.requestTimeoutMs,
  headersTimeoutMs: config.headersTimeoutMs,
  shutdown: config.shutdown,
  readers: overrides.readers,
  connectionsMax: config.limitTable.other.connections,
  logger: overrides.logger ?? { level: config.logLevel },
})

/** Stops everything if it cannot listen. */
async function listening(app: FastifyInstance, config: Config, stop: () => Promise<void>) {
  const wanted = { host: config.edgeHost, port: config.edgePort }
  let stopped: Promise<void> | undefined
  try {
    await app.listen(socketFor('sites', wanted))
    return { port: portOf(app.server, wanted), stop: () => (stopped ??= stop()) }
  } catch (error) {
    await stop()
    throw error
  }
}
