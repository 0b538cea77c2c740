// Right records are those that we want: a CNAME to our name for a subdomain, addresses of
// ours for an apex, or a proxy that verifiably forwards visitors to us.

import { plainAddress } from './address-text.ts'
import { isEmpty, type HeldAddress } from './pointing-views.ts'
import { isOurs } from '../observing/http-fingerprints.ts'
import type { Scene } from './scene.ts'

/** Whether a server has the wanted records, and nothing next to them. */
export function isRight(scene: Scene, held: HeldAddress): boolean {
  const { cnames, a, aaaa, others } = held
  if (!scene.isApex && cnames.length > 0) {
    return cnames.length === 1 && isTarget(scene, cnames[0] ?? '') && [...a, ...aaaa, ...others].length === 0
  }
  if (cnames.length > 0 || isEmpty(held)) return false
  const where = whereOf(scene, [...a, ...aaaa])
  const isOurs = where.foreign.length === 0 && where.former.length === 0
  return isOurs && (scene.isApex || where.ours.length === 0)
}

/** Whether a CNAME has the value that we want, or one from before, for as long as that leads to our addresses. */
export function isTarget(scene: Scene, value: string): boolean {
  const { wanted, evidence } = scene
  if (value === wanted.target || !wanted.formerTargets?.includes(value)) return value === wanted.target
  const answers = evidence.looks.filter(({ name }) => name === value).map(({ outcome }) => outcome)
  const records = answers.flatMap((outcome) => (outcome.kind === 'answer' ? outcome.records : []))
  const where = whereOf(
    scene,
    records.flatMap((record) => ('address' in record ? [record.address] : [])),
  )
  return where.ours.length > 0 && where.foreign.length === 0 && where.former.length === 0
}

/** Addresses by their target. `proxied`: a foreign address whose requests reach us. */
export type Where = Readonly<Record<'ours' | 'former' | 'proxied' | 'foreign', readonly string[]>>

export function whereOf(scene: Scene, addresses: readonly string[]): Where {
  const sorted = Map.groupBy(addresses, (address) => kindOf(scene, address))
  const of = (kind: keyof Where) => sorted.get(kind) ?? []
  return { ours: of('ours'), former: of('former'), proxied: of('proxied'), foreign: of('foreign') }
}

function kindOf({ wanted, evidence }: Scene, address: string): keyof Where {
  const isAmong = (list: readonly string[]) => list.some((one) => plainAddress(one) === plainAddress(address))
  if (isAmong(wanted.addresses)) return 'ours'
  const probes = evidence.probes.filter((probe) => plainAddress(probe.address) === plainAddress(address))
  if (probes.length > 0 && probes.every(isOurs)) return 'proxied'
  return isAmong(wanted.formerAddresses) ? 'former' : 'foreign'
}
