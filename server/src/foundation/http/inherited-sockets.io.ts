// Sockets that systemd keeps open (`petstore-listen.socket`): while the service restarts, crashes or is replaced by its
// roles apart, connections wait in the kernel instead of being refused. Without systemd, a role listens on its own.

import { isIP, type AddressInfo, type Server } from 'node:net'
import { sameAddress } from '../dns/addresses.ts'

/** In the order of `petstore-listen.socket`. */
export const socketNames = ['api', 'sites', 'certificates'] as const
export type SocketName = (typeof socketNames)[number]
type Wanted = Readonly<{ host: string; port: number }>

const FIRST_DESCRIPTOR = 3

let inherited = 0

/** Of the environment; of several processes that share a port, the supervisor has the sockets. */
export function inheritSockets({ LISTEN_PID: pid, LISTEN_FDS: count }: NodeJS.ProcessEnv): void {
  if (pid === String(process.pid) || pid === String(process.ppid)) inherited = Number(count)
}

/** Connections that may wait while the service restarts. */
const BACKLOG = 4096

/** Options of `listen`. */
export function socketFor(name: SocketName, { host, port }: Wanted) {
  const options = { host, port, backlog: BACKLOG }
  const index = socketNames.indexOf(name)
  return index < inherited ? { ...options, fd: FIRST_DESCRIPTOR + index } : options
}

/** The port; rejects a socket of systemd that is not where the settings want it. */
export function portOf(server: Server, wanted: Wanted): number {
  const { address, port } = server.address() as AddressInfo
  const isThere = isIP(wanted.host) === 0 || sameAddress(address) === sameAddress(wanted.host)
  if (!isThere || (wanted.port !== 0 && port !== wanted.port)) {
    throw new Error(
      `petstore-listen.socket listens on ${address}:${port}, and not on ${wanted.host}:${wanted.port}. ` +
        'Run petstore setup again, and then: systemctl restart petstore-listen.socket',
    )
  }
  return port
}
