// Resolves names as the program does: through the configured resolvers, not those of the system.

import { goodIn, hasNoError, lookUpUntil } from '../../foundation/dns/lookup.io.ts'
import type { DnsAnswer, QuestionType } from '../../foundation/dns/answer.ts'
import type { Dns } from '../../foundation/dns/port.ts'
import type { Observed } from '../../foundation/finding.ts'

const LOOKUP_MS = 5000

/** Following CNAME records, as resolvers do. */
export async function addressesOf(dns: Dns, name: string): Promise<Observed<readonly string[]>> {
  const answers = await Promise.all((['A', 'AAAA'] as const).map((type) => answerOf(dns, name, type)))
  const known = answers.filter((answer) => answer !== null)
  if (known.length === 0) return { unknown: `no resolver answers for ${name}` }
  return { value: known.flatMap(({ records }) => records.flatMap((one) => ('address' in one ? [one.address] : []))) }
}

/** Null if no resolver answered. */
export async function answerOf(dns: Dns, name: string, type: QuestionType): Promise<DnsAnswer | null> {
  const pace = { until: performance.now() + LOOKUP_MS, questionMs: LOOKUP_MS }
  return goodIn(await lookUpUntil(dns, dns.resolvers, { name, type }, { to: 'checked', pace, isGood: hasNoError }))
}
