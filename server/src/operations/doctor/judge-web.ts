// Judges the way from visitors to this installation: proxy, address, certificate, DNS of the default hosts, Caddy and
// listeners. Pure. Checks 13 to 20.

import { mayContact, sameAddress } from '../../foundation/dns/addresses.ts'
import { error, judged, warning, type Finding, type Observed } from '../../foundation/finding.ts'

export type WebFacts = Readonly<{
  /** Undefined for an edge, which does not serve the API. */
  api:
    | Readonly<{
        baseUrl: string
        listensOn: string
        trustedProxies: readonly string[]
        /** Whether the response at BASE_URL proves that it comes from this installation. */
        reach: Observed<{ isOurs: boolean; status: number }>
        /** Undefined without https. */
        certificate: Observed<CertificateFact> | undefined
      }>
    | undefined
  platformHost: string
  edgeAddresses: readonly string[]
  /** The addresses of a name below the platform host that no site has; undefined if the platform host is local, and for an edge. */
  wildcard: Observed<readonly string[]> | undefined
  /** A published site under its default host; undefined if there is none, or sites are served over HTTP. */
  defaultHost: Observed<Readonly<{ hostname: string; problem: string | undefined }>> | undefined
  /** The ports of visitors, on each of the addresses of the edges. */
  ports: readonly Readonly<{ address: string; port: number; isOpen: boolean; server: string | undefined }>[]
  /** Undefined if no edge is in front of visitors here. */
  caddy:
    | Readonly<{
        version: Observed<string>
        /** The program of this release that installs a current one. */
        installer: string
        path: string
        file: Observed<'same' | 'different' | 'missing'>
      }>
    | undefined
  /** Listeners that only this machine, or a private network, may reach. */
  listeners: readonly Readonly<{ name: string; host: string; port: number; reachableAt: readonly string[] }>[]
}>

export type CertificateFact = Readonly<{ problem: string | undefined; daysLeft: number }>

export const judgeWeb = (facts: WebFacts): readonly Finding[] => [
  ...(facts.api ? judgeApi(facts.api) : []),
  ...judgeWildcard(facts),
  ...(facts.defaultHost ? judged(17, 'The default hosts', facts.defaultHost, judgeDefaultHost) : []),
  ...facts.ports.flatMap(judgePort),
  ...(facts.caddy ? judgeCaddy(facts.caddy) : []),
  ...facts.listeners.flatMap(judgeListener),
]

function judgeApi({ baseUrl, ...api }: NonNullable<WebFacts['api']>): readonly Finding[] {
  const { hostname } = new URL(baseUrl)
  return [
    ...judgeProxies(baseUrl, api.listensOn, api.trustedProxies),
    ...judged(14, 'BASE_URL', api.reach, ({ isOurs, status }) =>
      isOurs
        ? []
        : [
            error(
              14,
              `${baseUrl} does not lead to this installation: the response has status ${status} and no proof.`,
              `Point ${hostname} to this installation, start it, or correct BASE_URL.`,
            ),
          ],
    ),
    ...(api.certificate
      ? judged(15, `The certificate of ${hostname}`, api.certificate, (one) => judgeCertificate(hostname, one))
      : []),
  ]
}

const isLoopback = (address: string) => address === '::1' || address === 'localhost' || address.startsWith('127.')
const isEveryAddress = (network: string) => network.endsWith('/0')

/** The service itself speaks HTTP: with an https address, something stands in front of it. */
function judgeProxies(baseUrl: string, listensOn: string, trusted: readonly string[]): readonly Finding[] {
  const everyAddress = trusted.find(isEveryAddress)
  if (everyAddress !== undefined) {
    return [
      error(
        13,
        `TRUSTED_PROXIES contains ${everyAddress}: every client can choose the address that limits count for it.`,
        'List the addresses of your proxies alone.',
      ),
    ]
  }
  if (!baseUrl.startsWith('https:')) return []
  const isCovered = isLoopback(listensOn) ? trusted.some(isLoopback) : trusted.length > 0
  if (isCovered) return []
  return [
    error(
      13,
      'BASE_URL is https, so a proxy is in front, and TRUSTED_PROXIES does not contain it: all clients share one address.',
      isLoopback(listensOn) ? 'Set TRUSTED_PROXIES=127.0.0.1,::1' : 'Set TRUSTED_PROXIES to the address of the proxy.',
    ),
  ]
}

const DAYS_MIN = 7

function judgeCertificate(hostname: string, { problem, daysLeft }: CertificateFact): readonly Finding[] {
  const renewal = 'Check that `petstore work` runs, and `petstore certificates list` for its orders.'
  if (problem !== undefined) return [error(15, `The certificate of ${hostname} is not valid: ${problem}.`, renewal)]
  if (daysLeft >= DAYS_MIN) return []
  return [warning(15, `The certificate of ${hostname} expires in ${Math.floor(daysLeft)} days.`, renewal)]
}

function judgeWildcard({ wildcard, edgeAddresses, platformHost }: WebFacts): readonly Finding[] {
  if (wildcard === undefined) return []
  const name = `*.${platformHost}`
  const wanted = edgeAddresses.map(recordOf).join(', ')
  if (edgeAddresses.length === 0) {
    return [error(16, 'EDGE_ADDRESSES is empty.', 'Set it to the public addresses of the edges.')]
  }
  return judged(16, `The record ${name}`, wildcard, (addresses) => {
    const remedy = `Create the records ${name} ${wanted}.`
    if (addresses.length === 0) return [error(16, `DNS has no address for ${name}.`, remedy)]
    const own = new Set(edgeAddresses.map(sameAddress))
    const foreign = addresses.filter((address) => !own.has(sameAddress(address)))
    if (foreign.length === 0) return []
    return [error(16, `${name} leads to ${foreign.join(', ')}, which is not in EDGE_ADDRESSES.`, remedy)]
  })
}

const recordOf = (address: string) => `${address.includes(':') ? 'AAAA' : 'A'} ${address}`

const judgeDefaultHost = ({ hostname, problem }: { hostname: string; problem: string | undefined }): Finding[] =>
  problem === undefined
    ? []
    : [
        error(
          17,
          `https://${hostname} does not work: ${problem}.`,
          'Check PLATFORM_TLS, and `petstore certificates list` for its order.',
        ),
      ]

function judgePort({ address, port, isOpen, server }: WebFacts['ports'][number]): readonly Finding[] {
  if (!isOpen) {
    return [
      error(
        18,
        `Port ${port} of ${address} does not accept connections.`,
        'Start Caddy, and open the port in the firewall. If this machine cannot reach its own public address, run doctor on another one.',
      ),
    ]
  }
  if (server === undefined || /caddy/i.test(server)) return []
  return [
    error(
      18,
      `At port ${port} of ${address} responds ${server}, not Caddy.`,
      `Stop what uses port ${port}, then restart Caddy.`,
    ),
  ]
}

function judgeCaddy({ version, installer, path, file }: NonNullable<WebFacts['caddy']>): readonly Finding[] {
  return [
    ...judgeCaddyVersion(version, installer),
    ...judged(19, "Caddy's configuration", file, (state) =>
      state === 'same'
        ? []
        : [
            error(
              19,
              state === 'missing'
                ? `There is no ${path}.`
                : `${path} is not the configuration that this release needs.`,
              `Run: petstore edge --print-caddy >${path} && systemctl restart caddy`,
            ),
          ],
    ),
  ]
}

/** Older ones may have been built before the fix of HTTP/2 rapid reset; the version does not tell. */
const OLDEST_CADDY = [2, 8] as const
const oldestCaddy = OLDEST_CADDY.join('.')

function judgeCaddyVersion(version: Observed<string>, installer: string): readonly Finding[] {
  if ('unknown' in version) return [unknownCaddy(version.unknown)]
  const [, text, major = 0, minor = 0] = /^v?((\d+)\.(\d+)\S*)/.exec(version.value) ?? []
  if (text === undefined) return [unknownCaddy(`it reports ${version.value}`)]
  const [oldestMajor, oldestMinor] = OLDEST_CADDY
  if (Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor)) return []
  return [
    error(
      19,
      `This is Caddy ${text}: below ${oldestCaddy}, one client can stop it by resetting requests of HTTP/2.`,
      `Run: ${installer} caddy && systemctl restart caddy\n  On other systems than Debian, install Caddy ${oldestCaddy} or newer from the packages of the system.`,
    ),
  ]
}

/** A warning only: in containers, Caddy is in another one. */
const unknownCaddy = (why: string) =>
  warning(
    19,
    `Caddy's version is not known: ${why}.`,
    `Check that it is ${oldestCaddy} or newer: run caddy version where Caddy runs.`,
  )

const isUnspecified = (host: string) => host === '0.0.0.0' || host === '::'

function judgeListener({ name, host, port, reachableAt }: WebFacts['listeners'][number]): readonly Finding[] {
  const again = 'With systemd, then run petstore setup again and: systemctl restart petstore-listen.socket'
  const remedy = `Set ${name}_HOST to 127.0.0.1, or to an address of a private network. ${again}`
  if (reachableAt.length > 0) {
    return [error(20, `${reachableAt.join(', ')} accepts connections at port ${port} (${name}_PORT).`, remedy)]
  }
  if (!isUnspecified(host) && !mayContact(host)) return []
  return [warning(20, `${name}_HOST is ${host}: port ${port} is protected by a firewall alone.`, remedy)]
}
