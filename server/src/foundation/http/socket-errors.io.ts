// `guardWire` sends the Error body at socket level: requests that Node's own HTTP parser rejects,
// or would respond to with an empty body, get the same body and the same headers as everywhere
// else, and then the connection is closed. Each request gets one response, whatever else arrives on
// its connection.

import type { Server, ServerResponse, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { Refusal, bodyOf } from '../refusal.ts'
import { deafen, linger, trackConnections, type Exchange } from './connections.io.ts'
import type { Shutdown } from './draining.io.ts'
import { hasBody } from './body.io.ts'

export const TARGET_BYTES_MAX = 8 * 1024
export const HEADER_BYTES_MAX = 16 * 1024
/** The parser's limit, large enough to distinguish a long target from a long header section. */
export const PARSER_BYTES_MAX = TARGET_BYTES_MAX + HEADER_BYTES_MAX

export const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Request-Id, Idempotent-Replayed, WWW-Authenticate',
} as const

export type ClientError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

export type Wire = {
  exchangeOf(response: ServerResponse): Exchange
  /** Responds to input that the parser rejected, or that did not arrive in time. */
  refuse(error: ClientError, socket: Socket): void
  /** Drains connections: requests in progress get a response, and a connection without a request is closed. */
  drain(shutdown: Pick<Shutdown, 'waitMs'>): Promise<void>
}

/**
 * Handles everything that would otherwise get a response without a body, or none at all. `onRefused` receives refusals
 * of bytes that never became a request, which are logged nowhere else; `onClosed` is called when a response has been
 * sent, or its connection is gone.
 */
export function guardWire(
  server: Server,
  {
    newRequestId,
    onRefused,
    onClosed,
  }: {
    newRequestId: () => string
    onRefused: (requestId: string, refusal: Refusal) => void
    onClosed: (reply: FastifyReply, refusal: Refusal | undefined) => void
  },
): Wire {
  const connections = trackConnections()

  const end = (socket: Socket, refusal: Refusal, begun?: Exchange, isBodyless = false): void => {
    if (!socket.writable) return
    const requestId = begun?.reply?.request.id ?? newRequestId()
    const text = responseText(refusal, requestId)
    linger(socket, isBodyless ? text.slice(0, text.indexOf('\r\n\r\n') + 4) : text)
    if (begun) begun.refusal = refusal
    else onRefused(requestId, refusal)
  }

  // One shared function, no closure per request: this runs for every request.
  function close(this: Guarded): void {
    const exchange = this[EXCHANGE]
    if (!exchange) return
    const { connection, reply, refusal } = exchange
    connection.open.splice(connection.open.indexOf(exchange), 1)
    if (reply) onClosed(reply, refusal)
  }

  const exchangeOf = (response: ServerResponse): Exchange => {
    const known = (response as Guarded)[EXCHANGE]
    if (known) return known
    const connection = connections.of(response.req.socket)
    const exchange: Exchange = { request: response.req, response, connection }
    ;(response as Guarded)[EXCHANGE] = exchange
    connection.latest = exchange
    connection.open.push(exchange)
    response.on('close', close)
    return exchange
  }

  server.on('connection', (socket) => void connections.of(socket))
  // Before any handler responds to it.
  server.prependListener('request', (_, response) => void exchangeOf(response))
  // With `Expect: 100-continue` the body is requested only by the code that is going to read it.
  // Other expectations are rejected like any other fault of a request.
  server.on('checkContinue', (request, response) => void server.emit('request', request, response))
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  // A client that has closed its sending side still receives.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connect', ({ socket }) => {
    // From here on Node no longer manages this socket; without a listener its failure would end the process.
    socket.on('error', () => socket.destroy())
    const connection = connections.of(socket)
    connection.isRefused = true
    const refusal = new Refusal('method_not_allowed', 'CONNECT is not allowed here.', { Allow: 'OPTIONS' })
    void answersTo(connection.open).then(() => end(socket, refusal))
  })

  return {
    exchangeOf,
    refuse(error, socket) {
      const connection = connections.of(socket)
      if (connection.isRefused || isInTime(error, connection.latest)) return
      connection.isRefused = true
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      deafen(socket)
      const { open, latest } = connection
      const begun = latest?.request.complete === false ? latest : undefined
      // Requests that arrived complete before the invalid bytes on the same connection get their responses first.
      const before = [...open].filter((exchange) => exchange !== begun)
      void answersTo(before).then(() =>
        begun?.response.headersSent ? linger(socket) : end(socket, refusalFor(error), begun, isHead(error)),
      )
    },
    drain: (shutdown) => connections.drain(shutdown),
  }
}

const EXCHANGE = Symbol('exchange')
type Guarded = ServerResponse & { [EXCHANGE]?: Exchange }

/** From now on the request may take longer than others: its reader ends it. */
export function setOwnDeadline(response: ServerResponse): void {
  const exchange = (response as Guarded)[EXCHANGE]
  if (exchange) exchange.isPaced = true
}

/** Node measures every request by one clock, and reports each once. */
const isInTime = ({ code }: ClientError, latest: Exchange | undefined): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && latest?.isPaced === true && !latest.response.headersSent

const answersTo = (exchanges: Iterable<Exchange>) =>
  Promise.all(Array.from(exchanges, ({ response }) => new Promise((done) => response.once('close', done))))

/** Maps an error of the parser to a refusal. */
function refusalFor({ code, rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ClientError): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(isLongTarget(rawPacket, bytesParsed) ? 'uri_too_long' : 'headers_too_large')
    case 'HPE_INVALID_METHOD':
      return new Refusal(isRequestLine(rawPacket, bytesParsed) ? 'method_not_implemented' : 'malformed_request')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout')
    default:
      return new Refusal('malformed_request')
  }
}

/** True if the request at which the parser stopped was a HEAD request. */
function isHead({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ClientError): boolean {
  const before = rawPacket.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n')
  const start = before === -1 ? 0 : before + 4
  return rawPacket.toString('latin1', start, start + 5) === 'HEAD '
}

/** True if the line at which the parser stopped has the form of a request line, with any method. */
function isRequestLine(packet: Buffer, bytesParsed: number): boolean {
  const start = packet.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = packet.indexOf('\r\n', start)
  const line = packet.toString('latin1', start, end === -1 ? start + 100 : end)
  // Where the line arrived in pieces, only the current piece can be examined.
  return (end === -1 ? /^[!#$%&'*+.^_`|~\w-]+( |$)/ : /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/\d\.\d$/).test(line)
}

/**
 * True if the size limit was exceeded because of the target. Only the packet that exceeded it is
 * available: if the request began earlier, a target and a header look the same unless a character
 * shows that it cannot be a target.
 */
function isLongTarget(packet: Buffer, bytesParsed: number): boolean {
  const before = packet.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n')
  const start = before === -1 ? 0 : before + 4
  const head = packet.toString('latin1', start, start + PARSER_BYTES_MAX)
  const target = /^[A-Z-]+ ([^ \r\n]*)/.exec(head)?.[1]
  if (target !== undefined) return target.length > TARGET_BYTES_MAX
  const piece = /^[!#-;=?-Z[\]_a-z~]*/.exec(head)?.[0] ?? ''
  return piece.length === head.length || piece.length > TARGET_BYTES_MAX
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
}

/** A response that closes the connection. */
export function responseText(refusal: Refusal, requestId: string): string {
  const body = bodyOf(refusal)
  const headers = {
    Date: new Date().toUTCString(),
    ...commonHeaders,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'Request-Id': requestId,
    Connection: 'close',
    ...refusal.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${reasons[refusal.status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}

// `ignoreUpgrades` ignores the Upgrade header, as HTTP allows a server to: the response is sent in
// HTTP/1.1, and it is the last one on its connection.
//
// The connection has to end because of Node's parser. It keeps the upgrade flag of such a request
// until the header section of the next one is complete. While the flag is set it reports no error,
// so a malformed request, or a malformed chunk of the same request, would get a response only when
// it times out; and it drops the bytes that follow the request in the same packet, so a pipelined
// request would never get a response.

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
