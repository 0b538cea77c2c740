// Address text functions compare and classify addresses as text: two notations of one address
// are equal, and an address that no visitor can reach is detected. They do not decide whether
// a connection may be opened to an address: the code that opens connections does.

/** One notation per address: IPv6 in eight groups without leading zeros, IPv4 unchanged. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const groups = groupsOf(address.toLowerCase())
  if (groups === null) return address
  const [a, b, c, d, e, f, high = 0, low = 0] = groups
  const isMapped = [a, b, c, d, e].every((group) => group === 0) && f === 0xff_ff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups.map((group) => group.toString(16)).join(':')
}

/** Whether the address can only be reached from the same network or the same machine. */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address)
  return plain.includes(':') ? isPrivateIp6(plain) : isPrivateIp4(plain)
}

function isPrivateIp4(plain: string): boolean {
  const [a = -1, b = -1] = plain.split('.').map(Number)
  if (a === 0 || a === 10 || a === 127) return true
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b <= 31
  if (a === 192) return b === 168
  return a === 100 && b >= 64 && b <= 127
}

function isPrivateIp6(plain: string): boolean {
  const groups = plain.split(':').map((group) => Number.parseInt(group, 16))
  const [first = 0] = groups
  const isLoopbackOrNone = groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1
  return isLoopbackOrNone || (first & 0xfe_00) === 0xfc_00 || (first & 0xff_c0) === 0xfe_80
}

function groupsOf(address: string): number[] | null {
  const [head = '', tail, ...more] = withoutIp4(address).split('::')
  const before = numbers(head)
  const after = tail === undefined ? [] : numbers(tail)
  const missing = 8 - before.length - after.length
  const fits = tail === undefined ? missing === 0 : missing >= 1
  const all = [...before, ...Array<number>(Math.max(0, missing)).fill(0), ...after]
  const isSound = more.length === 0 && fits && all.every((group) => group >= 0 && group <= 0xff_ff)
  return isSound ? all : null
}

const numbers = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => (/^[0-9a-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : -1))

/** `::ffff:192.0.2.1` with its last part in hexadecimal. */
function withoutIp4(address: string): string {
  const match = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (match === null) return address
  const [, head = '', ...parts] = match
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number)
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
