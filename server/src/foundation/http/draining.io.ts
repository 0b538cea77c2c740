// Draining: a server stops without failing a request. It keeps accepting connections for a while, until the balancer
// in front has noticed; then it stops listening, answers what is in progress, and closes connections that are idle.
// Every response from the beginning on carries `Connection: close`.
//
// The listener is closed before any connection: a balancer repeats a request whose connection was refused with another
// process, and one that was sent over an accepted connection it may not repeat.

import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export type Shutdown = Readonly<{
  /** How long connections are still accepted: until the balancer in front has noticed. */
  delayMs: number
  /** After this time, counted from when it no longer listens, all remaining connections are closed. */
  waitMs: number
}>

export const atOnce: Shutdown = { delayMs: 0, waitMs: 20_000 }

export async function stopListening(server: Server, { delayMs }: Pick<Shutdown, 'delayMs'>): Promise<void> {
  if (!server.listening) return
  if (delayMs > 0) await sleep(delayMs)
  // Not the method of the HTTP server, which would also close every idle connection.
  Listener.prototype.close.call(server)
}

/** How long a client has to send its next request on a connection that it believes to be open. */
const GRACE_MS = 100
const SWEEP_MS = 100

/** For servers that track no connections themselves; Fastify adds `Connection: close`. */
export function drainOnClose(app: FastifyInstance, shutdown: Shutdown = atOnce): void {
  app.addHook('preClose', async () => {
    const { server } = app
    if (!server.listening) return
    await stopListening(server, shutdown)
    if ((await connectionsOf(server)) > 0) await sleep(GRACE_MS)
    // Node closes those that are idle now, and a connection may become idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    const cut = setTimeout(() => server.closeAllConnections(), shutdown.waitMs)
    server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(cut)
    })
  })
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))
