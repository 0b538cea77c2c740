// The rate limit of queries per nameserver, across all projects. Each address has a budget that
// refills over time: a query within it is sent at once, a query slightly above it waits, and a
// query that would have to wait beyond its deadline is rejected. A server that answers REFUSED is
// queried less often, and one that has not answered for long is left alone for a moment. Memory is
// bounded: the least recently queried address is evicted.

import type { LookupOutcome } from './answer.ts'

export type PolitenessOptions = { perSecond: number; burst: number; sizeMax: number; now: () => number }

export type Politeness = {
  /** Milliseconds until the query may be sent, or null if that is too long; `cost` is the fraction of a query. */
  wait: (address: string, patienceMs: number, cost?: number) => number | null
  heard: (address: string, outcome: LookupOutcome) => void
}

type Account = { paidUntil: number; silences: number; restUntil: number }

const SILENCES_MAX = 40
const REST_MS = 2000
/** The extra cost of a REFUSED answer, in queries: it may have meant "not so often". */
const REFUSAL_COST = 2

export function politeness({ perSecond, burst, sizeMax, now }: PolitenessOptions): Politeness {
  const accounts = new Map<string, Account>()
  const interval = 1000 / perSecond

  const accountOf = (address: string): Account => {
    const account = accounts.get(address) ?? { paidUntil: 0, silences: 0, restUntil: 0 }
    accounts.delete(address)
    accounts.set(address, account)
    const oldest = accounts.size > sizeMax ? accounts.keys().next() : undefined
    if (oldest && !oldest.done) accounts.delete(oldest.value)
    return account
  }

  return {
    wait(address, patienceMs, cost = 1) {
      const account = accountOf(address)
      const at = now()
      if (account.restUntil > at) return null
      const paidUntil = Math.max(account.paidUntil, at) + interval * cost
      const wait = Math.max(0, paidUntil - burst * interval - at)
      if (wait > patienceMs) return null
      account.paidUntil = paidUntil
      return wait
    },
    heard(address, outcome) {
      const account = accountOf(address)
      if (outcome.kind === 'answer') {
        account.silences = 0
        if (outcome.rcode === 'REFUSED') account.paidUntil += interval * REFUSAL_COST
      } else if (outcome.why === 'timeout') {
        account.silences += 1
        if (account.silences < SILENCES_MAX) return
        account.silences = SILENCES_MAX / 2
        account.restUntil = now() + REST_MS
      }
    },
  }
}
