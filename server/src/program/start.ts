// `startTogether` runs every role in one process, with one pool of connections: for one machine. Its
// edge is an edge like any other, with a key pair, a control plane and a disk, which it sets up itself:
// at each start it enrols with a token that exists in memory only, in the place of the previous start's
// edge; the control plane is a listener on loopback; the key of its disk is derived from the first certificate key. Without
// certificate keys (development) there is nothing to replicate, and sites come from the database.

import { hkdfSync } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { CertificatesConfig } from '../certificates/settings.ts'
import type { Supervised } from './cluster.ts'
import type { Config } from './config.ts'
import { contextOf, type ProgramContext } from './context.ts'
import { openDatabaseOf } from './database.ts'
import { startEdge } from './edge.ts'
import { addEdge } from '../fleet/edge-tokens.io.ts'
import { Secret } from '../foundation/secret.ts'
import type { Overrides } from './overrides.ts'
import { openControl, startService } from './serve.ts'
import { startWork } from './work.ts'

export type RunningTogether = {
  /** The port of dashboard and API, unless other processes serve them. */
  port?: number
  sitePort: number
  /** The port at which Caddy requests certificates, if there are any. */
  certificatePort?: number
  ended?: Promise<number>
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

/** `supervise` serves in processes of its own; undefined if this process serves. */
export async function startTogether(
  config: Config,
  { logger, onError }: Required<Pick<Overrides, 'logger' | 'onError'>>,
  supervise?: () => Supervised,
): Promise<RunningTogether> {
  const database = await openDatabaseOf(config, 'start', onError)
  const context = contextOf(config, database, { onError })
  const { dns } = context
  const stops = [() => database.close()]
  /** The last one that was started first: an edge needs its control plane until it has ended. */
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end()
  }
  try {
    const supervised = supervise?.()
    if (supervised) stops.push(async () => void (await supervised.stop()))
    const service = supervised ? undefined : await startService(config, { logger, database, dns })
    if (service) stops.push(service.stop)
    const work = await startWork(config, { onError, database, dns })
    stops.push(() => work.stop())
    const edge = config.certificates && !config.edge ? await ownEdge(context, logger, stops) : config.edge
    const sites = await startEdge({ ...config, edge }, { logger, database })
    stops.push(() => sites.stop())
    return {
      ...(service && { port: service.port }),
      ...(supervised && { ended: supervised.ended }),
      ...(sites.certificatePort !== undefined && { certificatePort: sites.certificatePort }),
      sitePort: sites.port,
      // Work and service share its connections.
      isReady: async () => (await work.isReady()) && (await sites.isReady()) && (await supervised?.isReady()) !== false,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The settings of this machine's edge, once its control plane listens. */
async function ownEdge(
  context: ProgramContext,
  logger: Overrides['logger'],
  stops: (() => Promise<void>)[],
): Promise<Config['edge']> {
  const { certificates, dataDirectory, edgeCommon } = context.config
  if (!certificates) return undefined
  const local = { ...context.config, control: { host: '127.0.0.1', port: 0 } }
  const control = await openControl({ ...context, config: local }, { logger })
  if (!control) return undefined
  stops.push(() => control.stop())
  const { run } = context.database
  const { token } = await addEdge({ ...context, run }, localEdgeName(hostname()), {
    servesApi: true,
    takesOver: true,
  })
  return {
    ...edgeCommon,
    controlUrl: `http://127.0.0.1:${control.port}`,
    controlRoots: undefined,
    token: new Secret(token),
    directory: join(dataDirectory, 'edge'),
    key: diskKeyOf(certificates),
  }
}

/** One per machine: each start on the same machine replaces the edge of the previous one. */
export const localEdgeName = (host: string): string =>
  `local-${host.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')}`.slice(0, 63).replace(/[.-]+$/, '')

/** With another first key the files on the disk cannot be opened; they are fetched again. */
export function diskKeyOf({ keys }: CertificatesConfig): Secret {
  const bytes = Buffer.from(keys[0]?.key.reveal() ?? '', 'base64')
  return new Secret(Buffer.from(hkdfSync('sha256', bytes, '', 'petstore edge disk', 32)).toString('base64'))
}
