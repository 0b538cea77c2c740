// A real Caddy in front of an edge, for tests: as an ordinary user, on loopback addresses of its
// own, configured as in production. Several can run next to each other on different addresses
// with the same ports, as the edges of one installation do.

import { chmodSync, copyFileSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { caddyConfigText, type CaddySettings } from '../../server/src/edge/caddy-config.ts'
import { makeDirectory, putFile, startDaemon, until, type Daemon } from './processes.ts'

export type CaddyOptions = Omit<CaddySettings, 'storage'>
/** The addresses and ports it listens on. */
type ListenAddresses = Pick<CaddySettings, 'addresses' | 'httpPort' | 'httpsPort'>

export type Caddy = {
  addresses: readonly string[]
  httpPort: number
  httpsPort: number
  processId(): number
  /** The end of its output. */
  said(): string
  /** Discards the output so far. */
  hush(): void
  /** Files in its storage, as relative paths. */
  stored(): readonly string[]
  stop(): Promise<void>
  /** At the same addresses; also after `stop`. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const startCaddy = (options: CaddyOptions): Promise<Caddy> =>
  startCaddyWith(options, (storage) => caddyConfigText({ ...options, storage }))

/** With another configuration than in production, for comparison; or with another Caddy, by its path. */
export async function startCaddyWith(
  listening: ListenAddresses,
  textFor: (storage: string) => string,
  program = 'caddy',
): Promise<Caddy> {
  const directory = makeDirectory()
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  const storage = join(directory, 'storage')
  const configuration = join(directory, 'caddy.json')
  putFile(configuration, textFor(storage))
  const command = program.startsWith('/') ? copyOf(program, directory) : program
  const start = () => run(command, configuration, directory, listening)
  let daemon: Daemon
  try {
    daemon = await start()
  } catch (error) {
    remove()
    throw error
  }
  return {
    addresses: listening.addresses,
    httpPort: listening.httpPort,
    httpsPort: listening.httpsPort,
    processId: () => daemon.pid,
    said: () => daemon.said(),
    hush: () => daemon.hush(),
    stored: () => filesIn(storage),
    stop: () => daemon.stop(),
    async restart() {
      await daemon.stop()
      daemon = await start()
    },
    async close() {
      await daemon.stop()
      remove()
    },
  }
}

/** Where the unprivileged user can read it, wherever the original is. */
function copyOf(program: string, directory: string): string {
  const copy = join(directory, 'caddy')
  copyFileSync(program, copy)
  chmodSync(copy, 0o755)
  return copy
}

async function run(
  command: string,
  configuration: string,
  directory: string,
  listening: ListenAddresses,
): Promise<Daemon> {
  // Caddy needs a home directory for its storage, and an ordinary daemon has none.
  const homes = [`HOME=${directory}`, `XDG_DATA_HOME=${directory}/data`, `XDG_CONFIG_HOME=${directory}/config`]
  const daemon = startDaemon('env', [...homes, command, 'run', '--config', configuration])
  const doors = listening.addresses.flatMap((address) =>
    [listening.httpPort, listening.httpsPort].map((port) => ({ address, port })),
  )
  try {
    await until('That Caddy accepts connections', async () => {
      if (daemon.isGone()) throw new Error(`caddy ended by itself (apt-get install caddy): ${daemon.said()}`)
      const open = await Promise.all(doors.map(({ address, port }) => accepts(address, port)))
      return open.every(Boolean)
    })
    return daemon
  } catch (error) {
    await daemon.stop()
    throw error
  }
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true }).map(String)
  } catch {
    return [] // it has stored nothing yet
  }
}
