// Pointing judging decides where the name points, and what prevents it from pointing here.
//
// - For a subdomain, only a CNAME to exactly the advised value is right. A conflicting
//   record, or another value, fails even if visitors would reach us: an address does not
//   identify the project, and it changes.
// - An apex is right if all of its addresses are ours, since an alias at the apex (ALIAS)
//   shows only addresses; so is any name whose traffic verifiably reaches us through a proxy.
// - Nameservers that could not be queried show nothing. One that already has the change
//   clears the owner: the others are late, not wrong.

import { providerOf } from '../providers/providers.ts'
import type { CountedQuestion } from './agreement.ts'
import type { Judgement, Routing } from './judgement.ts'
import { judgeAddresses } from './pointing-addresses.ts'
import { judgeCname } from './pointing-cname.ts'
import { isRight, whereOf } from './pointing-right.ts'
import {
  heldByAny,
  inWords,
  isEmpty,
  viewsOf,
  undelegatedViewsOf,
  type PointingFinding,
  type HeldAddress,
  type View,
} from './pointing-views.ts'
import { addressWords, fieldWords, needsAddresses, shortName, valueWords } from './record-format.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export type Pointing = {
  /** According to the zone's own servers; what resolvers have cached is judged later. */
  routing: Routing
  how: Judgement['how']
  troubles: readonly Trouble[]
  /** The names of the chain, the hostname first, as far as it was followed. */
  chain: readonly string[]
  /** A and AAAA records at the name itself. */
  addresses: readonly string[]
  /** The records at the name itself, as `TYPE value`. */
  have: readonly string[]
}

export function pointingOf(scene: Scene): Pointing {
  const views = viewsOf(scene, scene.wanted.hostname)
  const held = heldByAny(views)
  const { routing, how = null, troubles } = findingOf(scene, views, held)
  const chain = chainOf(scene)
  return { routing, how, troubles, chain, addresses: [...held.a, ...held.aaaa], have: inWords(held) }
}

function findingOf(scene: Scene, views: readonly View[], held: HeldAddress): PointingFinding {
  if (views.length === 0) return { routing: wasQueried(scene) ? 'unreachable' : 'unknown', troubles: [] }
  const right = views.filter((view) => isRight(scene, view))
  if (right.length === views.length) return rightFinding(scene, held)
  const others = views.filter((view) => !right.includes(view))
  if (right.length > 0 && areLate(others, right)) return { routing: 'propagating', troubles: [] }
  return withSuspicions(scene, wrongFinding(scene, others), views)
}

const wasQueried = ({ evidence }: Scene): boolean => evidence.looks.some(({ to }) => to === 'authoritative')

function rightFinding(scene: Scene, held: HeldAddress): PointingFinding {
  const where = whereOf(scene, [...held.a, ...held.aaaa])
  const isByName = held.cnames.length > 0
  const how = isByName ? 'cname' : where.proxied.length > 0 ? 'proxied' : 'address'
  const { host } = scene.words
  const former = held.cnames.find((value) => value !== scene.wanted.target)
  const isFixed = how === 'address' && scene.provider?.apexAlias === null
  const troubles = [
    ...(isThroughWildcard(scene, held) ? [trouble('dns.wildcard_match', { host })] : []),
    ...(isByName && former !== undefined
      ? [trouble('dns.cname_former_host', { ...scene.words, target: valueWords(scene), found: former })]
      : []),
    ...(isFixed ? [trouble('dns.apex_by_address', { host })] : []),
  ]
  return { routing: 'pointing', how, troubles }
}

/**
 * Servers with the same serial and different records have different zones; otherwise the change
 * is propagating. An empty answer always counts as propagating.
 */
function areLate(others: readonly View[], right: readonly View[]): boolean {
  if (others.every(isEmpty)) return true
  const serials = new Set([...others, ...right].map(({ serial }) => serial))
  // Some providers give every version of a zone the serial 1, which shows nothing about its age.
  return serials.size > 1 || serials.has(null) || serials.has(UNCOUNTED)
}

const UNCOUNTED = 1

function wrongFinding(scene: Scene, views: readonly View[]): PointingFinding {
  const held = heldByAny(views)
  // The answer of a wildcard record is not the name's own record: there is nothing to delete,
  // only something to add. A parking provider answers like that for every name.
  const isParking = scene.provider?.isParking === true
  if (!isEmpty(held) && !isParking && isThroughWildcard(scene, held)) return nothingThere(scene, 'wildcard')
  if (held.cnames.length > 0) return judgeCname(scene, views, chainOf(scene))
  if (!isEmpty(held)) return judgeAddresses(scene, held)
  if (!views.some(({ isComplete }) => isComplete)) return { routing: 'unreachable', troubles: [] }
  return nothingThere(scene, 'nothing')
}

function withSuspicions(scene: Scene, finding: PointingFinding, views: readonly View[]): PointingFinding {
  if (finding.routing === 'unreachable') return finding
  const elsewhere = wrongZone(scene)
  const unpublished = isUnpublished(scene, views) ? [trouble('dns.record_disabled', scene.words)] : []
  return { ...finding, troubles: [...elsewhere, ...finding.troubles, ...unpublished] }
}

const MOST_NAMES = 20

/** The chain of CNAMEs according to all servers that were queried; for display only, never a proof. */
export function chainOf({ evidence, wanted }: Scene): string[] {
  const next = new Map<string, string>()
  const answers = evidence.looks.flatMap(({ outcome }) => (outcome.kind === 'answer' ? outcome.records : []))
  for (const record of answers) {
    if (record.type === 'CNAME' && !next.has(record.name)) next.set(record.name, record.target)
  }
  const chain = [wanted.hostname]
  while (chain.length < MOST_NAMES) {
    const last = chain.at(-1) ?? ''
    const following = last === wanted.target ? undefined : next.get(last)
    if (following === undefined) break
    const isLoop = chain.includes(following)
    chain.push(following)
    if (isLoop) break
  }
  return chain
}

/** Whether all addresses of the name are ours. */
export const addressQuestion = ({ wanted }: Scene): CountedQuestion => ({
  name: wanted.hostname,
  type: 'A',
  isThere: (records) => {
    const here = records.flatMap((record) => (record.type === 'A' && 'address' in record ? [record] : []))
    return here.every(({ address }) => wanted.addresses.includes(address))
  },
})

// Missing records: what to add, and where it may have been added instead. A record at a
// doubled name is reported as such, because its owner believes that it is right.

/** `wildcard`: a wildcard record answers for the name, which has no record of its own. */
function nothingThere(scene: Scene, why: 'nothing' | 'wildcard'): PointingFinding {
  const { words } = scene
  if (why === 'nothing' && isDoubled(scene)) {
    const short = shortName(scene.wanted.hostname, scene.apex)
    return { routing: 'missing', troubles: [trouble('dns.name_doubled', { ...words, short })] }
  }
  return { routing: 'missing', troubles: [missing(scene, why)] }
}

function missing(scene: Scene, why: 'nothing' | 'wildcard'): Trouble {
  const { words } = scene
  if (needsAddresses(scene)) return trouble('dns.apex_no_alias', { ...words, addresses: addressWords(scene) })
  const instead = why === 'wildcard' ? '; a `*` record answers in its place' : ''
  return trouble('dns.no_record', { ...words, instead, fields: fieldWords(scene), otherwise: otherwise(scene) })
}

/** Not every provider has a record that follows a name; for an unknown provider we cannot know. */
function otherwise(scene: Scene): string {
  if (!scene.isApex || scene.provider?.apexAlias) return ''
  return ` If ${scene.words.provider} has neither, use ${addressWords(scene)}.`
}

function isDoubled(scene: Scene): boolean {
  const { wanted, apex } = scene
  const held = heldByAny(viewsOf(scene, `${wanted.hostname}.${apex}`))
  const isByName = held.cnames.some((value) => value === wanted.target || value === `${wanted.target}.${apex}`)
  return isByName || whereOf(scene, [...held.a, ...held.aaaa]).ours.length > 0
}

// Suspicions explain a record that is not where it must be, or not what it seems: a wildcard
// record that answers for everything, a zone without delegation, a change that was never
// published. Each needs its own evidence; without it nothing is suspected.

/** Prefix of the name that is queried only because no record can have been created for it. */
const SIBLING = 'petstore-wildcard-'

/** Whether a name for which no record can have been created gets the same answer. */
function isThroughWildcard(scene: Scene, held: HeldAddress): boolean {
  const looks = scene.evidence.looks.filter(({ name }) => name.startsWith(SIBLING))
  if (scene.isApex || isEmpty(held)) return false
  // Types for which the sibling was not queried show nothing either way.
  const types = new Set<string>(looks.map(({ type }) => type))
  const inCommon = ({ cnames, a, aaaa }: HeldAddress) =>
    [types.has('CNAME') ? cnames : [], types.has('A') ? a : [], types.has('AAAA') ? aaaa : []].flat()
  const siblings = [...new Set(looks.map(({ name }) => name))].map((name) => inCommon(heldByAny(viewsOf(scene, name))))
  return siblings.some((sibling) => sibling.length > 0 && isSame(sibling, inCommon(held)))
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.toSorted().join() === right.toSorted().join()

/** The right record, at servers that the parent zone does not delegate to. */
function wrongZone(scene: Scene): Trouble[] {
  const { zone, wanted, words } = scene
  const edited = undelegatedViewsOf(scene, wanted.hostname).filter((view) => isRight(scene, view))
  const [first] = edited
  if (zone === null || first === undefined) return []
  const names = [...new Set(edited.map(({ server }) => server))]
  const other = providerOf(names)?.name ?? names.join(' and ')
  const whose = scene.provider === null ? '' : ` (${scene.provider.name})`
  return [trouble('dns.wrong_zone_edited', { ...words, other, ns: zone.delegated.join(' and '), whose })]
}

const SETTLED_MS = 2 * 60_000

/** The owner has requested another check, and still no server has seen a change of the zone since the first check. */
function isUnpublished({ known, now }: Scene, views: readonly View[]): boolean {
  const { firstCheck, askedAgainAt = null } = known
  if (firstCheck === null || askedAgainAt === null || askedAgainAt <= firstCheck.at) return false
  const isUnchanged = views.every(({ server, serial }) => serial !== null && firstCheck.serials[server] === serial)
  return isUnchanged && views.length > 0 && now - firstCheck.at >= SETTLED_MS
}
