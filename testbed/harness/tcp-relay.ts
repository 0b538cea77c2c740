// A TCP relay in front of a server, for tests in which the server dies at a certain point: it counts the bytes of both
// directions, and can withhold the answers. If the server closes a connection, so does the relay.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Relay = {
  endpoint: string
  /** From now on answers are counted and not delivered; counting starts again. */
  withhold(): void
  /** From now on answers are delivered; counting starts again. */
  deliver(): void
  /** Bytes since then, of each connection that was used. */
  counts(): readonly { sent: number; answered: number }[]
  close(): Promise<void>
}

/** `at`: the port at which it listens, where that must be a certain one. */
export async function startRelay(port: number, at = 0): Promise<Relay> {
  const counts = new Map<Socket, { sent: number; answered: number }>()
  const open = new Set<Socket>()
  let isWithholding = false
  const countOf = (client: Socket) => {
    const count = counts.get(client) ?? { sent: 0, answered: 0 }
    counts.set(client, count)
    return count
  }
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      countOf(client).sent += bytes.length
      if (!upstream.write(bytes)) {
        client.pause()
        upstream.once('drain', () => client.resume())
      }
    })
    upstream.on('data', (bytes) => {
      countOf(client).answered += bytes.length
      if (!isWithholding) client.write(bytes)
    })
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const restart = (withholds: boolean) => {
    isWithholding = withholds
    counts.clear()
  }
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    withhold: () => restart(true),
    deliver: () => restart(false),
    counts: () => [...counts.values()],
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
