// `lookUp` queries one server, `lookUpUntil` several, and both return every query with its outcome.
// All queries of one check share a deadline: a query that cannot be sent before it is reported as
// skipped.

import type { DnsAnswer, DnsQuery, Lookup } from './answer.ts'
import type { QueryOptions, Dns, Server } from './port.ts'

/** `until` is on the clock of `performance.now()`. */
export type Pace = { until: number; questionMs: number }

type LookupSettings = { to: Lookup['to']; pace: Pace; cost?: number }

const flags: Record<Lookup['to'], Pick<QueryOptions, 'isRecursive' | 'isUnchecked'>> = {
  parent: {},
  authoritative: {},
  checked: { isRecursive: true },
  unchecked: { isRecursive: true, isUnchecked: true },
}

/** The time left for a query that starts now. */
const deadlineOf = ({ until, questionMs }: Pace): number => Math.min(questionMs, until - performance.now())

export async function lookUp(
  dns: Dns,
  server: Server,
  query: DnsQuery,
  { to, pace, cost = 1 }: LookupSettings,
): Promise<Lookup> {
  const { name, type, wantsSignatures = false, triesTcp = false } = query
  const options = { ...flags[to], deadlineMs: deadlineOf(pace), wantsSignatures, triesTcp, cost }
  const { outcome, ms } = await dns.ask(server, name, type, options)
  return { to, server: server.name, address: server.address, name, type, outcome, ms }
}

/** After this time without a usable answer the next server is queried as well. */
const HEDGE_MS = 200
const SERVERS_MAX = 5

/**
 * Queries one server after the other until one gives a usable answer. Returns all lookups; the
 * usable one is the last.
 */
export function lookUpUntil(
  dns: Dns,
  servers: readonly Server[],
  query: DnsQuery,
  { isGood, pace, ...rest }: LookupSettings & { isGood: (answer: DnsAnswer) => boolean },
): Promise<Lookup[]> {
  // A server queried later has less time: together they take no longer than one query.
  const settings = { ...rest, pace: { ...pace, until: performance.now() + deadlineOf(pace) } }
  const waiting = servers.slice(0, SERVERS_MAX)
  const lookups: Lookup[] = []
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const queryNext = () => {
      clearTimeout(timer)
      const server = waiting.shift()
      if (server) queryOne(server).catch(reject)
      else if (underWay === 0) resolve(lookups)
    }
    const queryOne = async (server: Server) => {
      underWay += 1
      timer = setTimeout(queryNext, HEDGE_MS)
      const made = await lookUp(dns, server, query, settings)
      underWay -= 1
      lookups.push(made)
      if (made.outcome.kind !== 'answer' || !isGood(made.outcome)) return queryNext()
      clearTimeout(timer)
      waiting.length = 0
      resolve([...lookups])
    }
    queryNext()
  })
}

export const goodIn = (lookups: readonly Lookup[]): DnsAnswer | null => {
  const outcome = lookups.at(-1)?.outcome
  return outcome?.kind === 'answer' ? outcome : null
}

/** The owner's nameservers are equivalent, so any answer without an error is usable. */
export const hasNoError = ({ rcode }: DnsAnswer): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN'
