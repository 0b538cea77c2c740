// The query plan decides which DNS queries a check of a hostname sends, to which servers, and
// when.
//
// - A full check queries every nameserver of the zone for every record in which a cause may
//   show; a light check queries one of them, to detect changes.
// - Resolvers cache answers, including negative ones. So they are queried for names of the
//   owner only once all nameservers that answered agree that there is a record, or when none
//   of them gave a usable answer.

import type { DnsAnswer, DnsQuery, Lookup, QuestionType } from '../../foundation/dns/answer.ts'

type HostInZone = { hostname: string; apex: string }

/** The name of the TXT record with the token. */
export const tokenName = (hostname: string): string => `_petstore.${hostname}`

const WILDCARD_PREFIX = 'petstore-wildcard-'

/** To every address of every nameserver. `label` is random: the name exists only if there is a wildcard. */
export function fullQueries({ hostname, apex }: HostInZone, label: string): DnsQuery[] {
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

/** To one nameserver in rotation. */
export const lightQueries = ({ hostname, apex }: HostInZone): DnsQuery[] => [
  ...at(hostname, ['CNAME', 'A', 'AAAA']),
  ...at(tokenName(hostname), ['TXT']),
  ...at(apex, ['SOA']),
]

/** To resolvers, at any time: names that are not the owner's. */
export const outsideQueries = ({ hostname, apex }: HostInZone, target: string): DnsQuery[] =>
  distinct([...at(target, ['CAA', 'A', 'AAAA']), ...above(hostname, apex).flatMap((name) => at(name, ['CAA']))])

/** To resolvers, for a name outside the zone that the owner's name points to. */
export const targetQueries = (target: string): DnsQuery[] => at(target, ['CNAME', 'A', 'AAAA', 'CAA'])

/** To one nameserver, for a name inside the zone that the owner's name points to. */
export const chainQueries = (name: string): DnsQuery[] => at(name, ['CNAME', 'A', 'AAAA', 'CAA'])

/** To resolvers, after the nameservers have answered. None while they disagree. */
export function resolverQueries({ hostname, apex }: HostInZone, looks: readonly Lookup[]): DnsQuery[] {
  const zone = at(apex, ['SOA', 'NS'])
  const pointers = at(hostname, ['CNAME', 'A', 'AAAA'])
  const token = { name: tokenName(hostname), type: 'TXT' as const }
  if (!pointers.some((query) => goodAnswers(looks, query).length > 0)) {
    return isQueried(looks, hostname) ? distinct([...zone, ...pointers, token]) : []
  }
  if (!pointers.every((query) => areAgreed(looks, query))) return []
  const isAlias = isThere(looks, { name: hostname, type: 'CNAME' })
  const authorizations = levels(hostname, apex).flatMap((name) => at(name, ['CAA']))
  return distinct([
    ...zone,
    ...pointers.filter((query) => isAlias || isThere(looks, query)),
    ...[token, ...authorizations].filter((query) => areAgreed(looks, query) && isThere(looks, query)),
  ])
}

/**
 * A resolver that fails is queried once more without validation, which shows whether validation
 * is what failed; and for the DS that it validates with, which it may have cached for longer than
 * the DS existed.
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

/** Names that the hostname points to according to the lookups so far, nearest first; ten at most. */
export function chainFrom(hostname: string, looks: readonly Lookup[]): string[] {
  const next = targetsByName(looks)
  // The set grows during the iteration: every name is followed once, however many servers
  // returned it.
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

/** Every address that the hostname was observed to have, itself or through other names. */
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

const isQueried = (looks: readonly Lookup[], hostname: string): boolean =>
  looks.some(({ to, name }) => to === 'authoritative' && name === hostname)

const goodAnswers = (looks: readonly Lookup[], { name, type }: DnsQuery): DnsAnswer[] =>
  looks
    .filter((lookup) => lookup.to === 'authoritative' && lookup.name === name && lookup.type === type)
    .flatMap(({ outcome }) => (outcome.kind === 'answer' && isGood(outcome) ? [outcome] : []))

const valuesIn = (answer: DnsAnswer, { name, type }: DnsQuery): string[] =>
  answer.records
    .filter((record) => record.name === name && record.type === type)
    .map((record) => JSON.stringify({ ...record, ttl: 0 }))
    .toSorted()

const areAgreed = (looks: readonly Lookup[], query: DnsQuery): boolean =>
  new Set(goodAnswers(looks, query).map((answer) => valuesIn(answer, query).join())).size <= 1

const isThere = (looks: readonly Lookup[], query: DnsQuery): boolean =>
  goodAnswers(looks, query).some((answer) => valuesIn(answer, query).length > 0)

const at = (name: string, types: readonly QuestionType[]): DnsQuery[] => types.map((type) => ({ name, type }))

/** From the hostname up to the apex. */
const levels = (hostname: string, apex: string): string[] =>
  upward(hostname).filter((name) => name === apex || name.endsWith(`.${apex}`))

const above = (hostname: string, apex: string): string[] => upward(hostname).filter((name) => apex.endsWith(`.${name}`))

const upward = (name: string): string[] => name.split('.').map((_, index, labels) => labels.slice(index).join('.'))

const distinct = (queries: readonly DnsQuery[]): DnsQuery[] =>
  queries.filter(
    ({ name, type }, index) => queries.findIndex((other) => other.name === name && other.type === type) === index,
  )
