// The published sites, as a running server from its configuration: its own pool of
// connections, the HTTP server, and their orderly end.

import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import { buildEdge } from './edge/app.ts'
import { openFitDatabase } from './foundation/fitness.ts'
import type { Clock } from './foundation/time.ts'
import { inProjectOf } from './projects/scope.ts'

export type RunningEdge = { port: number; stop(): Promise<void> }

export type EdgeOptions = {
  logger?: { level: string; stream?: { write(line: string): void } }
  /** Another clock only where a test wants to see a form grow old. */
  now?: Clock
}

export async function startEdge(config: Config, options: EdgeOptions = {}): Promise<RunningEdge> {
  let report: (error: Error) => void = () => {}
  const database = await openFitDatabase({
    url: config.databaseUrl.reveal(),
    poolMax: config.databasePoolMax,
    onError: (error) => report(error),
  })
  const app = buildEdge({
    run: database.run,
    inProject: inProjectOf(database),
    now: options.now ?? Date.now,
    monotonic: () => performance.now(),
    randomBytes,
    platformHost: config.platformHost,
    siteScheme: config.siteScheme,
    probeSecret: config.probeSecret?.reveal(),
    trustedProxies: config.trustedProxies,
    requestTimeoutMs: config.requestTimeoutMs,
    headersTimeoutMs: config.headersTimeoutMs,
    limits: config.limits,
    logger: options.logger ?? { level: config.logLevel },
  })
  report = (error) => app.log.warn({ err: error }, 'a database connection failed')
  const stop = async () => {
    await app.close()
    await database.close()
  }
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
