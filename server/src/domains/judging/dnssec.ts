// Why a validating resolver cannot trust a zone, as exactly as the keys tell it.
// Two faults can be seen without a resolver: the parent vouches for keys that the
// zone does not have, or every signature of something is out of date. Silence is no
// fault: without the parent's word, or without an answer about the keys, nothing is
// said here.

import type { DnsRecord } from '../../foundation/dns/answer.ts'

export type Ds = Extract<DnsRecord, { type: 'DS' }>
export type DnsKey = Extract<DnsRecord, { type: 'DNSKEY' }>
export type Signature = Extract<DnsRecord, { type: 'RRSIG' }>

type DnssecFault =
  | { kind: 'ds_stale'; keyTags: readonly number[] }
  | { kind: 'expired'; /** ms since 1970 */ at: number }

type SignedZone = {
  /** The parent's word, from its own servers. */
  ds: readonly Ds[]
  /** Null: no server of the zone answered the question for its keys. */
  keys: readonly DnsKey[] | null
  signatures: readonly Signature[]
  now: number
}

export function dnssecFault({ ds, keys, signatures, now }: SignedZone): DnssecFault | null {
  const counting = ds.filter(counts)
  // Without a DS that validators understand, the zone counts as unsigned, however broken its signatures are.
  if (counting.length === 0) return null
  if (keys && !counting.some((word) => keys.some((key) => vouchesFor(word, key)))) {
    return { kind: 'ds_stale', keyTags: [...new Set(counting.map(({ keyTag }) => keyTag))] }
  }
  const at = expiredAt(signatures, now)
  return at === null ? null : { kind: 'expired', at }
}

// RFC 8624 and RFC 9157: what validators must know. Anything else they treat as unsigned.
const algorithms = new Set([5, 7, 8, 10, 13, 14, 15, 16])
const digestTypes = new Set([1, 2, 4])
const counts = ({ algorithm, digestType }: Ds) => algorithms.has(algorithm) && digestTypes.has(digestType)

const ZONE_KEY = 0x100
const SHA256 = 2

/** RFC 4034, 5.2. Only the digest of type 2 can be compared; the others are believed if tag and algorithm fit. */
const vouchesFor = (ds: Ds, key: DnsKey): boolean =>
  ds.keyTag === key.keyTag &&
  ds.algorithm === key.algorithm &&
  (key.flags & ZONE_KEY) !== 0 &&
  (ds.digestType !== SHA256 || ds.digest.toLowerCase() === key.sha256.toLowerCase())

/** When the first set of records lost its last signature; null if each has one that is still good. */
function expiredAt(signatures: readonly Signature[], now: number): number | null {
  const last = new Map<string, number>()
  for (const { name, covers, expiresAt } of signatures) {
    const key = `${name} ${covers}`
    last.set(key, Math.max(last.get(key) ?? 0, expiresAt))
  }
  const expired = [...last.values()].filter((at) => at < now)
  return expired.length === 0 ? null : Math.min(...expired)
}
