// A port of the loopback that nobody listens on. Between asking and listening lie seconds
// when a database is started first, and the ports that the system gives out by itself (to
// whoever listens on port 0, and to every connection that goes out) would be taken by then
// now and then. So this one is drawn from below them.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux gives out from 32768 on, macOS and Windows from 49152 on. */
export const drawnPorts = { from: 15_000, to: 32_000 } as const
const ATTEMPTS = 50

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(drawnPorts.from, drawnPorts.to)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${ATTEMPTS} ports from ${drawnPorts.from} to ${drawnPorts.to} is free.`)
}

/** Nor does anybody listen on all addresses: this would be refused here too. */
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
