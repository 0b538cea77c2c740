import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { atEnd } from '../../../testbed/harness/at-end.ts'

export const HERE = '127.0.0.1'

/** Starts a server on this machine until the end of the test or of its file; returns its port. */
export async function listening(server: Server): Promise<number> {
  atEnd(() => server.close())
  server.listen(0, HERE)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
