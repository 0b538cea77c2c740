// An environment for the platform's own names: background work with any settings of PLATFORM_TLS,
// beside a service that does none, at the test internet's nameservers and authority.

import { randomBytes } from 'node:crypto'
import { findServable, CERTIFICATE_DUE } from '../../server/src/certificates/advance.io.ts'
import { openKeys } from '../../server/src/certificates/key-encryption.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { findRoute } from '../../server/src/fleet/directory.io.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { setTimer } from '../../server/src/foundation/postgres/timer-leases.io.ts'
import { sitePublished } from '../../server/src/platform-names/advance.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { startWork } from '../../server/src/program/work.ts'
import { startEnvironment } from './full-environment.ts'
import { envOf } from './service-environment.ts'

const renewRow = statement<never, [hostname: string]>(
  'testbed-renew-now',
  `update certificates
   set renew_at = now(), ask_at = null
   where hostname = $1 and kept_until is null`,
)

export type PlatformNamesEnvironment = Awaited<ReturnType<typeof startPlatformNames>>

export async function startPlatformNames(appUrl: string) {
  const keys = `names=${randomBytes(32).toString('base64')}`
  const environment = await startEnvironment(appUrl, {
    isWorking: false,
    env: { CERTIFICATE_KEYS: keys, SITE_SCHEME: '' },
  })
  const { world, pebble, service, httpPort, httpsPort } = environment
  const { run } = service.database
  const { server, key } = world.challengeUpdates
  const env = {
    ...envOf(world),
    DATABASE_URL: appUrl,
    CERTIFICATE_KEYS: keys,
    PROBE_PORT: String(httpPort),
    PROBE_TLS_PORT: String(httpsPort),
    DNS_TEST_NETWORKS: [...world.dns.allowedNetworks, ...world.web.allowedNetworks].join(','),
    ACME_DIRECTORIES: `letsencrypt.org=${pebble.directoryUrl}`,
    ACME_TEST_ROOTS: `${pebble.tlsRootPem}\n${await pebble.rootPem()}`,
  }
  const ring = parseConfig(env).certificates?.keys
  if (!ring) throw new Error('there are keys')
  const opened = openKeys(ring)
  return {
    environment,
    database: service.database,
    byUpdate: { PLATFORM_TLS: 'wildcard', DNS_UPDATE_SERVER: server, DNS_UPDATE_KEY: key },
    /** Background work with these settings; collects what it reports. */
    async work(settings: Readonly<Record<string, string>>) {
      const reports: string[] = []
      const onError = ({ message }: Error) => void reports.push(message)
      const running = await startWork(parseConfig({ ...env, ...settings }), { onError, pauseMs: 50 })
      return { reports, stop: () => running.stop() }
    },
    /** As in the transaction that publishes the site of the environment. */
    publish: () =>
      inProjectOf(service.database)(service.owner.project, (db) =>
        sitePublished({ tls: 'per-host', host: 'petstore.test', services: [] })(db, service.owner.project),
      ),
    route: (hostname: string) => findRoute(run, hostname),
    /** What an edge would be given now: chain and key of the name's route. */
    async certificate(hostname: string) {
      const route = await findRoute(run, hostname)
      if (!route || !('serial' in route)) return undefined
      const generation = BigInt(route.generation)
      const found = await findServable(run, hostname, generation, Date.now())
      const keyPem = found && opened.open(found.sealedKey, { hostname, generation, purpose: 'certificate' })
      return found && keyPem ? { serial: route.serial, chain: found.chain, key: keyPem } : undefined
    },
    /** As if the certificate were close to its end. */
    async renew(hostname: string): Promise<void> {
      await run(renewRow, hostname)
      await setTimer(run, { kind: CERTIFICATE_DUE, project: 0n, id: hostname })
    },
    close: () => environment.close(),
  }
}
