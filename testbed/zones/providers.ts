// DNS providers of a fixture's zone, by the names of their nameservers; and proxies that let
// visitors, and our probe, through to us.

import { probeProof, PROBE_PATH } from '../../server/src/fleet/probe-proof.ts'
import type { World, WorldServer } from '../internet/world.ts'

const pairs = {
  cloudflare: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  godaddy: ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'],
  namecheap: ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'],
  route53: ['ns-1.awsdns-01.com', 'ns-2.awsdns-02.net'],
  hetzner: ['hydrogen.ns.hetzner.com', 'helium.ns.hetzner.de'],
  ovh: ['dns10.ovh.net', 'ns10.ovh.net'],
  hurricane: ['ns1.he.net', 'ns2.he.net'],
  porkbun: ['maceio.ns.porkbun.com', 'salvador.ns.porkbun.com'],
  namecom: ['ns1.name.com', 'ns2.name.com'],
  ionos: ['ns1001.ui-dns.com', 'ns1002.ui-dns.org'],
  squarespace: ['dns1.squarespacedns.com', 'dns2.squarespacedns.com'],
  sedo: ['ns3.sedoparking.com', 'ns4.sedoparking.com'],
} as const

export const serversOf = (provider: keyof typeof pairs): WorldServer[] => {
  const [one, other] = pairs[provider]
  return [
    { name: one, role: 'first' },
    { name: other, role: 'second' },
  ]
}

/** The role at which `letThrough` answers. */
export const PASSING = 'ours-too'

const passing = new WeakMap<World, Promise<void>>()

/** From now on a proxy at `PASSING` forwards requests; a name that begins with a proxy's adds its headers. */
export function letThrough(world: World): Promise<void> {
  const there = passing.get(world)
  if (there) return there
  const { secret } = world.web.probing
  const serving = world.web.serve(PASSING, ({ url = '', headers }, response) => {
    const host = (headers.host ?? '').replace(/:\d+$/, '')
    response.writeHead(200, headersOf(host)).end(probeProof(secret, url.slice(PROBE_PATH.length), host))
  })
  passing.set(world, serving)
  return serving
}

function headersOf(host: string): Record<string, string> {
  if (host.startsWith('cloud')) return { server: 'cloudflare', 'cf-ray': '8c1f0d2e3a4b5c6d-FRA' }
  return host.startsWith('fast') ? { 'x-served-by': 'cache-fra-1', via: '1.1 varnish' } : { server: 'nginx' }
}
