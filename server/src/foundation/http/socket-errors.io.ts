// The Error body down to the socket: what Node's own HTTP parser refuses, or
// would answer with an empty body, is answered here with the same body and the
// same headers as everywhere else, and then the connection is closed. One
// request gets one answer, whatever else arrives on its connection.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { Refusal, bodyOf } from '../refusal.ts'

export const TARGET_BYTES_MAX = 8 * 1024
export const HEADER_BYTES_MAX = 16 * 1024
/** What the parser takes in, so that a long target and a long header section can be told apart. */
export const PARSER_BYTES_MAX = TARGET_BYTES_MAX + HEADER_BYTES_MAX

/** How long we go on reading after our last word, so that it is not lost to a client that is still sending. */
const LINGER_MS = 1000
/** How long a client has, when we stop, to send its next request on a connection it believes to be open. */
const GRACE_MS = 250
/** From then on nobody is waited for. */
const CUT_MS = 5000

export const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Request-Id, Idempotent-Replayed, WWW-Authenticate',
} as const

/** A request and its answer. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Whoever answers it, once there is somebody; under whose request's id it is answered, by whomever. */
  reply?: FastifyReply
  /** Why it was answered here and not by its handler. */
  refusal?: Refusal
}
// An array, not a Set: what is deleted from a Set stays reachable from its older tables until the next full garbage
// collection, and with it whole requests.
type Connection = { open: Exchange[]; latest?: Exchange; isRefused: boolean }
export type ClientError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

type WireOptions = {
  newRequestId: () => string
  /** A refusal of something that never became a request; nobody else will know of it. */
  onRefused: (requestId: string, refusal: Refusal) => void
  /** An answer has left, or its connection is gone. */
  onClosed: (reply: FastifyReply, refusal: Refusal | undefined) => void
}

export type Wire = {
  exchangeOf(response: ServerResponse): Exchange
  /** Answers what the parser refused, or what did not arrive in time. */
  refuse(error: ClientError, socket: Socket): void
  /** Lets clients go: what is under way is answered, and a connection without a request is closed. */
  drain(): Promise<void>
}

/** Listens for what would otherwise be answered without a body, or not at all. */
export function guardWire(server: Server, { newRequestId, onRefused, onClosed }: WireOptions): Wire {
  const connections = new Map<Socket, Connection>()
  let onEmpty = () => {}

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { open: [], isRefused: false }
    if (socket.destroyed) return connection
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      if (connections.size === 0) onEmpty()
    })
    // Node closes with this after an answer that is the last one.
    socket.destroySoon = () => linger(socket)
    return connection
  }

  const end = (socket: Socket, refusal: Refusal, begun?: Exchange, isBodyless = false): void => {
    if (!socket.writable) return
    const requestId = begun?.reply?.request.id ?? newRequestId()
    const text = textOf(refusal, requestId)
    linger(socket, isBodyless ? text.slice(0, text.indexOf('\r\n\r\n') + 4) : text)
    if (begun) begun.refusal = refusal
    else onRefused(requestId, refusal)
  }

  // One function for all of them, and none made for each: this runs for every request.
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
    const connection = connectionOf(response.req.socket)
    const exchange: Exchange = { request: response.req, response, connection }
    ;(response as Guarded)[EXCHANGE] = exchange
    connection.latest = exchange
    connection.open.push(exchange)
    response.on('close', close)
    return exchange
  }

  server.on('connection', connectionOf)
  // Before anybody answers it.
  server.prependListener('request', (_, response) => void exchangeOf(response))
  // With `Expect: 100-continue` the body is asked for only by whoever is going to read it. Other expectations are
  // refused like anything else that is wrong with a request.
  server.on('checkContinue', (request, response) => void server.emit('request', request, response))
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  // A client that has said all it wants to say is still listening.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connect', ({ socket }) => {
    // From here on Node takes no care of this socket; without a listener its failure would end the process.
    socket.on('error', () => socket.destroy())
    const connection = connectionOf(socket)
    connection.isRefused = true
    const refusal = new Refusal('method_not_allowed', 'CONNECT is not allowed here.', { Allow: 'OPTIONS' })
    void answersTo(connection.open).then(() => end(socket, refusal))
  })

  return {
    exchangeOf,
    refuse(error, socket) {
      const connection = connectionOf(socket)
      if (connection.isRefused) return
      connection.isRefused = true
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      deafen(socket)
      const { open, latest } = connection
      const begun = latest?.request.complete === false ? latest : undefined
      // Requests that came whole before the nonsense on the same connection get their answers first.
      const before = [...open].filter((exchange) => exchange !== begun)
      void answersTo(before).then(() =>
        begun?.response.headersSent ? linger(socket) : end(socket, refusalFor(error), begun, isHead(error)),
      )
    },
    async drain() {
      for (const { open } of connections.values()) {
        for (const { response } of open) if (!response.headersSent) response.setHeader('Connection', 'close')
      }
      if (connections.size > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, GRACE_MS)
        onEmpty = resolve
        await promise
        clearTimeout(timer)
      }
      // The door closes now. Who came in at the last moment has not said yet what for.
      const dismiss = (isOver: (connection: Connection) => boolean) => {
        for (const [socket, connection] of connections) if (isOver(connection)) socket.destroy()
      }
      setTimeout(dismiss, GRACE_MS, ({ open }: Connection) => open.length === 0).unref()
      setTimeout(dismiss, CUT_MS, () => true).unref()
    },
  }
}

const EXCHANGE = Symbol('exchange')
type Guarded = ServerResponse & { [EXCHANGE]?: Exchange }

const answersTo = (exchanges: Iterable<Exchange>) =>
  Promise.all(Array.from(exchanges, ({ response }) => new Promise((done) => response.once('close', done))))

/** Which refusal an error of the parser means. */
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

/** Whether the request that the parser stopped in asked for the head of an answer only. */
function isHead({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ClientError): boolean {
  const before = rawPacket.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n')
  const start = before === -1 ? 0 : before + 4
  return rawPacket.toString('latin1', start, start + 5) === 'HEAD '
}

/** Whether the line that the parser stopped at has the form of a request line, with whatever method. */
function isRequestLine(packet: Buffer, bytesParsed: number): boolean {
  const start = packet.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = packet.indexOf('\r\n', start)
  const line = packet.toString('latin1', start, end === -1 ? start + 100 : end)
  // Where the line came in pieces, only the piece at hand can be looked at.
  return (end === -1 ? /^[!#$%&'*+.^_`|~\w-]+( |$)/ : /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/\d\.\d$/).test(line)
}

/**
 * Whether too many bytes were too many because of the target. Only the packet that was one too many is at hand: if the
 * request began earlier, a target and a header look the same unless a character shows that it cannot be a target.
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

/** Ends our side with a last word, and reads on for a moment: to close at once would take back what we said. */
function linger(socket: Socket, lastWord = ''): void {
  deafen(socket)
  socket.end(lastWord)
  // However much is still being sent.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** What arrives from now on is thrown away and reaches no parser: nothing may be done for who was told otherwise. */
export function deafen(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  // For a body that nobody reads Node has halted the handle, and the parser that would set it going is gone.
  socket._read(0) // oxlint-disable-line no-underscore-dangle
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
}

function textOf(refusal: Refusal, requestId: string): string {
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
