// The HTTP server: Fastify with its own opinions switched off where they differ
// from the contract. Every answer carries the common headers and a Request-Id of
// ours; every refusal and every failure leaves as the one Error body.

import { setMaxListeners } from 'node:events'
import {
  LogController,
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { RefusalCode } from '@petstore/contract/errors'
import { traceIdOf } from './negotiation.ts'
import { Unavailable } from '../postgres/postgres.io.ts'
import { Refusal, bodyOf } from '../refusal.ts'
import { ignoreUpgrades, isUpgrade } from './upgrade.io.ts'
import {
  HEADER_BYTES_MAX,
  PARSER_BYTES_MAX,
  TARGET_BYTES_MAX,
  commonHeaders,
  guardWire,
  type ClientError,
  type Wire,
} from './socket-errors.io.ts'

export type HttpOptions = {
  logger: { level: string; stream?: { write(line: string): void } }
  newRequestId: () => string
  trustedProxies: readonly string[]
  requestTimeoutMs: number
  headersTimeoutMs: number
  /** What every answer to this target carries, whatever becomes of the request: names and values in turn. */
  headsOf: (url: string) => readonly string[]
  /** What must be checked before a target that cannot be decoded is refused as unknown. */
  onBadTarget: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

export function createHttp(options: HttpOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: {
      ...options.logger,
      base: null,
      timestamp: shownTime(),
      serializers: { err: shownError },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // One line a request needs no logger of its own.
    childLoggerFactory: (logger) => logger,
    genReqId: options.newRequestId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    exposeHeadRoutes: false,
    // A request that arrives while we stop is still answered, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 100_000,
    routerOptions: {
      maxParamLength: TARGET_BYTES_MAX,
      // The query stays text until the operation reads it, strictly.
      querystringParser: (text: string) => ({ text }),
    },
    http: {
      maxHeaderSize: PARSER_BYTES_MAX,
      requireHostHeader: false,
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs / 2),
    },
    clientErrorHandler: (error, socket) => wire.refuse(error as unknown as ClientError, socket),
    // A target that cannot be decoded: no route, but the same headers and checks as for any unknown path.
    frameworkErrors: (error, request, reply) =>
      void refuseBadTarget(error, request as FastifyRequest, reply as unknown as FastifyReply),
  })
  const refuseBadTarget = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    try {
      begin(request, reply, wire)
      await options.onBadTarget(request, reply)
      if (!reply.sent) sendError(error, request, reply)
    } catch (refusal) {
      sendError(refusal, request, reply)
    }
  }
  ignoreUpgrades(app.server)
  const wire = guardWire(app.server, {
    newRequestId: options.newRequestId,
    onRefused: (reqId, { status, code }) => app.log.info({ reqId, status, code }),
    onClosed: logLine,
  })

  // Declared here, all requests have one shape.
  for (const name of ['heads', 'route', 'failure', 'logged']) app.decorateRequest(name)
  const stopping = new AbortController()
  // Whoever watches something listens to it, and there may be many.
  setMaxListeners(0, stopping.signal)
  app.decorate('isStopping', false)
  app.decorate('stopping', stopping.signal)
  app.addHook('preClose', async () => {
    app.isStopping = true
    stopping.abort()
    await wire.drain()
  })
  // Without promises: this runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      begin(request, reply, wire)
      done()
    } catch (refusal) {
      request.heads.push(...options.headsOf(request.url))
      done(refusal as Error)
    }
  })
  // Whatever leaves by Fastify's own way; an operation lays its own heads on.
  app.addHook('onSend', (request, reply, _, done) => {
    layHeads(request, reply)
    done()
  })
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(refuseUnknown)
  // A body stays on the wire until the operation asks for it, after all that can be refused without it. Fastify
  // would look at the Content-Type first and refuse what it cannot read, also on paths that do not exist.
  for (const method of methodsWithBody) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  return app
}

const methodsWithBody = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

/** What comes first on every request, also on one without a route. */
function begin(request: FastifyRequest, reply: FastifyReply, wire: Wire): void {
  request.heads = [...commonHeads, 'Request-Id', request.id]
  if (request.server.isStopping) request.heads.push('Connection', 'close')
  wire.exchangeOf(reply.raw).reply = reply
  checkForm(request)
}

const commonHeads = Object.entries(commonHeaders).flat()

/** Puts the heads of a request on a reply that Fastify is going to send; what the reply says itself stays. */
export function layHeads({ heads }: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (let index = 0; index < heads.length; index += 2) {
    const name = heads[index] ?? ''
    if (!reply.hasHeader(name)) reply.header(name, heads[index + 1])
  }
  return reply
}

function refuseUnknown(): never {
  throw new Refusal('not_found')
}

/** What HTTP itself asks of a request, beyond what the parser has checked. */
function checkForm({ raw }: FastifyRequest): void {
  const { url = '', httpVersion, headers, rawHeaders } = raw
  if (url.length > TARGET_BYTES_MAX) throw refusedForGood('uri_too_long')
  let bytes = 0
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    bytes += name.length + (rawHeaders[index + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (bytes > HEADER_BYTES_MAX) throw refusedForGood('headers_too_large')
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw refusedForGood('malformed_request', 'Use HTTP/1.1.')
  // Before anything that leaves the connection open: without this nobody knows where the request ends.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) {
    throw refusedForGood('malformed_request', 'The only Transfer-Encoding known here is chunked, in HTTP/1.1.')
  }
  // The parser would not report a malformed chunk; a body of a given length cannot be malformed.
  if (coding !== undefined && isUpgrade(raw)) {
    throw refusedForGood('malformed_request', 'A request with an Upgrade header must have a Content-Length.')
  }
  if (url.includes('#')) throw new Refusal('malformed_request', 'A request target must not contain a fragment.')
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    throw new Refusal('malformed_request', 'A request must have exactly one Host header.')
  }
  if (!/^[\w.:[\]%!$&'()*+,;=~-]*$/.test(headers.host ?? '')) {
    throw new Refusal('malformed_request', 'The Host header is not a valid host.')
  }
  if (headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() !== '100-continue') {
    throw refusedForGood('expectation_failed')
  }
}

/** After this nobody can be sure where the next request begins, or whether it is wanted. */
const refusedForGood = (code: RefusalCode, message?: string) => new Refusal(code, message, { Connection: 'close' })

/** The one renderer: refusals as they are, outages as 503, everything else as our own fault. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error)
  layHeads(request, reply)
  if (refusal.status >= 500) request.failure = error
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'Cache-Control': 'no-store', 'Content-Type': 'application/json' })
    .send(Buffer.from(bodyOf(refusal)))
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Unavailable) return new Refusal('service_unavailable', undefined, { 'Retry-After': '1' })
  const { code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_BAD_URL') return new Refusal('not_found')
  return new Refusal('internal_error')
}

/** One request, one line: who, what and how long, and no header, key or body. */
function logLine(reply: FastifyReply, refusal: Refusal | undefined): void {
  const { request } = reply
  const { failure } = request
  const traceId = traceIdOf(header(request, 'traceparent'))
  request.log[failure === undefined ? 'info' : 'error']({
    reqId: request.id,
    method: request.method,
    route: request.route ?? request.routeOptions.url,
    status: refusal?.status ?? reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(!refusal && !reply.raw.writableFinished && { isAborted: true }),
    ...(traceId && { traceId }),
    ...request.logged,
    ...(failure !== undefined && { err: failure }),
  })
}

/** Lines of the same millisecond share their time. */
function shownTime(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

type ShownError = { [key: string]: unknown; type: string; message: string; stack: string }

/** What the log says of an error. Drivers hang whole connections on theirs, with all they were made of. */
function shownError(error: unknown): ShownError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { name, message, stack = '', cause } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: shownError(cause) }) }
}

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Since it was asked to stop; what is under way is still answered. */
    isStopping: boolean
    /** Aborted then: answers that would go on for ever end. */
    stopping: AbortSignal
  }
  interface FastifyRequest {
    /** What the answer's head says, whoever writes it: names and values in turn. */
    heads: string[]
    /** The route's pattern, where whoever answers has said it already. */
    route?: string
    /** Why the answer is an error of ours. */
    failure?: unknown
    /** What the request's line in the log says beside the obvious. */
    logged?: Record<string, string>
  }
}
