// The settings of the platform's own names: how default addresses get certificates, how the zone of
// the platform host can be changed, and which names the dashboard and the API have. Readers return
// undefined for invalid values, so that the configuration reports all errors together.

import { isHostname } from '../foundation/dns/hostname.ts'
import { tsigAlgorithms, type TsigKey } from '../foundation/dns/update-message.ts'
import { Secret } from '../foundation/secret.ts'
import { anyText, choice, type Setting, type ValuesOf } from '../foundation/setting.ts'

export const platformTlsModes = ['off', 'per-host', 'wildcard', 'file'] as const
/**
 * `per-host`: a certificate for each `<slug>.<platform host>`. `wildcard`: one for all of them. `file`: the operator's,
 * which edges read. `off`: none, not even for the dashboard and the API.
 */
export type PlatformTls = (typeof platformTlsModes)[number]

/** By dynamic update (RFC 2136), or by an executable of the operator. */
export type DnsUpdateConfig =
  | { kind: 'server'; address: string; port: number; key: TsigKey }
  | { kind: 'hook'; path: string }

export type PlatformNamesConfig = Readonly<{
  tls: PlatformTls
  /** Undefined if no zone can be changed. */
  dnsUpdate: DnsUpdateConfig | undefined
  /** The names of the dashboard and the API, if they are reached by https. */
  services: readonly string[]
}>

export const platformNameSettings = {
  PLATFORM_TLS: {
    ...choice(platformTlsModes),
    default: 'off',
    about: 'certificates of the default hosts: per-host, wildcard, file or off',
  },
  DNS_UPDATE_SERVER: {
    parse: readUpdateServer,
    wanted: 'an IP address, such as 192.0.2.53:53',
    about: 'nameserver that accepts dynamic updates, for PLATFORM_TLS=wildcard',
  },
  DNS_UPDATE_KEY: {
    parse: readUpdateKey,
    wanted: 'name:algorithm:secret, such as petstore:hmac-sha256:<base64>',
    kind: 'secret',
    about: 'TSIG key of these updates: name:algorithm:secret',
  },
  DNS_UPDATE_HOOK: { ...anyText, about: 'executable that changes the zone instead' },
} satisfies Readonly<Record<string, Setting>>

type Known = {
  services: readonly string[]
  isOrdering: boolean
  isEdge: boolean
  hasCertificate: boolean
}

export function platformNamesOf(
  values: ValuesOf<typeof platformNameSettings>,
  mistakes: string[],
  known: Known,
): PlatformNamesConfig {
  const { PLATFORM_TLS: tls, DNS_UPDATE_SERVER: server, DNS_UPDATE_KEY: key, DNS_UPDATE_HOOK: hook } = values
  const dnsUpdate =
    hook !== undefined
      ? ({ kind: 'hook', path: hook } as const)
      : server && key && ({ kind: 'server', ...server, key } as const)
  if (hook !== undefined && server) mistakes.push('DNS_UPDATE_HOOK and DNS_UPDATE_SERVER exclude each other.')
  if (known.hasCertificate && tls !== 'file') mistakes.push('PLATFORM_CERTIFICATE is used only with PLATFORM_TLS=file.')
  if (!known.hasCertificate && tls === 'file' && known.isEdge) {
    mistakes.push('PLATFORM_TLS=file also requires PLATFORM_CERTIFICATE_FILE: chain and key, in PEM.')
  }
  // An edge orders nothing.
  const needs = known.isEdge ? 'off' : tls
  if (needs === 'wildcard' && dnsUpdate === undefined) {
    const missing = server ? 'DNS_UPDATE_KEY' : key ? 'DNS_UPDATE_SERVER' : undefined
    mistakes.push(
      missing === undefined
        ? 'PLATFORM_TLS=wildcard also requires DNS_UPDATE_SERVER with DNS_UPDATE_KEY, or DNS_UPDATE_HOOK: the authority checks a TXT record.'
        : `PLATFORM_TLS=wildcard also requires ${missing}.`,
    )
  }
  if ((needs === 'wildcard' || needs === 'per-host') && !known.isOrdering) {
    mistakes.push(`PLATFORM_TLS=${needs} also requires CERTIFICATE_KEYS, which encrypt the private keys.`)
  }
  return { tls, dnsUpdate, services: known.services }
}

/** `192.0.2.53:53`, `[2001:db8::53]:53`; the port may be omitted. */
export function readUpdateServer(text: string): { address: string; port: number } | undefined {
  const [, six, four, port = '53'] =
    /^(?:\[([0-9a-fA-F:]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = six ?? four
  return address === undefined || Number(port) > 65_535 ? undefined : { address, port: Number(port) }
}

/** `name:algorithm:secret`, as in the output of `keymgr -t` and in the arguments of nsupdate's `-y`. */
export function readUpdateKey(text: string): TsigKey | undefined {
  const [, name = '', algorithm = '', secret = ''] =
    /^([\w.-]{1,253}):([a-z0-9-]+):([A-Za-z0-9+/]{16,}={0,2})$/.exec(text) ?? []
  const known = Object.keys(tsigAlgorithms).find((one): one is TsigKey['algorithm'] => one === algorithm)
  return known && { name, algorithm: known, secret: new Secret(secret) }
}

/**
 * The names in these addresses that an authority can issue certificates for, each once. Names that are reserved are not
 * among them, unless the test internet uses their suffix.
 */
export const serviceNamesIn = (addresses: readonly string[], testSuffixes: readonly string[] = []): string[] => [
  ...new Set(
    addresses
      .map((address) => new URL(address))
      .filter(({ protocol, hostname }) => protocol === 'https:' && isPublicName(hostname, testSuffixes))
      .map(({ hostname }) => hostname),
  ),
]

/** RFC 6761 and its successors. */
const reserved = ['example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']

function isPublicName(hostname: string, testSuffixes: readonly string[]): boolean {
  const [suffix = '', ...others] = hostname.split('.').toReversed()
  const isReserved = /^\d+$/.test(suffix) || (reserved.includes(suffix) && !testSuffixes.includes(suffix))
  return isHostname(hostname) && others.length > 0 && !isReserved
}
