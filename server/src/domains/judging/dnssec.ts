// DNSSEC fault detection finds out why a validating resolver cannot trust a zone, as
// precisely as the keys show it. Two faults can be detected without a resolver: the parent
// vouches for keys that the zone does not have, or every signature of a record set has
// expired. Silence is not a fault: without the DS from the parent, or without an answer about
// the keys, nothing is reported.

import type { DnsRecord } from '../../foundation/dns/answer.ts'

export type Ds = Extract<DnsRecord, { type: 'DS' }>
export type DnsKey = Extract<DnsRecord, { type: 'DNSKEY' }>
export type Signature = Extract<DnsRecord, { type: 'RRSIG' }>

type DnssecFault =
  | { kind: 'ds_stale'; keyTags: readonly number[] }
  | { kind: 'expired'; /** ms since 1970 */ at: number }

type SignedZone = {
  /** The DS records from the parent's own servers. */
  ds: readonly Ds[]
  /** Null: no server of the zone answered the DNSKEY query. */
  keys: readonly DnsKey[] | null
  signatures: readonly Signature[]
  now: number
}

export function dnssecFault({ ds, keys, signatures, now }: SignedZone): DnssecFault | null {
  const counting = ds.filter(counts)
  // Without a DS that validators support, the zone counts as unsigned, however broken its
  // signatures are.
  if (counting.length === 0) return null
  if (keys && !counting.some((word) => keys.some((key) => vouchesFor(word, key)))) {
    return { kind: 'ds_stale', keyTags: [...new Set(counting.map(({ keyTag }) => keyTag))] }
  }
  const at = expiredAt(signatures, now)
  return at === null ? null : { kind: 'expired', at }
}

// RFC 8624 and RFC 9157: algorithms that validators must support. They treat anything else as
// unsigned.
const algorithms = new Set([5, 7, 8, 10, 13, 14, 15, 16])
const digestTypes = new Set([1, 2, 4])
const counts = ({ algorithm, digestType }: Ds) => algorithms.has(algorithm) && digestTypes.has(digestType)

const ZONE_KEY = 0x100
const SHA256 = 2

/** RFC 4034, 5.2. Only digests of type 2 can be compared; others are accepted if tag and algorithm match. */
const vouchesFor = (ds: Ds, key: DnsKey): boolean =>
  ds.keyTag === key.keyTag &&
  ds.algorithm === key.algorithm &&
  (key.flags & ZONE_KEY) !== 0 &&
  (ds.digestType !== SHA256 || ds.digest.toLowerCase() === key.sha256.toLowerCase())

/** When the first record set lost its last valid signature; null if each still has one. */
function expiredAt(signatures: readonly Signature[], now: number): number | null {
  const last = new Map<string, number>()
  for (const { name, covers, expiresAt } of signatures) {
    const key = `${name} ${covers}`
    last.set(key, Math.max(last.get(key) ?? 0, expiresAt))
  }
  const expired = [...last.values()].filter((at) => at < now)
  return expired.length === 0 ? null : Math.min(...expired)
}
