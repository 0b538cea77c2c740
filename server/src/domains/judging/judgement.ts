// What judging says: where the three axes stand, why, and what the owner's records
// are beside what they must be.

import type { Trouble } from './trouble.ts'

export type Ownership = 'proven' | 'unproven' | 'contested' | 'unknown'
export type Routing = 'unknown' | 'missing' | 'wrong' | 'conflict' | 'propagating' | 'pointing' | 'unreachable'

/** One record as the owner must create it, in the form of the owner's DNS provider. */
export type RecordAdvice = {
  type: 'CNAME' | 'ALIAS' | 'ANAME' | 'A' | 'AAAA' | 'TXT' | 'CAA'
  /** As the provider wants it typed: a label, '@', or the full name. */
  name: string
  /** The full name, whatever the provider's form. */
  fullName: string
  value: string
  ttl: number
  /** What is there now, as `TYPE value`. */
  have: readonly string[]
  state: 'right' | 'missing' | 'wrong' | 'conflicting' | 'unknown'
  action: 'keep' | 'add' | 'change' | 'delete_others' | 'wait'
  isRequired: boolean
}

/** Who runs the DNS of the name, as far as its nameservers tell. */
export type ProviderView = { id: string; name: string; dnsPage: string | null }

export type Judgement = {
  ownership: Ownership
  /** What proves it. */
  proof: 'cname' | 'txt' | null
  routing: Routing
  how: 'cname' | 'address' | 'proxied' | null
  isApex: boolean
  /** Ranked: the first is the root cause, the others were also noticed. */
  troubles: readonly Trouble[]
  records: readonly RecordAdvice[]
  provider: ProviderView | null
  /** The zone's name; null if there is none. */
  apex: string | null
  /** Domains of the authorities of ours that may issue, best first; none if CAA allows none, or nobody could tell. */
  authorities: readonly string[]
}
