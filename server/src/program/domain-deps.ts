// The dependencies of the domains feature, from the configuration: the same for the service, for
// background work and for the command line.

import { randomBytes } from 'node:crypto'
import { dnsOf } from './certificate-deps.ts'
import { openKeys } from '../certificates/key-encryption.io.ts'
import type { Config } from './config.ts'
import type { PlatformNames } from '../domains/observing/evidence.ts'
import type { DomainDeps } from '../domains/check.io.ts'
import { observe } from '../domains/observing/observe.io.ts'
import { probeAt, type ProbeDeps } from '../domains/observing/probe.io.ts'
import { traceChain } from '../domains/tracing/trace.io.ts'
import type { Trace } from '../domains/routes/trace-routes.ts'
import { fetchPublic } from '../foundation/http/fetch-public.io.ts'
import { newId } from '../foundation/ids.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import { mailQueue } from '../mail/queue.io.ts'
import type { PhotoFetchDeps } from '../imports/photos.io.ts'
import { planRulesOf } from '../plans/limits.ts'
import { inProjectOf, inProjectsOf } from '../projects/scope.io.ts'
import { createSingleFlight } from '../foundation/load/shared-calls.ts'

export type Observe = DomainDeps['observe']

export function domainDepsOf(
  config: Config,
  database: Database,
  { now, observe: given }: { now: Clock; observe?: Observe | undefined },
): DomainDeps {
  return {
    database,
    inProject: inProjectOf(database),
    inProjects: inProjectsOf(database),
    singleFlight: createSingleFlight(),
    keys: config.certificates && openKeys(config.certificates.keys),
    now,
    newId,
    randomBytes,
    queueMail: config.mail && mailQueue(newId),
    observe: given ?? observerOf(config),
    platform: platformNamesOf(config),
    plans: planRulesOf(config.limitTable),
  }
}

/** Observes hostnames on the actual internet. */
export function observerOf({ domains, probeSecret }: Pick<Config, 'domains' | 'probeSecret'>): Observe {
  const { testNetworks: allowedNetworks, probePort } = domains
  const dns = dnsOf({ domains })
  const probing: ProbeDeps | undefined = probeSecret && {
    secret: probeSecret.reveal(),
    port: probePort,
    allowedNetworks,
    newNonce: () => randomBytes(16).toString('base64url'),
  }
  return (wanted, { now, isFull, rotation }) => {
    const probe = probing && ((address: string) => probeAt(probing, wanted.hostname, address))
    return observe({ dns, ...(probe && { probe }) }, wanted, { now: () => now, isFull, rotation })
  }
}

const TRACE_MS = 5000

/** Sends requests as visitors do, with a deadline short enough for a waiting user. */
export function tracerOf(config: Pick<Config, 'domains' | 'certificates'>, now: Clock): Trace {
  const { testNetworks: allowedNetworks, probePort: http, probeTlsPort: https } = config.domains
  const options = { allowedNetworks, places: [], roots: config.certificates?.testRoots, now, ports: { http, https } }
  return (url) => traceChain({ dns: dnsOf(config), ...options, patienceMs: TRACE_MS }, url)
}

/** Fetches photos from addresses that a file names, under the rules of tracing. */
export function photoFetcherOf(config: Pick<Config, 'domains' | 'certificates'>): PhotoFetchDeps['fetchPhoto'] {
  const { testNetworks: allowedNetworks, probeTlsPort: port } = config.domains
  const deps = { dns: dnsOf(config), allowedNetworks, roots: config.certificates?.testRoots, port }
  return (address, limits) => fetchPublic(deps, address, limits)
}

export const platformNamesOf = ({
  domains,
  platformHost,
}: Pick<Config, 'domains' | 'platformHost'>): PlatformNames => ({
  host: hostnameOf(platformHost),
  addresses: domains.edgeAddresses,
  formerAddresses: domains.formerEdgeAddresses,
  authorities: domains.authorities,
})

/** DNS records contain no port. */
export const hostnameOf = (platformHost: string): string => platformHost.replace(/:\d+$/, '')
