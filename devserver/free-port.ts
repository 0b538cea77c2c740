// Finds a loopback port without a listener. Seconds pass between choosing and listening
// when a database is started first, and by then an ephemeral port (which the system
// assigns to listeners on port 0, and to every outgoing connection) would be taken now
// and then. So this one is drawn from below that range.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux gives out from 32768 on, macOS and Windows from 49152 on. */
export const drawnPorts = { from: 15_000, to: 32_000 } as const
const ATTEMPTS = 50

/** `draw` is another one only in a test. */
export async function freePort(draw: (from: number, to: number) => number = randomInt): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = draw(drawnPorts.from, drawnPorts.to)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${ATTEMPTS} ports from ${drawnPorts.from} to ${drawnPorts.to} is free.`)
}

/** Also fails if a process listens on all addresses. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
