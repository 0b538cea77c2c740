// Intercepts this process's connections at the last point before the operating system and
// records their targets. Only the test internet is let through: a mutated address may belong to
// a real host, and no packet of a test may leave the machine. Any other connection fails as
// unreachable; if it is to a reserved address, it is a finding, since the product must have
// stopped it earlier.

import { Socket as Datagrams } from 'node:dgram'
import { BlockList, isIP, Socket as Stream } from 'node:net'

export type Dialled = { reserved: Set<string>; elsewhere: number }

/** From now on, for the whole process. */
export function watchSockets(allowedNetworks: readonly string[]): Dialled {
  const dialled: Dialled = { reserved: new Set(), elsewhere: 0 }
  const allowed = listOf(allowedNetworks)
  const isStopped = (address: string): boolean => {
    if (isIn(allowed, address)) return false
    if (isSpecial(address)) dialled.reserved.add(address)
    else dialled.elsewhere += 1
    return true
  }
  stopDatagrams(isStopped)
  stopStreams(isStopped)
  return dialled
}

type IsStopped = (address: string) => boolean

const noWay = () => Object.assign(new Error('not in the test internet'), { code: 'ENETUNREACH' })

function stopDatagrams(isStopped: IsStopped): void {
  const connect = Reflect.get(Datagrams.prototype, 'connect') as (this: Datagrams, ...given: unknown[]) => void
  Object.assign(Datagrams.prototype, {
    connect(this: Datagrams, ...given: unknown[]) {
      if (!isStopped(String(given[1]))) return connect.apply(this, given)
      setImmediate(() => this.emit('error', noWay()))
    },
  })
}

function stopStreams(isStopped: IsStopped): void {
  const connect = Reflect.get(Stream.prototype, 'connect') as (this: Stream, ...given: unknown[]) => Stream
  Object.assign(Stream.prototype, {
    connect(this: Stream, ...given: unknown[]) {
      if (!isStopped(hostIn(given))) return connect.apply(this, given)
      // Later, as the operating system would: a caller that has just created the socket is not listening yet.
      setImmediate(() => this.destroy(noWay()))
      return this
    },
  })
}

/** Node calls `connect` with options, or internally with a list of them. */
function hostIn(given: readonly unknown[]): string {
  const [first] = given
  const options: unknown = Array.isArray(first) ? (first as unknown[])[0] : first
  return typeof options === 'object' && options !== null && 'host' in options ? String(options.host) : ''
}

// An independent copy, so that a gap in the product's own list is detected.
const special = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001:db8::/32',
  '2002::/16',
])
const globalUnicast = listOf(['2000::/3'])

/** A value that is not an address cannot be connected to either. */
const isSpecial = (address: string): boolean =>
  isIP(address) === 0 || isIn(special, address) || (isIP(address) === 6 && !isIn(globalUnicast, address))

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
