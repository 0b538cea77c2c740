// `findCut` finds the zone of a hostname by walking down from its top-level domain, as a resolver
// would: the servers of each zone refer to the next one. Resolvers are queried only for what does
// not belong to the owner: the servers of the top-level domain, and addresses of nameservers in
// other zones. They are never queried for the owner's names, because they would cache that a name
// does not exist, just before it does.
//
// "There is no such domain" is an answer of the parent zone, which is among the lookups; that no
// server could be queried is something else, and is among the lookups as well.

import type { DnsAnswer, Lookup } from './answer.ts'
import type { Cut, Dns, Server } from './port.ts'
import { goodIn, hasNoError, lookUpUntil, type Pace } from './lookup.io.ts'
import { isBelow, isWithin, namesUpward } from './hostname.ts'
import { answersIn, isHelpful, referralIn, type Referral } from './referral.ts'

const DESCENTS_MAX = 6
const LEVELS_MAX = 6
const ADDRESSES_MAX = 16
const TOP_SERVERS_MAX = 6
/** Servers of top-level domains are built for heavy load. */
const TOP_COST = 0.1
/** A passive check may use the cached zone: nameservers do not change every minute. */
const CUT_SECONDS = 300

export type FoundCut = { cut: Cut | null; looks: readonly Lookup[] }

/** `isFresh`: the parent zone must be queried now. */
export async function findCut(dns: Dns, hostname: string, pace: Pace, isFresh = true): Promise<FoundCut> {
  const known = isFresh ? undefined : dns.zones.peek(`of ${hostname}`)
  if (known) return { cut: known.value, looks: [] }
  const looks: Lookup[] = []
  const top = await topLevel(dns, hostname, pace, looks)
  let cut = top
  for (let descent = 0; cut !== null && descent < DESCENTS_MAX; descent += 1) {
    const below = await nextCut(dns, cut, hostname, { pace, looks, cost: cut === top ? TOP_COST : 1 })
    if (below === null) break
    cut = below
  }
  if (cut === null || cut === top) return { cut: null, looks }
  dns.zones.put(`of ${hostname}`, { value: cut, seconds: CUT_SECONDS })
  return { cut, looks }
}

async function topLevel(dns: Dns, hostname: string, pace: Pace, looks: Lookup[]): Promise<Cut | null> {
  const apex = namesUpward(hostname).at(-1) ?? ''
  const learnt = await dns.zones.get(`top ${apex}`, async () => {
    const lookups = await lookUpUntil(dns, dns.shuffled(dns.resolvers), { name: apex, type: 'NS' }, byResolver(pace))
    looks.push(...lookups.map((one): Lookup => ({ ...one, to: 'parent' })))
    const answer = goodIn(lookups)
    const named = (answer?.records ?? []).flatMap((record) => (record.type === 'NS' ? [record] : []))
    if (named.length === 0) return undefined
    const some = dns.shuffled(named.map(({ target }) => target)).slice(0, TOP_SERVERS_MAX)
    const found = await Promise.all(some.map((name) => addressesOf(dns, name, pace)))
    const servers = found.flat()
    const value = { apex, parent: '', parentServers: [], delegated: some, servers, withoutAddress: [] }
    return servers.length > 0 ? { value, seconds: Math.min(...named.map(({ ttl }) => Math.max(ttl, 5))) } : undefined
  })
  return learnt?.value ?? null
}

/** A resolver that has to resolve the name first needs longer than an authoritative server. */
const RESOLVER_MS = 1200

const byResolver = ({ until }: Pace) => ({
  to: 'checked' as const,
  pace: { until, questionMs: RESOLVER_MS },
  cost: TOP_COST,
  isGood: hasNoError,
})

type Walk = { pace: Pace; looks: Lookup[]; cost: number }

/** The next zone on the path to the hostname, if this zone delegates one. */
async function nextCut(dns: Dns, zone: Cut, hostname: string, { pace, looks, cost }: Walk): Promise<Cut | null> {
  const names = namesUpward(hostname).filter((name) => isBelow(name, zone.apex))
  const some = [...names.slice(-LEVELS_MAX), ...names.slice(0, 1)]
  const servers = dns.shuffled(zone.servers)
  const isGood = (answer: DnsAnswer) => isHelpful(answer, zone.apex, hostname)
  const lookups = await Promise.all(
    [...new Set(some)].map((name) =>
      lookUpUntil(dns, servers, { name, type: 'NS' }, { to: 'parent', pace, cost, isGood }),
    ),
  )
  const made = lookups.flat()
  const referral = referralIn(answersIn(made, 'NS'), zone.apex, hostname)
  // Names that are not zones are queried later at all of the owner's own servers.
  looks.push(...made.filter(({ name }) => zone.parent === '' || referral === null || name === referral.apex))
  return referral && cutOf(dns, zone, referral, pace)
}

async function cutOf(dns: Dns, zone: Cut, { apex, nameservers, glue }: Referral, pace: Pace): Promise<Cut> {
  const found = await Promise.all(
    nameservers.map(async (name) => {
      const known = glue.filter((one) => one.name === name)
      // A resolver is never queried for the zone's own names; without glue no client can find them.
      if (known.length > 0 || isWithin(name, apex)) return known
      return addressesOf(dns, name, pace)
    }),
  )
  const servers = alternating(found).slice(0, ADDRESSES_MAX)
  const withoutAddress = nameservers.filter((_, index) => found[index]?.length === 0)
  return { apex, parent: zone.apex, parentServers: zone.servers, delegated: nameservers, servers, withoutAddress }
}

/**
 * First one address of each, then a second one: if some must be left out, no nameserver is left out
 * altogether.
 */
const alternating = (lists: readonly (readonly Server[])[]): Server[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, index) =>
    lists.flatMap((list) => list.toSorted(byAddress)[index] ?? []),
  ).flat()

const byAddress = (one: Server, other: Server): number => (one.address < other.address ? -1 : 1)

/** Both address families, from a resolver; only for nameservers outside the owner's zone. */
export async function addressesOf(dns: Dns, name: string, pace: Pace): Promise<readonly Server[]> {
  const found = await dns.addresses.get(name, async () => {
    const resolvers = dns.shuffled(dns.resolvers)
    const lookups = await Promise.all(
      (['A', 'AAAA'] as const).map((type) => lookUpUntil(dns, resolvers, { name, type }, byResolver(pace))),
    )
    const records = lookups
      .flatMap((looks) => goodIn(looks)?.records ?? [])
      .flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record] : []))
    const value = records.map(({ address }): Server => ({ name, address }))
    return value.length > 0 ? { value, seconds: Math.min(...records.map(({ ttl }) => Math.max(ttl, 5))) } : undefined
  })
  return found?.value ?? []
}
