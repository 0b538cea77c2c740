// Evidence is what was observed of a hostname. Together with what the platform knows
// (`Known`) and wants (`Wanted`), it is all that judging needs, as data. The same inputs
// always give the same judgement, so a diagnosis can be repeated from what was stored.

import type { Lookup } from '../../foundation/dns/answer.ts'

/** The zone of a hostname, found by DNS queries, not by a list of suffixes. */
export type Zone = {
  /** Name of the zone. */
  apex: string
  /** The zone above it. */
  parent: string
  /** Its nameservers according to the parent, and according to the zone itself. */
  delegated: readonly string[]
  own: readonly string[]
  /** Every address that was queried, or should have been. A nameserver without an address is not listed. */
  servers: readonly { name: string; address: string }[]
  withoutAddress: readonly string[]
}

/** The result of requesting, over HTTP from one address, something to which only our edges have the response. */
export type Probe = {
  address: string
  url: string
  outcome:
    | { kind: 'ours' }
    | { kind: 'other'; status: number; server: string; headers: Readonly<Record<string, string>>; body: string }
    | { kind: 'redirect'; status: number; location: string; /** Why the CA would not follow. */ refused: string | null }
    /** `tls`: redirected to HTTPS, where no connection could be established. */
    | { kind: 'silence'; why: 'timeout' | 'refused' | 'reset' | 'tls' | 'not_allowed' | 'skipped' }
  /** Every URL of the redirect chain, for display; `outcome` belongs to the last one. */
  hops: readonly string[]
  /** Headers of the last response of the chain, whatever the outcome: they identify the server. */
  headers?: Readonly<Record<string, string>>
  ms: number
}

export type Evidence = {
  hostname: string
  /** Start of the check, in ms since 1970. */
  at: number
  /** Null: there is none, or it could not be determined; `looks` show which. */
  zone: Zone | null
  looks: readonly Lookup[]
  probes: readonly Probe[]
}

/** A certificate authority that we may use, best first. */
export type Authority = { name: string; domain: string; accountUri: string | null; methods: readonly string[] }

/** The expected state in DNS. */
export type Wanted = {
  hostname: string
  /** `<slug>.<platform host>`: the value that the record must have. */
  target: string
  platformHost: string
  /** The values that the record could have before: right for as long as they lead here. */
  formerTargets?: readonly string[]
  /** The required value of the TXT record; null if there is no token for the name (a check without a project). */
  token: string | null
  /** Addresses of the edges now, and the former ones. */
  addresses: readonly string[]
  formerAddresses: readonly string[]
  authorities: readonly Authority[]
}

/** The part of `Wanted` that is the same for all projects. */
export type PlatformNames = {
  /** The parent of all default hosts. */
  host: string
  formerHosts?: readonly string[]
  addresses: readonly string[]
  formerAddresses: readonly string[]
  authorities: readonly Authority[]
}

export const wantedOf = (platform: PlatformNames, slug: string, hostname: string, token: string | null): Wanted => ({
  hostname,
  target: `${slug}.${platform.host}`,
  platformHost: platform.host,
  formerTargets: (platform.formerHosts ?? []).map((former) => `${slug}.${former}`),
  token,
  addresses: platform.addresses,
  formerAddresses: platform.formerAddresses,
  authorities: platform.authorities,
})

/** Facts that do not come from DNS. For a check without a project: `nothingKnown`. */
export type Known = {
  /** False while the plan is below the one that custom domains require. */
  planAllows: boolean
  /** Whether another project serves the name now. */
  isHeldByOther: boolean
  /** Whether another project holds a name above this one (a verified apex guards its subdomains). */
  isGuardedByOther: boolean
  /** Whether this project has proven the name and still holds it. */
  isProven: boolean
  /** Whether a CNAME to this project was observed before the project existed. */
  isCnameOlder: boolean
  /** Whether the apex TXT record was observed once, so that it is not required again. */
  wasTokenSeen: boolean
  /** Tokens of ours for this name that are no longer valid. */
  staleTokens: readonly string[]
  /** Names found below the platform host that are default hosts of other projects; others belong to no project. */
  otherProjects: readonly string[]
  /** The values at the first check of the domain, and the time until which they may be cached. */
  firstCheck: FirstCheck | null
  /** Whether the domain is being served. */
  isLive: boolean
  /** When the owner last chose Verify or Re-verify, in ms since 1970; null or absent if never. */
  askedAgainAt?: number | null
  /** What prevented the certificate at the last attempt; null or absent if nothing did. */
  certificate?: CertificateTrouble | null
  /** The owner's input, if it was more than a hostname. */
  typed: string | null
}

export type CertificateTrouble = {
  /** A code of the table of causes. */
  code: string
  /** The message of the authority, or of our own check. */
  detail: string
  /** The domain by which CAA records name the authority. */
  authority: string | null
  /** Time of the next attempt; null if it waits for a DNS change. */
  until: number | null
  /** Expiry of the certificate that is being served; null if there is none. */
  validUntil: number | null
}

export type FirstCheck = {
  at: number
  /** ms since 1970 until which an old answer, or an old negative answer, may be cached. */
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
  firstCheck: null,
  isLive: false,
  typed: null,
}

// `plainText` makes text from untrusted servers safe to log and display: truncated, with
// non-printable and non-ASCII characters as \ddd.

export const plainText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[^\x20-\x7e]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`)
