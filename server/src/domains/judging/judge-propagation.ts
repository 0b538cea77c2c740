// Propagation judging reports that the record is right, but resolvers still have the previous
// state cached. The owner can only wait, so every trouble here has an end, which is never
// later than the resolver's own answer implies: the TTL in it is the remaining time. Reported
// only if the nameservers agree that the record is right.

import { HOUR } from '../../foundation/time.ts'
import type { DnsRecord } from '../../foundation/dns/answer.ts'
import { plainAddress } from './address-text.ts'
import type { Routing } from './judgement.ts'
import { keyCachedFor } from './judge-dnssec.ts'
import { resolverTrouble, valuesIn } from './judge-resolvers.ts'
import { answersOf, isAnswered, lookupsOf, type Answered, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { timeOfDay } from './format.ts'

type LateCode = 'prop.negative_cache' | 'prop.old_ttl' | 'prop.ns_change'
type Late = { code: LateCode; until: number }

export function propagationTroubles(scene: Scene, { routing }: { routing: Routing }): Trouble[] {
  if (routing !== 'pointing' && routing !== 'propagating') return []
  if (resolverTrouble(scene) !== null) return []
  const late = [...checkedAnswers(scene).flatMap((look) => lateness(scene, look) ?? []), ...formerKey(scene)]
  const byCode = Map.groupBy(late, ({ code }) => code)
  return [...byCode].map(([code, each]) => {
    const until = Math.max(scene.now, ...each.map((one) => one.until))
    return trouble(code, { ...scene.words, time: timeOfDay(until, scene.now) }, { until })
  })
}

const checkedAnswers = (scene: Scene): Answered[] => {
  const { hostname } = scene.wanted
  const pointers = (['CNAME', 'A', 'AAAA'] as const).flatMap((type) => lookupsOf(scene, 'checked', hostname, type))
  return [...pointers, ...lookupsOf(scene, 'checked', `_petstore.${hostname}`, 'TXT')]
    .filter(isAnswered)
    .filter(({ outcome: { rcode } }) => rcode === 'NOERROR' || rcode === 'NXDOMAIN')
}

function lateness(scene: Scene, look: Answered): Late | null {
  const answers = answersOf(scene, look.name, look.type).map((one) => valuesIn(one, look.type))
  const [first] = answers
  if (first === undefined || !answers.every((values) => isSame(values, first))) return null
  const found = valuesIn(look, look.type)
  const isOld = isOutOfDate(scene, look, first, found)
  if (!isOld) return null
  const moved = untilNewNameservers(scene, look)
  if (moved !== null) return { code: 'prop.ns_change', until: moved }
  const isNegative = found.length === 0
  return isNegative
    ? { code: 'prop.negative_cache', until: negativeUntil(scene, look) }
    : { code: 'prop.old_ttl', until: after(scene, Math.max(...ttlsHere(look))) }
}

function formerKey(scene: Scene): Late[] {
  const seconds = keyCachedFor(scene)
  return seconds === null ? [] : [{ code: 'prop.old_ttl', until: after(scene, seconds) }]
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((value) => others.includes(value))

function isOutOfDate(scene: Scene, look: Answered, right: readonly string[], found: readonly string[]): boolean {
  if (look.type === 'TXT') {
    const has = (values: readonly string[]) => values.some((value) => value.includes(scene.words.token))
    return scene.words.token !== '' && has(right) && !has(found)
  }
  if (found.length === 0) return right.length > 0
  return found.some((value) => !right.includes(value) && !isOurAddress(scene, value)) && isComparable(scene, right)
}

const isOurAddress = ({ wanted }: Scene, value: string) =>
  wanted.addresses.some((address) => plainAddress(address) === plainAddress(value.replace(/^A{1,4} /, '')))

/** Addresses of a proxy vary by location; a difference in them shows nothing. */
const isComparable = (scene: Scene, right: readonly string[]) =>
  right.every((value) => value.startsWith('CNAME ') || isOurAddress(scene, value))

const ttlsHere = ({ name, type, outcome }: Answered) =>
  outcome.records
    .filter((one) => one.name === name && (one.type === type || one.type === 'CNAME'))
    .map(({ ttl }) => ttl)

const WEEK_SECONDS = 604_800

/** No resolver caches for longer than a week (RFC 8767), whatever TTL it received. */
const after = ({ evidence }: Scene, seconds: number) => evidence.at + 1000 * Math.min(seconds, WEEK_SECONDS)

/** RFC 2308: a negative answer is cached for the smaller of two values, of which the first counts down. */
function negativeUntil(scene: Scene, { outcome }: Answered): number {
  const { evidence, known } = scene
  const remaining = soaIn(outcome.authority)
  if (remaining !== null) return after(scene, remaining)
  return known.firstCheck?.rememberedUntil ?? evidence.at + HOUR
}

function soaIn(records: readonly DnsRecord[]): number | null {
  const times = records.flatMap((record) => (record.type === 'SOA' ? [Math.min(record.ttl, record.minimum)] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** When this resolver drops the former nameservers; null if there were none, or it has the new ones. */
function untilNewNameservers(scene: Scene, { server, outcome }: Answered): number | null {
  const { zone, known, apex } = scene
  const former = known.firstCheck?.delegated ?? []
  const isMoved = zone !== null && former.length > 0 && !isSame(former, zone.delegated)
  if (!isMoved) return null
  const answered = lookupsOf(scene, 'checked', apex, 'NS').filter(isAnswered)
  const here = answered.filter((look) => look.server === server).flatMap((look) => look.outcome.records)
  const cached = here.filter((record) => record.type === 'NS' && former.includes(record.target))
  const gone = cached.filter((record) => record.type === 'NS' && !zone.delegated.includes(record.target))
  if (gone.length > 0) return after(scene, Math.max(...gone.map(({ ttl }) => ttl)))
  if (here.length > 0) return null
  const ttls = outcome.records.map(({ ttl }) => ttl)
  return ttls.length > 0 ? after(scene, Math.max(...ttls)) : (known.firstCheck?.rememberedUntil ?? null)
}
