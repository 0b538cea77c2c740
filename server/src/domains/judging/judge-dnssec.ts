// DNSSEC judging decides whether the signatures of the zone can be trusted. Every certificate
// authority must validate them, so a broken zone gets no certificate, while most visitors
// notice nothing. The keys themselves are more precise than a resolver's answer, so they are
// evaluated first. A resolver counts only by the difference: it fails with validation, and
// answers without it.

import { isInZone } from './caa-seen.ts'
import { dnssecFault, type DnsKey, type Ds, type Signature } from './dnssec.ts'
import { registrableOf } from '../naming/public-suffix.ts'
import { answersOf, isAnswered, isGood, lookupsOf, recordsIn, type Answered, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { dateOf, duration, listed } from './format.ts'

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
