// Looks at a hostname: finds its zone, asks all of its nameservers at once, follows
// where it leads, then asks resolvers what the rest of the world sees. Everything
// ends with the budget, whatever any server does; what was heard until then is kept,
// and the rest is told as silence, never as "no record". Says nothing about what it
// means: that is judging.

import { sameAddress } from '../../foundation/dns/addresses.ts'
import type { DnsQuery, Lookup } from '../../foundation/dns/answer.ts'
import type { Dns, Server } from '../../foundation/dns/port.ts'
import { hasNoError, lookUp, lookUpUntil, type Pace } from '../../foundation/dns/lookup.io.ts'
import { isWithin } from '../../foundation/dns/names.ts'
import { addressesOf, findCut } from '../../foundation/dns/zone.io.ts'
import type { Cut } from '../../foundation/dns/port.ts'
import type { Evidence, Probe, Wanted, Zone } from './evidence.ts'
import { registrableOf } from '../naming/names.ts'
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

export type ObserveDeps = {
  dns: Dns
  /** Asks one address over HTTP for what only we can answer; without it nothing is asked over HTTP. */
  probe?: (address: string) => Promise<Probe>
}

export type ObserveOptions = {
  now: () => number
  /** Else only whether something changed, at one nameserver. */
  isFull: boolean
  budgetMs?: number
  /** Which nameserver it is the turn of, for a look that is not full. */
  rotation?: number
}

const BUDGET_MS = 2900
const WALK_MS = 600
const QUESTION_MS = 900
/** A resolver that meets a dead nameserver first needs a second try of its own. */
const RESOLVER_MS = 1200
const PROBES_MAX = 8
const HOPS_MAX = 10
const RESOLVER_COST = 0.1

type Sight = { dns: Dns; wanted: Wanted; until: number; looks: Lookup[] }

export async function observe(deps: ObserveDeps, wanted: Wanted, options: ObserveOptions): Promise<Evidence> {
  const at = options.now()
  const sight: Sight = {
    dns: deps.dns,
    wanted,
    until: performance.now() + (options.budgetMs ?? BUDGET_MS),
    looks: [],
  }
  const { zone, probes } = options.isFull
    ? await checkFully(sight, deps.probe)
    : { zone: await checkLightly(sight, options.rotation ?? 0), probes: [] }
  return { hostname: wanted.hostname, at, zone, looks: sight.looks, probes }
}

const paceOf = ({ until }: Sight, questionMs: number): Pace => ({ until, questionMs })

async function checkFully(sight: Sight, probe: ObserveDeps['probe']): Promise<Pick<Evidence, 'zone' | 'probes'>> {
  const { hostname, target } = sight.wanted
  const cut = await cutOf(sight, true)
  if (cut === null) return { zone: null, probes: [] }
  const place = { hostname, apex: cut.apex }
  const questions = fullQueries(place, sight.dns.randomLabel())
  const [more] = await Promise.all([
    askOwnServers(sight, cut, questions),
    askResolvers(sight, outsideQueries(place, target)),
    askParent(sight, cut),
    followAliases(sight, cut, askServers(sight, cut.servers, questions)),
  ])
  const zone = zoneOf(cut, nameserversIn(sight.looks, cut.apex), more)
  const [probes] = await Promise.all([probe ? probeAll(probe, sight) : [], askTheWorld(sight, place)])
  return { zone, probes }
}

async function askTheWorld(sight: Sight, place: { hostname: string; apex: string }): Promise<void> {
  await askResolvers(sight, resolverQueries(place, sight.looks), RESOLVER_MS)
  await askUnchecked(sight, place.apex)
}

async function checkLightly(sight: Sight, rotation: number): Promise<Zone | null> {
  const cut = await cutOf(sight, false)
  if (cut === null) return null
  const { servers } = cut
  const server = servers[rotation % Math.max(1, servers.length)]
  const questions = lightQueries({ hostname: sight.wanted.hostname, apex: cut.apex })
  await askServers(sight, server ? [server] : [], questions)
  return zoneOf(cut, [], { servers: [], withoutAddress: [] })
}

/** A public suffix is a zone too, but not the owner's: where it ends the walk, the name is not registered. */
async function cutOf(sight: Sight, isFresh: boolean): Promise<Cut | null> {
  const { hostname } = sight.wanted
  const { cut, looks } = await findCut(sight.dns, hostname, paceOf(sight, WALK_MS), isFresh)
  sight.looks.push(...looks)
  const registrable = registrableOf(hostname) ?? hostname
  const isAbove = cut !== null && cut.apex !== registrable && isWithin(registrable, cut.apex)
  const isDenied = looks.some(({ name, outcome }) => name === registrable && isNoSuchName(outcome))
  return isAbove && isDenied ? null : cut
}

const isNoSuchName = (outcome: Lookup['outcome']): boolean => outcome.kind === 'answer' && outcome.rcode === 'NXDOMAIN'

async function askServers(sight: Sight, servers: readonly Server[], questions: readonly DnsQuery[]): Promise<void> {
  const manner = { to: 'authoritative' as const, pace: paceOf(sight, QUESTION_MS) }
  const looks = servers.flatMap((server) => questions.map((asking) => lookUp(sight.dns, server, asking, manner)))
  sight.looks.push(...(await Promise.all(looks)))
}

async function askParent(sight: Sight, cut: Cut): Promise<void> {
  const manner = { to: 'parent' as const, pace: paceOf(sight, WALK_MS), isGood: hasNoError, cost: RESOLVER_COST }
  const servers = sight.dns.shuffled(cut.parentServers)
  sight.looks.push(...(await lookUpUntil(sight.dns, servers, { name: cut.apex, type: 'DS' }, manner)))
}

type OwnServers = Pick<Zone, 'servers' | 'withoutAddress'>

/** Servers that only the zone itself names are asked as well: perhaps the owner edits there. */
async function askOwnServers(sight: Sight, cut: Cut, questions: readonly DnsQuery[]): Promise<OwnServers> {
  const { dns } = sight
  const pace = paceOf(sight, QUESTION_MS)
  const asking = { name: cut.apex, type: 'NS' as const }
  const made = await lookUpUntil(dns, dns.shuffled(cut.servers), asking, {
    to: 'authoritative',
    pace,
    isGood: ({ isAuthoritative, records }) => isAuthoritative && records.length > 0,
  })
  const own = nameserversIn(made, cut.apex)
  const unknown = own.filter((name) => !cut.delegated.includes(name)).slice(0, 4)
  const found = await Promise.all(unknown.map((name) => ownAddresses(sight, cut, name)))
  const servers = found.flat().slice(0, 8)
  await askServers(sight, servers, questions)
  return { servers, withoutAddress: unknown.filter((_, index) => found[index]?.length === 0) }
}

/** A nameserver inside of the zone is asked for at the zone, not at a resolver. */
async function ownAddresses({ dns, ...sight }: Sight, cut: Cut, name: string): Promise<readonly Server[]> {
  const pace = { until: sight.until, questionMs: WALK_MS }
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

/** Where the hostname leads: inside of the zone its own servers know, outside of it a resolver. */
async function followAliases(sight: Sight, cut: Cut, asked: Promise<void>): Promise<void> {
  await asked
  const { dns, wanted } = sight
  const manner = { to: 'authoritative' as const, pace: paceOf(sight, QUESTION_MS), isGood: hasNoError }
  const servers = answering(sight, cut)
  const followed = new Set<string>([wanted.target])
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const next = chainFrom(wanted.hostname, sight.looks).filter((name) => !followed.has(name))
    if (next.length === 0) return
    for (const name of next) followed.add(name)
    const inside = next.filter((name) => isWithin(name, cut.apex))
    const outside = next.filter((name) => !isWithin(name, cut.apex))
    const questions = inside.flatMap(chainQueries)
    const [looks] = await Promise.all([
      Promise.all(questions.map((asking) => lookUpUntil(dns, servers, asking, manner))),
      askResolvers(sight, outside.flatMap(targetQueries)),
    ])
    sight.looks.push(...looks.flat())
  }
}

/** Those of its servers that said something good, so that dead ones cost no more time. */
function answering({ looks }: Sight, cut: Cut): readonly Server[] {
  const good = new Set(
    looks
      .filter(({ to, outcome }) => to === 'authoritative' && outcome.kind === 'answer' && hasNoError(outcome))
      .map(({ address }) => address),
  )
  const some = cut.servers.filter(({ address }) => good.has(address))
  return some.length > 0 ? some : cut.servers
}

async function askResolvers(sight: Sight, questions: readonly DnsQuery[], questionMs = QUESTION_MS): Promise<void> {
  const { dns } = sight
  const manner = { to: 'checked' as const, pace: paceOf(sight, questionMs), cost: RESOLVER_COST }
  const looks = dns.resolvers.flatMap((resolver) => questions.map((asking) => lookUp(dns, resolver, asking, manner)))
  sight.looks.push(...(await Promise.all(looks)))
}

async function askUnchecked(sight: Sight, apex: string): Promise<void> {
  const { dns } = sight
  const manner = { to: 'unchecked' as const, pace: paceOf(sight, QUESTION_MS), cost: RESOLVER_COST }
  const looks = uncheckedQueries(sight.looks, apex).flatMap(({ address, ...asking }) =>
    dns.resolvers
      .filter((resolver) => resolver.address === address)
      .map((resolver) => lookUp(dns, resolver, asking, manner)),
  )
  sight.looks.push(...(await Promise.all(looks)))
}

async function probeAll(probe: (address: string) => Promise<Probe>, sight: Sight): Promise<Probe[]> {
  const { hostname, addresses } = sight.wanted
  const ours = addresses.map(sameAddress)
  const foreign = addressesSeen(hostname, sight.looks).filter((address) => !ours.includes(address))
  return Promise.all(foreign.slice(0, PROBES_MAX).map((address) => probeInTime(probe, address, sight)))
}

function probeInTime(probe: (address: string) => Promise<Probe>, address: string, sight: Sight): Promise<Probe> {
  const skipped: Probe = {
    address,
    url: `http://${sight.wanted.hostname}/`,
    outcome: { kind: 'silence', why: 'skipped' },
    hops: [],
    ms: 0,
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(skipped), Math.max(0, sight.until - performance.now()))
    probe(address)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
