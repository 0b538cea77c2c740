// A class of hostile answers: a name, a description, and what it sends. `Truth` is the answer of
// an honest server: many lies are built on it, so that a client that believes them verifies a
// domain without proof.

import {
  flag,
  ipv4,
  asked,
  record,
  reply,
  soaData,
  strings,
  types,
  wireName,
  type PacketQuestion,
  type PacketReply,
} from './packets.ts'

export type Datagram = {
  bytes: Buffer
  afterMs?: number
  /** From another port than the one that was queried. */ fromElsewhere?: boolean
}
export type TcpPlay =
  | 'hang'
  | 'close'
  | 'reset'
  | { pieces: readonly { bytes: Buffer; afterMs?: number }[]; thenHang?: boolean }
export type Play = { udp: readonly Datagram[]; tcp: TcpPlay }

export type Truth = { target: string; token: string; address: string }

export type HostileClass = {
  about: string
  /** A careful client may take its answer as true: strange, but not a lie. */
  mayBeBelieved: boolean
  /** The address that plays it. */
  role: 'hostile' | 'hostile_udp_only'
  play(question: PacketQuestion, truth: Truth): Play
}

/** The answer of an honest server of this zone: the token below a name with an underscore, the target elsewhere. */
export function honestReply(question: PacketQuestion, zone: string, truth: Truth): PacketReply {
  const { name, type } = question
  const soa = record(wireName(zone), types.SOA, soaData(zone))
  if (name === zone) {
    if (type === types.SOA) return { answers: [soa] }
    if (type === types.NS) return { answers: [record(asked, types.NS, wireName(`ns1.${zone}`))] }
    if (type === types.A) return { answers: [record(asked, types.A, ipv4(truth.address))] }
    return { authority: [soa] }
  }
  if (name.startsWith('_')) return type === types.TXT ? { answers: [txt(truth.token)] } : { authority: [soa] }
  return { answers: [record(asked, types.CNAME, wireName(truth.target))] }
}

export const txt = (...parts: readonly (string | Buffer)[]): Buffer => record(asked, types.TXT, strings(...parts))

/** The zone of a class, from a name in it: `<class>.hostile.test` or `<class>.rude.test`. */
export function zoneOfName(name: string): string {
  return name.split('.').slice(-3).join('.')
}

export const honest = (question: PacketQuestion, truth: Truth): PacketReply =>
  honestReply(question, zoneOfName(question.name), truth)

/** With the length prefix of TCP. */
export function framed(bytes: Buffer, length = bytes.length): Buffer {
  const prefix = Buffer.alloc(2)
  prefix.writeUInt16BE(length & 65_535, 0)
  return Buffer.concat([prefix, bytes])
}

/** The same over UDP and TCP. */
export const both = (bytes: Buffer): Play => ({ udp: [{ bytes }], tcp: { pieces: [{ bytes: framed(bytes) }] } })

/** Over UDP only a truncated answer. */
export function truncated(question: PacketQuestion, tcp: TcpPlay): Play {
  return { udp: [{ bytes: reply(question, { flags: flag.response | flag.authoritative | flag.truncated }) }], tcp }
}

export const overTcp = (question: PacketQuestion, bytes: Buffer): Play =>
  truncated(question, { pieces: [{ bytes: framed(bytes) }] })

type Making = { about: string; mayBeBelieved?: boolean; role?: HostileClass['role'] }

export function hostileClass(about: string | Making, play: HostileClass['play']): HostileClass {
  const making = typeof about === 'string' ? { about } : about
  return { mayBeBelieved: false, role: 'hostile', ...making, play }
}

/** For strange but correct answers. */
export const strange = (about: string, play: HostileClass['play']): HostileClass =>
  hostileClass({ about, mayBeBelieved: true }, play)
