// The service and its background work in a test internet: configured as an operator would
// configure them, with the nameservers and resolvers on loopback in place of those of the
// internet. For tests, and for measurements with a signed-in person.

import { createPasswords } from '../../server/src/accounts/sign-in/password.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { domainDepsOf, type Observe } from '../../server/src/program/domains.ts'
import type { DomainDeps } from '../../server/src/domains/check.io.ts'
import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import type { Clock } from '../../server/src/foundation/time.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import type { Member } from '../../server/src/projects/membership.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { startService } from '../../server/src/program/serve.ts'
import { startWork } from '../../server/src/program/work.ts'
import { freePort } from '../../devserver/free-port.ts'
import type { World } from '../internet/world.ts'
import { newPerson } from './people.ts'

export type WorldService = {
  origin: string
  /** The base address of `/v1`. */
  api: string
  /** The API reference; that of `/platform/v1` is below it. */
  docs: string
  /** Credentials of a person who owns the project. */
  headers: Record<string, string>
  owner: Member
  domains: DomainDeps
  database: Database
  /** Errors of the background work. */
  errors: Error[]
  /** The port for edges, if the settings enable it. */
  controlPort: number | undefined
  stop(): Promise<void>
}

/** Without a probe secret no HTTP probes are sent. */
export const envOf = ({ dns }: World): Record<string, string> => ({
  ENVIRONMENT: 'staging',
  PLATFORM_HOST: 'petstore.test',
  EDGE_ADDRESSES: '127.0.80.1',
  DNS_RESOLVERS: dns.resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
  DNS_AUTHORITATIVE_PORT: String(dns.authoritativePort),
  DNS_TEST_NETWORKS: dns.allowedNetworks.join(','),
  TEST_SUFFIXES: 'test',
})

type Options = {
  slug: string
  isWorking: boolean
  observe?: Observe
  /** The owner of the project, for tests that sign in. */
  owner?: ServiceOwner
  /** Additional settings, such as those for certificates. */
  env?: Readonly<Record<string, string>>
  /** Pause of the background work when there is nothing to do. */
  pauseMs?: number
  log?: { level: string; stream: { write: (line: string) => void } }
  /** A clock that a test can move. */
  now?: Clock
}

export type ServiceOwner = { email: string; name: string; password: string }

export async function startWorldService(world: World, appUrl: string, options: Options): Promise<WorldService> {
  const { slug, isWorking, observe, pauseMs, now = Date.now } = options
  const dashboard = options.env?.['DASHBOARD_ORIGIN'] ?? 'https://api.petstore.example'
  // Chosen before it listens, so that links and OpenAPI documents contain the real address.
  const port = options.env?.['PORT'] ?? String(await freePort())
  const address = `http://127.0.0.1:${port}/v1`
  const generous = { RATE_LIMIT_PER_ACCOUNT: '1000000', RATE_LIMIT_PER_VISITOR: '1000000' }
  const env = {
    ...envOf(world),
    ...generous,
    DASHBOARD_ORIGIN: dashboard,
    HOST: '127.0.0.1',
    PORT: port,
    BASE_URL: address,
    STAGING_URL: address,
    DATABASE_URL: appUrl,
    ...options.env,
  }
  const config = parseConfig(env)
  const logger = options.log ?? { level: 'silent', stream: { write: () => {} } }
  const service = await startService(config, { logger, now, admission: { least: 1024 }, ...(observe && { observe }) })
  const { database } = service
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const working = { onError, now, ...(observe && { observe }), ...(pauseMs !== undefined && { pauseMs }) }
  const work = isWorking ? await startWork(config, working) : undefined
  const { owner } = options
  const password = owner && (await createPasswords().hash(owner.password, { isKnown: true, group: 'owner' }))
  const { account, cookie } = await newPerson(database, { ...owner, ...(password !== undefined && { password }) })
  const project = await createProject(database, { slug, name: slug, owner: account })
  await setPlan({ inProject: inProjectOf(database) }, project, 'enterprise', 'operator')
  return {
    origin: `http://127.0.0.1:${service.port}`,
    api: config.baseUrl,
    docs: config.docsUrl,
    headers: { Cookie: cookie, Origin: dashboard },
    owner: { project, slug, account, role: 'owner' },
    domains: domainDepsOf(contextOf(config, database, { now }), observe),
    database,
    errors,
    controlPort: service.controlPort,
    async stop() {
      await work?.stop()
      await service.stop()
    },
  }
}
