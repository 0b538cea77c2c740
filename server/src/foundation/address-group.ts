// The group of addresses that is counted as one sender: an IPv4 address, or the /64 of an IPv6 address, since one
// subscriber owns all of it. What a sender with many groups can do is counted again by network: a /24 or a /48.

/** The group of an address. What is not an address is a group of its own. */
export function addressGroup(address: string): string {
  const groups = ipv6GroupsOf(address)
  return groups === undefined ? ipv4Of(address) : `${groups.slice(0, 4).join(':')}::/64`
}

/** The network that the group of an address lies in. */
export function addressNetwork(address: string): string {
  const groups = ipv6GroupsOf(address)
  if (groups !== undefined) return `${groups.slice(0, 3).join(':')}::/48`
  const bytes = ipv4Of(address).split('.')
  return bytes.length === 4 ? `${bytes.slice(0, 3).join('.')}.0/24` : address
}

const MAPPED = /^::ffff:(?=\d+\.)/i

/** An IPv4 address that arrived on an IPv6 socket is the same visitor's. */
const ipv4Of = (address: string): string => address.replace(MAPPED, '')

/** The eight groups of an IPv6 address, without leading zeros; undefined for everything else. */
function ipv6GroupsOf(address: string): string[] | undefined {
  if (!address.includes(':') || MAPPED.test(address)) return undefined
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
