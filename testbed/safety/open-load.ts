// Load on the API from a process of its own, over raw connections from several addresses. Open loop: requests arrive at a
// rate, whatever the responses; a connection with a request in progress keeps one more waiting and drops the rest, as a
// client does that gives up. Without a rate, each connection sends its next request at once (closed loop).

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../harness/quantile.ts'

export type LoadErrand = {
  port: number
  /** One connection after another takes the next of them. */
  addresses: readonly string[]
  connections: number
  /** Whole requests; one connection after another takes the next of them. */
  requests: readonly string[]
  seconds: number
  perSecond?: number
}

export type LoadOutcome = {
  seconds: number
  served: number
  rejected: number
  /** Responses other than these, and connections that were cut. */
  failed: number
  /** The most rejections of one connection. */
  rejectedMost: number
  /** When the last rejection came, in ms since the beginning. */
  lastRejectedMs: number
  /** From when the server may read the request: a client that does not wait for Retry-After waits there. */
  servedP50Ms: number
  servedP99Ms: number
  /** Of the first rejection on each connection. */
  firstRejectedP50Ms: number
  firstRejectedP99Ms: number
}

/** The server may hold a connection for as long as its Retry-After says. */
const RETRY_MS = 1000
const ACCEPTED_MS = 500
const TICK_MS = 5

class Client {
  readonly socket: Socket
  readonly #request: string
  readonly #onEnd: (status: number, sentAt: number) => void
  #sentAt: number | undefined
  #isWaiting = false
  #received: Buffer = Buffer.alloc(0)

  constructor(socket: Socket, request: string, onEnd: (status: number, sentAt: number) => void) {
    this.socket = socket
    this.#request = request
    this.#onEnd = onEnd
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#sentAt !== undefined) onEnd(0, this.#sentAt)
    })
  }

  /** A request arrives. */
  arrive(): void {
    if (this.#sentAt !== undefined || this.socket.destroyed) {
      this.#isWaiting = true
      return
    }
    this.#sentAt = performance.now()
    this.socket.write(this.#request)
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    this.#received = Buffer.alloc(0)
    const sentAt = this.#sentAt ?? performance.now()
    this.#sentAt = undefined
    this.#onEnd(Number(head.slice(9, 12)), sentAt)
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.arrive()
  }
}

async function runLoad({
  port,
  addresses,
  connections,
  requests,
  seconds,
  perSecond,
}: LoadErrand): Promise<LoadOutcome> {
  const servedMs: number[] = []
  const firstRejected: number[] = []
  const rejectedBy = Array.from({ length: connections }, () => 0)
  const mayReadAt = Array.from({ length: connections }, () => 0)
  let [served, failed, lastRejectedAt, isOver] = [0, 0, 0, false]
  const clients = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const localAddress = addresses[index % addresses.length] ?? '127.0.0.1'
      const socket = connect({ host: '127.0.0.1', port, localAddress })
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
      const client = new Client(socket, requests[index % requests.length] ?? '', (status, sentAt) => {
        if (isOver) return
        const now = performance.now()
        if (status === 503) {
          if (rejectedBy[index] === 0) firstRejected.push(now - sentAt)
          rejectedBy[index] = (rejectedBy[index] ?? 0) + 1
          mayReadAt[index] = now + RETRY_MS
          lastRejectedAt = now
        } else if (status === 200) {
          served += 1
          const readAt = Math.max(sentAt, mayReadAt[index] ?? 0)
          // The connection may have been read earlier than announced; when is not known here.
          if (now > readAt) servedMs.push(now - readAt)
        } else failed += 1
        if (perSecond === undefined) client.arrive()
      })
      return client
    }),
  )
  // Until the server has accepted the connections too: it is the requests that are measured.
  await pause(ACCEPTED_MS)
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  /** How many should have arrived by now; in a closed loop, one on each connection. */
  const due = () => (perSecond === undefined ? connections : (elapsed() * perSecond) / 1000)
  for (let arrived = 0; elapsed() < seconds * 1000; await pause(TICK_MS)) {
    for (; arrived < due(); arrived += 1) clients[arrived % clients.length]?.arrive()
  }
  isOver = true
  const took = elapsed() / 1000
  for (const { socket } of clients) socket.destroy()
  return {
    seconds: took,
    served,
    rejected: rejectedBy.reduce((sum, count) => sum + count, 0),
    failed,
    rejectedMost: Math.max(...rejectedBy),
    lastRejectedMs: lastRejectedAt === 0 ? 0 : lastRejectedAt - startedAt,
    servedP50Ms: at(servedMs, 0.5),
    servedP99Ms: at(servedMs, 0.99),
    firstRejectedP50Ms: at(firstRejected, 0.5),
    firstRejectedP99Ms: at(firstRejected, 0.99),
  }
}

/** 0 if there is nothing to measure. */
const at = (times: readonly number[], share: number) => (times.length === 0 ? 0 : Math.round(quantile(times, share)))

process.on('message', (errand: LoadErrand) => void runLoad(errand).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
