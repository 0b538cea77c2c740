// One plain query over UDP, for the test internet itself and its tests: whether a server is
// ready, whether it has the zone, what it answers. A late or malformed answer is null; nothing
// is retried.

import { createSocket } from 'node:dgram'
import {
  CHECKING_DISABLED,
  decode,
  encode,
  RECURSION_DESIRED,
  type DecodedPacket,
  type OptAnswer,
  type RecordType,
} from 'dns-packet'

export type DnsQueryOptions = {
  address: string
  port: number
  name: string
  type: RecordType
  /** For a resolver. */
  rd?: boolean
  /** For a resolver that must not validate signatures. */
  cd?: boolean
  waitMs?: number
}

/** `code` is the response code, `error` the extended one (RFC 8914). */
export type ScriptedAnswer = DecodedPacket & { code: number; error: number | null }

export async function question({
  address,
  port,
  waitMs = 500,
  ...query
}: DnsQueryOptions): Promise<ScriptedAnswer | null> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), waitMs)
    const finish = (decoded: ScriptedAnswer | null): void => {
      clearTimeout(timer)
      socket.close()
      resolve(decoded)
    }
    socket.once('error', () => finish(null))
    socket.once('message', (message) => finish(read(message)))
    socket.connect(port, address, () => socket.send(write(query)))
  })
}

function write({ name, type, rd = false, cd = false }: Omit<DnsQueryOptions, 'address' | 'port'>): Buffer {
  return encode({
    type: 'query',
    id: Math.floor(Math.random() * 65_536),
    flags: (rd ? RECURSION_DESIRED : 0) | (cd ? CHECKING_DISABLED : 0) | authenticData,
    questions: [{ name: name === '' ? '.' : name, type, class: 'IN' }],
    additionals: [edns],
  })
}

/** EDNS without options, as most resolvers send it. */
export const edns: OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1232,
  flags: 0,
  options: [],
  extendedRcode: 0,
  ednsVersion: 0,
  flag_do: false,
}

/** In a query it requests the result of the validation. */
const authenticData = 1 << 5

function read(message: Buffer): ScriptedAnswer | null {
  try {
    const packet = decode(message)
    const options = (packet.additionals ?? []).flatMap((record) => (record.type === 'OPT' ? record.options : []))
    // The type definitions of the library lack options that it decodes.
    const error = (options as readonly { code: number; data?: Buffer }[]).find(({ code }) => code === 15)
    return { ...packet, code: message.readUInt16BE(2) & 15, error: error?.data?.readUInt16BE(0) ?? null }
  } catch {
    return null
  }
}
