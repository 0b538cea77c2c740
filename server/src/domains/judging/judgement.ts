// A judgement has the states of the three axes, the troubles that explain them, and the
// owner's records next to the required ones.

import type { Trouble } from './trouble.ts'

export type Ownership = 'proven' | 'unproven' | 'contested' | 'unknown'
export type Routing = 'unknown' | 'missing' | 'wrong' | 'conflict' | 'propagating' | 'pointing' | 'unreachable'

/** One record as the owner must create it, in the form of the owner's DNS provider. */
export type RecordAdvice = {
  type: 'CNAME' | 'ALIAS' | 'ANAME' | 'A' | 'AAAA' | 'TXT' | 'CAA'
  /** In the form that the provider expects: a label, '@', or the full name. */
  name: string
  /** The full name, whatever the provider's form. */
  fullName: string
  value: string
  ttl: number
  /** The existing records, as `TYPE value`. */
  have: readonly string[]
  state: 'right' | 'missing' | 'wrong' | 'conflicting' | 'unknown'
  action: 'keep' | 'add' | 'change' | 'delete_others' | 'wait'
  isRequired: boolean
}

/** The DNS provider of the name, as far as its nameservers identify it. */
export type ProviderView = { id: string; name: string; dnsPage: string | null }

export type Judgement = {
  ownership: Ownership
  /** The kind of record that proves it. */
  proof: 'cname' | 'txt' | null
  routing: Routing
  how: 'cname' | 'address' | 'proxied' | null
  isApex: boolean
  /** Ranked: the first is the root cause, the others were found as well. */
  troubles: readonly Trouble[]
  records: readonly RecordAdvice[]
  provider: ProviderView | null
  /** The zone's name; null if there is none. */
  apex: string | null
  /** Domains of our authorities that may issue, best first; empty if CAA allows none, or if that is unknown. */
  authorities: readonly string[]
}
