// Which questions a look at a hostname asks, of whom, and when. A full look asks every
// nameserver of the zone everything that a cause may show in; a look in passing asks
// one of them whether anything changed. Resolvers remember what they are told, "no"
// included: so they are asked for the owner's names only once all nameservers that
// answered agree that there is something, or when none of them could tell us anything.

import type { DnsAnswer, DnsQuery, Lookup, QuestionType } from '../../foundation/dns/answer.ts'

type Place = { hostname: string; apex: string }

/** Where the token stands. */
export const tokenName = (hostname: string): string => `_petstore.${hostname}`

const WILDCARD_PREFIX = 'petstore-wildcard-'

/** Of every address of every nameserver. `label` is random: a name that nobody has, unless there is a wildcard. */
export function fullQueries({ hostname, apex }: Place, label: string): DnsQuery[] {
  const doubled = `${hostname}.${apex}`
  const [, ...rest] = hostname.split('.')
  const sibling = hostname === apex ? [] : [`${WILDCARD_PREFIX}${label}.${rest.join('.')}`]
  return distinct([
    ...at(hostname, ['CNAME', 'A', 'AAAA', 'MX', 'TXT', 'NS']),
    ...at(tokenName(hostname), ['TXT']),
    ...levels(hostname, apex).flatMap((name) => at(name, ['CAA'])),
    { name: apex, type: 'SOA', wantsSignatures: true, triesTcp: true },
    { name: apex, type: 'DNSKEY', wantsSignatures: true },
    ...at(apex, ['NS']),
    ...at(doubled, ['CNAME', 'A']),
    ...at(tokenName(doubled), ['TXT']),
    ...sibling.flatMap((name) => at(name, ['CNAME', 'A'])),
    ...at(`_acme-challenge.${hostname}`, ['CNAME', 'TXT']),
  ])
}

/** Of one nameserver in rotation. */
export const lightQueries = ({ hostname, apex }: Place): DnsQuery[] => [
  ...at(hostname, ['CNAME', 'A', 'AAAA']),
  ...at(tokenName(hostname), ['TXT']),
  ...at(apex, ['SOA']),
]

/** Of resolvers, at any time: names that are not the owner's. */
export const outsideQueries = ({ hostname, apex }: Place, target: string): DnsQuery[] =>
  distinct([...at(target, ['CAA', 'A', 'AAAA']), ...above(hostname, apex).flatMap((name) => at(name, ['CAA']))])

/** Of resolvers, for a name outside of the zone that the owner's name leads to. */
export const targetQueries = (target: string): DnsQuery[] => at(target, ['CNAME', 'A', 'AAAA', 'CAA'])

/** Of one nameserver, for a name inside of the zone that the owner's name leads to. */
export const chainQueries = (name: string): DnsQuery[] => at(name, ['CNAME', 'A', 'AAAA', 'CAA'])

/** Of resolvers, once the nameservers have spoken. Nothing while they disagree. */
export function resolverQueries({ hostname, apex }: Place, looks: readonly Lookup[]): DnsQuery[] {
  const zone = at(apex, ['SOA', 'NS'])
  const pointers = at(hostname, ['CNAME', 'A', 'AAAA'])
  const token = { name: tokenName(hostname), type: 'TXT' as const }
  if (!pointers.some((asking) => goodAnswers(looks, asking).length > 0)) {
    return isAsked(looks, hostname) ? distinct([...zone, ...pointers, token]) : []
  }
  if (!pointers.every((asking) => areAgreed(looks, asking))) return []
  const isAlias = isThere(looks, { name: hostname, type: 'CNAME' })
  const authorizations = levels(hostname, apex).flatMap((name) => at(name, ['CAA']))
  return distinct([
    ...zone,
    ...pointers.filter((asking) => isAlias || isThere(looks, asking)),
    ...[token, ...authorizations].filter((asking) => areAgreed(looks, asking) && isThere(looks, asking)),
  ])
}

/**
 * A resolver that fails is asked once more without validation: that tells whether validation is what failed. And with
 * which key it validates, which it may remember for longer than the key was there.
 */
export function uncheckedQueries(looks: readonly Lookup[], apex: string): (DnsQuery & Pick<Lookup, 'address'>)[] {
  const failed = looks.filter(
    ({ to, outcome }) => to === 'checked' && outcome.kind === 'answer' && outcome.rcode === 'SERVFAIL',
  )
  const addresses = new Set(failed.map(({ address }) => address))
  return [
    ...failed.map(({ name, type, address }) => ({ name, type, address })),
    ...[...addresses].map((address) => ({ name: apex, type: 'DS' as const, address })),
  ]
}

/** Names that the hostname leads to by what was seen up to now, the nearest first; ten of them at most. */
export function chainFrom(hostname: string, looks: readonly Lookup[]): string[] {
  const next = targetsByName(looks)
  // A set that grows while it is gone through: every name is followed once, however many servers told it.
  const names = new Set([hostname])
  for (const name of names) {
    for (const target of next.get(name) ?? []) if (names.size <= HOPS_MAX) names.add(target)
  }
  return [...names].slice(1)
}

const HOPS_MAX = 10

function targetsByName(looks: readonly Lookup[]): ReadonlyMap<string, ReadonlySet<string>> {
  const targets = new Map<string, Set<string>>()
  for (const record of looks.flatMap(({ outcome }) => (outcome.kind === 'answer' ? outcome.records : []))) {
    if (record.type === 'CNAME') targets.set(record.name, (targets.get(record.name) ?? new Set()).add(record.target))
  }
  return targets
}

/** Every address that the hostname was seen to have, itself or through other names. */
export function addressesSeen(hostname: string, looks: readonly Lookup[]): string[] {
  const names = new Set([hostname, ...chainFrom(hostname, looks)])
  const records = looks.flatMap(({ outcome }) => (outcome.kind === 'answer' ? outcome.records : []))
  return [
    ...new Set(
      records.flatMap((record) =>
        (record.type === 'A' || record.type === 'AAAA') && names.has(record.name) ? [record.address] : [],
      ),
    ),
  ]
}

const isGood = ({ isAuthoritative, rcode }: DnsAnswer): boolean =>
  isAuthoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN')

const isAsked = (looks: readonly Lookup[], hostname: string): boolean =>
  looks.some(({ to, name }) => to === 'authoritative' && name === hostname)

const goodAnswers = (looks: readonly Lookup[], { name, type }: DnsQuery): DnsAnswer[] =>
  looks
    .filter((look) => look.to === 'authoritative' && look.name === name && look.type === type)
    .flatMap(({ outcome }) => (outcome.kind === 'answer' && isGood(outcome) ? [outcome] : []))

const valuesIn = (answer: DnsAnswer, { name, type }: DnsQuery): string[] =>
  answer.records
    .filter((record) => record.name === name && record.type === type)
    .map((record) => JSON.stringify({ ...record, ttl: 0 }))
    .toSorted()

const areAgreed = (looks: readonly Lookup[], asking: DnsQuery): boolean =>
  new Set(goodAnswers(looks, asking).map((answer) => valuesIn(answer, asking).join())).size <= 1

const isThere = (looks: readonly Lookup[], asking: DnsQuery): boolean =>
  goodAnswers(looks, asking).some((answer) => valuesIn(answer, asking).length > 0)

const at = (name: string, types: readonly QuestionType[]): DnsQuery[] => types.map((type) => ({ name, type }))

/** From the hostname up to the apex. */
const levels = (hostname: string, apex: string): string[] =>
  upward(hostname).filter((name) => name === apex || name.endsWith(`.${apex}`))

const above = (hostname: string, apex: string): string[] => upward(hostname).filter((name) => apex.endsWith(`.${name}`))

const upward = (name: string): string[] => name.split('.').map((_, index, labels) => labels.slice(index).join('.'))

const distinct = (askings: readonly DnsQuery[]): DnsQuery[] =>
  askings.filter(
    ({ name, type }, index) => askings.findIndex((other) => other.name === name && other.type === type) === index,
  )
