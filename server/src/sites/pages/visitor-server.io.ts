// The HTTP server for visitors, at an edge and where pages are rendered from the
// database: limits, time-outs and one log line per response. It accepts no key and no
// account, and no cookie is set or read.

import type { Server } from 'node:http'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyHttpOptions } from 'fastify'
import { takeHandler } from '../../foundation/http/connections.io.ts'
import { drainOnClose } from '../../foundation/http/draining.io.ts'
import { guardReaders, type ReaderRules } from '../../foundation/http/read-pace.io.ts'
import { formServerSettings, type ServerSettings } from '../../foundation/http/server-settings.io.ts'
import { ignoreUpgrades } from '../../foundation/http/socket-errors.io.ts'
import { guardConnections } from '../../foundation/load/admission.io.ts'
import { inTurns } from '../../foundation/load/fair-queue.ts'
import { nameListener } from '../../foundation/measurements.io.ts'

export type VisitorServerSettings = ServerSettings & {
  /** The secret of probe responses, which prove that a hostname reaches us; without it there are none. */
  probeSecret?: string | undefined
  /** Of one address group, to this process. */
  connectionsMax: number
  /** Others than the usual ones, only in tests. */
  readers?: Partial<ReaderRules> | undefined
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Neither page nor error body: no request has been read. */
const TOO_MANY = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * A server for visitors; `answer` also handles requests that the router cannot parse, and those without a Host or
 * with several, which get a page.
 */
export function createServer(
  settings: VisitorServerSettings,
  answer: Handler,
  more: Pick<FastifyHttpOptions<Server>, 'rewriteUrl'> = {},
): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...formServerSettings(settings, { role: 'edge', answerOdd: answer, requiresHost: false }),
    ...more,
  })
  nameListener(app.server, 'site')
  // By site, not by address: visitors of a popular one come from many.
  const serveInTurn = inTurns(takeHandler(app.server), { now: () => performance.now() })
  app.server.on('request', (request, response) => serveInTurn(request.headers.host ?? '', request, response))
  guardReaders(app.server, settings.trustedProxies, settings.readers)
  guardConnections(app.server, { ...settings, textOf: () => TOO_MANY })
  drainOnClose(app, settings.shutdown)
  ignoreUpgrades(app.server)
  app.removeAllContentTypeParsers()
  // At a higher log level the hook is not installed and costs nothing.
  if (!['info', 'debug', 'trace'].includes(settings.logger.level)) return app
  app.addHook('onResponse', (request, reply, done) => {
    // Id, method, host, status and duration: no address of a visitor, no other header, no input.
    request.log.info({
      requestId: request.id,
      method: request.method,
      host: request.raw.headers.host?.slice(0, 128),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
  return app
}
