// An HTTP/1.1 connection that sends bytes as they are and reads one response to them. Client
// libraries refuse to send most of what a fuzzer wants to send, and are more expensive than the
// server.

import { connect, type Socket } from 'node:net'
import type { Now } from './running-clock.ts'

export type ConnectionReply = {
  status: number
  headers: Record<string, string>
  text: string
  /** From the last byte of the request to the last byte of the response. */
  ms: number
}

/** The maximum duration of the slowest correct response. */
const PATIENCE_MS = 20_000
const HEAD_END = '\r\n\r\n'
const ENDLESS = 'text/event-stream'

type Waiting = {
  isHead: boolean
  sentAt: number
  resolve: (reply: Omit<ConnectionReply, 'ms'>) => void
  reject: (error: Error) => void
}

export class Connection {
  readonly #port: number
  readonly #host: string
  readonly #now: Now
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined

  constructor({ hostname, port }: URL, now: Now) {
    this.#now = now
    this.#host = hostname
    this.#port = Number(port)
  }

  /** The response, or an error with the reason why there was none. */
  exchange(bytes: Buffer, method: string): Promise<ConnectionReply> {
    const socket = this.#socket ?? this.#open()
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isHead: method === 'HEAD',
        sentAt: this.#now(),
        resolve: (reply) => resolve({ ...reply, ms: this.#now() - waiting.sentAt }),
        reject,
      }
      this.#waiting = waiting
      // Called when the system has accepted the last byte, unless the response comes earlier.
      socket.write(bytes, () => (waiting.sentAt = this.#now()))
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    const end = (why: string) => {
      socket.destroy()
      // A connection that was abandoned has no pending exchange.
      if (this.#socket === socket) this.#broken(why)
    }
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    socket.setTimeout(PATIENCE_MS, () => end('no answer in time'))
    socket.on('data', (chunk) => this.#socket === socket && this.#receive(chunk as Buffer))
    socket.on('error', (error) => end(error.message))
    socket.on('close', () => end('the connection was closed without an answer'))
    return socket
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END)
      if (headEnd === -1 || !this.#waiting) return
      const head = headOf(this.#received.toString('latin1', 0, headEnd))
      const bodyStart = headEnd + HEAD_END.length
      if (head.status >= 100 && head.status < 200) {
        this.#received = this.#received.subarray(bodyStart)
        continue
      }
      const isBare = this.#waiting.isHead || head.status === 204 || head.status === 304
      // The stream is endless: its head counts as the response.
      if (!isBare && head.headers['content-type'] === ENDLESS) {
        const { resolve } = this.#waiting
        this.#waiting = undefined
        this.close()
        return resolve({ ...head, text: '' })
      }
      const whole = isBare || head.headers['transfer-encoding'] !== 'chunked' ? undefined : this.#received
      const chunks = whole && unchunked(whole, bodyStart)
      if (chunks === 'more') return
      const length = isBare ? 0 : (chunks?.length ?? Number(head.headers['content-length']))
      if (Number.isNaN(length)) return this.#broken('the answer has no Content-Length')
      if (this.#received.length < bodyStart + length) return
      const text = chunks?.text ?? this.#received.toString('utf8', bodyStart, bodyStart + length)
      if (this.#received.length > bodyStart + length) return this.#broken('there is more than one answer')
      this.#received = Buffer.alloc(0)
      const { resolve } = this.#waiting
      this.#waiting = undefined
      if (head.headers['connection'] === 'close') this.close()
      return resolve({ ...head, text })
    }
  }

  #broken(why: string): void {
    this.close()
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(new Error(why))
  }
}

/** The decoded chunked body and its length in bytes; 'more' if it is incomplete. */
function unchunked(bytes: Buffer, start: number): { text: string; length: number } | 'more' {
  const pieces: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return 'more'
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (bytes.length < from + size + 2) return 'more'
    pieces.push(bytes.subarray(from, from + size))
    at = from + size + 2
    if (size === 0) return { text: Buffer.concat(pieces).toString(), length: at - start }
  }
}

function headOf(head: string): { status: number; headers: Record<string, string> } {
  const lines = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status: Number(lines[0]?.slice(9, 12)), headers }
}
