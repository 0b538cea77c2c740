// A raw HTTP connection without an HTTP client: bytes out, bytes in, and just enough parsing
// of responses to separate them. A packet is sent when the one before it has been read by
// the server, so what is sent in pieces also arrives in pieces.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { refusals } from '@petstore-platform/contract/errors'

/** Longer than every timeout that a test sets, also on a slow machine. */
const PATIENCE_MS = 60_000

export type RawAnswer = {
  status: number
  headers: (readonly [name: string, value: string])[]
  body: string
}

export class RawConnection {
  readonly #socket: Socket
  readonly #server: Server
  #received: Buffer = Buffer.alloc(0)
  #sent = 0
  #isClosed = false
  #error: Error | undefined
  #wake = () => {}

  static async open(server: Server): Promise<RawConnection> {
    watch(server)
    const { port } = server.address() as AddressInfo
    // Half open: a client may keep sending after the final response.
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
    await once(socket, 'connect')
    return new RawConnection(server, socket)
  }

  private constructor(server: Server, socket: Socket) {
    this.#server = server
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', (error) => (this.#error = error))
    socket.on('end', () => this.#wake())
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  get error(): Error | undefined {
    return this.#error
  }

  /** Bytes received that are not part of a response read so far. */
  get unread(): number {
    return this.#received.length
  }

  /** Sends each piece once the server has read what was sent before; whether it still accepts it or not. */
  async send(...pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) {
      if (this.#socket.destroyed || this.#socket.writableEnded) return
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
      this.#socket.write(bytes)
      this.#sent += bytes.length
      await this.#arrival()
    }
  }

  /** Writes without waiting for the server to read; returns whether the system still accepted it. */
  write(bytes: Uint8Array): boolean {
    return !this.#socket.destroyed && this.#socket.write(bytes)
  }

  /** Sends all of it before reading anything, as simple clients do; the responses show whether it went through. */
  async sendBlindly(bytes: Uint8Array): Promise<void> {
    this.#socket.pause()
    await new Promise<unknown>((resolve) => this.#socket.write(bytes, resolve))
    this.#socket.resume()
  }

  /** Sends the same repeatedly until the server has cut the connection. */
  async flood(bytes: Uint8Array): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!this.#isClosed) {
      if (Date.now() > deadline) throw new Error('The server takes in whatever is sent.')
      const isTaken = this.write(bytes)
      await new Promise<void>((resolve) => {
        if (isTaken || this.#socket.destroyed) return void setImmediate(resolve)
        const go = () => {
          this.#socket.off('drain', go).off('close', go)
          resolve()
        }
        this.#socket.on('drain', go).on('close', go)
      })
    }
  }

  halfClose(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** The next response; undefined when the connection ended without another. */
  async answer(): Promise<RawAnswer | undefined> {
    return this.#until(() => {
      const found = readAnswer(this.#received)
      if (!found) return this.#socket.readableEnded || this.#isClosed ? { value: undefined } : undefined
      this.#received = this.#received.subarray(found.length)
      return { value: found.answer }
    })
  }

  /** Every further response, until the server has closed the connection. */
  async answersToEnd(): Promise<RawAnswer[]> {
    const answers: RawAnswer[] = []
    for (let next = await this.answer(); next; next = await this.answer()) answers.push(next)
    return answers
  }

  async closed(): Promise<void> {
    await this.#until(() => (this.#socket.readableEnded || this.#isClosed ? { value: undefined } : undefined))
  }

  async #until<T>(look: () => { value: T } | undefined): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const found = look()
      if (found) return found.value
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve
        const why = `Nothing more came; unread: ${JSON.stringify(this.#received.toString('latin1').slice(0, 500))}`
        timer = setTimeout(() => reject(new Error(why)), deadline - Date.now())
      }).finally(() => clearTimeout(timer))
    }
  }

  async #arrival(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    const isThere = () => {
      const peer = accepted.get(this.#server)?.get(this.#socket.localPort ?? 0)
      return this.#socket.destroyed || peer?.destroyed || (peer?.bytesRead ?? 0) >= this.#sent
    }
    while (!isThere()) {
      if (Date.now() > deadline) throw new Error('The server did not read what was sent.')
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** The server's ends of the connections, by the client's port. */
const accepted = new WeakMap<Server, Map<number, Socket>>()

function watch(server: Server): void {
  if (accepted.has(server)) return
  const sockets = new Map<number, Socket>()
  accepted.set(server, sockets)
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
  })
}

/** One response from the start of the bytes, if all of it is there. */
function readAnswer(bytes: Buffer): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/.exec(statusLine)?.[1]
  if (status === undefined) throw new Error(`No status line: ${JSON.stringify(statusLine)}`)
  const headers = lines.map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`No header: ${JSON.stringify(line)}`)
    return [name, value] as const
  })
  const answer: RawAnswer = { status: Number(status), headers, body: '' }
  const hasBody = answer.status >= 200 && answer.status !== 204 && answer.status !== 304
  const length = hasBody ? Number(headerOf(answer, 'Content-Length')) : 0
  if (Number.isNaN(length)) throw new Error('An answer without Content-Length.')
  const end = headEnd + 4 + length
  if (bytes.length < end) return undefined
  answer.body = bytes.toString('utf8', headEnd + 4, end)
  return { answer, length: end }
}

/** The value of a header that is there exactly once. */
export function headerOf({ headers }: RawAnswer, wanted: string): string | undefined {
  const found = headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase())
  return found.length === 1 ? found[0]?.[1] : undefined
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What is wrong with a response that should be a refusal with the Error body; nothing, if it is correct. */
export function faultsOf(answer: RawAnswer, status: number, code?: string): string[] {
  const faults: string[] = []
  const demand = (isRight: boolean, fault: string) => void (isRight || faults.push(fault))
  demand(answer.status === status, `status ${answer.status}, not ${status}`)
  const wanted = {
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Strict-Transport-Security': 'max-age=31536000',
    'Cache-Control': 'no-store',
  }
  for (const [name, value] of Object.entries(wanted)) {
    demand(headerOf(answer, name) === value, `${name}: ${headerOf(answer, name)}, not ${value}`)
  }
  demand(UUID_V7.test(headerOf(answer, 'Request-Id') ?? ''), `Request-Id: ${headerOf(answer, 'Request-Id')}`)
  demand(headerOf(answer, 'Date') !== undefined, 'no Date')

  let body: Record<string, unknown> = {}
  try {
    body = JSON.parse(answer.body) as Record<string, unknown>
  } catch {
    faults.push(`body is no JSON: ${answer.body.slice(0, 80)}`)
  }
  demand(Object.keys(body).toSorted().join() === 'code,message,status', `body has ${Object.keys(body).join()}`)
  demand(body['status'] === answer.status, `body says status ${String(body['status'])}`)
  demand(typeof body['message'] === 'string' && body['message'] !== '', 'body has no message')
  const known = (refusals as Record<string, { status: number }>)[String(body['code'])]
  demand(known?.status === answer.status, `code ${String(body['code'])} is not one of ${answer.status}`)
  if (code !== undefined) demand(body['code'] === code, `code ${String(body['code'])}, not ${code}`)
  return faults
}
