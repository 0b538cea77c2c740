// `decide` chooses the response to a visitor's request from the request's head and the host table
// alone. The order is part of the promise: a challenge gets a response for names that are not
// attached yet and is never redirected; a name that is not attached gets nothing of any site,
// whatever connection it came over; a redirect and the step from plain HTTP to HTTPS are a single
// redirect.
//
// A Location is built from a name of the table and the received bytes, and never parsed: path and
// query arrive as they were sent, and whatever they contain, the host is ours, because it ends at
// the slash that begins them.

import type { Route } from '../fleet/protocol.ts'
import { suspensionOf, wildcardOf } from '../fleet/table-name.ts'
import { isHostname } from '../foundation/dns/hostname.ts'
import { bareHostOf, slugOf, targetOf } from '../sites/pages/hosts.ts'

export type VisitorRequest = {
  /** The Host header; undefined if there is none, or more than one. */
  host: string | undefined
  /** The request target as received. */
  target: string
  scheme: 'http' | 'https'
  /** The name in the TLS handshake, if the server that terminates TLS sends it. */
  serverName: string | undefined
  method: string
}

export type Known = {
  find: (hostname: string) => Route | undefined
  /** The parent of all default addresses; may contain a port. */
  platformHost: string
  formerHosts: readonly string[]
  /** A certificate of its own configuration; one of the host table is a wildcard there. */
  hasPlatformCertificate: boolean
  /** True if this edge has been disconnected for so long that its table may no longer be served. */
  isIsolated: () => boolean
}

export type Answering =
  /** 400. */
  | { kind: 'malformed' }
  /** Without a token it cannot be one of ours: 404. */
  | { kind: 'challenge'; hostname: string; token: string | undefined }
  | { kind: 'probe'; host: string; target: string }
  /** 421. */
  | { kind: 'misdirected'; isSecure: boolean }
  /** 503. */
  | { kind: 'isolated'; isSecure: boolean }
  | { kind: 'suspended'; isSecure: boolean }
  | { kind: 'redirect'; status: 301 | 302 | 307 | 308; location: string; isSecure: boolean }
  /** `host` is the visited one, with its port. */
  | { kind: 'site'; slug: string; host: string; isDefault: boolean; target: string; isSecure: boolean }
// isSecure: the request came over TLS, with a certificate that the edge has for this name, so the response carries HSTS.
// A name that is not ours, or no longer, never gets it: where it is served next is not for us to decide.

export const CHALLENGE_PATH = '/.well-known/acme-challenge/'
const PROBE_PATH = '/.well-known/petstore-probe/'

export function decide({ host, target: sent, scheme, serverName, method }: VisitorRequest, known: Known): Answering {
  if (host === undefined) return malformed
  const target = targetOf(sent, host)
  if (target === undefined) return misdirected
  if (!targetForm.test(target)) return malformed
  const hostname = bareHostOf(host)
  const isTls = scheme === 'https'
  if (isTls && serverName !== undefined && serverName.toLowerCase() !== hostname) return misdirected

  if (target.startsWith('/.well-known/')) {
    if (target.startsWith(CHALLENGE_PATH)) return { kind: 'challenge', hostname, token: tokenOf(hostname, target) }
    if (target.startsWith(PROBE_PATH)) return { kind: 'probe', host, target }
  }
  const route = known.find(hostname)
  if (known.isIsolated()) return { kind: 'isolated', isSecure: isTls && isCertified(host, route, known) }
  const formerSlug = known.formerHosts.map((former) => defaultSlugOf(host, former)).find((slug) => slug !== undefined)
  if (formerSlug !== undefined) return atPresentAddress(formerSlug, target, isTls, known)
  if (route === undefined || route.kind === 'gone') return atDefaultAddress(host, target, isTls, method, known)
  if (route.kind === 'redirect') {
    return { kind: 'redirect', status: route.status, location: `https://${route.target}${target}`, isSecure: isTls }
  }
  // The name of no site, which a visitor cannot have meant.
  if (route.kind === 'suspended') return misdirected
  // Over TLS the server in front passes requests for dashboard and API on to `serve`, not to an edge.
  if (route.kind === 'wildcard') return misdirected
  if (route.kind === 'service' && isTls) return { kind: 'misdirected', isSecure: true }
  if (route.kind === 'site' && isTls) {
    if (isSuspended(route.slug, known)) return { kind: 'suspended', isSecure: true }
    const isDefault = slugOf(host, known.platformHost) !== undefined
    return { kind: 'site', slug: route.slug, host: visitedHost(host), isDefault, target, isSecure: true }
  }
  return { kind: 'redirect', status: upward(method), location: `https://${route.hostname}${target}`, isSecure: false }
}

/** From an address below a former host of the platform: by https if there is a certificate. */
function atPresentAddress(slug: string, target: string, isTls: boolean, known: Known): Answering {
  const host = `${slug}.${known.platformHost}`
  const isCertain = hasWildcard(known) || known.find(bareHostOf(host))?.kind === 'site'
  const location = `${isCertain ? 'https' : 'http'}://${host}${target}`
  return { kind: 'redirect', status: 308, location, isSecure: isTls }
}

/** Below the platform's own name every label may be a site; the control plane knows whether it is. */
function atDefaultAddress(host: string, target: string, isTls: boolean, method: string, known: Known): Answering {
  const { platformHost } = known
  const slug = defaultSlugOf(host, platformHost)
  if (slug === undefined) return misdirected
  const hasCertificate = hasWildcard(known)
  if (isTls || !hasCertificate) {
    const isSecure = isTls && hasCertificate
    if (isSuspended(slug, known)) return { kind: 'suspended', isSecure }
    return { kind: 'site', slug, host: visitedHost(host), isDefault: true, target, isSecure }
  }
  const location = `https://${slug}.${platformHost}${target}`
  return { kind: 'redirect', status: upward(method), location, isSecure: false }
}

const isSuspended = (slug: string, { find }: Known): boolean => find(suspensionOf(slug))?.kind === 'suspended'

/** With a trailing dot it is another name to TLS, so it is here. */
const defaultSlugOf = (host: string, platformHost: string): string | undefined =>
  bareHostOf(host).endsWith('.') ? undefined : slugOf(host, platformHost)

const hasWildcard = ({ hasPlatformCertificate, find, platformHost }: Known): boolean =>
  hasPlatformCertificate || find(wildcardOf(platformHost))?.kind === 'wildcard'

function isCertified(host: string, route: Route | undefined, known: Known): boolean {
  if (route === undefined || route.kind === 'gone') {
    return defaultSlugOf(host, known.platformHost) !== undefined && hasWildcard(known)
  }
  return route.kind !== 'wildcard'
}

const visitedHost = (host: string) => (host.endsWith(':') ? host.slice(0, -1) : host).toLowerCase()

/** Permanently to HTTPS; a submitted form is sent again unchanged. */
const upward = (method: string) => (method === 'GET' || method === 'HEAD' ? 301 : 308)

// A target may contain every byte except spaces and control characters.
const targetForm = /^\/[!-~\u0080-\u00FF]*$/
const tokenForm = /^[\w-]{16,128}$/

function tokenOf(hostname: string, target: string): string | undefined {
  const token = target.slice(CHALLENGE_PATH.length)
  return tokenForm.test(token) && isHostname(hostname) ? token : undefined
}

const malformed: Answering = { kind: 'malformed' }
const misdirected: Answering = { kind: 'misdirected', isSecure: false }
