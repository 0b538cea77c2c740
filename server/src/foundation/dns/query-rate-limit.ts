// The rate limit of queries per nameserver, across all projects. Each address has a budget that
// refills over time: a query within it is sent at once, a query slightly above it waits, and a
// query that would have to wait beyond its deadline is rejected. A server that answers REFUSED is
// queried less often, and one that has not answered for long is left alone for a moment. Memory is
// bounded: the least recently queried address is evicted.

import { BoundedMap } from '../load/bounded-map.ts'
import { TokenBucket } from '../load/token-bucket.ts'
import type { LookupOutcome } from './answer.ts'

/** Of one process, to all servers together: each query in progress is a socket. */
export const QUERIES_AT_ONCE = 1000

export type QueryRateLimit = {
  /** Milliseconds until the query may be sent, or null if that is too long; `cost` is the fraction of a query. */
  wait: (address: string, patienceMs: number, cost?: number) => number | null
  heard: (address: string, outcome: LookupOutcome) => void
}

type Account = { bucket: TokenBucket; silences: number; restUntil: number }

const SILENCES_MAX = 40
const REST_MS = 2000
/** The extra cost of a REFUSED answer, in queries: it may have meant "not so often". */
const REFUSAL_COST = 2

export function queryRateLimit({
  perSecond,
  burst,
  countMax,
  now,
}: {
  perSecond: number
  burst: number
  countMax: number
  now: () => number
}): QueryRateLimit {
  const accounts = new BoundedMap<string, Account>({ countMax })
  const accountOf = (address: string): Account => {
    const account = accounts.get(address) ?? {
      bucket: new TokenBucket({ perSecond, burst }),
      silences: 0,
      restUntil: 0,
    }
    accounts.set(address, account)
    return account
  }

  return {
    wait(address, patienceMs, cost) {
      const account = accountOf(address)
      const at = now()
      return account.restUntil > at ? null : account.bucket.take(at, { waitMs: patienceMs, cost })
    },
    heard(address, outcome) {
      const account = accountOf(address)
      if (outcome.kind === 'answer') {
        account.silences = 0
        if (outcome.rcode === 'REFUSED') account.bucket.charge(REFUSAL_COST)
      } else if (outcome.why === 'timeout') {
        account.silences += 1
        if (account.silences < SILENCES_MAX) return
        account.silences = SILENCES_MAX / 2
        account.restUntil = now() + REST_MS
      }
    },
  }
}
