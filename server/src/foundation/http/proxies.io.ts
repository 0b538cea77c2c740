// The proxies in front of a server, and the client of a request that came through them.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

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
