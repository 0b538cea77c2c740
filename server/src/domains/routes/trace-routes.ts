// The trace of what a domain serves now, on `/platform/v1`, for owners whose browser shows an
// old redirect. Only a hostname of the project is requested, only at public addresses and the
// standard HTTP ports (`tracing/trace.io.ts` enforces it), and under the same rate limit as
// every operation that sends requests to third parties.

import * as contract from '@petstore-platform/contract/platform/domain-tracing'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import type { Platform } from '../../projects/platform.ts'
import { domainNotFound } from '../advance.io.ts'
import { diagnoseChain, type Judged } from '../tracing/trace-diagnosis.ts'
import type { Hop } from '../tracing/hop.ts'
import type { DomainDeps } from '../check.io.ts'
import * as queries from '../store/domain-queries.ts'
import { plainName } from './redirect-routes.ts'

/** Follows the redirects from a URL as they are served now. */
export type Trace = (url: string) => Promise<readonly Hop[]>

/** `count` refuses callers above the rate limit. */
export function traceRoute(
  app: FastifyInstance,
  { inProject, within }: Pick<Platform, 'inProject' | 'within'>,
  domains: Pick<DomainDeps, 'platform' | 'now'>,
  trace: Trace,
  count: (key: string) => Promise<void>,
): void {
  mount(app, contract.traceDomain, within, async ({ caller: { project }, path }) => {
    const hostname = plainName(path['hostname'] ?? '')
    const row = await inProject(project, (db) => queries.findDomain(db, project, hostname))
    if (!row) throw domainNotFound()
    await count(row.id)
    const hops = await trace(`http://${row.hostname}/`)
    const at = new Date(domains.now()).toISOString()
    return { json: JSON.stringify(traceShown(at, hops, diagnoseChain(hops, domains.platform.addresses))) }
  })
}

const outcomes: Readonly<Record<Judged['exitCode'], contract.TraceOutcome>> = {
  0: 'arrives',
  1: 'stopped',
  3: 'untold',
}

const traceShown = (at: string, hops: readonly Hop[], { verdict, also, exitCode }: Judged): contract.DomainTrace => ({
  at,
  outcome: outcomes[exitCode],
  note: verdict.text,
  also: also.map(({ text }) => text),
  hops: hops.map(({ url, address, status, location, cacheControl, hsts, server, certificate, ms }) => ({
    url,
    address,
    status,
    location,
    cacheControl,
    hsts,
    server,
    certificateUntil: certificate?.validUntil ?? null,
    ms,
  })),
})
