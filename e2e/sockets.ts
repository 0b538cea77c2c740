// The TCP sockets of a process as the kernel lists them, including connections that were
// closed within the last minute (TIME_WAIT).

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type SocketEndpoint = { address: string; port: number }
export type TcpSocket = { local: SocketEndpoint; remote: SocketEndpoint; isListening: boolean; inode: string }

/** All sockets of this network namespace. */
export const tcpSockets = (): TcpSocket[] =>
  ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/net/${family}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields.length > 9)
      .map((fields) => ({
        local: endpointOf(fields[1] ?? ''),
        remote: endpointOf(fields[2] ?? ''),
        isListening: fields[3] === '0A',
        inode: fields[9] ?? '',
      })),
  )

export function socketsOf(pids: readonly number[]): TcpSocket[] {
  const links = pids.flatMap((pid) => readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)))
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]))
  return tcpSockets().filter(({ inode }) => inodes.has(inode))
}

/** Connections with that port at either end, each once. */
export const connectionsAt = (port: number): ReadonlySet<string> =>
  new Set(
    tcpSockets()
      .filter(({ local, remote, isListening }) => !isListening && (local.port === port || remote.port === port))
      .map(({ local, remote }) => [textOf(local), textOf(remote)].toSorted().join(' ')),
  )

const textOf = ({ address, port }: SocketEndpoint) => `${address}:${port}`

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed in the meantime
  }
}

/** The kernel writes addresses as four-byte words, each in reverse byte order. */
function endpointOf(text: string): SocketEndpoint {
  const [words = '', port = ''] = text.split(':')
  const bytes = Buffer.from(words, 'hex')
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse()
  const isMapped = bytes.length === 16 && bytes.subarray(0, 12).equals(mapped)
  const address = bytes.length === 4 || isMapped ? [...bytes.subarray(-4)].join('.') : bytes.toString('hex')
  return { address, port: Number.parseInt(port, 16) }
}

const mapped = Buffer.from('00000000000000000000ffff', 'hex')
