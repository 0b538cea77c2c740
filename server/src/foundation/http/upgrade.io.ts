// `ignoreUpgrades` ignores the Upgrade header, as HTTP allows a server to: the response is sent in
// HTTP/1.1, and it is the last one on its connection.
//
// The connection has to end because of Node's parser. It keeps the upgrade flag of such a request
// until the header section of the next one is complete. While the flag is set it reports no error,
// so a malformed request, or a malformed chunk of the same request, would get a response only when
// it times out; and it drops the bytes that follow the request in the same packet, so a pipelined
// request would never get a response.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { hasBody } from './body.io.ts'
import { deafen } from './connections.io.ts'

const UPGRADE = Symbol('upgrade')
type Flagged = IncomingMessage & { [UPGRADE]?: true }

/** True if the parser has set its upgrade flag for this request. */
export const isUpgrade = (request: IncomingMessage): boolean => (request as Flagged)[UPGRADE] === true

export function ignoreUpgrades(server: Server): void {
  // Called before the request event, for every request whose flag is set except CONNECT.
  const shouldUpgradeCallback = (request: Flagged): boolean => {
    request[UPGRADE] = true
    return false
  }
  Object.assign(server, { shouldUpgradeCallback })
  server.prependListener('request', endAfterAnswer)
}

function endAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (!isUpgrade(request)) return
  response.shouldKeepAlive = false
  const { socket } = request
  // No further request is executed on a connection on which it could not get a response.
  if (hasBody(request)) request.once('end', () => deafen(socket))
  else deafen(socket)
}
