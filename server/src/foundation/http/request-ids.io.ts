// `requestIdsFrom` gives each request its id: the one in the header (request-id.ts) if it comes from
// this machine or from a trusted proxy and is a UUID, and otherwise a new one.

import type { IncomingMessage } from 'node:http'
import { proxiesOf } from './proxies.io.ts'
import { REQUEST_ID_HEADER, isRequestId } from './request-id.ts'

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
