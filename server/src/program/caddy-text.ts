// `caddyTextOf` is the configuration of the Caddy in front of this machine's edge. Where the addresses
// of dashboard and API are https, Caddy passes requests for them on to `serve`; an edge without
// `serve` next to it is not given these addresses.

import type { Config } from './config.ts'
import { caddyConfigText, defaultCaddySettings, type CaddySettings } from '../edge/caddy-config.ts'

type Settings = Pick<Config, 'baseUrl' | 'dashboardOrigin' | 'host' | 'port' | 'edgePort' | 'edgeCommon'>

/** `more`: other addresses, ports and storage than usual. */
export function caddyTextOf(config: Settings, more: Partial<CaddySettings> = {}): string {
  const { baseUrl, dashboardOrigin, host, port, edgePort, edgeCommon } = config
  const addresses = [baseUrl, dashboardOrigin].map((address) => new URL(address))
  const hosts = [...new Set(addresses.flatMap(({ protocol, hostname }) => (protocol === 'https:' ? [hostname] : [])))]
  return caddyConfigText({
    ...defaultCaddySettings,
    requestPort: edgePort,
    certificatePort: edgeCommon.certificatePort,
    service: hosts.length === 0 ? undefined : { hosts, dial: `${reachable(host)}:${port}` },
    ...more,
  })
}

/** From this machine: what listens on every address listens on loopback too. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
