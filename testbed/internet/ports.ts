// Ports for one test internet, allocated so that two never share one. The silent server holds
// its socket as long as the test internet runs; a process that cannot bind that one tries
// another block, so it is the lock for the other ports of the same block as well. (knot would
// not detect a conflict: it lets several processes bind one port.)

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { addressOf, hasOwnNetwork, network, resolvers } from './roles.ts'

export type Ports = { authoritative: number; resolver: number; web: number; webTls: number }
export type TakenPorts = { ports: Ports; release: () => Promise<void> }

const blockSize = 4
/** Below the ephemeral ports of systems. */
const from = 12_000
const blocks = 4_000

export async function takePorts(): Promise<TakenPorts> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = from + blockSize * Math.floor(Math.random() * blocks)
    const taken = await takeSilent(hasOwnNetwork ? 53 : port)
    if (taken === null) continue
    const web = { web: port + 2, webTls: port + 3 }
    const ports = hasOwnNetwork
      ? { authoritative: 53, resolver: 53, ...web }
      : { authoritative: port, resolver: port + 1, ...web }
    if (await areFree(ports)) return { ports, release: taken }
    await taken()
  }
  throw new Error('No free ports were found for the world in 200 attempts.')
}

/** Null if it is taken. */
async function takeSilent(port: number): Promise<(() => Promise<void>) | null> {
  const udp = createSocket('udp4')
  const connections = new Set<{ destroy(): void }>()
  const tcp = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
  })
  const release = async (): Promise<void> => {
    for (const connection of connections) connection.destroy()
    await Promise.all([closeUdp(udp), closeTcp(tcp)])
  }
  try {
    await bindUdp(udp, port, addressOf.silent)
    await listen(tcp, port, addressOf.silent)
    return release
  } catch {
    await release()
    return null
  }
}

async function areFree(ports: Ports): Promise<boolean> {
  const wanted = [
    ...Object.values(addressOf)
      .filter((address) => address !== addressOf.silent)
      .map((address) => ({ address, port: ports.authoritative })),
    ...resolvers.map(({ address }) => ({ address, port: ports.resolver })),
    { address: `${network}.80.1`, port: ports.web },
    { address: `${network}.80.1`, port: ports.webTls },
  ]
  const free = await Promise.all(wanted.map(({ address, port }) => isFree(address, port)))
  return free.every(Boolean)
}

async function isFree(address: string, port: number): Promise<boolean> {
  const udp = createSocket('udp4')
  const tcp = createServer()
  try {
    await bindUdp(udp, port, address)
    await listen(tcp, port, address)
    return true
  } catch {
    return false
  } finally {
    await Promise.all([closeUdp(udp), closeTcp(tcp)])
  }
}

export async function canBindIpv6(): Promise<boolean> {
  const server = createServer()
  try {
    await listen(server, 0, '::1')
    return true
  } catch {
    return false
  } finally {
    await closeTcp(server)
  }
}

export async function bindUdp(socket: Socket, port: number, address: string): Promise<void> {
  const bound = once(socket, 'listening')
  socket.bind({ port, address, exclusive: true })
  await bound
}

export async function listen(server: Server, port: number, host: string): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ port, host, exclusive: true })
  await listening
}

export async function closeTcp(server: Server): Promise<void> {
  if (!server.listening) return
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

export function closeUdp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    try {
      socket.close(() => resolve())
    } catch {
      resolve()
    }
  })
}
