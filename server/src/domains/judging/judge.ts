// `judge` turns evidence into a judgement: the states of ownership and routing, one root
// cause, and the other troubles. It is pure: `observe` sends the queries, this file and its
// neighbours only read. Each neighbour judges one part; this file defines their order, and
// the rule by which one cause is ranked first:
//
// - a trouble that explains another precedes it, and hides it;
// - never "wait" while the owner has something to change, never "change" while only time is
//   needed.

import { registrableOf } from '../naming/names.ts'
import { nothingKnown, type Evidence, type Known, type Wanted } from '../observing/evidence.ts'
import { providerOf } from '../providers/providers.ts'
import { resolversOn } from './agreement.ts'
import { authorityTroubles } from './judge-authority.ts'
import { allowedAuthorities, caaTroubles } from './judge-caa.ts'
import { driftTroubles } from './judge-drift.ts'
import { nameTroubles } from './judge-name.ts'
import { cnameQuestion, ownershipOf } from './judge-ownership.ts'
import { addressQuestion, pointingOf, type Pointing } from './judge-pointing.ts'
import { propagationTroubles } from './judge-propagation.ts'
import { reachTroubles } from './judge-reach.ts'
import { zoneTroubles } from './judge-zone.ts'
import type { Judgement, Routing } from './judgement.ts'
import { ranked } from './rank-root-cause.ts'
import { recordsWanted } from './records.ts'
import { sceneOf, type Scene } from './scene.ts'
import { trouble } from './trouble.ts'

export function judge(seen: { wanted: Wanted; evidence: Evidence; known: Known }, now: number): Judgement {
  const { evidence, wanted } = seen
  const provider = providerOf(nameserversOf(evidence))
  const scene = sceneOf(seen, { provider, registrable: registrableOf(wanted.hostname) ?? wanted.hostname, now })

  const pointing = pointingOf(scene)
  const ownership = ownershipOf(scene, pointing)
  const ofName = nameTroubles(scene)
  const found = ranked([
    ...ofName,
    ...driftTroubles(scene, pointing, ofName),
    ...zoneTroubles(scene),
    ...ownership.troubles,
    ...pointing.troubles,
    ...caaTroubles(scene),
    // The server at an old address is irrelevant once the change is propagating.
    ...(pointing.routing === 'propagating' ? [] : reachTroubles(scene, pointing)),
    ...authorityTroubles(scene),
    ...propagationTroubles(scene, pointing),
  ])
  const routing = settled(scene, pointing)
  const hasReason = found.some(({ severity }) => severity === 'blocks' || severity === 'waits')
  // Silence has no cause of its own: without this one, a check that learned nothing would look like a good sign.
  const isUnexplained = !hasReason && (routing === 'unknown' || routing === 'unreachable')
  const troubles = isUnexplained ? ranked([...found, trouble('zone.not_queried', scene.words)]) : found
  return {
    ownership: ownership.state,
    proof: ownership.proof,
    routing,
    how: pointing.how,
    isApex: scene.isApex,
    troubles,
    records: recordsWanted(scene, pointing, ownership),
    provider: provider && { id: provider.id, name: provider.name, dnsPage: provider.dnsPage },
    apex: evidence.zone?.apex ?? null,
    authorities: allowedAuthorities(scene),
  }
}

/** The nameservers that the parent zone delegates to: visitors query them, and the owner must edit there. */
const nameserversOf = ({ zone }: Evidence): readonly string[] =>
  zone?.delegated.length ? zone.delegated : (zone?.own ?? [])

/**
 * A right record at the zone's servers is propagating while a resolver still returns another; a
 * live name is not set back.
 */
function settled(scene: Scene, { routing, how }: Pointing): Routing {
  // Addresses of a proxy vary by location, so addresses other than ours show nothing.
  if (routing !== 'pointing' || how === 'proxied' || scene.known.isProven) return routing
  const resolvers = resolversOn(scene, how === 'cname' ? cnameQuestion(scene) : addressQuestion(scene))
  if (resolvers === 'broken') return 'unreachable'
  return resolvers === 'none' || resolvers === 'some' ? 'propagating' : routing
}

// The initial judgement of a hostname lists the records that it must have, before the first
// check. It reports no troubles, because nothing has been observed.

export function judgedUnseen(wanted: Wanted, now: number): Judgement {
  const evidence = { hostname: wanted.hostname, at: now, zone: null, looks: [], probes: [] }
  const judgement = judge({ wanted, evidence, known: nothingKnown }, now)
  return { ...judgement, ownership: 'unknown', routing: 'unknown', troubles: [] }
}
