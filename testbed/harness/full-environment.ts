// The complete environment between a visitor and a store, real and on this machine: the test
// internet, a certificate authority, the service with its background work, edges without a
// database, and Caddy in front of each. For tests of the whole procedure, for its measurements,
// and for people who want to try it.

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../../server/src/program/config.ts'
import { startEdge, type RunningEdge } from '../../server/src/program/edge.ts'
import { addEdge } from '../../server/src/fleet/edge-tokens.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import type { Clock } from '../../server/src/foundation/time.ts'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { publishAtOnce } from './publish.ts'
import { envOf, startWorldService, type ServiceOwner, type WorldService } from './service-environment.ts'
import { startCaddy, type Caddy } from '../internet/caddy.ts'
import { startPebble, type Pebble, type PebbleOptions } from '../internet/pebble.ts'
import { makeDirectory } from '../internet/processes.ts'
import { startWorld, type World, type WorldOptions } from '../internet/world.ts'

export type EnvironmentEdge = {
  name: string
  id: string
  /** The address of its Caddy; the ports are those of the environment. */
  address: string
  directory: string
  caddy: Caddy
  /** The edge itself, in this process; undefined while it is stopped. */
  running(): RunningEdge | undefined
  stop(): Promise<void>
  /** From the state on its disk; with another token, it enrols with that. */
  start(token?: string): Promise<void>
}

export type Environment = {
  world: World
  pebble: Pebble
  service: WorldService
  edges: readonly EnvironmentEdge[]
  httpPort: number
  httpsPort: number
  close(): Promise<void>
}

export type EnvironmentOptions = {
  world?: WorldOptions
  pebble?: Partial<PebbleOptions>
  edges?: number
  slug?: string
  /** The person who can sign in to the dashboard. */
  owner?: ServiceOwner
  /** Additional settings of service and background work. */
  env?: Readonly<Record<string, string>>
  /** Another address for the authority, such as that of a fault proxy in front of it. */
  authority?: (pebble: Pebble, reach: Reach) => Promise<EnvironmentAuthority>
  /** The control-plane address for an edge, in place of the real one. */
  controlFor?: (port: number, edge: string) => string
  /** Another clock for the edges, for tests in which their data becomes stale. */
  edgeNow?: Clock
  isWorking?: boolean
  pauseMs?: number
  /** Of service and background work; edges use the real clock. */
  now?: Clock
}

/** How an authority reaches the test internet. */
export type Reach = Pick<PebbleOptions, 'dnsServer' | 'httpPort'>

export type EnvironmentAuthority = {
  directoryUrl: string
  /** Roots to trust, concatenated if there are several. */
  root: string
  /** Addresses of other authorities, by the domain that CAA records name them by. */
  others?: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The default host of a site is `<slug>.petstore.test`; it has no animals. */
export async function startEnvironment(appUrl: string, options: EnvironmentOptions = {}): Promise<Environment> {
  const closers: (() => Promise<unknown> | void)[] = []
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    return { ...(await assemble(appUrl, options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(
  appUrl: string,
  options: EnvironmentOptions,
  closers: (() => Promise<unknown> | void)[],
): Promise<Omit<Environment, 'close'>> {
  const { slug = 'happy-paws', edges: count = 1 } = options
  const world = await startWorld(options.world)
  closers.push(() => world.close())
  const [httpPort, httpsPort] = [world.ports.web, world.ports.webTls]
  const [resolver] = world.dns.resolvers
  if (!resolver) throw new Error('a world has resolvers')
  const reach = { dnsServer: `${resolver.address}:${resolver.port}`, httpPort }
  const pebble = await startPebble({ ...reach, ...options.pebble })
  closers.push(() => pebble.close())
  const chosenAuthority = await options.authority?.(pebble, reach)
  if (chosenAuthority) closers.push(() => chosenAuthority.close())

  const env = {
    PROBE_PORT: String(httpPort),
    PROBE_TLS_PORT: String(httpsPort),
    PROBE_SECRET: randomBytes(24).toString('hex'),
    DNS_TEST_NETWORKS: [...world.dns.allowedNetworks, ...world.web.allowedNetworks].join(','),
    CERTIFICATE_KEYS: `stage=${randomBytes(32).toString('base64')}`,
    ACME_DIRECTORIES: directoriesOf({
      'letsencrypt.org': chosenAuthority?.directoryUrl ?? pebble.directoryUrl,
      ...chosenAuthority?.others,
    }),
    ACME_TEST_ROOTS: chosenAuthority?.root ?? `${pebble.tlsRootPem}\n${await pebble.rootPem()}`,
    CONTROL_PORT: '0',
    SITE_SCHEME: 'https',
    ...options.env,
  }
  const { isWorking = true, pauseMs = 100, now = Date.now } = options
  const { owner: person } = options
  const wanted = { slug, isWorking, env, pauseMs, now, ...(person && { owner: person }) }
  const service = await startWorldService(world, appUrl, wanted)
  closers.push(() => service.stop())
  const { database, owner, controlPort = 0 } = service
  const content = { settings: firstSettings('Happy Paws'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(database), owner.project, content)

  const edges: EnvironmentEdge[] = []
  for (let index = 1; index <= count; index++) {
    const name = `edge-${index}`
    const controlUrl = options.controlFor?.(controlPort, name) ?? `http://127.0.0.1:${controlPort}`
    const { id, token } = await addEdge({ run: database.run, newId, randomBytes }, name)
    const settings = {
      ...envOf(world),
      PROBE_SECRET: env.PROBE_SECRET,
      EDGE_CONTROL_URL: controlUrl,
      EDGE_TOKEN: token,
    }
    const { edgeNow } = options
    edges.push(await startEnvironmentEdge({ name, id, index, httpPort, httpsPort, settings, edgeNow }, closers))
  }
  return { world, pebble, service, edges, httpPort, httpsPort }
}

const directoriesOf = (directories: Readonly<Record<string, string>>): string =>
  Object.entries(directories)
    .map(([domain, url]) => `${domain}=${url}`)
    .join(',')

type Resolved = {
  name: string
  id: string
  index: number
  httpPort: number
  httpsPort: number
  settings: Record<string, string>
  edgeNow: Clock | undefined
}

async function startEnvironmentEdge(
  { name, id, index, httpPort, httpsPort, settings, edgeNow }: Resolved,
  closers: (() => Promise<unknown> | void)[],
): Promise<EnvironmentEdge> {
  const directory = makeDirectory()
  closers.push(() => rmSync(directory, { recursive: true, force: true }))
  const key = randomBytes(32).toString('base64')
  const configFor = (port: number, certificatePort: number, token?: string) =>
    parseConfig({
      ...settings,
      ...(token !== undefined && { EDGE_TOKEN: token }),
      DATABASE_URL: 'postgresql://',
      LOG_LEVEL: 'silent',
      EDGE_KEY: key,
      EDGE_DIRECTORY: join(directory, 'edge'),
      EDGE_PORT: String(port),
      EDGE_CERTIFICATE_PORT: String(certificatePort),
    })
  const options = edgeNow === undefined ? {} : { now: edgeNow }
  let running: RunningEdge | undefined = await startEdge(configFor(0, 0), options)
  closers.push(() => running?.stop())
  const { port, certificatePort = 0 } = running
  const address = `127.0.80.${index}`
  const caddy = await startCaddy({ addresses: [address], httpPort, httpsPort, requestPort: port, certificatePort })
  closers.push(() => caddy.close())
  return {
    name,
    id,
    address,
    directory,
    caddy,
    running: () => running,
    async stop() {
      await running?.stop()
      running = undefined
    },
    async start(token) {
      running = await startEdge(configFor(port, certificatePort, token), options)
    },
  }
}
