// The observed CAA levels, from a hostname up to its top-level domain, in the form that the
// rules of RFC 8659 need. Names in the owner's zone are taken from its own nameservers, other
// names (our target, the zones above) from validating resolvers.
//
// A subdomain will be a CNAME to our target, and then the target's set decides, not the one
// of the owner's apex. So while its record is missing or wrong, the target is used in its
// place: owners are not advised to change CAA records that will not matter.

import { isWithin, namesUpward } from '../../foundation/dns/hostname.ts'
import type { CaaLevel, CaaRecord, CaaSet } from './caa.ts'
import { isTarget } from './pointing-right.ts'
import { isAnswered, lookupsOf, recordsAt, type Answered, type Scene } from './scene.ts'

const HOPS_MAX = 10

export function caaLevels(scene: Scene): CaaLevel[] {
  const { hostname, target } = scene.wanted
  // RFC 8659, 3: for `*.x` the climb begins at `x`, wherever the wildcard itself points.
  if (hostname.startsWith('*.')) return namesUpward(hostname.slice(2)).map((name) => levelAt(scene, name))
  const [, ...above] = namesUpward(hostname)
  const first = levelAt(scene, isFinalState(scene) ? hostname : target)
  return [first, ...above.map((name) => levelAt(scene, name))]
}

/** An apex has no CNAME, and a name that already reaches us needs no other. */
const isFinalState = (scene: Scene): boolean =>
  scene.isApex ||
  scene.evidence.probes.some(({ outcome }) => outcome.kind === 'ours') ||
  recordsAt(scene, scene.wanted.hostname, 'CNAME').some(({ target }) => isTarget(scene, target))

export const isInZone = ({ zone, apex }: Scene, name: string): boolean => zone !== null && isWithin(name, apex)

function levelAt(scene: Scene, name: string, hops = 0): CaaLevel {
  if (!isInZone(scene, name)) return levelOutside(scene, name)
  const looks = lookupsOf(scene, 'authoritative', name, 'CAA')
  const good = looks.filter(isAnswered).filter(isHonest)
  if (good.length === 0)
    return { name, kind: looks.length > 0 && isOnlyCaaMissing(scene, looks) ? 'failed' : 'unknown' }
  const levels = good.map((look) => levelIn(scene, look, hops))
  const bad = levels.find(({ kind }) => kind !== 'seen')
  if (bad) return bad
  if (isRefusedByResolvers(scene, name)) return { name, kind: 'failed' }
  return { name, kind: 'seen', sets: distinctSets(levels.flatMap((level) => ('sets' in level ? level.sets : []))) }
}

/** The level according to one server. If it answers with a CNAME, the target's set counts for this level. */
function levelIn(scene: Scene, look: Answered, hops: number): CaaLevel {
  const { name } = look
  const end = endOfChain(look)
  const records = caaIn(look, end)
  if (records.length > 0 || end === name) return { name, kind: 'seen', sets: [{ at: end, records }] }
  if (hops >= HOPS_MAX) return { name, kind: 'failed' }
  const next = levelAt(scene, end, hops + 1)
  // A resolver that was queried for the name itself has followed the chain for us.
  return next.kind === 'unknown' ? levelOutside(scene, name) : next
}

/**
 * A name outside the zone. A parent name that was not queried is taken to have no records, as
 * nearly all have none.
 */
function levelOutside(scene: Scene, name: string): CaaLevel {
  const looks = lookupsOf(scene, 'checked', name, 'CAA')
  if (looks.length === 0 && scene.wanted.hostname.endsWith(`.${name}`)) return { name, kind: 'seen', sets: [] }
  const answers = looks.filter(isAnswered)
  const good = answers.filter(hasNoError)
  if (good.length === 0) return { name, kind: answers.length > 0 ? 'failed' : 'unknown' }
  const sets = good.map((look) => ({ at: endOfChain(look), records: caaIn(look, endOfChain(look)) }))
  return { name, kind: 'seen', sets: distinctSets(sets) }
}

const hasNoError = ({ outcome: { rcode } }: Answered) => rcode === 'NOERROR' || rcode === 'NXDOMAIN'
const isHonest = (look: Answered) => look.outcome.isAuthoritative && hasNoError(look)

/** Whether the servers that failed here answer other queries: otherwise the zone is broken, not CAA. */
function isOnlyCaaMissing(
  { evidence }: Scene,
  failed: readonly { server: string; outcome: { kind: string } }[],
): boolean {
  const wellOtherwise = new Set(
    evidence.looks
      .filter(({ to, type }) => to === 'authoritative' && !['CAA', 'SOA', 'NS', 'DNSKEY'].includes(type))
      .filter(isAnswered)
      .filter(isHonest)
      .map(({ server }) => server),
  )
  const able = failed.filter(({ server }) => wellOtherwise.has(server))
  return able.some(({ outcome }) => outcome.kind === 'answer') || (able.length > 0 && failed.every(wasQueried))
}

const wasQueried = ({ outcome }: { outcome: { kind: string; why?: string } }) => outcome.why !== 'skipped'

/** Every resolver fails for CAA and for nothing else, whatever the nameservers answered. */
function isRefusedByResolvers(scene: Scene, name: string): boolean {
  const answers = lookupsOf(scene, 'checked', name, 'CAA').filter(isAnswered)
  const others = (['CNAME', 'A', 'AAAA', 'TXT'] as const).flatMap((type) => lookupsOf(scene, 'checked', name, type))
  const otherAnswers = others.filter(isAnswered)
  return answers.length > 0 && !answers.some(hasNoError) && otherAnswers.length > 0 && otherAnswers.every(hasNoError)
}

function endOfChain({ name, outcome }: Answered): string {
  let end = name
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const next = outcome.records.find((record) => record.type === 'CNAME' && record.name === end)
    if (next?.type !== 'CNAME') return end
    end = next.target
  }
  return end
}

const caaIn = ({ outcome }: Answered, name: string): CaaRecord[] =>
  outcome.records.filter((record): record is CaaRecord => record.type === 'CAA' && record.name === name)

function distinctSets(sets: readonly CaaSet[]): CaaSet[] {
  const keyOf = ({ at, records }: CaaSet) =>
    records.length === 0 ? '' : `${at} ${records.map(lineOf).sort().join('\n')}`
  return [...new Map(sets.map((set) => [keyOf(set), set])).values()]
}

/** In the form of a zone file: `0 issue "ca.example"`. */
export const lineOf = ({ flags, tag, value }: CaaRecord): string => `${flags} ${tag} "${value}"`
