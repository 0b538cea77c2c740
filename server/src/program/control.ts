// `startControl` runs the listener for edges. It shares the database with the service that it is
// part of, and stops before that does.

import type { Keys } from '../certificates/key-encryption.io.ts'
import type { ProgramContext } from './context.ts'
import type { Overrides } from './overrides.ts'
import { reportFailuresOf } from '../foundation/failure-log.io.ts'
import { admissionRules } from '../foundation/load/admission.ts'
import { createEdgeGuard } from '../fleet/edge-guard.io.ts'
import { limitExports } from '../fleet/key-export.io.ts'
import { openFeed } from '../fleet/change-feed.io.ts'
import { buildControl, type ServeSite } from '../fleet/feed-routes.ts'

export type RunningControl = { port: number; stop(): Promise<void> }

type ControlContext = Pick<ProgramContext, 'config' | 'database' | 'now' | 'monotonic'> & {
  keys: Pick<Keys, 'open'> | undefined
}

export async function startControl(
  context: ControlContext,
  serveSite: ServeSite,
  { logger, admission, isListening = true }: Pick<Overrides, 'logger' | 'admission' | 'isListening'>,
): Promise<RunningControl> {
  const { config, database, keys, now, monotonic } = context
  const { other } = config.limitTable
  const { control, limits, trustedProxies, requestTimeoutMs, headersTimeoutMs, shutdown } = config
  if (!control) throw new Error('CONTROL_PORT says where edges ask; it is not set.')
  let report: (error: Error) => void = () => {}
  const feed = await openFeed({ database, onError: (error) => report(error) }, isListening)
  // Dated by the real clock, whatever time it is for certificates in a test.
  const common = { run: database.run, monotonic, now: Date.now }
  const guard = createEdgeGuard({
    ...common,
    failures: { points: limits.perFailedAddress, windowSeconds: limits.windowSeconds },
    onRefused: (address) => app.log.warn({ address, msg: 'edge authentication failed' }),
    onMisused: ({ name, isEnrolled }, address) =>
      app.log.error({
        edge: name,
        address,
        msg: isEnrolled
          ? 'an enrolment token was used again: revoke the edge, unless it has lost its disk'
          : 'an enrolment token was used after it had expired: revoke the edge and add it again',
      }),
  })
  const countExport = limitExports({
    ...common,
    perHour: config.edgeKeysPerHour,
    onStopped: ({ id, name }, most) =>
      app.log.error({
        edge: name,
        id,
        keys: most,
        msg: 'an edge has received as many private keys as it may in an hour: revoke it, if this was not expected',
      }),
  })
  const app = buildControl({
    run: database.run,
    guard,
    countExport,
    feed,
    keys,
    serveSite,
    settings: {
      PLATFORM_HOST: config.platformHost,
      ...(config.formerPlatformHosts.length > 0 && { FORMER_PLATFORM_HOSTS: config.formerPlatformHosts.join(',') }),
      ...(config.probeSecret && { PROBE_SECRET: config.probeSecret.reveal() }),
    },
    now,
    admission: { ...admissionRules, ...admission },
    caps: {
      most: other.edgeConnections,
      mostUnknown: other.unknownConnections,
      mostUnknownOfGroup: other.unknownGroupConnections,
    },
    trustedProxies,
    requestTimeoutMs,
    headersTimeoutMs,
    shutdown,
    logger: logger ?? { level: config.logLevel },
  })
  report = reportFailuresOf(app, () => 'reading the host table')
  try {
    await app.listen({ host: control.host, port: control.port })
  } catch (error) {
    await app.close()
    throw error
  }
  const address = app.server.address()
  let stopped: Promise<void> | undefined
  return {
    port: typeof address === 'object' && address !== null ? address.port : control.port,
    stop: () => (stopped ??= app.close()),
  }
}
