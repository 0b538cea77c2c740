// DNS scripted by a test: records by hostname, in place of the network. A hostname that is not
// scripted is a mistake of the test, and throws; so no test ever queries the real DNS.

import type { Evidence, Wanted } from '../../server/src/domains/observing/evidence.ts'
import { evidenceOf } from '../evidence/evidence.ts'

type Records = readonly string[]

export type ScriptedDns = {
  observe: (wanted: Wanted) => Promise<Evidence>
  /** `name TYPE value`, as evidence.fake.ts reads it. Resolvers return the same. */
  tell(hostname: string, records: Records, apex?: string): void
  /** How often each hostname was checked. */
  looks: Map<string, number>
}

export function scriptedDns(): ScriptedDns {
  const scripted = new Map<string, { records: Records; apex: string | undefined }>()
  const looks = new Map<string, number>()
  return {
    looks,
    tell: (hostname, records, apex) => void scripted.set(hostname, { records, apex }),
    async observe({ hostname }) {
      const found = scripted.get(hostname)
      if (!found) throw new Error(`Nobody told what DNS says of ${hostname}.`)
      looks.set(hostname, (looks.get(hostname) ?? 0) + 1)
      const { records, apex } = found
      return evidenceOf({ hostname, records, checked: records, at: Date.now(), ...(apex !== undefined && { apex }) })
    },
  }
}
