// `decide` says what becomes of a name of the platform, from the settings and two facts. A name is
// released only when visitors do not need its certificate: a site that had its own keeps it until the
// wildcard certificate is served.

import type { CertificateStatus } from '../certificates/certificate-status.ts'
import type { Leads } from '../fleet/directory.io.ts'
import { isSlug } from '../foundation/slug.ts'
import type { PlatformTls } from './settings.ts'

export type PlatformSettings = {
  tls: PlatformTls
  /** The parent of all default addresses, without a port. */
  host: string
  /** Its predecessors, whose certificates are kept. */
  formerHosts?: readonly string[]
  services: readonly string[]
}

export const hostsOf = ({ host, formerHosts = [] }: Omit<PlatformSettings, 'tls'>) => [host, ...formerHosts]

export type NameRole = { kind: 'service' } | { kind: 'wildcard' } | { kind: 'site'; slug: string }

export const siteNameOf = ({ host }: Pick<PlatformSettings, 'host'>, slug: string): string => `${slug}.${host}`

/** What the name is for; undefined if it is no name of this platform, or no longer. */
export function roleOf(hostname: string, settings: Omit<PlatformSettings, 'tls'>): NameRole | undefined {
  if (settings.services.includes(hostname)) return { kind: 'service' }
  const [slug = '', ...parent] = hostname.split('.')
  if (!hostsOf(settings).includes(parent.join('.'))) return undefined
  if (slug === '*') return { kind: 'wildcard' }
  return isSlug(slug) ? { kind: 'site', slug } : undefined
}

export type NameFacts = {
  /** There is a project with this slug, and it has published a site. */
  isPublished: boolean
  /** The wildcard certificate is served. */
  isCovered: boolean
}

/** `keep`: what there is stays, and nothing is ordered. */
export type NameDecision = 'request' | 'keep' | 'release'

export function decide(
  role: NameRole | undefined,
  tls: PlatformTls,
  { isPublished, isCovered }: NameFacts,
): NameDecision {
  if (tls === 'off') return 'release'
  if (role?.kind === 'service') return 'request'
  if (role?.kind === 'wildcard') return tls === 'wildcard' ? 'request' : 'release'
  if (role === undefined || !isPublished) return 'release'
  if (tls === 'per-host') return 'request'
  return tls === 'wildcard' && !isCovered ? 'keep' : 'release'
}

/** The route of a name that has a certificate. */
export const leadsOf = (role: NameRole, serial: string): Leads =>
  role.kind === 'site' ? { ...role, serial } : { kind: role.kind, serial }

/** A certificate that could not be ordered or renewed, in one sentence for the operator's log. */
export function troubleOf(hostname: string, { state, cause }: CertificateStatus): string | undefined {
  if (cause === null || cause.isPaced) return undefined
  const action = state === 'renewal_failing' || state === 'expired' ? 'renewed' : 'ordered'
  const until = cause.until === null ? 'within the hour' : `at ${new Date(cause.until).toISOString()}`
  return `The certificate of ${hostname} could not be ${action}: ${cause.detail.replace(/\.$/, '')}. Next attempt ${until}.`
}
