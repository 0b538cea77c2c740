// A pooler in front of PostgreSQL that assigns connections per transaction, in the simplest way: every simple query
// outside a transaction gets a connection of its own. It understands as much of the protocol as that needs.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TransactionPooler = { port: number; close(): Promise<void> }

export async function startTransactionPooler(port: number): Promise<TransactionPooler> {
  const open = new Set<Socket>()
  const kept = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    kept(client)
    serveClient(client, () => kept(connect(port, '127.0.0.1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const QUERY = 'Q'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)

function serveClient(client: Socket, newConnection: () => Socket): void {
  let startup: Buffer | undefined
  let upstream: Socket | undefined
  let isIdle = false
  /** `first`: what the client sent; a later connection gets it again, and the client does not see how it is opened. */
  const assign = (first: Buffer, query?: Buffer) => {
    upstream?.destroy()
    const own = newConnection()
    let isHidden = query !== undefined
    upstream = own
    own.write(first)
    own.on('close', () => own === upstream && client.destroy())
    own.on(
      'data',
      eachMessage((message) => {
        const isReady = message[0] === READY
        if (!isHidden) client.write(message)
        if (isReady && !isHidden) isIdle = message[5] === IDLE
        if (isReady && isHidden && query) own.write(query)
        if (isReady) isHidden = false
      }),
    )
  }
  const receive = eachMessage((message) => {
    if (message[0] === QUERY && isIdle && startup) {
      isIdle = false
      assign(startup, message)
    } else upstream?.write(message)
  })
  client.on('close', () => upstream?.destroy())
  client.on('data', (bytes: Buffer) => {
    if (startup) return receive(bytes)
    // The first message has no type, and is one packet.
    startup = bytes
    assign(bytes)
  })
}

/** Cuts a stream into messages: a byte for the type, then the length of the rest. */
function eachMessage(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) return
      take(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}
