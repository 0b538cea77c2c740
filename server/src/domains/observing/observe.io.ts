// `observe` collects the evidence about a hostname: it finds the zone, queries all of its
// nameservers in parallel, follows aliases, then queries resolvers for what visitors get.
//
// - It ends when the budget is used up, whatever any server does. Answers received until then
//   are kept, and the rest is recorded as silence, never as "no record".
// - It does not interpret the evidence: that is judging.

import { sameAddress } from '../../foundation/dns/addresses.ts'
import type { DnsQuery, Lookup } from '../../foundation/dns/answer.ts'
import { isWithin } from '../../foundation/dns/hostname.ts'
import { hasNoError, lookUp, lookUpUntil, type Pace } from '../../foundation/dns/lookup.io.ts'
import type { Dns, Server, Cut } from '../../foundation/dns/port.ts'
import { addressesOf, findCut } from '../../foundation/dns/zone.io.ts'
import type { Instant } from '../../foundation/time.ts'
import { registrableOf } from '../naming/names.ts'
import type { Evidence, Probe, Wanted, Zone } from './evidence.ts'
import {
  addressesSeen,
  fullQueries,
  chainQueries,
  chainFrom,
  lightQueries,
  outsideQueries,
  resolverQueries,
  targetQueries,
  uncheckedQueries,
} from './query-plan.ts'

/** Requests something over HTTP to which only our edges have the response. */
type SendProbe = (address: string) => Promise<Probe>

export type ObserveOptions = {
  now: Instant
  /** Otherwise one nameserver is queried, only to detect changes. */
  isFull: boolean
  budgetMs?: number
  /** Selects the nameserver for a check that is not full: a different one each time. */
  rotation?: number
}

const BUDGET_MS = 2900
const WALK_MS = 600
const QUESTION_MS = 900
/** A resolver that tries a dead nameserver first needs time for a second attempt. */
const RESOLVER_MS = 1200
const PROBES_MAX = 8
const HOPS_MAX = 10
const RESOLVER_COST = 0.1

type Observation = { dns: Dns; wanted: Wanted; until: number; looks: Lookup[] }

/** Without `probe` no request is sent over HTTP. */
export async function observe(
  dns: Dns,
  probe: SendProbe | undefined,
  wanted: Wanted,
  { now, isFull, budgetMs = BUDGET_MS, rotation = 0 }: ObserveOptions,
): Promise<Evidence> {
  const observation: Observation = { dns, wanted, until: performance.now() + budgetMs, looks: [] }
  const { zone, probes } = isFull
    ? await checkFully(observation, probe)
    : { zone: await checkLightly(observation, rotation), probes: [] }
  return { hostname: wanted.hostname, at: now, zone, looks: observation.looks, probes }
}

const paceOf = ({ until }: Observation, questionMs: number): Pace => ({ until, questionMs })

async function checkFully(
  observation: Observation,
  probe: SendProbe | undefined,
): Promise<Pick<Evidence, 'zone' | 'probes'>> {
  const { hostname, target } = observation.wanted
  const cut = await cutOf(observation, true)
  if (cut === null) return { zone: null, probes: [] }
  const host = { hostname, apex: cut.apex }
  const queries = fullQueries(host, observation.dns.randomLabel())
  const [more] = await Promise.all([
    queryOwnServers(observation, cut, queries),
    queryResolvers(observation, outsideQueries(host, target)),
    queryParent(observation, cut),
    followAliases(observation, cut, queryServers(observation, cut.servers, queries)),
  ])
  const zone = zoneOf(cut, nameserversIn(observation.looks, cut.apex), more)
  const [probes] = await Promise.all([
    probe ? probeAll(probe, observation) : [],
    queryPublicResolvers(observation, host),
  ])
  return { zone, probes }
}

async function queryPublicResolvers(observation: Observation, host: { hostname: string; apex: string }): Promise<void> {
  await queryResolvers(observation, resolverQueries(host, observation.looks), RESOLVER_MS)
  await queryUnchecked(observation, host.apex)
}

async function checkLightly(observation: Observation, rotation: number): Promise<Zone | null> {
  const cut = await cutOf(observation, false)
  if (cut === null) return null
  const { servers } = cut
  const server = servers[rotation % Math.max(1, servers.length)]
  const queries = lightQueries({ hostname: observation.wanted.hostname, apex: cut.apex })
  await queryServers(observation, server ? [server] : [], queries)
  return zoneOf(cut, [], { servers: [], withoutAddress: [] })
}

/** A public suffix is a zone too, but not the owner's: if the walk ends there, the name is not registered. */
async function cutOf(observation: Observation, isFresh: boolean): Promise<Cut | null> {
  const { hostname } = observation.wanted
  const { cut, looks } = await findCut(observation.dns, hostname, paceOf(observation, WALK_MS), isFresh)
  observation.looks.push(...looks)
  const registrable = registrableOf(hostname) ?? hostname
  const isAbove = cut !== null && cut.apex !== registrable && isWithin(registrable, cut.apex)
  const isDenied = looks.some(({ name, outcome }) => name === registrable && isNoSuchName(outcome))
  return isAbove && isDenied ? null : cut
}

const isNoSuchName = (outcome: Lookup['outcome']): boolean => outcome.kind === 'answer' && outcome.rcode === 'NXDOMAIN'

async function queryServers(
  observation: Observation,
  servers: readonly Server[],
  queries: readonly DnsQuery[],
): Promise<void> {
  const lookupOptions = { to: 'authoritative' as const, pace: paceOf(observation, QUESTION_MS) }
  const looks = servers.flatMap((server) =>
    queries.map((query) => lookUp(observation.dns, server, query, lookupOptions)),
  )
  observation.looks.push(...(await Promise.all(looks)))
}

async function queryParent(observation: Observation, cut: Cut): Promise<void> {
  const lookupOptions = {
    to: 'parent' as const,
    pace: paceOf(observation, WALK_MS),
    isGood: hasNoError,
    cost: RESOLVER_COST,
  }
  const servers = observation.dns.shuffled(cut.parentServers)
  observation.looks.push(
    ...(await lookUpUntil(observation.dns, servers, { name: cut.apex, type: 'DS' }, lookupOptions)),
  )
}

type OwnServers = Pick<Zone, 'servers' | 'withoutAddress'>

/** Servers that only the zone itself lists are queried as well: the owner may be editing there. */
async function queryOwnServers(observation: Observation, cut: Cut, queries: readonly DnsQuery[]): Promise<OwnServers> {
  const { dns } = observation
  const pace = paceOf(observation, QUESTION_MS)
  const query = { name: cut.apex, type: 'NS' as const }
  const lookups = await lookUpUntil(dns, dns.shuffled(cut.servers), query, {
    to: 'authoritative',
    pace,
    isGood: ({ isAuthoritative, records }) => isAuthoritative && records.length > 0,
  })
  const own = nameserversIn(lookups, cut.apex)
  const unknown = own.filter((name) => !cut.delegated.includes(name)).slice(0, 4)
  const found = await Promise.all(unknown.map((name) => ownAddresses(observation, cut, name)))
  const servers = found.flat().slice(0, 8)
  await queryServers(observation, servers, queries)
  return { servers, withoutAddress: unknown.filter((_, index) => found[index]?.length === 0) }
}

/** The address of a nameserver inside the zone is queried at the zone, not at a resolver. */
async function ownAddresses({ dns, ...observation }: Observation, cut: Cut, name: string): Promise<readonly Server[]> {
  const pace = { until: observation.until, questionMs: WALK_MS }
  if (!isWithin(name, cut.apex)) return addressesOf(dns, name, pace)
  const looks = await Promise.all(
    (['A', 'AAAA'] as const).map((type) =>
      lookUpUntil(dns, cut.servers, { name, type }, { to: 'authoritative', pace, isGood: hasNoError }),
    ),
  )
  return addressesSeen(name, looks.flat()).map((address) => ({ name, address }))
}

const nameserversIn = (looks: readonly Lookup[], apex: string): string[] => [
  ...new Set(
    looks
      .filter(({ to }) => to === 'authoritative')
      .flatMap(({ outcome }) => (outcome.kind === 'answer' && outcome.isAuthoritative ? outcome.records : []))
      .flatMap((record) => (record.type === 'NS' && record.name === apex ? [record.target] : [])),
  ),
]

const zoneOf = (cut: Cut, own: readonly string[], more: OwnServers): Zone => ({
  apex: cut.apex,
  parent: cut.parent,
  delegated: cut.delegated,
  own: own.length > 0 ? own.toSorted() : cut.delegated,
  servers: [...cut.servers, ...more.servers].map(({ name, address }) => ({ name, address })),
  withoutAddress: [...cut.withoutAddress, ...more.withoutAddress],
})

/** Follows the hostname's aliases: inside the zone at its own servers, outside it at resolvers. */
async function followAliases(observation: Observation, cut: Cut, queried: Promise<void>): Promise<void> {
  await queried
  const { dns, wanted } = observation
  const lookupOptions = { to: 'authoritative' as const, pace: paceOf(observation, QUESTION_MS), isGood: hasNoError }
  const servers = answering(observation, cut)
  const followed = new Set<string>([wanted.target])
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const next = chainFrom(wanted.hostname, observation.looks).filter((name) => !followed.has(name))
    if (next.length === 0) return
    for (const name of next) followed.add(name)
    const inside = next.filter((name) => isWithin(name, cut.apex))
    const outside = next.filter((name) => !isWithin(name, cut.apex))
    const queries = inside.flatMap(chainQueries)
    const [looks] = await Promise.all([
      Promise.all(queries.map((query) => lookUpUntil(dns, servers, query, lookupOptions))),
      queryResolvers(observation, outside.flatMap(targetQueries)),
    ])
    observation.looks.push(...looks.flat())
  }
}

/** The servers of the zone that have given a good answer, so that dead ones cost no more time. */
function answering({ looks }: Observation, cut: Cut): readonly Server[] {
  const good = new Set(
    looks
      .filter(({ to, outcome }) => to === 'authoritative' && outcome.kind === 'answer' && hasNoError(outcome))
      .map(({ address }) => address),
  )
  const some = cut.servers.filter(({ address }) => good.has(address))
  return some.length > 0 ? some : cut.servers
}

async function queryResolvers(
  observation: Observation,
  queries: readonly DnsQuery[],
  questionMs = QUESTION_MS,
): Promise<void> {
  const { dns } = observation
  const lookupOptions = { to: 'checked' as const, pace: paceOf(observation, questionMs), cost: RESOLVER_COST }
  const looks = dns.resolvers.flatMap((resolver) => queries.map((query) => lookUp(dns, resolver, query, lookupOptions)))
  observation.looks.push(...(await Promise.all(looks)))
}

async function queryUnchecked(observation: Observation, apex: string): Promise<void> {
  const { dns } = observation
  const lookupOptions = { to: 'unchecked' as const, pace: paceOf(observation, QUESTION_MS), cost: RESOLVER_COST }
  const looks = uncheckedQueries(observation.looks, apex).flatMap(({ address, ...query }) =>
    dns.resolvers
      .filter((resolver) => resolver.address === address)
      .map((resolver) => lookUp(dns, resolver, query, lookupOptions)),
  )
  observation.looks.push(...(await Promise.all(looks)))
}

async function probeAll(probe: SendProbe, observation: Observation): Promise<Probe[]> {
  const { hostname, addresses } = observation.wanted
  const ours = addresses.map(sameAddress)
  const foreign = addressesSeen(hostname, observation.looks).filter((address) => !ours.includes(address))
  return Promise.all(foreign.slice(0, PROBES_MAX).map((address) => probeInTime(probe, address, observation)))
}

function probeInTime(
  probe: (address: string) => Promise<Probe>,
  address: string,
  observation: Observation,
): Promise<Probe> {
  const skipped: Probe = {
    address,
    url: `http://${observation.wanted.hostname}/`,
    outcome: { kind: 'silence', why: 'skipped' },
    hops: [],
    ms: 0,
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(skipped), Math.max(0, observation.until - performance.now()))
    probe(address)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
