// `lookUp` queries one server, `lookUpUntil` several, and both return every query with its outcome.
// All queries of one check share a deadline: a query that cannot be sent before it is reported as
// skipped.

import type { DnsAnswer, DnsQuery, Lookup } from './answer.ts'
import type { QueryOptions, Dns, Server } from './port.ts'

/** `until` is on the clock of `performance.now()`. */
export type Pace = { until: number; questionMs: number }

type Manner = { to: Lookup['to']; pace: Pace; cost?: number }

const manners: Record<Lookup['to'], Pick<QueryOptions, 'isRecursive' | 'isUnchecked'>> = {
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
  asking: DnsQuery,
  { to, pace, cost = 1 }: Manner,
): Promise<Lookup> {
  const { name, type, wantsSignatures = false, triesTcp = false } = asking
  const options = { ...manners[to], deadlineMs: deadlineOf(pace), wantsSignatures, triesTcp, cost }
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
  asking: DnsQuery,
  { isGood, pace, ...rest }: Manner & { isGood: (answer: DnsAnswer) => boolean },
): Promise<Lookup[]> {
  // A server queried later has less time: together they take no longer than one query.
  const manner = { ...rest, pace: { ...pace, until: performance.now() + deadlineOf(pace) } }
  const waiting = servers.slice(0, SERVERS_MAX)
  const looks: Lookup[] = []
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const askNext = () => {
      clearTimeout(timer)
      const server = waiting.shift()
      if (server) askOne(server).catch(reject)
      else if (underWay === 0) resolve(looks)
    }
    const askOne = async (server: Server) => {
      underWay += 1
      timer = setTimeout(askNext, HEDGE_MS)
      const made = await lookUp(dns, server, asking, manner)
      underWay -= 1
      looks.push(made)
      if (made.outcome.kind !== 'answer' || !isGood(made.outcome)) return askNext()
      clearTimeout(timer)
      waiting.length = 0
      resolve([...looks])
    }
    askNext()
  })
}

export const goodIn = (looks: readonly Lookup[]): DnsAnswer | null => {
  const outcome = looks.at(-1)?.outcome
  return outcome?.kind === 'answer' ? outcome : null
}

/** The owner's nameservers are equivalent, so any answer without an error is usable. */
export const hasNoError = ({ rcode }: DnsAnswer): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN'
