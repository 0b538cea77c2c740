// Finds the zone that a hostname is in by walking down from its top level domain, as
// a resolver would: each zone's servers say where the next one begins. Resolvers are
// asked only for what is not the owner's: the servers of the top level domain, and
// addresses of nameservers in other zones. Never for the owner's names: they would
// remember that something did not exist, just before it does.
//
// "There is no such domain" is an answer of the zone above, which is in the looks;
// that nobody could be asked is something else, and is in the looks as well.

import type { DnsAnswer, Lookup } from './answer.ts'
import type { Cut, Dns, Server } from './port.ts'
import { goodIn, hasNoError, lookUpUntil, type Pace } from './lookup.io.ts'
import { isBelow, isWithin, namesUpward } from './names.ts'
import { answersIn, isHelpful, referralIn, type Referral } from './referral.ts'

const DESCENTS_MAX = 6
const LEVELS_MAX = 6
const ADDRESSES_MAX = 16
const TOP_SERVERS_MAX = 6
/** Servers of top level domains are made for crowds. */
const TOP_COST = 0.1
/** A look in passing may take the zone from here: nameservers do not move every minute. */
const CUT_SECONDS = 300

export type FoundCut = { cut: Cut | null; looks: readonly Lookup[] }

/** `isFresh`: whether the zone above must be asked now. */
export async function findCut(dns: Dns, hostname: string, pace: Pace, isFresh = true): Promise<FoundCut> {
  const known = isFresh ? null : dns.zones.recall(`of ${hostname}`)
  if (known) return { cut: known, looks: [] }
  const looks: Lookup[] = []
  const top = await topLevel(dns, hostname, pace, looks)
  let cut = top
  for (let descent = 0; cut !== null && descent < DESCENTS_MAX; descent += 1) {
    const below = await nextCut(dns, cut, hostname, { pace, looks, cost: cut === top ? TOP_COST : 1 })
    if (below === null) break
    cut = below
  }
  if (cut === null || cut === top) return { cut: null, looks }
  dns.zones.keep(`of ${hostname}`, { value: cut, seconds: CUT_SECONDS })
  return { cut, looks }
}

async function topLevel(dns: Dns, hostname: string, pace: Pace, looks: Lookup[]): Promise<Cut | null> {
  const apex = namesUpward(hostname).at(-1) ?? ''
  return dns.zones.learn(`top ${apex}`, async () => {
    const asked = await lookUpUntil(dns, dns.shuffled(dns.resolvers), { name: apex, type: 'NS' }, byResolver(pace))
    looks.push(...asked.map((one): Lookup => ({ ...one, to: 'parent' })))
    const answer = goodIn(asked)
    const named = (answer?.records ?? []).flatMap((record) => (record.type === 'NS' ? [record] : []))
    if (named.length === 0) return null
    const some = dns.shuffled(named.map(({ target }) => target)).slice(0, TOP_SERVERS_MAX)
    const found = await Promise.all(some.map((name) => addressesOf(dns, name, pace)))
    const servers = found.flat()
    const value = { apex, parent: '', parentServers: [], delegated: some, servers, withoutAddress: [] }
    return servers.length > 0 ? { value, seconds: Math.min(...named.map(({ ttl }) => Math.max(ttl, 5))) } : null
  })
}

/** A resolver that has to find out first needs longer than a server that knows. */
const RESOLVER_MS = 1200

const byResolver = ({ until }: Pace) => ({
  to: 'checked' as const,
  pace: { until, questionMs: RESOLVER_MS },
  cost: TOP_COST,
  isGood: hasNoError,
})

type Walk = { pace: Pace; looks: Lookup[]; cost: number }

/** The next zone on the way to the hostname, if this zone delegates one. */
async function nextCut(dns: Dns, zone: Cut, hostname: string, { pace, looks, cost }: Walk): Promise<Cut | null> {
  const names = namesUpward(hostname).filter((name) => isBelow(name, zone.apex))
  const some = [...names.slice(-LEVELS_MAX), ...names.slice(0, 1)]
  const servers = dns.shuffled(zone.servers)
  const isGood = (answer: DnsAnswer) => isHelpful(answer, zone.apex, hostname)
  const asked = await Promise.all(
    [...new Set(some)].map((name) =>
      lookUpUntil(dns, servers, { name, type: 'NS' }, { to: 'parent', pace, cost, isGood }),
    ),
  )
  const made = asked.flat()
  const referral = referralIn(answersIn(made, 'NS'), zone.apex, hostname)
  // What the owner's own servers say of names that are no zones is asked of all of them later.
  looks.push(...made.filter(({ name }) => zone.parent === '' || referral === null || name === referral.apex))
  return referral && cutOf(dns, zone, referral, pace)
}

async function cutOf(dns: Dns, zone: Cut, { apex, nameservers, glue }: Referral, pace: Pace): Promise<Cut> {
  const found = await Promise.all(
    nameservers.map(async (name) => {
      const known = glue.filter((one) => one.name === name)
      // Its own names are never asked of a resolver; without glue nobody can find them.
      if (known.length > 0 || isWithin(name, apex)) return known
      return addressesOf(dns, name, pace)
    }),
  )
  const servers = alternating(found).slice(0, ADDRESSES_MAX)
  const withoutAddress = nameservers.filter((_, index) => found[index]?.length === 0)
  return { apex, parent: zone.apex, parentServers: zone.servers, delegated: nameservers, servers, withoutAddress }
}

/** First one address of each, then a second one: if some must be left out, no nameserver is left out altogether. */
const alternating = (lists: readonly (readonly Server[])[]): Server[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, index) =>
    lists.flatMap((list) => list.toSorted(byAddress)[index] ?? []),
  ).flat()

const byAddress = (one: Server, other: Server): number => (one.address < other.address ? -1 : 1)

/** Both families, from a resolver; for names of nameservers that are not the owner's. */
export async function addressesOf(dns: Dns, name: string, pace: Pace): Promise<readonly Server[]> {
  const found = await dns.addresses.learn(name, async () => {
    const resolvers = dns.shuffled(dns.resolvers)
    const asked = await Promise.all(
      (['A', 'AAAA'] as const).map((type) => lookUpUntil(dns, resolvers, { name, type }, byResolver(pace))),
    )
    const records = asked
      .flatMap((looks) => goodIn(looks)?.records ?? [])
      .flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record] : []))
    const value = records.map(({ address }): Server => ({ name, address }))
    return value.length > 0 ? { value, seconds: Math.min(...records.map(({ ttl }) => Math.max(ttl, 5))) } : null
  })
  return found ?? []
}
