// The proxies in front of a server, and the client and the id of a request that came through them.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { REQUEST_ID_HEADER, isRequestId } from './request-id.ts'

export type Proxies = { has(address: string): boolean }

/** Addresses or networks, such as `10.0.0.0/8`. */
export function proxiesOf(networks: readonly string[]): Proxies {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return { has: (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') }
}

/** The last address that no trusted proxy has: what is in front of it the client may have written itself. */
export function clientOf({ headers, socket }: IncomingMessage, proxies: Proxies): string {
  const forwarded = headers['x-forwarded-for']
  const addresses = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',')
  let client = socket.remoteAddress ?? ''
  for (const address of addresses.toReversed()) {
    if (!proxies.has(client) || address.trim() === '') return client
    client = address.trim()
  }
  return client
}

/**
 * Gives each request its id: the one in the header (request-id.ts) if it comes from this machine or from a trusted proxy
 * and is a UUID, and otherwise a new one.
 */
export function requestIdsFrom(
  trustedProxies: readonly string[],
  newRequestId: () => string,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const trusted = proxiesOf(['127.0.0.0/8', '::1/128', ...trustedProxies])
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    if (given === undefined || !isRequestId(given)) return newRequestId()
    return trusted.has(socket.remoteAddress ?? '') ? given : newRequestId()
  }
}
