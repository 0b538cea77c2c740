// `trackConnections` knows the open connections of a server and the requests in progress on each,
// and closes them at shutdown without losing a response. `linger` and `deafen` end one connection:
// a client that is still sending receives the last response, and nothing that it sends after that
// is executed. `takeHandler` is for what stands ahead of a server's handler.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Refusal } from '../refusal.ts'
import type { Shutdown } from './draining.io.ts'

/** How long to read on after the last response, so that a client that is still sending receives it. */
const LINGER_MS = 1000
/** How long a client has, at shutdown, to send its next request on a connection it believes to be open. */
const GRACE_MS = 250

/** A request and its response. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** The reply of the handler, once there is one; the response carries its request id, whichever code sends it. */
  reply?: FastifyReply
  /** True once the code that reads the body sets its own deadlines. */
  isPaced?: true
  /** The reason why the response was sent at socket level and not by its handler. */
  refusal?: Refusal
}
// An array, not a Set: an entry deleted from a Set stays reachable from its older tables until the
// next full garbage collection, and with it whole requests.
export type Connection = { open: Exchange[]; latest?: Exchange; isRefused: boolean }

export type Connections = {
  of(socket: Socket): Connection
  /** Requests in progress get a response, and a connection without a request is closed. */
  drain(shutdown: Pick<Shutdown, 'waitMs'>): Promise<void>
}

export function trackConnections(): Connections {
  const connections = new Map<Socket, Connection>()
  let onEmpty = () => {}
  return {
    of(socket) {
      const known = connections.get(socket)
      if (known) return known
      const connection: Connection = { open: [], isRefused: false }
      if (socket.destroyed) return connection
      connections.set(socket, connection)
      socket.once('close', () => {
        connections.delete(socket)
        if (connections.size === 0) onEmpty()
      })
      // Node calls this to close the connection after its last response.
      socket.destroySoon = () => linger(socket)
      return connection
    },
    async drain({ waitMs }) {
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
      // From now on connections are closed. A client that connected at the last moment has not sent its request yet.
      const dismiss = (isOver: (connection: Connection) => boolean) => {
        for (const [socket, connection] of connections) if (isOver(connection)) socket.destroy()
      }
      setTimeout(dismiss, GRACE_MS, ({ open }: Connection) => open.length === 0).unref()
      setTimeout(dismiss, waitMs, () => true).unref()
    },
  }
}

/** The handler of a server, which no longer receives its requests. */
export function takeHandler(server: Server): (request: IncomingMessage, response: ServerResponse) => void {
  const [handler] = server.listeners('request') as ReturnType<typeof takeHandler>[]
  if (!handler) throw new Error('the server has no handler yet')
  server.removeListener('request', handler)
  return handler
}

/** Ends our side with a last response, and reads on for a moment: closing at once would discard that response. */
export function linger(socket: Socket, lastResponse = ''): void {
  deafen(socket)
  socket.end(lastResponse)
  // However much is still being sent.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * Discards everything that arrives from now on before it reaches a parser: no request may be
 * executed after its client has received a rejection.
 */
export function deafen(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  // Node has paused the handle because the body was not read, and the parser that would resume it is gone.
  socket._read(0) // oxlint-disable-line no-underscore-dangle
}
