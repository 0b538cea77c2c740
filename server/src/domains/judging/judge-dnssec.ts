// DNSSEC judging decides whether the signatures of the zone can be trusted. Every certificate
// authority must validate them, so a broken zone gets no certificate, while most visitors
// notice nothing. The keys themselves are more precise than a resolver's answer, so they are
// evaluated first. A resolver counts only by the difference: it fails with validation, and
// answers without it.

import type { DnsRecord } from '../../foundation/dns/answer.ts'
import { registrableOf } from '../naming/public-suffix.ts'
import { isInZone } from './caa-seen.ts'
import { dateOf, duration, listed } from './format.ts'
import { answersOf, isAnswered, isGood, lookupsOf, recordsIn, type Answered, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export function dnssecTrouble(scene: Scene): Trouble | null {
  const ds = dsOf(scene)
  const keys = keysOf(scene)
  const fault = dnssecFault({ ds, keys, signatures: signaturesOf(scene), now: scene.evidence.at })
  if (fault?.kind === 'ds_stale') {
    const tag = listed(fault.keyTags.map(String))
    return trouble('zone.dnssec_ds_stale', { ...scene.words, tag, ttl: dsCacheTime(ds) })
  }
  if (fault?.kind === 'expired') return trouble('zone.dnssec_expired', { ...scene.words, date: dateOf(fault.at) })
  const isBroken = isBogus(scene, ds) && !isKeyGone(scene)
  return isBroken ? trouble('zone.dnssec_bogus', { ...scene.words, ttl: dsCacheTime(ds) }) : null
}

/** The seconds for which a resolver may still validate with a cached key, after the owner has turned DNSSEC off. */
export function keyCachedFor(scene: Scene): number | null {
  if (!isKeyGone(scene) || !isBogus(scene, [])) return null
  const cached = lookupsOf(scene, 'unchecked', scene.apex, 'DS')
    .filter(isAnswered)
    .flatMap((look) => recordsIn(look, scene.apex, 'DS'))
  return cached.length === 0 ? DEFAULT_DS_TTL : Math.max(...cached.map(({ ttl }) => ttl))
}

/** According to the registry. Undecidable for a zone in between: the failure may be in a zone above it. */
function isKeyGone(scene: Scene): boolean {
  const answers = lookupsOf(scene, 'parent', scene.apex, 'DS').filter(isAnswered).filter(isGood)
  const isRegistered = scene.apex === registrableOf(scene.wanted.hostname)
  return isRegistered && answers.length > 0 && dsOf(scene).length === 0
}

const DEFAULT_DS_TTL = 86_400

/** How long resolvers may cache a DS after it is deleted. */
const dsCacheTime = (ds: readonly Ds[]) =>
  duration(1000 * (ds.length === 0 ? DEFAULT_DS_TTL : Math.max(...ds.map(({ ttl }) => ttl))))

const dsOf = (scene: Scene): Ds[] =>
  lookupsOf(scene, 'parent', scene.apex, 'DS')
    .filter(isAnswered)
    .filter(({ outcome }) => outcome.rcode === 'NOERROR')
    .flatMap((look) => recordsIn(look, scene.apex, 'DS'))

/** Null if no server returned all of its keys. */
function keysOf(scene: Scene): DnsKey[] | null {
  const answers = answersOf(scene, scene.apex, 'DNSKEY').filter(({ outcome }) => !outcome.isCut)
  return answers.length === 0 ? null : answers.flatMap((look) => recordsIn(look, scene.apex, 'DNSKEY'))
}

const signaturesOf = (scene: Scene): Signature[] =>
  scene.evidence.looks
    .filter(({ to }) => to === 'authoritative')
    .filter(isAnswered)
    .flatMap(({ outcome }) => [...outcome.records, ...outcome.authority])
    .filter((record): record is Signature => record.type === 'RRSIG' && record.signer === scene.apex)

function isBogus(scene: Scene, ds: readonly Ds[]): boolean {
  const checked = scene.evidence.looks
    .filter(({ to, name }) => to === 'checked' && isInZone(scene, name))
    .filter(isAnswered)
  const failed = checked.filter(({ outcome }) => outcome.rcode === 'SERVFAIL')
  return failed.some(
    (look) => !isBeyondZone(scene, look) && isDifferentUnchecked(scene, look) && isReportedBogus(look, ds),
  )
}

/** The name's own record is trusted; the name that it points to is what fails. */
export const isBeyondZone = (scene: Scene, { server, name }: Answered): boolean =>
  lookupsOf(scene, 'checked', name, 'CNAME')
    .filter(isAnswered)
    .some((look) => look.server === server && recordsIn(look, name, 'CNAME').length > 0)

const isDifferentUnchecked = (scene: Scene, { server, name, type }: Answered): boolean =>
  lookupsOf(scene, 'unchecked', name, type)
    .filter(isAnswered)
    .some(({ server: other, outcome }) => other === server && ['NOERROR', 'NXDOMAIN'].includes(outcome.rcode))

// RFC 8914: codes 6 to 12 are DNSSEC failures. A resolver that sends no code counts if the
// parent reports that the zone is signed at all.
const isReportedBogus = ({ outcome: { errors } }: Answered, ds: readonly Ds[]): boolean =>
  errors.length === 0 ? ds.length > 0 : errors.some(({ code }) => code >= 6 && code <= 12)

// DNSSEC fault detection finds out why a validating resolver cannot trust a zone, as
// precisely as the keys show it. Two faults can be detected without a resolver: the parent
// vouches for keys that the zone does not have, or every signature of a record set has
// expired. Silence is not a fault: without the DS from the parent, or without an answer about
// the keys, nothing is reported.

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
