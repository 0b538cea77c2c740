// How often one nameserver is asked, whoever's names are asked for. Each address has
// an allowance that fills again with time; who asks within it goes at once, who comes
// a little too early waits, and who would have to wait longer than he can is told so.
// A server that refuses is asked less, one that has been silent for long is left alone
// for a moment. Memory is bounded: the address that was not asked for longest goes.

import type { LookupOutcome } from './answer.ts'

export type PolitenessOptions = { perSecond: number; burst: number; sizeMax: number; now: () => number }

export type Politeness = {
  /** Milliseconds after which it may be asked, or null if that is beyond the patience; `cost` is the part of a question. */
  wait: (address: string, patienceMs: number, cost?: number) => number | null
  heard: (address: string, outcome: LookupOutcome) => void
}

type Account = { paidUntil: number; silences: number; restUntil: number }

const SILENCES_MAX = 40
const REST_MS = 2000
/** What a refusal costs more, in questions: it may have meant "not so often". */
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
