// Address judging explains addresses that exist in place of the wanted record, or next to it
// at an apex: whose they are, and what the owner must do about them.

import { isPrivateAddress } from './address-text.ts'
import type { Probe } from '../observing/evidence.ts'
import { proxyOf } from './networks.ts'
import { isTokenAccepted } from './ownership-token.ts'
import { whereOf, type Where } from './pointing-right.ts'
import type { PointingFinding, HeldAddress } from './pointing-views.ts'
import type { Provider } from '../providers/provider.ts'
import { forwardingAt, parkingAt } from '../providers/providers.ts'
import { isForwarding, isParking, isConclusive } from '../observing/http-fingerprints.ts'
import { addressList, addWords, replaceWords } from './record-format.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export function judgeAddresses(scene: Scene, held: HeldAddress): PointingFinding {
  const where = whereOf(scene, [...held.a, ...held.aaaa])
  const { foreign, former } = where
  if (foreign.length === 0 && former.length > 0) return formerFinding(scene, held, where)
  if (foreign.length === 0) return conflict(trouble('dns.a_instead_of_cname', insteadWords(scene, held.a)))
  const hidden = foreign.filter((address) => isPrivateAddress(address) && !wasReached(scene, address))
  const ip = addressList(hidden)
  if (ip !== '') return conflict(trouble('dns.reserved_ip', { ...scene.words, ip, add: addWords(scene) }))
  if (isClouded(scene, foreign)) return conflict(...cloudTroubles(scene, foreign))
  const registrar = registrarTrouble(scene, foreign)
  if (registrar) return conflict(registrar)
  // Then the response is the trouble, and `judge-reach.ts` reports it.
  return isOwnProxy(scene, where) ? conflict() : conflict(...foreignTroubles(scene, held, where))
}

/**
 * A token is requested for a subdomain only behind a proxy, or if another project has the name.
 * An owner who has put it there, and points to a server that responds, intends that. Such a
 * record is not a conflict; the server at its address is the trouble.
 */
function isOwnProxy(scene: Scene, { ours, proxied, foreign }: Where): boolean {
  const { known, isApex } = scene
  if (isApex || ours.length + proxied.length > 0 || known.isHeldByOther || known.isGuardedByOther) return false
  const isMeant = isTokenAccepted(scene) || (known.isProven && known.wasTokenSeen)
  return isMeant && foreign.every((address) => wasReached(scene, address))
}

/** Whether a server responded there, or would have: then the address is in use. */
const wasReached = ({ evidence }: Scene, address: string): boolean =>
  evidence.probes.some((probe) => probe.address === address && isConclusive(probe))

/** Cloudflare's own addresses in a zone that Cloudflare runs: the owner's record is hidden behind them. */
const isClouded = ({ provider }: Scene, addresses: readonly string[]): boolean =>
  provider?.id === 'cloudflare' && addresses.every((address) => proxyOf(address)?.id === 'cloudflare')

/** `judge-reach.ts` interprets a response from there; without a probe, the cloud is all that is known. */
const cloudTroubles = (scene: Scene, addresses: readonly string[]): Trouble[] =>
  addresses.some((address) => wasReached(scene, address)) ? [] : [trouble('proxy.cloudflare_blocks', scene.words)]

const conflict = (...troubles: readonly Trouble[]): PointingFinding => ({ routing: 'conflict', troubles })

const insteadWords = (scene: Scene, a: readonly string[]) => ({
  ...scene.words,
  type: a.length > 0 ? 'an A record' : 'an AAAA record',
  add: addWords(scene),
})

/** An alias that follows our name will be resolved again soon; an address that was typed stays. */
function formerFinding(scene: Scene, held: HeldAddress, where: Where): PointingFinding {
  const mayFollow = scene.isApex && scene.provider?.apexAlias !== null
  if (mayFollow) return { routing: 'propagating', troubles: [trouble('dns.alias_stale', scene.words)] }
  return conflict(...foreignTroubles(scene, held, { ...where, former: [], foreign: where.former }))
}

function foreignTroubles(scene: Scene, { a, aaaa }: HeldAddress, where: Where): Trouble[] {
  const isForeign = (address: string) => where.foreign.includes(address)
  const [wrong4, wrong6] = [a.filter(isForeign), aaaa.filter(isForeign)]
  const arrives = where.ours.length + where.proxied.length
  const isOnlyIp6 = wrong4.length === 0 && wrong6.length === aaaa.length
  // At a subdomain our own address is not right either, so that record must be replaced as well.
  const isInstead = !scene.isApex && where.ours.length > 0
  const instead = isInstead ? [trouble('dns.a_instead_of_cname', insteadWords(scene, a))] : []
  if (arrives > 0 && !isOnlyIp6) return [mixedTrouble(scene, [...a, ...aaaa], where), ...instead]
  const afterwards = arrives + wrong4.length > 0 ? '' : ` Then ${addWords(scene)}.`
  return [
    ...instead,
    ...(wrong4.length > 0 ? [conflictA(scene, wrong4)] : []),
    ...(wrong6.length > 0
      ? [trouble('dns.conflict_aaaa', { ...scene.words, ip: addressList(wrong6), afterwards })]
      : []),
  ]
}

function conflictA(scene: Scene, addresses: readonly string[]): Trouble {
  const owner = addresses.map((address) => proxyOf(address)?.name).find((name) => name !== undefined)
  const owner_hint = owner === undefined ? '' : ` (${owner})`
  return trouble('dns.conflict_a', {
    ...scene.words,
    ip: addressList(addresses),
    owner_hint,
    fix: replaceWords(scene, addresses.length),
  })
}

const mixedTrouble = (scene: Scene, all: readonly string[], where: Where): Trouble => {
  const wrong = [...where.foreign, ...where.former]
  const list = `\`${addressList(wrong)}\``
  return trouble('dns.mixed_targets', { ...scene.words, n: all.length, m: all.length - wrong.length, list })
}

/** A page or a forwarder of a registrar, which is switched off outside the list of records. */
function registrarTrouble(scene: Scene, addresses: readonly string[]): Trouble | null {
  const { evidence, provider, words } = scene
  const probes = evidence.probes.filter(({ address }) => addresses.includes(address))
  const park = firstOf(addresses, parkingAt)
  const isParked = provider?.isParking === true || probes.some((probe) => isParking(probe, provider))
  const add = addWords(scene)
  if (park || isParked) return trouble('dns.parked', { ...words, provider: park?.name ?? words.provider, add })
  const forwarder = firstOf(addresses, forwardingAt)
  const isForwarded = probes.some((probe) => isForwarding(probe, provider) && !keepsPath(probe.outcome))
  if (!forwarder && !isForwarded) return null
  return trouble('dns.url_forwarding', { ...words, provider: forwarder?.name ?? words.provider, add })
}

const firstOf = (addresses: readonly string[], ownerAt: (address: string) => Provider | null): Provider | undefined =>
  addresses.map(ownerAt).find((owner) => owner !== null) ?? undefined

/** A site that only has another main name redirects to the same path there; a forwarder redirects all to one page. */
const keepsPath = (outcome: Probe['outcome']): boolean =>
  outcome.kind === 'redirect' && outcome.location.includes('/.well-known/')
