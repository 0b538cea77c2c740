// The environment of the issuance experiment: a real authority behind the proxy that counts
// requests, a test internet in which every domain resolves to one website, which serves
// challenges from the database as an edge does, and workers in processes of their own.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startAcmeFaults } from '../../internet/acme-faults.ts'
import { startPebble } from '../../internet/pebble.ts'
import { closeTcp, listen } from '../../internet/ports.ts'
import { startWorld } from '../../internet/world.ts'
import { withRetries } from '../../harness/with-retries.ts'
import { certificateDepsOf } from '../../../server/src/program/certificates.ts'
import { findServable, requestCertificate } from '../../../server/src/certificates/advance.io.ts'
import { lockDesired } from '../../../server/src/certificates/certificate-queries.ts'
import { findChallenge } from '../../../server/src/certificates/stored-queries.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { contextOf } from '../../../server/src/program/context.ts'
import { checkLeaf } from '../../../server/src/foundation/acme/leaf.io.ts'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { Sabotage } from './worker.ts'
import { startWorker, type Worker } from './workers.ts'

export type IssuanceUrls = { ownerUrl: string; appUrl: string }
export type IssuanceEnvironmentOptions = { nonceRejectPercent?: number }
export type IssuanceEnvironment = Awaited<ReturnType<typeof openEnvironment>>

const AUTHORITY = 'authority.test'
const WEBSITE = '127.0.80.210'
const folder = '/.well-known/acme-challenge/'

const stored = statement<{ generation: bigint; serial: string; isKept: boolean }, [hostname: string]>(
  'kill-stored',
  `select generation, serial, kept_until is not null as "isKept" from certificates where hostname = $1`,
)
const manyActive = statement<{ most: number }, []>(
  'kill-active',
  `select coalesce(max(count), 0)::integer as most
   from (select count(*) from certificate_orders where ended_at is null group by hostname) as open`,
)
const intended = statement<{ hostname: string; attempt: string }, []>(
  'kill-intended',
  `select hostname, id || ' ' || failures || ' ' || placements as attempt
   from certificate_orders
   where ended_at is null and state = 'intended'`,
)
const failed = statement<{ failures: number }, [hostname: string, generation: bigint]>(
  'kill-failed',
  `select coalesce(sum(failures), 0)::integer as failures from certificate_orders where hostname = $1 and generation = $2`,
)
// Ends a claim as if its lease had expired; its fencing token stays, so the former worker does not regain it.
const endClaim = statement<never, [hostname: string, fence: bigint]>(
  'kill-end-claim',
  `update due_directory set due_at = now(), claimed_until = now() where kind = 'certificate' and id = $1 and fence = $2`,
)

export async function openEnvironment({ appUrl }: IssuanceUrls, options: IssuanceEnvironmentOptions = {}) {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    return { ...(await seed(appUrl, options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function seed(appUrl: string, options: IssuanceEnvironmentOptions, closers: (() => Promise<unknown>)[]) {
  const world = await startWorld({ zones: [{ zone: 'killed.test', records: [`* A ${WEBSITE}`] }] })
  closers.push(() => world.close())
  const database = openDatabase({ url: appUrl, poolMax: 4, onError: () => {} })
  closers.push(() => database.close())

  const website = createServer((request, response) => {
    const [hostname = ''] = (request.headers.host ?? '').split(':')
    const token = (request.url ?? '').slice(folder.length)
    findChallenge(database.run, hostname, token, Date.now()).then(
      (answer) => response.writeHead(answer === undefined ? 404 : 200).end(answer ?? 'Not found.'),
      () => response.writeHead(503).end(),
    )
  })
  await listen(website, world.web.port, WEBSITE)
  closers.push(() => (website.closeAllConnections(), closeTcp(website)))

  const { resolvers, authoritativePort, allowedNetworks } = world.dns
  const [resolver] = resolvers
  const pebble = await startPebble({
    dnsServer: `${resolver?.address}:${resolver?.port}`,
    httpPort: world.web.port,
    nonceRejectPercent: options.nonceRejectPercent ?? 5,
    authorizationReusePercent: 0,
    sleepSeconds: 0,
  })
  closers.push(() => pebble.close())
  const proxy = await startAcmeFaults(pebble)
  closers.push(() => proxy.close())

  const settings = {
    ENVIRONMENT: 'staging',
    DATABASE_URL: appUrl,
    CERTIFICATE_KEYS: `first=${randomBytes(32).toString('base64')}`,
    ACME_DIRECTORIES: `${AUTHORITY}=${proxy.directoryUrl}`,
    ACME_TEST_ROOTS: proxy.tlsRootPem,
    ACME_CONTACT: 'operator@petstore.test',
    ACME_ORDERS_PER_3_HOURS: '100000',
    DNS_RESOLVERS: resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    DNS_AUTHORITATIVE_PORT: String(authoritativePort),
    DNS_TEST_NETWORKS: [...allowedNetworks, ...world.web.allowedNetworks].join(','),
    DNS_QUESTIONS_PER_SECOND: '1000',
    PROBE_PORT: String(world.web.port),
  }
  const deps = certificateDepsOf(contextOf(parseConfig(settings), database))
  if (!deps) throw new Error('there are keys, so there are certificates')
  const workers = new Set<Worker>()
  closers.push(() => Promise.all([...workers].map((worker) => worker.kill())))

  return {
    database,
    keys: deps.keys,
    /** As the program reads them from its environment. */
    settings,
    killAll: () => Promise.all([...workers].map((worker) => worker.kill())),
    /** A worker that waits for the command to begin. */
    async worker(sabotage: Sabotage | null = null): Promise<Worker> {
      const worker = await startWorker({ settings, sabotage })
      workers.add(worker)
      void worker.ended.then(() => workers.delete(worker))
      return worker
    },
    /** Returns the attempt of the earlier owner that may be in flight then: no other can begin under the lock. */
    request: (hostname: string, generation = 1n) =>
      withRetries(() =>
        database.transaction({}, async (db) => {
          await lockDesired(db, hostname)
          const inFlight = (await db(intended)).find((order) => order.hostname === hostname)?.attempt
          await requestCertificate(db, deps, {
            hostname,
            generation,
            // A different client each time: nothing is reused for the next owner, who needs an order of its own.
            client: `owner ${generation} of ${hostname}`,
            registered: hostname,
            authorities: [AUTHORITY],
            evidence: 'as first seen',
            notify: { kind: 'asker', project: 7n, id: hostname },
          })
          return inFlight
        }),
      ),
    /** Orders that the authority created for the domain, whether or not a worker received them. */
    placed: (hostname: string) =>
      proxy.orders().filter((order) => order.hostname === hostname && order.status === 201).length,
    stored: (hostname: string) => withRetries(() => database.run(stored, hostname)),
    /** The maximum number of orders that are open for one domain now. */
    active: async () => (await withRetries(() => database.run(manyActive)))[0]?.most ?? 0,
    /** Domains for which an order may be in flight, and a text that is unique for each attempt to place it. */
    intended: async () =>
      new Map((await withRetries(() => database.run(intended))).map(({ hostname, attempt }) => [hostname, attempt])),
    /** Attempts that a worker recorded as failed, for example because the authority was too slow. */
    failures: async (hostname: string, generation: bigint) =>
      (await withRetries(() => database.run(failed, hostname, generation)))[0]?.failures ?? 0,
    endClaims: async (claims: readonly { hostname: string; fence: bigint }[]) => {
      for (const { hostname, fence } of claims) await withRetries(() => database.run(endClaim, hostname, fence))
    },
    /** Whether visitors are served: there is a certificate of this generation, with the matching key. */
    async isServed(hostname: string, generation: bigint): Promise<boolean> {
      const now = Date.now()
      const served = await withRetries(() => findServable(database.run, hostname, generation, now))
      const keyPem = served && deps.keys.open(served.sealedKey, { hostname, generation, purpose: 'certificate' })
      if (!served || typeof keyPem !== 'string') return false
      return checkLeaf({ chainPem: served.chain, hostname, keyPem, now, replacesNotAfter: null }).ok
    },
  }
}

/** Polls every 20 ms until the timeout; false if the condition was not met. */
export async function comes(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; !(await isSo());) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}
