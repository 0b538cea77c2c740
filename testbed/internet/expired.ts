// Signs a zone with expired or forged signatures (RFC 4034). knot renews signatures
// automatically and creates no wrong ones, so such a zone is signed here, once. It supports only
// the record types that fixtures use, and throws on others. It writes no NSEC: in such a zone
// "no such name" is trusted as little as everything else.

import { sign } from 'node:crypto'
import type { SigningKey } from './keys.ts'
import { caaData, ipv4, record, strings, wireName } from './packets.ts'

type Entry = { owner: string; ttl: number; type: string; data: Buffer }

const numbers: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DNSKEY: 48,
  CAA: 257,
}
const day = 86_400

/** `expired`: signatures that ended 30 days ago; `forged`: they are in date, but over other data. */
export type BadSigning = 'expired' | 'forged'

/** The text of the zone with a key and bad signatures; `now` is in seconds since 1970. */
export function signBadly(zone: string, text: string, key: SigningKey, how: BadSigning, now: number): string {
  const lines = text.split('\n')
  const ttl = Number(/^\$TTL (\d+)/m.exec(text)?.[1] ?? 5)
  const entries = lines.filter((line) => line !== '' && !line.startsWith('$')).map((line) => entryOf(line, zone, ttl))
  entries.push({ owner: zone, ttl, type: 'DNSKEY', data: key.data })
  const signed = Map.groupBy(entries, ({ owner, type }) => `${owner} ${type}`)
  const ended = { from: now - 60 * day, to: now - 30 * day }
  // The key's own signature is still valid, as it is where keys are signed for longer than records.
  const holding = { from: now - 60 * day, to: now + 30 * day }
  const signatures = [...signed.values()]
    .filter(([first]) => first !== undefined && (first.type !== 'NS' || first.owner === zone))
    .map((set) => {
      const isGood = set[0]?.type === 'DNSKEY'
      const dates = isGood || how === 'forged' ? holding : ended
      return signatureLine(zone, set, key, dates, isGood || how === 'expired' ? '' : 'other')
    })
  const dnskey = `${zone}. DNSKEY 257 3 13 ${key.data.subarray(4).toString('base64')}`
  return [...lines.filter((line) => line !== ''), dnskey, ...signatures, ''].join('\n')
}

function signatureLine(
  zone: string,
  set: readonly Entry[],
  key: SigningKey,
  dates: { from: number; to: number },
  /** Additional signed data, so that the signature does not match the records. */
  more: string,
): string {
  const [{ owner, type, ttl }] = set as [Entry, ...Entry[]]
  const labels = owner.split('.').filter((label) => label !== '*').length
  const head = Buffer.alloc(18)
  head.writeUInt16BE(numbers[type] ?? 0, 0)
  head.writeUInt8(13, 2)
  head.writeUInt8(labels, 3)
  head.writeUInt32BE(ttl, 4)
  head.writeUInt32BE(dates.to, 8)
  head.writeUInt32BE(dates.from, 12)
  head.writeUInt16BE(key.tag, 16)
  const records = set
    .toSorted((one, other) => Buffer.compare(one.data, other.data))
    .map(({ data }) => record(wireName(owner), numbers[type] ?? 0, data, { ttl }))
  const message = Buffer.concat([head, wireName(zone), ...records, Buffer.from(more)])
  const signature = sign('sha256', message, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64')
  return `${owner}. ${ttl} RRSIG ${type} 13 ${labels} ${ttl} ${dates.to} ${dates.from} ${key.tag} ${zone}. ${signature}`
}

function entryOf(line: string, zone: string, zoneTtl: number): Entry {
  const [, name = '', given, type = '', rest = ''] =
    /^(\S+)\s+(?:(\d+)\s+)?(?:IN\s+)?([A-Za-z]+)\s+(.*)$/.exec(line) ?? []
  return {
    owner: whole(name, zone),
    ttl: given === undefined ? zoneTtl : Number(given),
    type: type.toUpperCase(),
    data: dataOf(type.toUpperCase(), rest.trim(), zone, line),
  }
}

function whole(name: string, zone: string): string {
  if (name === '@') return zone
  return name.endsWith('.') ? name.slice(0, -1).toLowerCase() : `${name}.${zone}`.toLowerCase()
}

function dataOf(type: string, rest: string, zone: string, line: string): Buffer {
  const words = rest.split(/\s+/)
  if (type === 'A') return ipv4(rest)
  if (type === 'AAAA') return ipv6(rest)
  if (type === 'CNAME' || type === 'NS') return wireName(whole(rest, zone))
  if (type === 'MX') return Buffer.concat([twoBytes(Number(words[0])), wireName(whole(words[1] ?? '', zone))])
  if (type === 'TXT')
    return strings(...[...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''))
  if (type === 'CAA') return caaData(Number(words[0]), words[1] ?? '', words.slice(2).join(' ').replaceAll('"', ''))
  if (type !== 'SOA') throw new Error(`A zone with expired signatures cannot hold "${line}".`)
  const values = Buffer.concat(
    words.slice(2).map((field) => Buffer.concat([twoBytes(Number(field) >>> 16), twoBytes(Number(field) & 65_535)])),
  )
  return Buffer.concat([wireName(whole(words[0] ?? '', zone)), wireName(whole(words[1] ?? '', zone)), values])
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value, 0)
  return bytes
}

function ipv6(text: string): Buffer {
  const [before = '', after] = text.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [front, back] = [groups(before), groups(after ?? '')]
  const gap = after === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0')
  return Buffer.concat([...front, ...gap, ...back].map((group) => twoBytes(Number.parseInt(group, 16))))
}
