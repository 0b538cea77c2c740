// What is served at a domain, on `/platform/v1`: for people whose browser shows an old
// redirect. Only a hostname that is attached to the project is asked, only over public
// addresses and the ports of the web (`trace.ts` sees to it), and not more often than
// anything else that makes us ask strangers.

import * as contract from '@petstore/contract/platform/domain-tracing'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import type { PlatformDeps } from '../../projects/platform-deps.ts'
import { domainNotFound } from '../advance.io.ts'
import { diagnoseChain, type Judged } from '../tracing/trace-diagnosis.ts'
import type { Hop } from '../tracing/hop.ts'
import type { DomainDeps } from '../check.io.ts'
import * as queries from '../store/domain-queries.ts'
import { plainName } from './redirect-routes.ts'

/** Follows the redirects from an address as they are served now. */
export type Trace = (url: string) => Promise<readonly Hop[]>

export type TraceRouteDeps = Pick<PlatformDeps, 'inProject' | 'within'> & {
  domains: Pick<DomainDeps, 'platform' | 'now'>
  trace: Trace
}

/** `count` refuses who asks too often. */
export function traceRoute(
  app: FastifyInstance,
  { inProject, within, domains, trace }: TraceRouteDeps,
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
