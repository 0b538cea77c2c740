// A view is the state of a name at one nameserver. Only servers that the parent zone
// delegates to count: visitors never get the answers of others. A server that did not answer
// every type has not shown that there is no record.

import type { Lookup } from '../../foundation/dns/answer.ts'
import { plainAddress } from './address-text.ts'
import type { Judgement, Routing } from './judgement.ts'
import { isAnswered, isGood, recordsIn, type Answered, type Scene } from './scene.ts'
import type { Trouble } from './trouble.ts'

/** The records at exactly one name, at one server or at all of them. */
export type HeldAddress = {
  cnames: readonly string[]
  a: readonly string[]
  aaaa: readonly string[]
  /** Types of other records that may not exist next to a CNAME. */
  others: readonly string[]
}

export type View = HeldAddress & {
  server: string
  address: string
  serial: number | null
  /** Whether we know that there are no more records than those listed. */
  isComplete: boolean
}

/** The result of one part of judging. */
export type PointingFinding = { routing: Routing; how?: Judgement['how']; troubles: readonly Trouble[] }

/** Whether the parent zone delegates to this server. */
export const isDelegated = ({ zone }: Scene, { server }: Pick<Lookup, 'server'>): boolean =>
  zone !== null && (zone.delegated.length === 0 || zone.delegated.includes(server))

/** One view per server that gave a good answer. */
export const viewsOf = (scene: Scene, name: string): View[] => viewsBy(scene, name, (look) => isDelegated(scene, look))

/** The same for servers that once had the zone, or are listed in it, but that nothing delegates to. */
export const undelegatedViewsOf = (scene: Scene, name: string): View[] =>
  viewsBy(scene, name, (look) => !isDelegated(scene, look))

/** The union of all views. */
export const heldByAny = (views: readonly HeldAddress[]): HeldAddress => ({
  cnames: unique(views.flatMap(({ cnames }) => cnames)),
  a: unique(views.flatMap(({ a }) => a)),
  aaaa: unique(views.flatMap(({ aaaa }) => aaaa)),
  others: unique(views.flatMap(({ others }) => others)),
})

export const isEmpty = ({ cnames, a, aaaa }: HeldAddress): boolean => cnames.length + a.length + aaaa.length === 0

/** For display: `CNAME happy-paws.example`. */
export const inWords = ({ cnames, a, aaaa }: HeldAddress): string[] => [
  ...cnames.map((target) => `CNAME ${target}`),
  ...a.map((address) => `A ${address}`),
  ...aaaa.map((address) => `AAAA ${address}`),
]

const pointers = ['CNAME', 'A', 'AAAA'] as const
const neighbours = ['MX', 'TXT', 'NS', 'CAA'] as const

function viewsBy(scene: Scene, name: string, isCounted: (look: Lookup) => boolean): View[] {
  const looks = scene.evidence.looks.filter((look) => look.to === 'authoritative' && isCounted(look))
  const byServer = Map.groupBy(looks, ({ server, address }) => `${server} ${address}`)
  return [...byServer.values()].flatMap((own) => viewOf(scene, name, own) ?? [])
}

function viewOf(scene: Scene, name: string, looks: readonly Lookup[]): View | null {
  const answered = looks.filter(isAnswered).filter(isGood)
  const here = answered.filter((look) => look.name === name)
  const pointing = here.filter(({ type }) => pointers.some((pointer) => pointer === type))
  const [first] = pointing
  if (first === undefined) return null
  return {
    server: first.server,
    address: first.address,
    serial: serialIn(answered, scene.apex),
    isComplete: isAllAnswered(pointing),
    cnames: unique(pointing.flatMap((look) => recordsIn(look, name, 'CNAME')).map(({ target }) => target)),
    a: addressesIn(pointing, name, 'A'),
    aaaa: addressesIn(pointing, name, 'AAAA'),
    others: neighbours.filter((type) => here.some((look) => recordsIn(look, name, type).length > 0)),
  }
}

function addressesIn(looks: readonly Answered[], name: string, type: 'A' | 'AAAA'): string[] {
  const found = looks.flatMap(({ outcome }) => outcome.records).filter((record) => record.name === name)
  const addresses = found.flatMap((record) => (record.type === type && 'address' in record ? [record.address] : []))
  return [...new Map(addresses.map((address) => [plainAddress(address), address])).values()]
}

/** NXDOMAIN holds for every type. Otherwise each type must have been answered. */
const isAllAnswered = (pointing: readonly Answered[]): boolean =>
  pointing.some(({ outcome }) => outcome.rcode === 'NXDOMAIN') ||
  pointers.every((pointer) => pointing.some(({ type }) => type === pointer))

function serialIn(answered: readonly Answered[], apex: string): number | null {
  const [soa] = answered
    .filter(({ name, type }) => name === apex && type === 'SOA')
    .flatMap((look) => recordsIn(look, apex, 'SOA'))
  return soa?.serial ?? null
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
