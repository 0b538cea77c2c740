// How many requests one visitor, one internet connection and one project may have. A form cannot empty a shop window:
// what is above a cap stores nothing.

import { createHmac } from 'node:crypto'
import { addressGroup, addressNetwork } from '../foundation/address-group.ts'
import type { Counted } from '../foundation/load/rate-directory.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

/** Open requests of one contact. */
export const PER_CONTACT_AND_ANIMAL = 1
export const PER_CONTACT = 3
/** What an operator can set. */
export type RequestLimits = Readonly<{
  /** In a day, from an IPv4 address or an IPv6 /64. */
  requestsPerAddress: number
  /** The same from the /24 or the /48 around it. */
  requestsPerNetwork: number
  /** In a project at a time; where no mail is sent, in a day. */
  requestsUnconfirmed: number
}>

export const DAY_SECONDS = 24 * 3600

export const capNames = ['asked_already', 'contact', 'address', 'unconfirmed', 'open'] as const
export type CapName = (typeof capNames)[number]

/** Thrown in the transaction of a request, so that nothing of it is stored or counted. */
export class CapReached extends Error {
  readonly cap: CapName

  constructor(cap: CapName) {
    super(`a visitor has reached the cap '${cap}'`)
    this.cap = cap
  }
}

export type CountedRequest = {
  project: ProjectId
  /** Of the project: keys of two projects cannot be compared. */
  secret: Uint8Array
  /** The visitor's internet address. */
  address: string
  isConfirmed: boolean
}

/** Requests that wait for a confirmation are counted by their rows; without mail, there are none. */
export function countedFor(
  { project, secret, address, isConfirmed }: CountedRequest,
  { requestsPerAddress, requestsPerNetwork, requestsUnconfirmed }: RequestLimits,
): Counted[] {
  const counted = (kind: keyof typeof capOf, text: string, most: number): Counted => ({
    kind,
    key: createHmac('sha256', secret).update(`${kind}\n${project}\n${text}`).digest(),
    most,
  })
  return [
    counted('request_group', addressGroup(address), requestsPerAddress),
    counted('request_network', addressNetwork(address), requestsPerNetwork),
    ...(isConfirmed ? [] : [counted('request_project', '', requestsUnconfirmed)]),
  ]
}

const capOf = { request_group: 'address', request_network: 'address', request_project: 'unconfirmed' } as const

/** The cap that a refused count belongs to. */
export const capReached = (kind: string): CapName => (kind === 'request_project' ? capOf[kind] : 'address')
