// One unbound: a real validating resolver, which trusts only the root key of this test internet.
// Its control socket takes one line and returns text; using it directly saves a process per
// command.

import { connect } from 'node:net'
import { join } from 'node:path'
import { makeFolder, putFile, startDaemon, type Daemon } from './processes.ts'
import { network } from './roles.ts'
import type { Stub } from './zones.ts'

export type Unbound = {
  name: string
  address: string
  daemon: Daemon
  controlPath: string
  learn(stubs: readonly Stub[]): Promise<void>
  forget(): Promise<void>
}

export type UnboundOptions = {
  directory: string
  /** Its port, and that of the authoritative servers. */
  port: number
  authoritativePort: number
  rootDigest: string
  cache: 'off' | 'real'
}

export function startUnbound(
  resolver: { name: string; address: string },
  stubs: readonly Stub[],
  options: UnboundOptions,
): Unbound {
  const home = join(options.directory, resolver.name)
  makeFolder(home)
  putFile(join(home, 'unbound.conf'), configuration(home, resolver.address, stubs, options))
  const daemon = startDaemon('unbound', ['-c', join(home, 'unbound.conf')])
  const controlPath = join(home, 'control')
  const control = (line: string): Promise<void> => sendCommand(controlPath, line)
  const forget = (): Promise<void> => forgetAt(controlPath)
  return {
    ...resolver,
    daemon,
    controlPath,
    forget,
    async learn(more) {
      for (const { zone, addresses } of more) {
        await control(
          `stub_add ${zone}. ${addresses.map((address) => `${address}@${options.authoritativePort}`).join(' ')}`,
        )
      }
      await forget()
    },
  }
}

/** Flushes the cache of the resolver with this control socket. */
export async function forgetAt(controlPath: string): Promise<void> {
  await sendCommand(controlPath, 'flush_zone .')
  // Also which servers were slow or dead.
  await sendCommand(controlPath, 'flush_infra all')
}

async function sendCommand(socketPath: string, line: string): Promise<void> {
  const answer = await new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(socketPath, () => socket.write(`UBCT1 ${line}\n`))
    socket.on('data', (part) => {
      received += part.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
  if (!answer.startsWith('ok')) throw new Error(`unbound did not take "${line}": ${answer.trim()}`)
}

function configuration(home: string, address: string, stubs: readonly Stub[], options: UnboundOptions): string {
  // Queries are sent from ephemeral ports: test internets listen below them (ports.ts), and the
  // query of one must not occupy a port on which another wants to listen. Even so an answer is
  // cached until the second is over: see `forgetsAfterEdits`.
  const cache = options.cache === 'real' ? '' : '  cache-max-ttl: 0\n  cache-max-negative-ttl: 0\n'
  return `server:
  interface: ${address}@${options.port}
  port: ${options.port}
  outgoing-interface: ${address}
  outgoing-port-avoid: 0-32767
  username: ""
  chroot: ""
  directory: "${home}"
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 0
  do-daemonize: no
  num-threads: 1
  do-ip6: no
  access-control: 127.0.0.0/8 allow
  access-control: ${network}.0.0/16 allow
  access-control: 10.0.0.0/24 allow
  do-not-query-localhost: no
  local-zone: "test." nodefault
  module-config: "validator iterator"
  trust-anchor: ". DS ${options.rootDigest}"
  trust-anchor-signaling: no
  root-key-sentinel: no
  val-log-level: 0
  ede: yes
  infra-host-ttl: 1
  infra-keep-probing: yes
${cache}remote-control:
  control-enable: yes
  control-interface: "${home}/control"
  control-use-cert: no
${stubs.map((stub) => stubLines(stub, options.authoritativePort)).join('')}`
}

const stubLines = ({ zone, addresses }: Stub, port: number): string =>
  `stub-zone:\n  name: "${zone}."\n${addresses.map((address) => `  stub-addr: ${address}@${port}\n`).join('')}`
