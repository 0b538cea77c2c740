// Plans the zones of fixtures: the content of each zone on each server, the delegations with
// glue and DS in the parent zones, and the addresses that the resolvers need. Performs no I/O.
//
// Delegation by NS always means port 53, which we do not have. So the resolvers are configured
// with the servers of every zone (stub zones) instead of finding them; the referrals are
// nevertheless complete, for clients that follow them themselves.

import { addressOf, isKnotRole, type KnotRole, type Role } from './roles.ts'

export type WorldServer = {
  /** Name of the nameserver, such as `amy.ns.cloudflare.com`. */
  name: string
  role: Role
  /** Lines of the zone on this server; default: those of the zone. */
  records?: readonly string[]
  /** Has an AAAA record too (::1, role `first` only). */
  v6?: boolean
  /** False: this server does not have the zone, although it has others. */
  holds?: boolean
}

export type WorldZone = {
  zone: string
  /** Default: `ns1.<zone>` on `first` and `ns2.<zone>` on `second`. */
  servers?: readonly WorldServer[]
  /** Lines as in a zone file; names may be relative to the zone. */
  records: readonly string[]
  /** Nameservers in the parent zone, if different from the servers. */
  delegated?: readonly string[]
  /** Nameservers in the zone itself, if different from the servers. */
  own?: readonly string[]
  signing?: 'good' | 'wrong_ds' | 'expired' | 'forged' | 'none'
  /**
   * `none`: signed, but without DS in the parent zone; `left`: the parent zone has a DS, but
   * the zone is not signed.
   */
  ds?: 'none' | 'left'
  soa?: { minimum?: number; serial?: number }
  ttl?: number
  /** The parent zone does not contain it: registered, perhaps, but never delegated. */
  isUndelegated?: boolean
}

/** A zone as one server serves it. */
export type HeldZone = { zone: string; role: KnotRole; text: string; signing: 'knot' | 'expired' | 'forged' | 'none' }
export type Stub = { zone: string; addresses: readonly string[] }
export type ZonePlan = {
  held: readonly HeldZone[]
  stubs: readonly Stub[]
  /** Lines for zones that exist already. */ added: readonly Addition[]
}
export type Addition = { zone: string; roles: readonly KnotRole[]; lines: readonly string[] }
export type Digests = { good(zone: string): string; wrong(zone: string): string }

type Full = WorldZone & { servers: readonly WorldServer[] }
type Host = { name: string; role: Role; v6: boolean }

/** `known` are the running zones; lines they need in addition are returned as `added`. */
export function planZones(wanted: readonly WorldZone[], known: readonly WorldZone[], digests: Digests): ZonePlan {
  const before = withParents(known)
  const zones = withParents([...known, ...wanted])
  refuseDoubles(zones)
  const old = new Set(before.map(({ zone }) => zone))
  const oldHosts = new Set(hostsOf(before).keys())
  const fresh = zones.filter(({ zone }) => !old.has(zone))
  const hosts = hostsOf(zones)
  const names = new Set(zones.map(({ zone }) => zone))
  const children = Map.groupBy(
    zones.filter(({ zone }) => zone !== ''),
    ({ zone }) => zoneOf(above(zone), names),
  )
  const inside = Map.groupBy(hosts.values(), ({ name }) => zoneOf(name, names))
  const linesOf = (zone: Full, isNew: { child(name: string): boolean; host(name: string): boolean }): string[] => [
    ...(children.get(zone.zone) ?? [])
      .filter((child) => isNew.child(child.zone))
      .flatMap((child) => delegation(child, hosts, digests)),
    ...(inside.get(zone.zone) ?? []).filter(({ name }) => isNew.host(name)).flatMap(hostLines),
  ]
  const everything = { child: () => true, host: () => true }
  const added = { child: (name: string) => !old.has(name), host: (name: string) => !oldHosts.has(name) }
  return {
    held: fresh.flatMap((zone) => texts(zone, linesOf(zone, everything))),
    stubs: fresh.map((zone) => stub(zone, hosts)).filter(({ addresses }) => addresses.length > 0),
    added: before
      .map((zone) => ({ zone: zone.zone, roles: holders(zone), lines: linesOf(zone, added) }))
      .filter(({ lines }) => lines.length > 0),
  }
}

/** The servers of a zone, for edits. */
export function holders(zone: WorldZone): KnotRole[] {
  const roles = full(zone)
    .servers.filter(({ holds }) => holds !== false)
    .map(({ role }) => role)
  return [...new Set(roles.filter(isKnotRole).filter((role) => role !== 'lame'))]
}

/** Adds the root and the top-level domains, which fixtures need not list. */
export function withParents(zones: readonly WorldZone[]): Full[] {
  if (zones.length === 0) return []
  const listed = zones.map(full)
  const names = [
    ...listed.map(({ zone }) => zone),
    ...listed.flatMap(({ servers }) => servers.map(({ name }) => clean(name))),
  ]
  const tops = new Set(names.map((name) => name.split('.').at(-1) ?? ''))
  const parents = [...new Set(['', 'test', ...tops])]
    .filter((top) => !listed.some(({ zone }) => zone === top))
    .map(topZone)
  return [...parents, ...listed]
}

function topZone(zone: string): Full {
  const name = zone === '' ? 'a.root-servers.test' : `a.nic.${zone}`
  return { zone, servers: [{ name, role: 'parent' }], records: [], signing: 'good' }
}

function full(zone: WorldZone): Full {
  const name = clean(zone.zone)
  const servers = zone.servers ?? [
    { name: `ns1.${name}`, role: 'first' as const },
    { name: `ns2.${name}`, role: 'second' as const },
  ]
  return { ...zone, zone: name, servers }
}

const clean = (name: string): string => name.toLowerCase().replace(/\.$/, '')
const above = (zone: string): string => zone.split('.').slice(1).join('.')

/** The deepest of our zones that contains a name. */
function zoneOf(name: string, zones: ReadonlySet<string>): string {
  for (let at = name; at !== ''; at = above(at)) {
    if (zones.has(at)) return at
  }
  return ''
}

function hostsOf(zones: readonly Full[]): Map<string, Host> {
  const hosts = new Map<string, Host>()
  for (const { zone, servers } of zones) {
    for (const server of servers) {
      const name = clean(server.name)
      const there = hosts.get(name)
      if (there !== undefined && there.role !== server.role) {
        throw new Error(
          `${name} is ${there.role} in one zone and ${server.role} in ${zone}: a nameserver has one role.`,
        )
      }
      hosts.set(name, { name, role: server.role, v6: (there?.v6 ?? false) || server.v6 === true })
    }
  }
  return hosts
}

const hostLines = ({ name, role, v6 }: Host): string[] => [
  `${name}. A ${addressOf[role]}`,
  ...(v6 ? [`${name}. AAAA ::1`] : []),
]

const namesOf = (zone: Full, names: readonly string[] | undefined): string[] =>
  (names ?? zone.servers.map(({ name }) => name)).map(clean)

/** Records of a zone in its parent zone: its nameservers, their addresses if they are below, and its key. */
function delegation(zone: Full, hosts: ReadonlyMap<string, Host>, digests: Digests): string[] {
  if (zone.isUndelegated === true) return []
  const names = namesOf(zone, zone.delegated)
  const glue = known(names, hosts).filter(({ name }) => `.${name}`.endsWith(`.${zone.zone}`))
  const signing = zone.ds ?? zone.signing ?? 'none'
  const digest = signing === 'wrong_ds' ? digests.wrong(zone.zone) : digests.good(zone.zone)
  return [
    ...names.map((name) => `${zone.zone}. NS ${name}.`),
    ...glue.flatMap(hostLines),
    ...(signing === 'none' ? [] : [`${zone.zone}. DS ${digest}`]),
  ]
}

function texts(zone: Full, more: readonly string[]): HeldZone[] {
  const { signing: wanted = 'none' } = zone
  const signing = wanted === 'good' || wanted === 'wrong_ds' ? 'knot' : wanted
  return holders(zone).map((role) => {
    const records =
      zone.servers.find((server) => server.role === role && server.holds !== false)?.records ?? zone.records
    return { zone: zone.zone, role, signing, text: [...head(zone), ...records, ...more].join('\n') + '\n' }
  })
}

function head(zone: Full): string[] {
  const names = namesOf(zone, zone.own)
  const { serial = 1, minimum = 5 } = zone.soa ?? {}
  const origin = `${zone.zone}.`
  return [
    `$ORIGIN ${origin}`,
    `$TTL ${zone.ttl ?? 5}`,
    `${origin} SOA ${names[0] ?? 'ns1.invalid'}. hostmaster.${zone.zone === '' ? '' : origin} ${serial} 3600 600 86400 ${minimum}`,
    ...names.map((name) => `${origin} NS ${name}.`),
  ]
}

function stub(zone: Full, hosts: ReadonlyMap<string, Host>): Stub {
  const names = zone.isUndelegated === true ? [] : namesOf(zone, zone.delegated)
  return { zone: zone.zone, addresses: [...new Set(known(names, hosts).map(({ role }) => addressOf[role]))] }
}

/** The nameservers that have an address. */
const known = (names: readonly string[], hosts: ReadonlyMap<string, Host>): Host[] =>
  names.map((name) => hosts.get(name)).filter((host) => host !== undefined)

function refuseDoubles(zones: readonly Full[]): void {
  const seen = new Set<string>()
  for (const { zone } of zones) {
    if (seen.has(zone)) throw new Error(`The zone ${zone} is in the world twice.`)
    seen.add(zone)
  }
}
