// `guardAdmission` decides, ahead of Fastify, which requests a server serves, by the arithmetic of admission.ts.
// - A rejected request gets a 503 that is prepared in advance, before routing. It is counted, not logged: a line every
//   ten seconds has the numbers.
// - Rejections are bounded by connections, not by requests: a connection whose request was rejected is not read until
//   its Retry-After has passed, or almost: those rejected together are not read again together. Those of trusted
//   proxies are, since they carry the requests of many clients.
// - Accepted requests are begun in turns, by sender (fair-queue.ts): a rejection does not wait for all of them.
// - A request counts once its body has arrived: clients that send slowly occupy no place.
// - The connections of an address group and of its network are limited; those of trusted proxies are not.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { ADJUST_MS, Admission, type AdmissionRules, type InFlight, type RequestKind } from './admission.ts'
import { Counts } from './counts.ts'
import { addressGroup, addressNetwork } from '../address-group.ts'
import { Refusal, bodyOf } from '../refusal.ts'
import { SECOND } from '../time.ts'
import { BODY_BYTES_MAX, hasBody } from '../http/body.io.ts'
import { linger, takeHandler } from '../http/connections.io.ts'
import { clientOf, proxiesOf } from '../http/proxies.io.ts'
import { commonHeaders } from '../http/socket-errors.io.ts'
import { inTurns } from './fair-queue.ts'

export type AdmissionOptions = {
  rules: AdmissionRules
  connections: ConnectionGuard
  kindOf: (request: IncomingMessage) => RequestKind
  /** The project of a request, if its key is cached; or another sender that is known already. */
  senderOf: (request: IncomingMessage) => string | undefined
  requestIdOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** Limits the connections of a server, and knows whose they are. */
export type ConnectionGuard = {
  /** False for a connection that carries the requests of many clients. */
  mayHold(socket: Socket): boolean
  groupOf(request: IncomingMessage): string
  /** How many connections were refused or closed since the last reset. */
  rejected(isReset?: boolean): number
}

const RETRY_SECONDS = 1
/** How much less a connection is held: from nothing to this part of it. */
const SPREAD = 1 / 2
const REPORT_MS = 10 * SECOND
/** The resolution of the measured delay, which is part of every value. */
const RESOLUTION_MS = 10

export function guardAdmission(server: Server, options: AdmissionOptions) {
  const { rules, connections, kindOf, senderOf, requestIdOf, log } = options
  const admission = new Admission(rules)
  const held = holdConnections()
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const counts = { requests: 0 }
  let isStopping = false
  const hold = (socket: Socket) => {
    if (!isStopping && rules.holdsConnections && connections.mayHold(socket)) held.hold(socket)
  }

  const serve = takeHandler(server)
  const serveInTurn = inTurns(serve, { now: () => performance.now() })
  server.on('request', (request, response) => {
    const { socket } = request
    // It was sent together with the rejected one. To answer each would cost what holding the connection saves.
    if (held.has(socket)) return void socket.destroy()
    const kind = isStopping ? 'health' : kindOf(request)
    if (kind === 'health') return serve(request, response)
    const sender = senderOf(request) ?? connections.groupOf(request)
    if (admission.admits(kind, sender)) {
      count(admission, { request, response, kind, sender })
      return serveInTurn(sender, request, response)
    }
    counts.requests += 1
    reject(request, response, requestIdOf(request))
    hold(socket)
  })

  let reportedAt = -Infinity
  const timer = setInterval(() => {
    // The median: one pause, by the garbage collector or another process, is no overload.
    const spare = admission.adjust(Math.max(0, loop.percentile(50) / 1e6 - RESOLUTION_MS))
    loop.reset()
    const now = performance.now()
    held.release(now, spare)
    if (counts.requests + connections.rejected() === 0 || now - reportedAt < REPORT_MS) return
    reportedAt = now
    log.warn(
      { rejected: counts.requests, connections: connections.rejected(true), limit: admission.limit },
      'overload: requests were rejected',
    )
    counts.requests = 0
  }, ADJUST_MS).unref()
  loop.enable()
  return {
    hold,
    stop() {
      isStopping = true
      clearInterval(timer)
      loop.disable()
      held.release(Infinity, 0)
    },
  }
}

type Arrival = { request: IncomingMessage; response: ServerResponse; kind: RequestKind; sender: string }
const COUNTED = Symbol('counted')
type Counted = ServerResponse & { [COUNTED]?: InFlight & { admission: Admission; since: number } }

/** From the end of its body until its response is complete, or the connection gone. */
function count(admission: Admission, { request, response, kind, sender }: Arrival): void {
  const begin = () => {
    // A body may end after the response, if it was rejected unread.
    const inFlight = response.writableEnded ? undefined : admission.begin(kind, sender)
    if (inFlight) (response as Counted)[COUNTED] = { ...inFlight, admission, since: performance.now() }
  }
  if (hasBody(request)) request.once('end', begin)
  else begin()
  // Complete, however slowly the client receives it.
  response.on('prefinish', end)
  response.on('close', end)
}

/** One shared function, no closure per request. */
function end(this: Counted): void {
  const counted = this[COUNTED]
  if (!counted) return
  delete this[COUNTED]
  counted.admission.end(counted, performance.now() - counted.since)
}

const overloaded = new Refusal('service_unavailable', 'The service is overloaded. Try again shortly.')
const body = Buffer.from(bodyOf(overloaded))
const headers = Object.entries({
  ...commonHeaders,
  'Content-Type': 'application/json',
  'Content-Length': String(body.length),
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_SECONDS),
}).flat()

function reject(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  // What is left of a short body is read, and discarded.
  const isLong =
    request.headers.expect !== undefined ||
    (hasBody(request) && !(Number(request.headers['content-length']) <= BODY_BYTES_MAX))
  response.writeHead(overloaded.status, [
    ...headers,
    'Request-Id',
    requestId,
    ...(isLong ? ['Connection', 'close'] : []),
  ])
  response.end(body)
}

/** Connections that are not read for a while. */
function holdConnections() {
  const untilBySocket = new Map<Socket, number>()
  return {
    has: (socket: Socket) => untilBySocket.size > 0 && untilBySocket.has(socket),
    hold(socket: Socket) {
      untilBySocket.set(socket, performance.now() + RETRY_SECONDS * SECOND * (1 - SPREAD * Math.random()))
      // Node resumes it to discard a body.
      socket.on('resume', pauseAgain)
      socket.pause()
    },
    /** Those whose time is over, and a few others: nothing waits while the service could do more. */
    release(now: number, others: number) {
      let left = others
      for (const [socket, until] of untilBySocket) {
        if (until > now && (left -= 1) < 0) continue
        untilBySocket.delete(socket)
        socket.off('resume', pauseAgain)
        socket.resume()
      }
    },
  }
}

function pauseAgain(this: Socket): void {
  this.pause()
}

/** A network has as many connections as ten of its address groups. */
const GROUPS_OF_NETWORK = 10

/**
 * Limits the connections of an address group to this process, and of its network, and knows which are those of proxies.
 * A client receives the text before a connection beyond the limit is closed.
 */
export function guardConnections(
  server: Server,
  {
    trustedProxies,
    connectionsMax,
    textOf,
  }: {
    trustedProxies: readonly string[]
    connectionsMax: number
    textOf: (socket: Socket, refusal: Refusal) => string
  },
): ConnectionGuard {
  const proxies = proxiesOf(trustedProxies)
  const counts = new Counts<string>()
  const groupBySocket = new WeakMap<Socket, string>()
  let rejected = 0
  const tooMany = new Refusal(
    'rate_limited',
    `At most ${connectionsMax} connections from one address are open at a time. Close some, or use fewer.`,
    { 'Retry-After': String(RETRY_SECONDS) },
  )
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (proxies.has(remoteAddress)) return
    const group = addressGroup(remoteAddress)
    groupBySocket.set(socket, group)
    const network = `network ${addressNetwork(remoteAddress)}`
    const [open, ofNetwork] = [counts.add(group, 1), counts.add(network, 1)]
    socket.once('close', () => {
      counts.add(group, -1)
      counts.add(network, -1)
    })
    if (open <= connectionsMax && ofNetwork <= GROUPS_OF_NETWORK * connectionsMax) return
    rejected += 1
    linger(socket, textOf(socket, tooMany))
  })
  return {
    mayHold: (socket) => groupBySocket.has(socket),
    groupOf: (request) => groupBySocket.get(request.socket) ?? addressGroup(clientOf(request, proxies)),
    rejected(isReset = false) {
      const count = rejected
      if (isReset) rejected = 0
      return count
    },
  }
}
