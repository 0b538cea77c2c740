// `sendHttp` sends one request and reads its response. Whatever the other side does (refuse, hang,
// send slowly, send without end, break off), it settles by the time its signal aborts, holds no
// more than the allowed bytes, and leaves no connection behind that has not been read to its end.
// It follows no redirect, and dials exactly the host and port of its options: which address may be
// contacted, and which certificate is trusted, is for the caller to decide.

import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { readStream } from './body.io.ts'

export type HttpExchange = {
  options: https.RequestOptions & { protocol: string }
  body?: Buffer | undefined
  /** Ends the whole exchange, from the connection to the last byte. */
  signal: AbortSignal
  /** The body may have this many bytes. */
  bytesMax: number
  /**
   * The body is only looked at: what exceeds the limit is not waited for, and what arrived before the response
   * broke off, or the time ran out, is enough.
   */
  isExcerpt?: boolean
  /** Judges by status and headers whether the body is read at all; unless it is, it is empty. */
  needsBody?: (head: ResponseHead) => boolean
  onSocket?: (socket: Socket) => void
}

export type ResponseHead = { status: number; headers: http.IncomingHttpHeaders; rawHeaders: readonly string[] }
export type HttpResponse = ResponseHead & { body: Buffer }

/** `late`: the signal aborted. `broken`: the response ended before its end. `network`: all else, with its cause. */
export class HttpFailure extends Error {
  readonly why: 'late' | 'too_large' | 'broken' | 'network'
  /** A kept-alive connection that the other side had just closed: the request was not processed. */
  readonly isStale: boolean

  constructor(why: HttpFailure['why'], cause?: Error, isStale = false) {
    super(cause?.message ?? why, { cause })
    this.why = why
    this.isStale = isStale
  }

  /** The network's word for it, such as `ECONNREFUSED`. */
  get code(): string | undefined {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code
  }
}

/** The server of an address, as options of a request name it: an IPv6 address without its brackets. */
export function serverOf(url: string): { protocol: string; hostname: string; port: string } {
  const { protocol, hostname, port } = new URL(url)
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port }
}

/** Rejects with an `HttpFailure`. */
export function sendHttp(exchange: HttpExchange): Promise<HttpResponse> {
  const { options, signal, isExcerpt = false } = exchange
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const request = (options.protocol === 'https:' ? https : http).request(options)
  let hasBegun = false
  const abort = () => {
    // An excerpt that has begun ends with the connection, and is enough.
    if (!(isExcerpt && hasBegun)) reject(new HttpFailure('late'))
    request.destroy()
  }
  // Stays attached after the exchange has settled: late errors of the connection are ignored.
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (isExcerpt && hasBegun) return
    reject(new HttpFailure('network', error, request.reusedSocket && error.code === 'ECONNRESET'))
  })
  if (exchange.onSocket) request.on('socket', exchange.onSocket)
  request.on('response', (response) => {
    hasBegun = true
    void receive(response, exchange)
      .then(resolve, reject)
      .finally(() => (isExcerpt || !response.readableEnded ? request.destroy() : undefined))
  })
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  request.end(exchange.body)
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

async function receive(response: http.IncomingMessage, exchange: HttpExchange): Promise<HttpResponse> {
  const { bytesMax, isExcerpt = false, needsBody = () => true } = exchange
  const { statusCode: status = 0, headers, rawHeaders } = response
  const head = { status, headers, rawHeaders }
  if (!needsBody(head)) {
    response.on('error', () => undefined)
    return { ...head, body: Buffer.alloc(0) }
  }
  // One byte less, because a full excerpt does not wait for a byte that may never come.
  const { end, bytes } = await readStream(response, isExcerpt ? bytesMax - 1 : bytesMax)
  if (isExcerpt) return { ...head, body: bytes.subarray(0, bytesMax) }
  if (end !== 'whole') throw new HttpFailure(end)
  return { ...head, body: bytes }
}

/**
 * For requests without effects, over connections that are kept alive: one that the other side has just closed is
 * replaced once, within the same deadline.
 */
export async function sendHttpTwice(exchange: HttpExchange): Promise<HttpResponse> {
  try {
    return await sendHttp(exchange)
  } catch (error) {
    if (!(error instanceof HttpFailure) || !error.isStale || exchange.signal.aborted) throw error
    return sendHttp(exchange)
  }
}
