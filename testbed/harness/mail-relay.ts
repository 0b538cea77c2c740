// A real SMTP server on loopback that keeps what it accepts, and can misbehave at every stage as
// servers on the internet do.

import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = {
  /** The envelope sender. */
  from: string
  to: string
  at: number
  messageId: string
  raw: Buffer
  read: () => Promise<Email>
}

/** A reply such as `550 5.1.1 No such user`; `hang`: no reply at all; `reset`: the end of the connection. */
export type Misbehaviour = string

export type RelayOptions = {
  /** What is said to a recipient, or after the message; undefined is 250. */
  onRecipient?: (address: string) => Misbehaviour | undefined
  onMessage?: (to: string) => Misbehaviour | undefined
  server?: SMTPServerOptions
}

export type TestRelay = {
  port: number
  url: string
  received: ReceivedMail[]
  /** How many connections it has had. */
  connections: () => number
  /** Resolves when that many have been accepted. */
  arrived: (count: number) => Promise<void>
  stop: () => Promise<void>
}

export async function startMailRelay({
  onRecipient,
  onMessage,
  server: options,
}: RelayOptions = {}): Promise<TestRelay> {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  /** By the port of the client. */
  const sockets = new Map<number, Socket>()

  const misbehave = (what: Misbehaviour | undefined, port: number, done: (error?: Error) => void): boolean => {
    if (what === undefined) return false
    if (what === 'reset') sockets.get(port)?.resetAndDestroy()
    else if (what !== 'hang') {
      const [, code, text = ''] = /^(\d{3}) ?(.*)$/.exec(what) ?? []
      done(Object.assign(new Error(text), { responseCode: Number(code) }))
    }
    return true
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onRcptTo({ address }, { remotePort }, done) {
      if (!misbehave(onRecipient?.(address), remotePort, done)) done()
    },
    onData(stream, { remotePort, envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [to = ''] = envelope.rcptTo.map(({ address }) => address)
        if (misbehave(onMessage?.(to), remotePort, done)) return
        const raw = Buffer.concat(chunks)
        const messageId = /^Message-ID: <([^>]*)>/im.exec(raw.toString('latin1'))?.[1] ?? ''
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to, at: performance.now(), messageId, raw, read: () => PostalMime.parse(raw) })
        done()
        for (const wake of waiting) wake()
      })
    },
    ...options,
  })
  server.server.on('connection', (socket: Socket) => void sockets.set(socket.remotePort ?? 0, socket))
  // Connections that a test cuts off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  let stopped: Promise<void> | undefined
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    connections: () => sockets.size,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    stop: () => (stopped ??= new Promise((resolve) => server.close(() => resolve()))),
  }
}
