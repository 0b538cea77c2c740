// What the domains feature needs beyond the context: the same for the service, for background work and for the command line.

import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import type { ProgramContext } from './context.ts'
import type { DomainDeps } from '../domains/check.io.ts'
import type { PlatformNames } from '../domains/observing/evidence.ts'
import { observe } from '../domains/observing/observe.io.ts'
import { probeAt, type ProbeDeps } from '../domains/observing/probe.io.ts'
import type { Trace } from '../domains/routes/trace-routes.ts'
import { traceChain } from '../domains/tracing/trace.io.ts'
import { fetchPublic } from '../foundation/http/fetch-public.io.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import type { FetchPhoto } from '../imports/photos.io.ts'

export type Observe = DomainDeps['observe']

export const domainDepsOf = (context: ProgramContext, given?: Observe): DomainDeps => ({
  ...context,
  sharedCalls: createSharedCalls(),
  observe: given ?? observerOf(context),
  platform: platformNamesOf(context.config),
})

type Outside = Pick<ProgramContext, 'dns'> & { config: Pick<Config, 'domains' | 'certificates' | 'probeSecret'> }

/** Observes hostnames on the actual internet. */
export function observerOf({ dns, config: { domains, probeSecret } }: Outside): Observe {
  const { testNetworks: allowedNetworks, probePort } = domains
  const probing: ProbeDeps | undefined = probeSecret && {
    secret: probeSecret.reveal(),
    port: probePort,
    allowedNetworks,
    newNonce: () => randomBytes(16).toString('base64url'),
  }
  return (wanted, options) => {
    const probe = probing && ((address: string) => probeAt(probing, wanted.hostname, address))
    return observe(dns, probe, wanted, options)
  }
}

const TRACE_MS = 5000

/** Sends requests as visitors do, with a deadline short enough for a waiting user. */
export function tracerOf({ config, dns, now }: ProgramContext): Trace {
  const { testNetworks: allowedNetworks, probePort: http, probeTlsPort: https } = config.domains
  const options = { allowedNetworks, places: [], roots: config.certificates?.testRoots, now, ports: { http, https } }
  return (url) => traceChain({ dns, ...options, patienceMs: TRACE_MS }, url)
}

/** Fetches photos from addresses that a file names, under the rules of tracing. */
export function photoFetcherOf({ config, dns }: ProgramContext): FetchPhoto {
  const { testNetworks: allowedNetworks, probeTlsPort: port } = config.domains
  const deps = { dns, allowedNetworks, roots: config.certificates?.testRoots, port }
  return (address, limits) => fetchPublic(deps, address, limits)
}

export const platformNamesOf = ({
  domains,
  platformHost,
  formerPlatformHosts,
}: Pick<Config, 'domains' | 'platformHost' | 'formerPlatformHosts'>): PlatformNames => ({
  host: hostnameOf(platformHost),
  formerHosts: formerPlatformHosts,
  addresses: domains.edgeAddresses,
  formerAddresses: domains.formerEdgeAddresses,
  authorities: domains.authorities,
})

/** DNS records contain no port. */
export const hostnameOf = (platformHost: string): string => platformHost.replace(/:\d+$/, '')
