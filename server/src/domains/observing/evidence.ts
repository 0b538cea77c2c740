// What was seen of a hostname, and what we know and want of it: all that judging
// needs, as data. The same inputs always give the same judgement, so a diagnosis
// can be repeated from what was stored.

import type { Lookup } from '../../foundation/dns/answer.ts'

/** The zone that a hostname is in, found by asking, not by a list of suffixes. */
export type Zone = {
  /** Name of the zone. */
  apex: string
  /** The zone above it. */
  parent: string
  /** Its nameservers as the parent has them, and as they have them themselves. */
  delegated: readonly string[]
  own: readonly string[]
  /** Every address that was asked, or should have been. A name without address has none. */
  servers: readonly { name: string; address: string }[]
  withoutAddress: readonly string[]
}

/** What came of asking one address over HTTP for something that only we can answer. */
export type Probe = {
  address: string
  url: string
  outcome:
    | { kind: 'ours' }
    | { kind: 'other'; status: number; server: string; headers: Readonly<Record<string, string>>; body: string }
    | { kind: 'redirect'; status: number; location: string; /** Why the CA would not follow. */ refused: string | null }
    /** `tls`: redirected to HTTPS, and no connection came about there. */
    | { kind: 'silence'; why: 'timeout' | 'refused' | 'reset' | 'tls' | 'not_allowed' | 'skipped' }
  /** Every address on the way, for people; the last one is where `outcome` comes from. */
  hops: readonly string[]
  /** Of the last answer on the way, whatever came of it: what tells who stands there. */
  headers?: Readonly<Record<string, string>>
  ms: number
}

export type Evidence = {
  hostname: string
  /** When looking began, in ms since 1970. */
  at: number
  /** Null: there is none, or nobody could tell; `looks` say which. */
  zone: Zone | null
  looks: readonly Lookup[]
  probes: readonly Probe[]
}

/** A certificate authority that we may ask, best first. */
export type Authority = { name: string; domain: string; accountUri: string | null; methods: readonly string[] }

/** What we want to see in DNS. */
export type Wanted = {
  hostname: string
  /** `<slug>.<platform host>`: the value that the record must have. */
  target: string
  platformHost: string
  /** What the TXT record must say; null if nobody has a token for it (a look without a project). */
  token: string | null
  /** Addresses of the edges now, and those of earlier times. */
  addresses: readonly string[]
  formerAddresses: readonly string[]
  authorities: readonly Authority[]
}

/** What is the same for all projects. */
export type PlatformNames = {
  /** The parent of all default hosts. */
  host: string
  addresses: readonly string[]
  formerAddresses: readonly string[]
  authorities: readonly Authority[]
}

export const wantedOf = (platform: PlatformNames, slug: string, hostname: string, token: string | null): Wanted => ({
  hostname,
  target: `${slug}.${platform.host}`,
  platformHost: platform.host,
  token,
  addresses: platform.addresses,
  formerAddresses: platform.formerAddresses,
  authorities: platform.authorities,
})

/** What we know beside DNS. For a look without a project: `nothingKnown`. */
export type Known = {
  /** False while the plan is below what custom domains need. */
  planAllows: boolean
  /** Whether another project serves the name now. */
  isHeldByOther: boolean
  /** Whether another project holds a name above this one (a verified apex guards its subdomains). */
  isGuardedByOther: boolean
  /** Whether this project has proven the name and still holds it. */
  isProven: boolean
  /** Whether a CNAME to this project was seen before the project existed. */
  isCnameOlder: boolean
  /** Whether the apex TXT was seen once, so that it need not be seen again. */
  wasTokenSeen: boolean
  /** Tokens of ours for this name that no longer count. */
  staleTokens: readonly string[]
  /** What a name under the platform host is: another project's default host, or nobody's. By the name that was found. */
  otherProjects: readonly string[]
  /** Of the first look at the domain: what the name said then, and until when it may be remembered. */
  firstLook: FirstCheck | null
  /** Seconds that resolvers disagree already, and the serial at the first look, per nameserver. */
  isLive: boolean
  /** When the owner last chose Verify or Re-verify, in ms since 1970; null or absent if never. */
  askedAgainAt?: number | null
  /** What stood in the way of the certificate when it was last tried; null or absent if nothing did. */
  certificate?: CertificateTrouble | null
  /** What the owner typed, if that was more than a hostname. */
  typed: string | null
}

export type CertificateTrouble = {
  /** Of the list of causes. */
  code: string
  /** In the words of the authority, or of our own check. */
  detail: string
  /** The domain that CAA records name it by. */
  authority: string | null
  /** When it is tried again; null if it waits for other DNS. */
  until: number | null
  /** Until when the one that visitors are shown is valid; null if there is none. */
  validUntil: number | null
}

export type FirstCheck = {
  at: number
  /** ms since 1970 until which an old answer, or an old "no", may be remembered. */
  rememberedUntil: number
  values: readonly string[]
  serials: Readonly<Record<string, number>>
  delegated: readonly string[]
}

export const nothingKnown: Known = {
  planAllows: true,
  isHeldByOther: false,
  isGuardedByOther: false,
  isProven: false,
  isCnameOlder: false,
  wasTokenSeen: false,
  staleTokens: [],
  otherProjects: [],
  firstLook: null,
  isLive: false,
  typed: null,
}
