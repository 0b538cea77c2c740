// `admitEdges` puts admission control and caps of connections ahead of the listener for edges (decision 10).
// - The sender is the edge that a connection has authenticated as, otherwise its address group.
// - Edges keep polling whatever else is rejected: one that receives no removals serves what is gone. Certificates and forms
//   are rejected after pages, of which an edge has copies; photos have a queue of their own, as the store may be slow.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { AdmissionRules, RequestKind } from '../foundation/load/admission.ts'
import { guardAdmission } from '../foundation/load/admission.io.ts'
import { capConnections, type Caps, type ConnectionCaps } from '../foundation/load/connection-caps.io.ts'
import { requestIdsFrom } from '../foundation/http/request-ids.io.ts'
import type { ServerSettings } from '../foundation/http/server-settings.io.ts'
import { newRequestId } from '../foundation/ids.io.ts'
import { CHANGES_PATH, SITE_PATH } from './protocol.ts'

export function admitEdges(
  app: FastifyInstance,
  { trustedProxies, headersTimeoutMs }: ServerSettings,
  rules: AdmissionRules,
  caps: Caps,
): ConnectionCaps {
  const connections = capConnections(app.server, caps, {
    patienceMs: headersTimeoutMs,
    trustedProxies,
    hold: (socket) => admission.hold(socket),
  })
  const admission = guardAdmission(app.server, {
    rules,
    connections,
    kindOf: (request) => kindOf(request, connections),
    senderOf: ({ socket }) => connections.knownAs(socket),
    requestIdOf: requestIdsFrom(trustedProxies, newRequestId),
    log: app.log,
  })
  app.addHook('preClose', () => admission.stop())
  return connections
}

function kindOf({ method, url = '', socket }: IncomingMessage, connections: ConnectionCaps): RequestKind {
  if (url.startsWith(`${SITE_PATH}/photos/`)) return 'export'
  if (url.startsWith(`${SITE_PATH}/`)) return method === 'POST' ? 'write' : 'read'
  return url.startsWith(`${CHANGES_PATH}?`) && connections.knownAs(socket) !== undefined ? 'poll' : 'write'
}
