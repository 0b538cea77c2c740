import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { afterAll } from 'vitest'

export const HERE = '127.0.0.1'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** Starts a server on this machine until the end of the test file; returns its port. */
export async function listening(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, HERE)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
