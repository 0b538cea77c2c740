// The HTTP server of the published sites. It knows no key and no account: the
// Host header chooses the site, and all that a visitor can change is to reserve
// an animal. No cookie is set or read, nothing is loaded from elsewhere, and
// whatever happens, the answer is a page and not somebody else's.

import {
  LogController,
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Unavailable } from '../foundation/postgres.ts'
import { addressOf } from '../sites/addresses.ts'
import { createSender, type Sender } from './send-routes.ts'
import { hostOf, slugOf, targetOf } from './hosts.ts'
import { notices, type Notice } from './notices.ts'
import { answerProbe, isProbe } from './probe-routes.ts'
import { reserveRoute, type ReserveDeps } from './reserve-routes.ts'
import { createStore, type Published, type StoreDeps } from './store.ts'

export type EdgeDeps = Omit<StoreDeps, 'originOf'> &
  Omit<ReserveDeps, 'store' | 'sender'> & {
    platformHost: string
    siteScheme: 'http' | 'https'
    /** What only we can answer is made with it; none, and nobody is told that a name reaches us. */
    probeSecret?: string | undefined
    trustedProxies: readonly string[]
    requestTimeoutMs: number
    headersTimeoutMs: number
    logger: { level: string; stream?: { write(line: string): void } }
  }

const BODY_BYTES_MAX = 8192

export function buildEdge(deps: EdgeDeps): FastifyInstance {
  const originOf = (slug: string) => `${deps.siteScheme}://${slug}.${deps.platformHost}`
  const store = createStore({ ...deps, originOf })
  const sender = createSender()
  const reserve = reserveRoute({ ...deps, store, sender })
  const app = createServer(deps, (request, reply) => answer(request, reply))

  /** Without promises where everything is at hand: most requests end here. */
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const host = hostOf(request.raw.rawHeaders)
    if (host === undefined) return refuse(sender, reply, notices.malformed)
    const target = targetOf(request.raw.url ?? '', host)
    if (target !== undefined && isProbe(target)) return answerProbe(reply, target, host, deps.probeSecret)
    const slug = target === undefined ? undefined : slugOf(host, deps.platformHost)
    if (slug === undefined || target === undefined) return refuse(sender, reply, notices.unknown)

    const show = (place: Published): void | Promise<void> => {
      const address = addressOf(target)
      if (request.method === 'POST') return reserve(place, address, host, request, reply)
      const page = store.pageOf(place, address)
      if (!(page instanceof Promise)) return sender.send(request, reply, page)
      return page.then((found) => (found ? sender.send(request, reply, found) : refuse(sender, reply, notices.failed)))
    }
    const place = store.placeOf(slug)
    const enter = (found: typeof place extends infer P ? Awaited<P> : never): void | Promise<void> =>
      found?.kind === 'published'
        ? show(found)
        : refuse(sender, reply, found?.kind === 'unpublished' ? notices.unpublished : notices.unknown)
    const done = place instanceof Promise ? place.then(enter) : enter(place)
    if (done instanceof Promise) done.catch((error: unknown) => fail(error, request, reply, sender))
  }

  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: answer })
  app.setNotFoundHandler((_, reply) => refuse(sender, reply, notices.method))
  app.setErrorHandler((error, request, reply) => fail(error, request, reply, sender))
  return app
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

function createServer(deps: EdgeDeps, answer: Handler): FastifyInstance {
  const app: FastifyInstance = fastify({
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
    frameworkErrors: (_, request, reply) =>
      answer(request as unknown as FastifyRequest, reply as unknown as FastifyReply),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  )
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

const refuse = (sender: Sender, reply: FastifyReply, notice: Notice): void => sender.notice(reply, notice)

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply, sender: Sender): void {
  const { code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse(sender, reply, notices.tooLarge)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse(sender, reply, notices.wrongType)
  if (code?.startsWith('FST_ERR_CTP')) return refuse(sender, reply, notices.malformed)
  if (error instanceof Unavailable) return refuse(sender, reply, notices.unavailable)
  request.log.error({ err: error })
  refuse(sender, reply, notices.failed)
}
