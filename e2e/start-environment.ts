// `petstore start` as on one machine, in a process of its own, behind a real Caddy: a published store,
// and names in the host table whose certificates a test authority has signed.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { freePort } from '../devserver/free-port.ts'
import { caddyTextOf } from '../server/src/program/caddy-text.ts'
import { openKeys } from '../server/src/certificates/key-encryption.io.ts'
import { storeCertificate } from '../server/src/certificates/stored-queries.ts'
import { parseConfig } from '../server/src/program/config.ts'
import type { CaddySettings, caddyConfig } from '../server/src/edge/caddy-config.ts'
import { putRoute, type Leads } from '../server/src/fleet/directory.io.ts'
import { makeFakeChain } from '../testbed/harness/fake-chain.ts'
import { checkLeaf } from '../server/src/foundation/acme/leaf.io.ts'
import { openDatabase } from '../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../server/src/program/context.ts'
import { createKey } from '../server/src/projects/api-keys.io.ts'
import { createProject } from '../server/src/projects/projects.io.ts'
import { inProjectOf } from '../server/src/projects/scope.io.ts'
import { asOwner, cloneDatabase } from '../testbed/harness/database.ts'
import { spawnProgram, type Program } from '../testbed/harness/program.ts'
import { publishAtOnce } from '../testbed/harness/publish.ts'
import { startCaddyWith, type Caddy } from '../testbed/internet/caddy.ts'

export const APP = 'app.shop.test'
export const PLATFORM = 'shops.test'
export const SLUG = 'willow'
export const STORE = `${SLUG}.${PLATFORM}`

type CaddyJson = ReturnType<typeof caddyConfig>
type Front = Pick<Caddy, 'addresses' | 'httpPort' | 'httpsPort'>
export type FrontResponse = { status: number; headers: IncomingHttpHeaders; body: string }

export type StartEnvironment = Awaited<ReturnType<typeof openStartEnvironment>>

export async function openStartEnvironment() {
  const storage = await cloneDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-start-'))
  const [port, edgePort, certificatePort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    DATABASE_URL: storage.appUrl,
    DATABASE_OWNER_URL: storage.ownerUrl,
    BASE_URL: `https://${APP}/v1`,
    PLATFORM_HOST: PLATFORM,
    SITE_SCHEME: 'https',
    // The names are wanted, and have certificates already: nothing is ordered, and no zone is changed.
    ENVIRONMENT: 'staging',
    TEST_SUFFIXES: 'test',
    PLATFORM_TLS: 'wildcard',
    DNS_UPDATE_HOOK: '/bin/false',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    CERTIFICATE_KEYS: `one=${randomBytes(32).toString('base64')}`,
    DATA_DIRECTORY: directory,
    DNS_RESOLVERS: 'unreachable=127.0.0.1:1',
    PORT: String(port),
    EDGE_PORT: String(edgePort),
    EDGE_CERTIFICATE_PORT: String(certificatePort),
  }
  const config = parseConfig(env)
  const database = openDatabase({ url: storage.appUrl, poolMax: 2, onError: () => {} })
  const project = await createProject(database, { slug: SLUG, name: 'Willow' })
  const { key } = await createKey(contextOf(config, database), project, { label: 'test' })
  await publishAtOnce(inProjectOf(database), project, { settings: firstSettings('Willow'), categories: [], logo: null })

  const roots: string[] = []
  const keys = openKeys(config.certificates?.keys ?? [])
  const put = (hostname: string, leads: Leads) => database.transaction({}, (db) => putRoute(db, hostname, 1n, leads))

  let program: Program | undefined
  return {
    database,
    key,
    port,
    directory,
    lines: () => program?.lines ?? [],
    /** Stores a certificate, and puts the name into the host table. */
    async certify(hostname: string, kind: 'service' | 'wildcard'): Promise<void> {
      const { chainPem, keyPem, rootPem } = await makeFakeChain({ hostnames: [hostname] })
      const verdict = checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null })
      if (!verdict.ok) throw new Error(verdict.reason)
      const { serial, notBefore, notAfter } = verdict.leaf
      await asOwner(storage, (client) =>
        client.query(
          `insert into certificate_wishes (hostname, generation, client, registered, authorities, evidence, tell_kind,
             tell_project, tell_id)
           values ($1, 1, 'platform', $1, '{ca.test}', '', 'none', 0, '')`,
          [hostname],
        ),
      )
      const sealedKey = keys.seal(keyPem, { hostname, generation: 1n, purpose: 'certificate' })
      const common = { hostname, generation: 1n, client: 'platform', authority: 'ca.test', certificateId: null }
      const dates = { notBefore, notAfter, askAt: null, renewAt: notAfter }
      await database.transaction({}, (db) =>
        storeCertificate(db, { ...common, ...dates, serial, chain: chainPem, sealId: keys.sealId, sealedKey }),
      )
      roots.push(rootPem)
      await put(hostname, { kind, serial })
    },
    end: (hostname: string) => put(hostname, { kind: 'gone' }),
    /** Resolves when it serves. */
    async start(): Promise<void> {
      program = spawnProgram(['start'], env)
      await program.port
    },
    async stop(): Promise<void> {
      program?.end('SIGTERM')
      await program?.ended
      program = undefined
    },
    /** `change` alters the configuration, for negative controls. The access log is in a file. */
    async front(address: string, caddyProgram: string, change: (json: CaddyJson) => object = (usual) => usual) {
      const listening: Pick<CaddySettings, 'addresses' | 'httpPort' | 'httpsPort'> = {
        addresses: [address],
        httpPort: await freePort(),
        httpsPort: await freePort(),
      }
      let accessLog = ''
      const caddy = await startCaddyWith(
        listening,
        (root) => {
          accessLog = join(dirname(root), 'access.log')
          const json = JSON.parse(caddyTextOf(config, { ...listening, storage: root })) as CaddyJson
          const access = { ...json.logging.logs.access, writer: { output: 'file', filename: accessLog } }
          return JSON.stringify({ ...change(json), logging: { logs: { ...json.logging.logs, access } } })
        },
        caddyProgram,
      )
      return { ...caddy, accessLog: () => readFileSync(accessLog, 'utf8') }
    },
    roots: () => roots,
    async close(): Promise<void> {
      program?.end('SIGKILL')
      await program?.ended
      await database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Over TLS, verified against the roots of the test authority. */
export async function visit(
  { addresses, httpsPort }: Front,
  name: string,
  { path = '/', headers = {}, ca }: { path?: string; headers?: Record<string, string>; ca: string[] },
  agent = new Agent({ maxCachedSessions: 0 }),
): Promise<FrontResponse> {
  const options = { host: addresses[0], port: httpsPort, servername: name, ca, path, agent, setHost: false }
  return answerTo((done, failed) =>
    requestHttps({ ...options, headers: { Host: name, ...headers } }, done)
      .on('error', failed)
      .end(),
  )
}

export const visitPlainly = ({ addresses, httpPort }: Front, name: string, path = '/'): Promise<FrontResponse> =>
  answerTo((done, failed) =>
    requestHttp({ host: addresses[0], port: httpPort, path, setHost: false, headers: { Host: name } }, done)
      .on('error', failed)
      .end(),
  )

async function answerTo(
  send: (done: (response: IncomingMessage) => void, failed: (error: Error) => void) => unknown,
): Promise<FrontResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  send(resolve, reject)
  const response = await promise
  return { status: response.statusCode ?? 0, headers: response.headers, body: await textOf(response) }
}
