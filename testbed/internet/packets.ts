// DNS messages byte by byte, for the hostile responder: can encode everything that an ordinary
// library refuses to encode. Pure.

export type PacketQuestion = {
  id: number
  /** Lower case, without the last dot. */
  name: string
  /** As a number: 1 is A. */
  type: number
  /** The question section as received, in the same letter case. */
  section: Buffer
  /** The whole message. */
  message: Buffer
  hasEdns: boolean
  /** The client's address, if it is known. */
  from?: string
}

export type PacketReply = {
  answers?: readonly Buffer[]
  authority?: readonly Buffer[]
  additional?: readonly Buffer[]
  /** Default: 0x8400 (an authoritative answer). */
  flags?: number
  rcode?: number
  edns?: Buffer | 'none'
  /** False numbers of entries. */
  counts?: Partial<{ questions: number; answers: number; authority: number; additional: number }>
  /** In place of the received question. */
  question?: Buffer
  id?: number
}

export const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, DNAME: 39, OPT: 41, CAA: 257 } as const
export const flag = { response: 0x8000, authoritative: 0x0400, truncated: 0x0200 } as const

/** A pointer to the name in the question. */
export const asked = Buffer.from([0xc0, 12])

export function readQuestion(message: Buffer): PacketQuestion | null {
  const end = endOfName(message, 12)
  if (message.length < 17 || end === null || end + 4 > message.length) return null
  const labels: string[] = []
  for (let at = 12; at < end - 1; at += (message[at] ?? 0) + 1) {
    labels.push(message.toString('latin1', at + 1, at + 1 + (message[at] ?? 0)))
  }
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(end),
    section: message.subarray(12, end + 4),
    message,
    hasEdns: message.readUInt16BE(10) > 0,
  }
}

function endOfName(message: Buffer, from: number): number | null {
  for (let at = from; at < message.length;) {
    const length = message[at] ?? 0
    if (length === 0) return at + 1
    if (length > 63) return null
    at += length + 1
  }
  return null
}

/** A name as labels of any bytes, uncompressed. */
export function labels(...parts: readonly (string | Buffer)[]): Buffer {
  const written = parts.map((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  })
  return Buffer.concat([...written, Buffer.from([0])])
}

export const wireName = (name: string): Buffer => labels(...(name === '' ? [] : name.split('.')))

export type RecordLies = { ttl?: number; klass?: number; length?: number }

export function record(
  owner: Buffer,
  type: number,
  data: Buffer,
  { ttl = 5, klass = 1, length = data.length }: RecordLies = {},
): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(klass, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(length, 8)
  return Buffer.concat([owner, fixed, data])
}

export const ipv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))
export const strings = (...parts: readonly (string | Buffer)[]): Buffer => labels(...parts).subarray(0, -1)

export function soaData(zone: string): Buffer {
  const numbers = Buffer.alloc(20)
  for (const [index, value] of [1, 3600, 600, 86_400, 5].entries()) numbers.writeUInt32BE(value, index * 4)
  return Buffer.concat([wireName(`ns1.${zone}`), wireName(`hostmaster.${zone}`), numbers])
}

export function caaData(flags: number, tag: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([flags, tag.length]), Buffer.from(tag), Buffer.from(value)])
}

/** OPT: 1232 bytes, and any options. */
export function optRecord(options: Buffer = Buffer.alloc(0), extendedRcode = 0, version = 0): Buffer {
  const opt = record(Buffer.from([0]), types.OPT, options, { klass: 1232 })
  opt[5] = extendedRcode
  opt[6] = version
  return opt
}

export function option(code: number, data: Buffer, length = data.length): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(code, 0)
  head.writeUInt16BE(length, 2)
  return Buffer.concat([head, data])
}

export function reply(question: PacketQuestion, what: PacketReply = {}): Buffer {
  const { answers = [], authority = [], additional = [], counts = {}, rcode = 0 } = what
  const edns =
    what.edns === 'none' || (what.edns === undefined && !question.hasEdns)
      ? []
      : [what.edns ?? optRecord(Buffer.alloc(0), rcode >> 4)]
  const header = Buffer.alloc(12)
  header.writeUInt16BE(what.id ?? question.id, 0)
  header.writeUInt16BE((what.flags ?? flag.response | flag.authoritative) | (rcode & 15), 2)
  header.writeUInt16BE(counts.questions ?? 1, 4)
  header.writeUInt16BE(counts.answers ?? answers.length, 6)
  header.writeUInt16BE(counts.authority ?? authority.length, 8)
  header.writeUInt16BE(counts.additional ?? additional.length + edns.length, 10)
  return Buffer.concat([header, what.question ?? question.section, ...answers, ...authority, ...additional, ...edns])
}
