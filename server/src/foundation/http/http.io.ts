// The HTTP server: Fastify with its defaults switched off where they differ from the contract.
// Every response carries the common headers and a Request-Id; every refusal and every
// failure is sent as the one Error body.

import { setMaxListeners } from 'node:events'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { guardAdmission, guardConnections, type AdmissionOptions } from '../load/admission.io.ts'
import { nameListener } from '../measurements.io.ts'
import { Refusal, bodyOf } from '../refusal.ts'
import { stopListening, atOnce } from './draining.io.ts'
import { refusalOf } from './error-kind.io.ts'
import { traceIdOf } from './negotiation.ts'
import { requestIdsFrom } from './proxies.io.ts'
import { guardReaders } from './read-pace.io.ts'
import { serverSettings, type ServerSettings } from './server-settings.io.ts'
import {
  HEADER_BYTES_MAX,
  PARSER_BYTES_MAX,
  TARGET_BYTES_MAX,
  commonHeaders,
  guardWire,
  responseText,
  ignoreUpgrades,
  isUpgrade,
  type ClientError,
  type Wire,
} from './socket-errors.io.ts'

export type HttpOptions = ServerSettings & {
  newRequestId: () => string
  /** Headers of every response to this target, whatever becomes of the request: names and values in turn. */
  headersOf: (url: string) => readonly string[]
  /** Checks that run before a target that cannot be decoded is rejected as unknown. */
  onBadTarget: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  admission: Pick<AdmissionOptions, 'rules' | 'kindOf' | 'senderOf'> & { connectionsMax: number }
}

export function createHttp(options: HttpOptions): FastifyInstance {
  const { shutdown = atOnce, trustedProxies } = options
  const settings = serverSettings(options, 'serve')
  const genReqId = requestIdsFrom(trustedProxies, options.newRequestId)
  const app: FastifyInstance = fastify({
    ...settings,
    genReqId,
    maxRequestsPerSocket: 100_000,
    routerOptions: {
      maxParamLength: TARGET_BYTES_MAX,
      // The query stays text until the operation parses it, strictly.
      querystringParser: (text: string) => ({ text }),
    },
    http: {
      ...settings.http,
      maxHeaderSize: PARSER_BYTES_MAX,
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs / 2),
    },
    clientErrorHandler: (error, socket) => wire.refuse(error as unknown as ClientError, socket),
    // A target that cannot be decoded: no route, but the same headers and checks as for any unknown path.
    frameworkErrors: (error, request, reply) =>
      void refuseBadTarget(error, request as FastifyRequest, reply as unknown as FastifyReply),
  })
  nameListener(app.server, 'api')
  const refuseBadTarget = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    try {
      begin(request, reply, wire)
      await options.onBadTarget(request, reply)
      if (!reply.sent) sendError(error, request, reply)
    } catch (refusal) {
      sendError(refusal, request, reply)
    }
  }
  const admission = guardAdmission(app.server, {
    ...options.admission,
    connections: guardConnections(app.server, {
      ...options.admission,
      trustedProxies,
      textOf: (socket, refusal) => responseText(refusal, genReqId({ headers: {}, socket })),
    }),
    requestIdOf: genReqId,
    log: app.log,
  })
  guardReaders(app.server, trustedProxies)
  ignoreUpgrades(app.server)
  const wire = guardWire(app.server, {
    newRequestId: options.newRequestId,
    onRefused: (requestId, { status, code }) => app.log.info({ requestId, status, code }),
    onClosed: logLine,
  })

  // Declared here, so that all requests have one shape.
  for (const name of ['responseHeaders', 'route', 'failure', 'logged']) app.decorateRequest(name)
  const stopping = new AbortController()
  // Every open event stream adds a listener, and there may be many.
  setMaxListeners(0, stopping.signal)
  app.decorate('requestTimeoutMs', options.requestTimeoutMs)
  app.decorate('isStopping', false)
  app.decorate('stopping', stopping.signal)
  app.addHook('preClose', async () => {
    app.isStopping = true
    stopping.abort()
    admission.stop()
    await stopListening(app.server, shutdown)
    await wire.drain(shutdown)
  })
  // Without promises: this runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      begin(request, reply, wire)
      done()
    } catch (refusal) {
      request.responseHeaders.push(...options.headersOf(request.url))
      done(refusal as Error)
    }
  })
  // For every response that Fastify sends itself; an operation adds its own headers.
  app.addHook('onSend', (request, reply, _, done) => {
    applyHeaders(request, reply)
    done()
  })
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(refuseUnknown)
  // A body stays unread until the operation reads it, after all checks that do not need it. Fastify
  // would check the Content-Type first and reject types it cannot parse, even on paths that do not
  // exist.
  for (const method of methodsWithBody) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  return app
}

const methodsWithBody = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

/** Runs first on every request, even on one without a route. */
function begin(request: FastifyRequest, reply: FastifyReply, wire: Wire): void {
  request.responseHeaders = [...commonHeaderList, 'Request-Id', request.id]
  if (request.server.isStopping) request.responseHeaders.push('Connection', 'close')
  wire.exchangeOf(reply.raw).reply = reply
  checkForm(request)
}

const commonHeaderList = Object.entries(commonHeaders).flat()

/** Adds the request's headers to a reply that Fastify is going to send; headers already set on the reply stay. */
export function applyHeaders({ responseHeaders }: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (let index = 0; index < responseHeaders.length; index += 2) {
    const name = responseHeaders[index] ?? ''
    // Fastify adds one cookie to another.
    if (name === 'Set-Cookie' || !reply.hasHeader(name)) reply.header(name, responseHeaders[index + 1])
  }
  return reply
}

function refuseUnknown(): never {
  throw new Refusal('not_found')
}

/** Requirements of HTTP itself, beyond those that the parser has checked. */
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
  // Before anything that leaves the connection open: without this the end of the request is
  // unknown.
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

/** Closes the connection: it is uncertain where the next request begins, or whether it is wanted. */
const refusedForGood = (code: RefusalCode, message?: string) => new Refusal(code, message, { Connection: 'close' })

/** The one error renderer: refusals as they are, outages as 503, everything else as an internal error. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  applyHeaders(request, reply)
  if (refusal.status >= 500) request.failure = error
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'Cache-Control': 'no-store', 'Content-Type': 'application/json' })
    .send(Buffer.from(bodyOf(refusal)))
}

/** One log line per request: id, method, route, status and duration; no header, key or body. */
function logLine(reply: FastifyReply, refusal: Refusal | undefined): void {
  const { request } = reply
  const { failure } = request
  const traceId = traceIdOf(header(request, 'traceparent'))
  request.log[failure === undefined ? 'info' : 'error']({
    requestId: request.id,
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

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The time that a request has to arrive. */
    requestTimeoutMs: number
    /** True from the start of shutdown; requests in progress still get their response. */
    isStopping: boolean
    /** Aborted at the start of shutdown: endless responses end. */
    stopping: AbortSignal
  }
  interface FastifyRequest {
    /** Headers of the response, whichever code writes it: names and values in turn. */
    responseHeaders: string[]
    /** The route's pattern, where the handler has already set it. */
    route?: string
    /** The error behind a 5xx response. */
    failure?: unknown
    /** Additional fields of the request's log line. */
    logged?: Record<string, string>
  }
}
