// Nameserver behaviour classifies each nameserver of a zone over all of its lookups. One good
// answer is enough to be good: a lost packet is not a trouble. A server that was never
// queried, because of our own limits, is neither good nor bad.

import type { Lookup } from '../../foundation/dns/answer.ts'
import { isAnswered, isGood, type Scene } from './scene.ts'
import { isWithin } from '../../foundation/dns/names.ts'
import { isDelegated } from './pointing-views.ts'

type Behaviour =
  | 'good'
  /** Answers, but not for this zone. */
  | 'lame'
  | 'silent'
  /** Does not support current DNS queries (EDNS, TCP). */
  | 'outdated'
  | 'unasked'

export type Nameserver = {
  name: string
  behaviour: Behaviour
  /** The reason, for display; empty for a good one. */
  why: string
  /** Addresses that are dead although another one is good. */
  deadAddresses: readonly string[]
}

export function nameserversOf(scene: Scene): Nameserver[] {
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
export function outdatedWord({ outcome }: Lookup): string | null {
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
