// Decodes resource records. Only the types that a diagnosis needs are decoded; any other is named
// and skipped. A length that does not match its contents makes the message malformed: there is no
// guessing what a broken server may have meant.

import { hash } from 'node:crypto'
import { addressText } from './addresses.ts'
import type { DnsRecord } from './answer.ts'
import {
  Malformed,
  bytesLeft,
  nameText,
  plainBytes,
  readByte,
  readBytes,
  readLabels,
  readLong,
  readName,
  readPart,
  readShort,
  skipBytes,
  skipName,
  type Cursor,
} from './wire-reader.ts'

const TTL_MAX = 2 ** 31 - 1
/** The limit for one TXT, as displayed and compared: a longer one is not a token of ours. */
const TEXT_MAX = 255
const STRINGS_MAX = 32
const CLASS_INTERNET = 1

export const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  DNSKEY: 48,
  CAA: 257,
} as const
export const OPT = 41

const typeNames = new Map<number, string>(Object.entries(typeNumbers).map(([name, number]) => [number, name]))
const typeName = (number: number) => typeNames.get(number) ?? `TYPE${number}`

/** The fields before the data of every record. `ttl` and `klass` have another meaning in OPT. */
export type RecordHead = { labels: readonly Uint8Array[]; type: number; klass: number; ttl: number; data: Cursor }

export function readHead(reader: Cursor): RecordHead {
  const labels = readLabels(reader)
  const [type, klass, ttl] = [readShort(reader), readShort(reader), readLong(reader)]
  return { labels, type, klass, ttl, data: readPart(reader, readShort(reader)) }
}

export function skipRecord(reader: Cursor): void {
  skipName(reader)
  skipBytes(reader, 8)
  skipBytes(reader, readShort(reader))
}

/** Null for any class other than IN. */
export function readRecord({ labels, type, klass, ttl, data }: RecordHead): DnsRecord | null {
  if (klass !== CLASS_INTERNET) return null
  // RFC 2181: a time to live with the highest bit set is zero.
  const head = { name: nameText(labels), ttl: ttl > TTL_MAX ? 0 : ttl }
  const record: DnsRecord = { ...head, ...readData(typeName(type), data, labels) }
  if (bytesLeft(data) > 0 && record.type !== 'OTHER') throw new Malformed('length of data')
  return record
}

type WithoutHead<R> = R extends unknown ? Omit<R, 'name' | 'ttl'> : never
type Data = WithoutHead<DnsRecord>

function readData(type: string, data: Cursor, owner: readonly Uint8Array[]): Data {
  switch (type) {
    case 'A':
      return { type, address: addressText(exactly(4, data)) }
    case 'AAAA':
      return { type, address: addressText(exactly(16, data)) }
    case 'CNAME':
    case 'NS':
    case 'DNAME':
      return { type, target: readName(data) }
    case 'MX':
      readShort(data)
      return { type, target: readName(data) }
    case 'TXT':
      return { type, ...textOf(data) }
    case 'SOA':
      return { type, ...authorityOf(data) }
    case 'CAA':
      return { type, ...authorizationOf(data) }
    case 'DS': {
      const [keyTag, algorithm, digestType] = [readShort(data), readByte(data), readByte(data)]
      return { type, keyTag, algorithm, digestType, digest: hex(readBytes(data, bytesLeft(data)).subarray(0, 64)) }
    }
    case 'DNSKEY':
      return { type, ...keyOf(data, owner) }
    case 'RRSIG':
      return { type, ...signatureOf(data) }
    default:
      return { type: 'OTHER', of: type }
  }
}

function exactly(count: number, data: Cursor): Uint8Array {
  if (bytesLeft(data) !== count) throw new Malformed('length of address')
  return readBytes(data, count)
}

function textOf(data: Cursor) {
  const strings: string[] = []
  let text = ''
  while (bytesLeft(data) > 0) {
    const next = readBytes(data, readByte(data))
    if (text.length >= TEXT_MAX || strings.length >= STRINGS_MAX) continue
    strings.push(plainBytes(next).slice(0, TEXT_MAX - text.length))
    text += strings.at(-1) ?? ''
  }
  return { text, strings }
}

function authorityOf(data: Cursor) {
  const primary = readName(data)
  skipName(data)
  const serial = readLong(data)
  skipBytes(data, 12)
  return { primary, serial, minimum: readLong(data) }
}

function authorizationOf(data: Cursor) {
  const flags = readByte(data)
  const tag = plainBytes(readBytes(data, readByte(data)))
  const value = plainBytes(readBytes(data, bytesLeft(data))).slice(0, 4 * TEXT_MAX)
  return { isCritical: flags >= 128, flags, tag, value }
}

/** RFC 4034 appendix B for the tag, 5.1.4 for the digest in a DS. */
function keyOf(data: Cursor, owner: readonly Uint8Array[]) {
  const bytes = readBytes(data, bytesLeft(data))
  if (bytes.length < 5) throw new Malformed('short key')
  const [high = 0, low = 0, , algorithm = 0] = bytes
  const name = owner.flatMap((label) => [label.length, ...label].map(lowerByte))
  const sha256 = hash('sha256', Buffer.concat([Buffer.from([...name, 0]), bytes]))
  return { keyTag: keyTagOf(bytes), algorithm, flags: high * 256 + low, sha256 }
}

const lowerByte = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte)

function keyTagOf(bytes: Uint8Array): number {
  const sum = bytes.reduce((total, byte, index) => total + (index % 2 === 0 ? byte * 256 : byte), 0)
  return (sum + Math.floor(sum / 65_536)) % 65_536
}

function signatureOf(data: Cursor) {
  const covers = typeName(readShort(data))
  skipBytes(data, 6)
  const expiresAt = readLong(data) * 1000
  skipBytes(data, 4)
  const keyTag = readShort(data)
  const signer = readName(data)
  skipBytes(data, bytesLeft(data))
  return { covers, keyTag, signer, expiresAt }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
