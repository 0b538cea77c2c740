// Messages of dynamic updates (RFC 2136), signed with a shared key (TSIG, RFC 8945): adds or removes
// one TXT record, and leaves other records of the same name alone. Only what a server says about a
// rejected update is read from its response: a forged response gains nothing, because a record
// counts when the nameservers of the zone show it.

import { createHmac } from 'node:crypto'
import { decode, encode } from 'dns-packet'
import type { Secret } from '../secret.ts'

/** By the names of the protocol, with those of the hash functions. */
export const tsigAlgorithms = { 'hmac-sha256': 'sha256', 'hmac-sha384': 'sha384', 'hmac-sha512': 'sha512' } as const

export type TsigKey = {
  name: string
  algorithm: keyof typeof tsigAlgorithms
  /** Base64. */
  secret: Secret
}

export type TxtUpdate = {
  id: number
  zone: string
  /** The absolute name of the record, without the last dot. */
  name: string
  value: string
  change: 'add' | 'remove'
}

const UPDATE = 5 << 11
const CLASS_ANY = 255
/** Deletes exactly the given record (RFC 2136, 2.5.4); dns-packet has no name for it. */
const CLASS_NONE = 254
const TSIG = 250
/** As good as not at all: after a renewal a resolver must not remember the record of the previous one. */
const TTL_SECONDS = 1
const FUDGE_SECONDS = 300

export function encodeUpdate({ id, zone, name, value, change }: TxtUpdate): Buffer {
  const record = { type: 'TXT', name, ttl: change === 'add' ? TTL_SECONDS : 0, data: value } as const
  const message = encode({
    id,
    type: 'query',
    flags: UPDATE,
    questions: [{ type: 'SOA', name: zone }],
    authorities: [record],
  })
  if (change === 'remove') {
    // The record is the last one: class, time to live, length, and a text with its own length.
    message.writeUInt16BE(CLASS_NONE, message.length - (value.length + 1) - 2 - 4 - 2)
  }
  return message
}

/** Appends the signature. `at` is in seconds. */
export function signUpdate(message: Buffer, key: TsigKey, at: number): Buffer {
  const mac = macOf(message, key, { at, fudge: FUDGE_SECONDS })
  const data = Buffer.concat([
    nameBytes(key.algorithm),
    timeBytes(at),
    shorts(FUDGE_SECONDS, mac.length),
    mac,
    // The message's own id again, no error, nothing else.
    shorts(message.readUInt16BE(0), 0, 0),
  ])
  const head = Buffer.concat([nameBytes(key.name), shorts(TSIG, CLASS_ANY, 0, 0, data.length)])
  const signed = Buffer.concat([message, head, data])
  const additionals = 10
  signed.writeUInt16BE(message.readUInt16BE(additionals) + 1, additionals)
  return signed
}

/** RFC 8945, 4.3.3: the message without its signature, then the signature's own fields. */
export function macOf(message: Buffer, key: TsigKey, { at, fudge }: { at: number; fudge: number }): Buffer {
  return createHmac(tsigAlgorithms[key.algorithm], Buffer.from(key.secret.reveal(), 'base64'))
    .update(message)
    .update(nameBytes(key.name))
    .update(shorts(CLASS_ANY, 0, 0))
    .update(nameBytes(key.algorithm))
    .update(timeBytes(at))
    .update(shorts(fudge, 0, 0))
    .digest()
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .toLowerCase()
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])

const shorts = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))

/** 48 bits. */
const timeBytes = (at: number): Buffer => {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(at, 0, 6)
  return bytes
}

const tsigErrors: Readonly<Record<number, string>> = {
  16: 'the signature is wrong (BADSIG): DNS_UPDATE_KEY has another secret than the server',
  17: 'it does not know the key (BADKEY): DNS_UPDATE_KEY has another name or algorithm than the server',
  18: 'the clocks differ by more than five minutes (BADTIME)',
}

/** Null if the update was accepted; otherwise the server's reason, in words. */
export function refusalIn(response: Buffer, id: number): string | null {
  try {
    const { id: responseId, rcode, additionals } = decode(response) as ReturnType<typeof decode> & { rcode: string }
    if (responseId !== id) return 'its response belongs to another request'
    if (rcode === 'NOERROR') return null
    const tsig = (additionals ?? []).find(({ type }) => (type as string) === 'TSIG')
    return tsigErrors[tsigErrorOf(tsig)] ?? `${rcode} (is this key allowed to change TXT records of this name?)`
  } catch {
    return 'its response cannot be read'
  }
}

/** Behind the algorithm, time, fudge, signature and id. */
function tsigErrorOf(record: unknown): number {
  const { data } = (record ?? {}) as { data?: unknown }
  if (!Buffer.isBuffer(data)) return 0
  const algorithmEnd = data.indexOf(0) + 1
  const macLength = data.readUInt16BE(algorithmEnd + 8)
  return data.readUInt16BE(algorithmEnd + 10 + macLength + 2)
}
