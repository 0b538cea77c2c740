// The real service for a test file: its own database, a real socket, two
// projects (north and south) with a key each. It ends with the test file.

import { exampleInstallation } from '../../tools/print-contract.ts'
import { atEnd } from './at-end.ts'
import { parseConfig, type Config } from '../../server/src/program/config.ts'
import type { Observe } from '../../server/src/program/domains.ts'
import type { HttpOptions } from '../../server/src/foundation/http/http.io.ts'
import type { Clock } from '../../server/src/foundation/time.ts'
import { createKey, type KeyWish } from '../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import type { ProjectId } from '../../server/src/projects/scope.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import type { Overrides } from '../../server/src/program/overrides.ts'
import { startService, type Service } from '../../server/src/program/serve.ts'
import { cloneDatabase, withRealDeadlines, type TestDatabase } from './database.ts'
import { exchange, type Received, type RawRequest } from './http.ts'
import { scriptedDns } from './scripted-dns.ts'
import { withRetries } from './with-retries.ts'

/**
 * Deliberately not the address that the tests connect to: links must come from the
 * configuration, never from Host.
 */
export const BASE_URL = 'https://api.petstore.example/v1'
export const STAGING_URL = 'https://api.staging.petstore.example/v1'
const { contact } = exampleInstallation('/v1')

export type Tenant = {
  project: ProjectId
  key: string
  get(path: string, headers?: RawRequest['headers']): Promise<Received>
  post(path: string, body: string | Uint8Array, headers?: RawRequest['headers']): Promise<Received>
  send(sent: RawRequest): Promise<Received>
}

export type TestService = {
  origin: string
  service: Service
  database: TestDatabase
  north: Tenant
  south: Tenant
  /** Without a key, or with a key of the test. */
  send(sent: RawRequest): Promise<Received>
  keyFor(tenant: Pick<Tenant, 'project'>, overrides: KeyWish): Promise<{ id: string; key: string }>
  logs: string[]
}

export type TestServiceOptions = {
  env?: Record<string, string>
  now?: Clock
  logger?: HttpOptions['logger']
  isListening?: boolean
  /** For tests of the deadlines for PostgreSQL. */
  hasRealDeadlines?: boolean
  /** A shorter one only in tests of clients that are cut off. */
  shutdown?: Config['shutdown']
  /** Unless given, no request is rejected because the machine is slow. */
  admission?: Overrides['admission']
  /** Scripted DNS; nothing outside is queried, even for a hostname that a test did not script. */
  observe?: Observe
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await cloneDatabase()
  const logs: string[] = []
  const parsed = parseConfig({
    BASE_URL,
    STAGING_URL,
    CONTACT_NAME: contact.name,
    CONTACT_URL: contact.url,
    CONTACT_EMAIL: contact.email,
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_PROJECT: '1000000',
    RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000',
    // There is no resolver at this address: no test queries the real DNS.
    DNS_RESOLVERS: 'unreachable=127.0.0.1:1',
    ...options.env,
    DATABASE_URL: options.hasRealDeadlines ? withRealDeadlines(database.appUrl) : database.appUrl,
  })
  const config: Config = { ...parsed, ...(options.shutdown && { shutdown: options.shutdown }) }
  const service = await withRetries(() =>
    startService(config, {
      logger: options.logger ?? { level: 'info', stream: { write: (line) => void logs.push(line) } },
      admission: options.admission ?? { least: 1024 },
      observe: options.observe ?? scriptedDns().observe,
      ...(options.now && { now: options.now }),
      ...(options.isListening !== undefined && { isListening: options.isListening }),
    }),
  )
  atEnd(() => service.stop())
  const origin = `http://127.0.0.1:${service.port}`
  const deps = contextOf(config, service.database)

  const tenant = async (slug: string): Promise<Tenant> => {
    const project = await withRetries(() => createProject(service.database, { slug, name: slug }))
    const { key } = await withRetries(() => createKey(deps, project, { label: 'test' }))
    const authorized = (headers: RawRequest['headers'] = {}) => ({ Authorization: `Bearer ${key}`, ...headers })
    return {
      project,
      key,
      get: (path, headers) => exchange(origin, { path, headers: authorized(headers) }),
      post: (path, body, headers) =>
        exchange(origin, {
          method: 'POST',
          path,
          body,
          headers: authorized({ 'Content-Type': 'application/json', ...headers }),
        }),
      send: (sent) => exchange(origin, { ...sent, headers: authorized(sent.headers) }),
    }
  }
  return {
    origin,
    service,
    database,
    north: await tenant('north'),
    south: await tenant('south'),
    send: (sent) => exchange(origin, sent),
    keyFor: async ({ project }, overrides) => {
      const { key, row } = await createKey(deps, project, overrides)
      return { id: row.id, key }
    },
    logs,
  }
}
