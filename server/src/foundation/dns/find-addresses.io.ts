// The addresses of a name that a stranger chose, found by our own DNS client and not by the system. Which of them may be
// contacted is decided by `mayContact` (addresses.ts).

import { hasNoError, lookUpUntil } from './lookup.io.ts'
import type { Lookup } from './answer.ts'
import type { Dns } from './port.ts'

const DNS_MS = 2000

/** IPv6 first, as in browsers. `isAlias`: there are records, but no address among them. */
export type FoundAddresses = {
  addresses: readonly string[]
  outcomes: readonly Lookup['outcome'][]
  isAlias: boolean
}

export async function findAddresses(dns: Dns, name: string, until: number): Promise<FoundAddresses> {
  const manner = { to: 'checked' as const, pace: { until, questionMs: DNS_MS }, cost: 0.1, isGood: hasNoError }
  const resolvers = dns.shuffled(dns.resolvers)
  const lookups = await Promise.all(
    (['AAAA', 'A'] as const).map((type) => lookUpUntil(dns, resolvers, { name, type }, manner)),
  )
  const outcomes = lookups.flatMap((looks) => looks.at(-1)?.outcome ?? [])
  const records = outcomes.flatMap((outcome) => (outcome.kind === 'answer' ? outcome.records : []))
  const addresses = records.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.address] : []))
  return { addresses: [...new Set(addresses)], outcomes, isAlias: records.length > 0 }
}
