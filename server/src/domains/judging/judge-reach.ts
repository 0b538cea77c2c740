// Reachability judging explains which servers respond at the addresses of a name, and which
// proxies are in front of them. Only foreign addresses are probed, so there is nothing to
// report about a name that points straight here. A failure to probe is not a trouble of the
// owner.
//
// - A proxy through which we can be reached is reported for information; one that blocks is
//   the cause.
// - The orange cloud is reported only if Cloudflare runs the zone: elsewhere an address of
//   theirs belongs to some other service.
// - A dead IPv6 address next to a working IPv4 one is reported as exactly that.

import type { Probe } from '../observing/evidence.ts'
import type { Pointing } from './judge-pointing.ts'
import { proxyOf, type ReverseProxy } from './networks.ts'
import {
  cloudflareError,
  isDead,
  isIntercepted,
  isOriginError,
  isOurs,
  isConclusive,
  wentToHttps,
  wordsOf,
} from '../observing/http-fingerprints.ts'
import { recordsAt, type Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { listed } from './format.ts'

/** Ranked later; each cause at most once. */
export function reachTroubles(scene: Scene, pointing: Pick<Pointing, 'how'>): Trouble[] {
  const probes = scene.evidence.probes.filter(isConclusive)
  if (probes.length === 0) return []
  const deadIpv6 = brokenIpv6(scene, probes)
  const rest = probes.filter((probe) => !deadIpv6.includes(probe))
  const found = [
    ...deadIpv6.map(({ address }) => trouble('http.ipv6_broken', { ip: address })),
    ...rest.flatMap((probe) => troublesAt(scene, pointing, probe)),
    ...discrepancy(scene, rest),
  ]
  return found.filter(({ code }, index) => found.findIndex((other) => other.code === code) === index)
}

/** IPv6 addresses that do not respond while an IPv4 address reaches us. */
function brokenIpv6(scene: Scene, probes: readonly Probe[]): Probe[] {
  const isIpv6 = ({ address }: Probe) => address.includes(':')
  const oursByIpv4 =
    probes.some((probe) => !isIpv6(probe) && isOurs(probe)) ||
    recordsAt(scene, scene.wanted.hostname, 'A').some(({ address }) => scene.wanted.addresses.includes(address))
  return oursByIpv4 ? probes.filter((probe) => isIpv6(probe) && isDead(probe)) : []
}

function troublesAt(scene: Scene, pointing: Pick<Pointing, 'how'>, probe: Probe): Trouble[] {
  const { outcome } = probe
  const proxy = proxyAt(probe)
  if (proxy && isInFront(scene, proxy, probe)) {
    return proxy.id === 'cloudflare' ? cloudflareTroubles(scene, pointing, probe) : [otherCdn(scene, proxy, probe)]
  }
  if (outcome.kind === 'ours') return []
  return [plainTrouble(scene, probe)]
}

/** By its network, by its headers, or by its error page. */
function proxyAt({ address, outcome, headers }: Probe): ReverseProxy | null {
  const received = outcome.kind === 'other' ? outcome.headers : (headers ?? {})
  const isFastly = outcome.kind === 'other' && outcome.body.startsWith('Fastly error')
  return proxyOf(address, received) ?? (isFastly ? { id: 'other', name: 'Fastly' } : null)
}

/** Whether the owner put the proxy there, rather than another service being hosted at it. */
const isInFront = ({ provider }: Scene, { id }: ReverseProxy, probe: Probe) =>
  id !== 'cloudflare' || isOurs(probe) || provider?.id === 'cloudflare' || cloudflareError(probe.outcome) !== null

function cloudflareTroubles(scene: Scene, { how }: Pick<Pointing, 'how'>, probe: Probe): Trouble[] {
  const { outcome } = probe
  if (outcome.kind === 'ours') return [trouble('proxy.cloudflare_ok')]
  const error = cloudflareError(outcome)
  if (error === 1014) return [trouble('proxy.cloudflare_1014')]
  if (error === 1000) return [trouble('proxy.cloudflare_1000')]
  if (outcome.kind === 'redirect' && outcome.refused === 'loop') return [trouble('proxy.cloudflare_flexible_loop')]
  const https = wentToHttps(probe) ? [trouble('proxy.cloudflare_always_https')] : []
  if (isOriginError(outcome)) return [trouble('proxy.cloudflare_52x', { status: outcome.status }), ...https]
  const intercepted = isIntercepted(outcome) ? [trouble('http.challenge_intercepted')] : []
  // Another address of the name reaches us through the same account: then only this one must
  // be fixed.
  const main = how === 'proxied' ? plainTrouble(scene, probe) : trouble('proxy.cloudflare_blocks', scene.words)
  return [main, ...intercepted, ...https]
}

function otherCdn({ words }: Scene, { name }: ReverseProxy, probe: Probe): Trouble {
  const values = { cdn: name, host: words.host }
  if (isOurs(probe)) {
    const fix = 'Traffic reaches us through it, so there is nothing to do.'
    return trouble('proxy.other_cdn', { ...values, fix }, { severity: 'informs' })
  }
  return trouble('proxy.other_cdn', {
    ...values,
    fix: `Set its origin to ${words.target} and pass on the Host header.`,
  })
}

function plainTrouble({ words }: Scene, { address, outcome, hops }: Probe): Trouble {
  const ip = address
  if (outcome.kind === 'redirect') {
    return trouble('http.bad_redirect', { host: words.host, url: shortened(outcome.location) })
  }
  if (outcome.kind === 'silence') {
    if (outcome.why === 'refused') return trouble('http.refused', { ip })
    if (outcome.why === 'reset') return trouble('http.reset', { ip })
    if (outcome.why === 'tls')
      return trouble('http.bad_redirect', { host: words.host, url: shortened(hops.at(-1) ?? '') })
    return trouble('http.timeout', { ip })
  }
  if (isIntercepted(outcome)) return trouble('http.challenge_intercepted')
  const server = outcome.kind === 'other' && outcome.server !== '' ? outcome.server : 'unknown'
  return trouble('http.not_us', { ip, host: words.host, server, target: words.target })
}

/** The requested path is long, different each time, and irrelevant to the owner. */
const shortened = (url: string): string => url.replace(/(\/\.well-known\/)petstore-probe\/[\w-]*/, '$1…')

/** Some addresses reach us and some do not: visitors and authorities get either at random. */
function discrepancy({ words }: Scene, probes: readonly Probe[]): Trouble[] {
  const kinds = new Set(probes.map(({ outcome }) => kindOf(outcome)))
  if (kinds.size < 2) return []
  return [trouble('http.ip_discrepancy', { host: words.host, list: listed(probes.map(wordsOf)) })]
}

function kindOf(outcome: Probe['outcome']): string {
  if (outcome.kind === 'redirect') return `redirect ${outcome.location}`
  return outcome.kind === 'other' ? `other ${outcome.status}` : outcome.kind
}
