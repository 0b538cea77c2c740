// The HTTP server for visitors, at an edge and where pages are rendered from the
// database: limits, time-outs and one log line per response. It accepts no key and no
// account, and no cookie is set or read.

import type { Server } from 'node:http'
import {
  LogController,
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyHttpOptions,
} from 'fastify'
import { ignoreUpgrades } from '../foundation/http/upgrade.io.ts'

export type ServerDeps = {
  /** The secret of probe responses, which prove that a hostname reaches us; without it there are none. */
  probeSecret?: string | undefined
  trustedProxies: readonly string[]
  requestTimeoutMs: number
  headersTimeoutMs: number
  logger: { level: string; stream?: { write(line: string): void } }
}

export const BODY_BYTES_MAX = 8192
export const FORM_TYPE = 'application/x-www-form-urlencoded'

type ServerOptions = Pick<FastifyHttpOptions<Server>, 'rewriteUrl'>
export type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** A server for visitors; `answer` also handles requests that the router cannot parse. */
export function createServer(deps: ServerDeps, answer: Handler, more: ServerOptions = {}): FastifyInstance {
  const app: FastifyInstance = fastify({ ...settingsOf(deps, answer), ...more })
  ignoreUpgrades(app.server)
  app.removeAllContentTypeParsers()
  // At a higher log level the hook is not installed and costs nothing.
  if (!['info', 'debug', 'trace'].includes(deps.logger.level)) return app
  app.addHook('onResponse', (request, reply, done) => {
    // Method, host, status and duration: no address of a visitor, no other header, no input.
    request.log.info({
      method: request.method,
      host: request.raw.headers.host?.slice(0, 128),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
  return app
}

const settingsOf = (deps: ServerDeps, answer: Handler) =>
  ({
    logger: { ...deps.logger, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: deps.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    // The Host headers are checked here, not by Node, and faults get a page.
    http: { requireHostHeader: false, headersTimeout: deps.headersTimeoutMs },
    // Input that is not HTTP gets no page, and the connection is closed.
    clientErrorHandler: (_, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    },
    // A target that cannot be decoded is not found, like any unknown one.
    frameworkErrors: (_, request, reply) => answer(request, reply),
  }) satisfies FastifyHttpOptions<Server>
