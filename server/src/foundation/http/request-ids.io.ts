// `requestIdsFrom` gives each request its id: the one in the header (request-id.ts) if it comes from
// this machine or from a trusted proxy and is a UUID, and otherwise a new one.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { REQUEST_ID_HEADER, isRequestId } from './request-id.ts'

export function requestIdsFrom(
  trustedProxies: readonly string[],
  newRequestId: () => string,
): (request: IncomingMessage) => string {
  const trusted = proxyList(trustedProxies)
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    if (given === undefined || !isRequestId(given)) return newRequestId()
    const { remoteAddress: address = '' } = socket
    return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? given : newRequestId()
  }
}

function proxyList(trustedProxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of ['127.0.0.0/8', '::1/128', ...trustedProxies]) {
    const [address = '', length] = proxy.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return list
}
