// Tries to make the program send a packet into each reserved network, by every way in which a stranger chooses an address:
// the probe of a domain, a photo of an import by address and by name, and a nameserver. Runs in a process of its own, in
// which every connection is recorded and none leaves.
//
//   node testbed/safety/reserved-networks.ts [NETWORK THAT IS ALLOWED]

import { randomBytes } from 'node:crypto'
import { probeAt } from '../../server/src/domains/observing/probe.io.ts'
import { fakeAnswer } from '../evidence/answer.ts'
import { openDns } from '../../server/src/foundation/dns/client.io.ts'
import { fetchPublic } from '../../server/src/foundation/http/fetch-public.io.ts'
import { watchSockets } from '../experiments/hostile/sockets.ts'

/** One address of each: both registries of IANA, multicast, and what is not global unicast. An independent list. */
const reserved = ['0.0.0.1', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.9', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '2001::1', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2620:4f:8000::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fec0::1', 'ff02::1'] // prettier-ignore

export type ReservedFigures = { networks: number; attempts: number; packets: number; to: string[] }

async function attempt(allowedNetworks: readonly string[]): Promise<ReservedFigures> {
  const dialled = watchSockets([])
  const dns = openDns({ resolvers: [], authoritativePort: 53, allowedNetworks, randomBytes })
  let attempts = 0
  for (const address of reserved) {
    const literal = address.includes(':') ? `[${address}]` : address
    const type = address.includes(':') ? 'AAAA' : 'A'
    const known: typeof dns = {
      ...dns,
      resolvers: [{ name: 'scripted', address: '192.0.2.53', port: 53 }],
      ask: async (_, name, asked) => ({
        outcome: fakeAnswer(asked === type ? { records: [{ name, type, ttl: 60, address }] } : {}),
        ms: 1,
      }),
    }
    const photos = { dns: known, allowedNetworks, roots: undefined, port: 443 }
    const limits = { bytesMax: 1000, milliseconds: 1000 }
    const ways = [
      probeAt({ port: 80, allowedNetworks, secret: 'x'.repeat(32), newNonce: () => 'n' }, 'shop.example', address),
      fetchPublic(photos, `https://${literal}/photo.jpg`, limits),
      fetchPublic(photos, 'https://shop.example/photo.jpg', limits),
      dns.ask({ name: 'ns.shop.example', address }, 'shop.example', 'A', { deadlineMs: 1000 }),
    ]
    attempts += ways.length
    await Promise.allSettled(ways)
  }
  const to = [...dialled.reserved]
  return { networks: reserved.length, attempts, packets: to.length + dialled.elsewhere, to }
}

if (import.meta.main) {
  process.on('message', () => void attempt(process.argv.slice(2)).then((figures) => process.send?.(figures)))
  process.send?.('ready')
}
