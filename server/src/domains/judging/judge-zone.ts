// Zone judging decides whether the zone of the hostname works: its nameservers, their
// agreement, its delegation, its signatures. Dead or lame servers are only a warning while
// others answer, because visitors and authorities then query another one. Of several
// explanations for one failure only the most precise is given, and a failure that may be ours
// is never attributed to the owner.

import type { Lookup } from '../../foundation/dns/answer.ts'
import { isWithin } from '../../foundation/dns/hostname.ts'
import type { Severity } from '../causes/cause.ts'
import { registrableOf } from '../naming/names.ts'
import type { Zone } from '../observing/evidence.ts'
import { UNKNOWN_PROVIDER } from '../providers/provider.ts'
import { providerOf } from '../providers/providers.ts'
import { listed } from './format.ts'
import { disagreement } from './judge-disagreement.ts'
import { dnssecTrouble } from './judge-dnssec.ts'
import { resolverTrouble } from './judge-resolvers.ts'
import { isRight } from './pointing-right.ts'
import { viewsOf, isDelegated } from './pointing-views.ts'
import { isAnswered, isGood, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export function zoneTroubles(scene: Scene): Trouble[] {
  const servers = nameserversOf(scene)
  const dnssec = dnssecTrouble(scene)
  const old = outdated(scene)
  // If the nameservers or the signatures are broken, that is why resolvers fail.
  const isExplained = dnssec !== null || old?.severity === 'blocks' || (servers.length > 0 && !hasGood(servers))
  return [
    dnssec,
    subdelegated(scene),
    lame(scene, servers),
    unreachable(scene, servers),
    old,
    caseLost(scene),
    disagreement(scene),
    mismatch(scene),
    isExplained ? null : resolverTrouble(scene),
  ].filter((one) => one !== null)
}

const hasGood = (servers: readonly Nameserver[]) => servers.some(({ behaviour }) => behaviour === 'good')
const severityBeside = (servers: readonly Nameserver[]): Severity => (hasGood(servers) ? 'warns' : 'blocks')

function lame(scene: Scene, servers: readonly Nameserver[]): Trouble | null {
  const bad = servers.filter(({ behaviour }) => behaviour === 'lame')
  if (bad.length === 0) return null
  const list = listed(bad.map(({ name, why }) => `${name} ${why}`))
  const values = { ...scene.words, k: bad.length, n: servers.length, list }
  return trouble('zone.lame_ns', values, { severity: severityBeside(servers) })
}

function unreachable(scene: Scene, servers: readonly Nameserver[]): Trouble | null {
  const dead = servers.filter(({ behaviour }) => behaviour === 'silent').map(({ name }) => name)
  const half = servers.flatMap(({ name, deadAddresses }) => deadAddresses.map((address) => `${name} at ${address}`))
  if (dead.length + half.length === 0) return null
  // If no server answered at all, our own network may be down.
  const isOurs = !scene.evidence.looks.some(isAnswered)
  const changes = isOurs ? ({ severity: 'waits', actor: 'platform' } as const) : { severity: severityBeside(servers) }
  return trouble('zone.ns_unreachable', { ...scene.words, list: listed([...dead, ...half]) }, changes)
}

/** Blocks if a query had no good answer from any server. */
function outdated(scene: Scene): Trouble | null {
  const looks = scene.evidence.looks.filter(({ to }) => to === 'authoritative')
  const bad = looks.filter((look) => outdatedWord(look) !== null && !isByChance(look, looks))
  if (bad.length === 0) return null
  const good = new Set(
    looks
      .filter(isAnswered)
      .filter(isGood)
      .map(({ name, type }) => `${name} ${type}`),
  )
  const isBlocked = bad.some(({ name, type }) => !good.has(`${name} ${type}`))
  const details = new Set(bad.map((look) => `${look.server}: ${outdatedWord(look)}`))
  const values = { ...scene.words, detail: listed([...details]) }
  return trouble('zone.edns_tcp_broken', values, { severity: isBlocked ? 'blocks' : 'warns' })
}

/** A lost packet looks like a dropped one, until the same server answers another query like it. */
const isByChance = ({ outcome, address }: Lookup, looks: readonly Lookup[]): boolean =>
  outcome.kind === 'silence' &&
  outcome.why === 'edns_dropped' &&
  looks.some((other) => other.address === address && isAnswered(other))

function caseLost(scene: Scene): Trouble | null {
  const bad = scene.evidence.looks.filter(
    (look) => look.to === 'authoritative' && isAnswered(look) && look.outcome.isCaseKept === false,
  )
  const servers = new Set(bad.map(({ server }) => server))
  return servers.size === 0 ? null : trouble('zone.case_0x20', { ...scene.words, list: listed([...servers]) })
}

function mismatch({ zone, words }: Scene): Trouble | null {
  if (!zone || zone.delegated.length === 0 || zone.own.length === 0) return null
  const onlyThere = zone.delegated.filter((name) => !zone.own.includes(name))
  const onlyHere = zone.own.filter((name) => !zone.delegated.includes(name))
  if (onlyThere.length + onlyHere.length === 0) return null
  const parent = listed(zone.delegated)
  return trouble('zone.ns_mismatch_parent_child', { ...words, parent, own: listed(zone.own) })
}

/**
 * A part of the registered domain is delegated elsewhere, and the record is not there: owners add
 * it in the wrong zone.
 */
function subdelegated(scene: Scene): Trouble | null {
  const { zone, evidence, wanted } = scene
  const registered = registrableOf(wanted.hostname)
  if (!zone || !registered || zone.apex === registered || !isWithin(zone.apex, registered)) return null
  const above = nameserversOfParent(scene, registered)
  if (above.length === 0 || isSharingServers(zone, above)) return null
  const views = viewsOf(scene, evidence.hostname)
  if (views.length === 0 || views.some((view) => isRight(scene, view))) return null
  const provider = providerOf(above)?.name ?? UNKNOWN_PROVIDER
  return trouble('zone.subdelegated', { label: zone.apex, registered, ns: listed(zone.delegated), provider })
}

const isSharingServers = (zone: Zone, above: readonly string[]) => zone.delegated.some((name) => above.includes(name))

/** The nameservers of the registered domain, from the referral of the zone above it. */
function nameserversOfParent({ evidence }: Scene, registered: string): string[] {
  const records = evidence.looks
    .filter(({ to }) => to === 'parent')
    .filter(isAnswered)
    .flatMap(({ outcome }) => [...outcome.authority, ...outcome.records])
  const names = records.flatMap((record) => (record.type === 'NS' && record.name === registered ? [record.target] : []))
  return [...new Set(names)]
}

// Nameserver behaviour classifies each nameserver of a zone over all of its lookups. One good
// answer is enough to be good: a lost packet is not a trouble. A server that was never
// queried, because of our own limits, is neither good nor bad.

type Behaviour =
  | 'good'
  /** Answers, but not for this zone. */
  | 'lame'
  | 'silent'
  /** Does not support current DNS queries (EDNS, TCP). */
  | 'outdated'
  | 'unasked'

type Nameserver = {
  name: string
  behaviour: Behaviour
  /** The reason, for display; empty for a good one. */
  why: string
  /** Addresses that are dead although another one is good. */
  deadAddresses: readonly string[]
}

function nameserversOf(scene: Scene): Nameserver[] {
  const looks = countingLookups(scene)
  const names = new Set([...(scene.zone?.delegated ?? []), ...looks.map(({ server }) => server)])
  const hasNoAddress = withoutAddressIn(scene)
  return [...names].map((name) => {
    if (hasNoAddress(name)) return { name, behaviour: 'lame', why: 'has no address', deadAddresses: [] }
    const own = looks.filter(({ server }) => server === name)
    return nameserver(name, own, scene.wanted.hostname)
  })
}

/** A name inside the zone gets its address from the parent; for any other, a resolver must have been available. */
function withoutAddressIn({ zone, apex, evidence }: Scene): (name: string) => boolean {
  const canResolve = evidence.looks.some((look) => look.to === 'checked' && isAnswered(look))
  return (name) => zone !== null && zone.withoutAddress.includes(name) && (canResolve || isWithin(name, apex))
}

function nameserver(name: string, looks: readonly Lookup[], hostname: string): Nameserver {
  const byAddress = [...Map.groupBy(looks, ({ address }) => address)].map(([address, own]) => ({
    address,
    ...behaviourIn(own, hostname),
  }))
  const best = order.find((behaviour) => byAddress.some((one) => one.behaviour === behaviour)) ?? 'unasked'
  const deadAddresses = byAddress.filter(({ behaviour }) => best === 'good' && behaviour === 'silent')
  return {
    name,
    behaviour: best,
    why: byAddress.find(({ behaviour }) => behaviour === best)?.why ?? '',
    deadAddresses: deadAddresses.map(({ address }) => address),
  }
}

const order: readonly Behaviour[] = ['good', 'outdated', 'lame', 'silent']

function behaviourIn(all: readonly Lookup[], hostname: string): Pick<Nameserver, 'behaviour' | 'why'> {
  const pointers = all.filter(({ name, type }) => name === hostname && ['CNAME', 'A', 'AAAA'].includes(type))
  const hasZone = all.filter(isAnswered).some(isGood)
  // A server may know the zone, and yet give no answer of its own for the one name that matters.
  const isSilentOnName = pointers.length > 0 && pointers.every(isNoAnswer)
  if (hasZone && !isSilentOnName) return { behaviour: 'good', why: '' }
  const looks = hasZone ? pointers : all
  const answers = looks.filter(isAnswered)
  const outdated = looks.map(outdatedWord).find((word) => word !== null)
  if (outdated) return { behaviour: 'outdated', why: outdated }
  const [answer] = answers
  if (answer) return { behaviour: 'lame', why: lameWords[answer.outcome.rcode] ?? `answers ${answer.outcome.rcode}` }
  const silences = new Set(looks.flatMap(({ outcome }) => (outcome.kind === 'silence' ? [outcome.why] : [])))
  if (silences.has('malformed')) return { behaviour: 'lame', why: 'sends an invalid answer' }
  if (silences.has('not_allowed')) return { behaviour: 'lame', why: 'has an address in a private network' }
  silences.delete('skipped')
  return silences.size > 0 ? { behaviour: 'silent', why: 'does not answer' } : { behaviour: 'unasked', why: '' }
}

/** Silence, or an answer that is not authoritative; an error is an answer, and is judged elsewhere. */
const isNoAnswer = ({ outcome }: Lookup): boolean =>
  outcome.kind === 'silence'
    ? outcome.why === 'timeout' || outcome.why === 'refused'
    : !outcome.isAuthoritative && (outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN')

const lameWords: Readonly<Record<string, string>> = {
  NOERROR: 'does not have the domain',
  NXDOMAIN: 'does not have the domain',
  REFUSED: 'refuses to answer for the domain',
  SERVFAIL: 'fails to answer for the domain',
}

/** The effect of an old server or a firewall on EDNS and TCP; null if this lookup shows none. */
function outdatedWord({ outcome }: Lookup): string | null {
  if (outcome.kind === 'silence') return outdatedSilences[outcome.why] ?? null
  return outcome.rcode === 'FORMERR' || outcome.rcode === 'BADVERS' ? `answers ${outcome.rcode}` : null
}

const outdatedSilences: Readonly<Record<string, string>> = {
  tcp_failed: 'no answer over TCP',
  edns_dropped: 'no answer to queries with EDNS',
}

/** Lookups at delegated servers. IPv6 counts only if any of it works: otherwise we may have none ourselves. */
function countingLookups(scene: Scene): Lookup[] {
  const looks = scene.evidence.looks.filter((look) => look.to === 'authoritative' && isDelegated(scene, look))
  const hasIpv6 = scene.evidence.looks.some((look) => isIpv6(look) && isAnswered(look))
  return hasIpv6 ? looks : looks.filter((look) => !isIpv6(look))
}

const isIpv6 = ({ address }: Lookup) => address.includes(':')
