// `mayContact` decides which addresses the program may send packets to. Owners choose the
// nameservers and the addresses of their names, so they choose the destinations: excluded are the
// ranges of the two IANA special-purpose registries, multicast, and all IPv6 that is not global
// unicast. Only the exact spellings of RFC 1123 and RFC 4291 are addresses here: `127.1`, `0x7f.1`
// or a zone index are not, so they are rejected like any other text. Pure arithmetic, without the
// operating system, so that pure code may use it.

/** `allowedNetworks` are exceptions set by the operator, such as the loopback network of a test. */
export function mayContact(address: string, allowedNetworks: readonly string[] = []): boolean {
  const parsed = parseAddress(address)
  if (parsed === null) return false
  return !isSpecial(parsed) || allowedNetworks.some((network) => contains(networkOf(network), parsed))
}

type Address = { bits: 32 | 128; value: bigint }
type Network = Address & { prefix: number }

// https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry, as of
// 2025, including those marked "globally reachable": no shop is there.
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Inside 2000::/3: protocol assignments with Teredo, benchmarking, AMT and ORCHID; documentation; 6to4; AS112.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map(networkOf)

// ::1, ::, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64, 5f00::/16, fc00::/7, fe80::/10, ff00::/8 are outside.
const globalUnicast = networkOf('2000::/3')

const isSpecial = (address: Address): boolean =>
  (address.bits === 128 && !contains(globalUnicast, address)) || special.some((network) => contains(network, address))

function contains({ bits, value, prefix }: Network, address: Address): boolean {
  const rest = BigInt(bits - prefix)
  return bits === address.bits && value >> rest === address.value >> rest
}

/** Throws if the text is not a network: it comes from configuration, not from the network. */
function networkOf(text: string): Network {
  const [, address = '', digits = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? []
  const parsed = parseAddress(address)
  const prefix = Number(digits)
  if (parsed === null || prefix > parsed.bits) throw new Error(`'${text}' is not a network`)
  return { ...parsed, prefix }
}

function parseAddress(text: string): Address | null {
  const groups = text.includes(':') ? groupsOf(text) : null
  if (groups) return { bits: 128, value: joined(groups, 16n) }
  const bytes = bytesOf(text)
  return bytes && { bits: 32, value: joined(bytes, 8n) }
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n)
}

function bytesOf(text: string): number[] | null {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

function groupsOf(text: string): number[] | null {
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return null
  const before = groupList(head, tail === undefined)
  const after = tail === undefined ? [] : groupList(tail, true)
  if (before === null || after === null) return null
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...before, ...Array<number>(missing).fill(0), ...after]
}

/** Only the last of all groups may be written as an IPv4 address. */
function groupList(text: string, isLast: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const embedded = isLast && parts.at(-1)?.includes('.') ? bytesOf(parts.pop() ?? '') : undefined
  if (embedded === null || !parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null
  const groups = parts.map((part) => Number.parseInt(part, 16))
  if (!embedded) return groups
  const [a = 0, b = 0, c = 0, d = 0] = embedded
  return [...groups, a * 256 + b, c * 256 + d]
}

/** Four bytes as `192.0.2.1`, sixteen in the form of RFC 5952. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0))
  const gap = longestZeros(groups)
  const write = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (gap.length < 2) return write(groups)
  return `${write(groups.slice(0, gap.start))}::${write(groups.slice(gap.start + gap.length))}`
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0
    while (groups[start + length] === 0) length += 1
    if (length > best.length) best = { start, length }
  }
  return best
}

/** The canonical spelling of an address, for comparison; null if the text is not an address. */
export function sameAddress(text: string): string | null {
  const parsed = parseAddress(text)
  if (parsed === null) return null
  const bytes = new Uint8Array(parsed.bits / 8)
  let rest = parsed.value
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 255n)
    rest >>= 8n
  }
  return addressText(bytes)
}
