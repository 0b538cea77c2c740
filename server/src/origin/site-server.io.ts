// The HTTP server of the published sites. It knows no key and no account: the
// Host header chooses the site, and all that a visitor can change is to reserve
// an animal. No cookie is set or read, nothing is loaded from elsewhere, and
// whatever happens, the answer is a page and not somebody else's.

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
import { hostOf, slugOf, targetOf } from '../sites/hosts.ts'
import { notices } from '../sites/platform-pages.ts'
import { answerProbe, isProbe } from '../fleet/probe-routes.ts'
import { createSender } from '../sites/send-routes.ts'
import { answerError, createSiteHandler, type SiteDeps } from './site-routes.ts'

export type ServerDeps = {
  /** What only we can answer is made with it; none, and nobody is told that a name reaches us. */
  probeSecret?: string | undefined
  trustedProxies: readonly string[]
  requestTimeoutMs: number
  headersTimeoutMs: number
  logger: { level: string; stream?: { write(line: string): void } }
}

export type EdgeDeps = Omit<SiteDeps, 'isForEdges'> & ServerDeps

export const BODY_BYTES_MAX = 8192
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export function buildEdge(deps: EdgeDeps): FastifyInstance {
  const sender = createSender()
  const answerSite = createSiteHandler({ ...deps, isForEdges: false })
  const app = createServer(deps, (request, reply) => answer(request, reply))

  const answer: Handler = (request, reply) => {
    const host = hostOf(request.raw.rawHeaders)
    if (host === undefined) return sender.notice(reply, notices.malformed)
    const target = targetOf(request.raw.url ?? '', host)
    if (target !== undefined && isProbe(target)) return answerProbe(reply, target, host, deps.probeSecret)
    const slug = target === undefined ? undefined : slugOf(host, deps.platformHost)
    if (slug === undefined || target === undefined) return sender.notice(reply, notices.unknown)
    answerSite(request, reply, { slug, host, target })
  }

  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: answer })
  app.setNotFoundHandler((_, reply) => sender.notice(reply, notices.method))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, sender))
  return app
}

type ServerOptions = Pick<FastifyHttpOptions<Server>, 'rewriteUrl'>
export type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** A server for visitors; `answer` also gets what the router cannot read. */
export function createServer(deps: ServerDeps, answer: Handler, more: ServerOptions = {}): FastifyInstance {
  const app: FastifyInstance = fastify({ ...settingsOf(deps, answer), ...more })
  ignoreUpgrades(app.server)
  app.removeAllContentTypeParsers()
  // Who wants no such lines need not pay for them.
  if (!['info', 'debug', 'trace'].includes(deps.logger.level)) return app
  app.addHook('onResponse', (request, reply, done) => {
    // Who, what and how long: no address of a visitor, no header, nothing that was typed.
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
    // How many hosts there are is looked at here, not by Node, and answered with a page.
    http: { requireHostHeader: false, headersTimeout: deps.headersTimeoutMs },
    // What is no HTTP at all gets no page, and no second chance on this connection.
    clientErrorHandler: (_, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    },
    // A target that cannot be decoded is one of the many that lead nowhere.
    frameworkErrors: (_, request, reply) => answer(request, reply),
  }) satisfies FastifyHttpOptions<Server>
