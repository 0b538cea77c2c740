// Removals of domains under load: visitors request them at that very moment, at every edge and
// over every kind of connection. A few domains are used in turn: one that was removed is added
// back, which costs no order at the authority, and is removed again.

import { join } from 'node:path'
import { startEnvironment, type Environment } from '../../harness/full-environment.ts'
import { visit } from '../../harness/visitor.ts'
import { addDomain, getDomain } from '../../../server/src/domains/domains.io.ts'
import { statement, Unavailable } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startWorkerProcess, type WorkerProcess } from '../../harness/worker-process.ts'
import { startDroppingProxy } from './dropping-proxy.ts'
import type { RemovalJob, RemovalOutcome } from './worker.ts'

export type RemovalOptions = {
  removals: number
  edges?: number
  names?: number
  watchMs?: number
  /**
   * The negative control: from that removal on, counted from 0, one edge never receives that a
   * domain was removed.
   */
  sabotagedFrom?: number
}

export type Measured = { outcomes: RemovalOutcome[]; orders: number; errors: string[] }

const ZONE = 'willow-street.test'
/** Longer than the guarantee, so that late responses are detected. */
const WATCH_MS = 1200
const PATIENCE_MS = 30_000

export async function timeRemovals(appUrl: string, options: RemovalOptions): Promise<Measured> {
  const { edges = 3, sabotagedFrom } = options
  const dropping = sabotagedFrom === undefined ? undefined : await startDroppingProxy()
  const servers = (['first', 'second'] as const).map((role, index) => ({ name: `ns${index + 1}.${ZONE}`, role }))
  const names = Array.from({ length: options.names ?? 4 }, (_, index) => `shop-${index}`)
  const records = names.map((name) => `${name} CNAME happy-paws.petstore.test.`)
  try {
    const environment = await startEnvironment(appUrl, {
      edges,
      world: { zones: [{ zone: ZONE, servers, records }] },
      ...(dropping && { controlFor: (port) => dropping.urlFor(port) }),
    })
    try {
      const visitors = await startWorkerProcess<RemovalJob, RemovalOutcome>(join(import.meta.dirname, 'worker.ts'), [])
      try {
        const hostnames = names.map((name) => `${name}.${ZONE}`)
        const onRemoval = (index: number) => index === sabotagedFrom && dropping?.begin()
        return await measure(environment, visitors, hostnames, { ...options, onRemoval })
      } finally {
        await visitors.stop()
      }
    } finally {
      await environment.close()
    }
  } finally {
    await dropping?.close()
  }
}

async function measure(
  environment: Environment,
  visitors: WorkerProcess<RemovalJob, RemovalOutcome>,
  names: readonly string[],
  { removals, watchMs = WATCH_MS, onRemoval }: RemovalOptions & { onRemoval: (index: number) => unknown },
): Promise<Measured> {
  const { service, edges, httpsPort: port, pebble } = environment
  const ca = await pebble.rootPem()
  const url = `${service.origin}/platform/v1/projects/${service.owner.slug}/domains`
  const common = { edges: edges.map(({ name, address }) => ({ name, address })), port, ca, watchMs }
  const prepare = async (hostname: string) => {
    await addPatiently(environment, hostname)
    await untilServed(environment, ca, hostname)
  }
  const first = names.slice(0, removals)
  await Promise.all(first.map(prepare))
  const outcomes: RemovalOutcome[] = []
  const ready = new Map<string, Promise<void>>(first.map((hostname) => [hostname, Promise.resolve()]))
  for (let index = 0; index < removals; index++) {
    const hostname = names[index % names.length] ?? ''
    await ready.get(hostname)
    onRemoval(index)
    const { headers } = service
    outcomes.push(await visitors.send({ ...common, hostname, url: `${url}/${hostname}`, headers }))
    if (index + names.length >= removals) continue
    const again = prepare(hostname)
    // The rejection is handled where it is awaited.
    again.catch(() => {})
    ready.set(hostname, again)
  }
  return {
    outcomes,
    orders: Number((await service.database.run(countOrders))[0]?.count ?? 0),
    errors: service.errors.map(({ message, cause }) => `${message}: ${String(cause)}`),
  }
}

const TRIES = 5

/** Not over HTTP: the API does not allow adding so many in a minute. Retries while the database is busy. */
async function addPatiently({ service: { domains, owner } }: Environment, hostname: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await addDomain(domains, owner, hostname)
      return
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt >= TRIES) throw error
    }
  }
}

const countOrders = statement<{ count: bigint }, []>(
  'count-certificate-orders',
  `select count(*) as count
   from certificate_orders`,
)

async function untilServed(
  { edges, httpsPort: port, service: { domains, owner } }: Environment,
  ca: string,
  hostname: string,
): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (const { name, address } of edges) {
    for (;;) {
      const { status, why } = await visit({ address, port, ca }, hostname)
      if (status === 200) break
      if (performance.now() > until) {
        const { row, status: statusText } = await getDomain(domains, owner, hostname)
        const cause = `${statusText.name}, ${row.cause}, certificate ${row.certificate}`
        throw new Error(`${hostname} is not served by ${name}: ${status} ${why}; ${cause}`)
      }
      await new Promise((resolve) => void setTimeout(resolve, 50))
    }
  }
}
