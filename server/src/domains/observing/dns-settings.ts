// The DNS settings of an installation: resolvers, addresses of the edges, certificate
// authorities, and what tests may relax. Every reader returns undefined for a value that it
// cannot parse, so that the configuration reports all mistakes together.

import type { Authority } from './evidence.ts'

export type Resolver = { name: string; address: string; port: number }

export type DomainsConfig = Readonly<{
  /** Validating resolvers, run by different operators. */
  resolvers: readonly Resolver[]
  /** Addresses of the edges, which owners without ALIAS records must enter; and the former ones. */
  edgeAddresses: readonly string[]
  formerEdgeAddresses: readonly string[]
  authorities: readonly Authority[]
  /** Queries per second from one process to one nameserver; bursts may be six times as large. */
  questionsPerSecond: number
  authoritativePort: number
  /** Reserved networks that may be queried nevertheless. */
  testNetworks: readonly string[]
  /** Reserved suffixes that may be added as if they were public. */
  testSuffixes: readonly string[]
  probePort: number
  probeTlsPort: number
}>

const authorityNames: Readonly<Record<string, string>> = {
  'letsencrypt.org': "Let's Encrypt",
  'pki.goog': 'Google Trust Services',
  'sectigo.com': 'Sectigo',
  'ssl.com': 'SSL.com',
}

/** Takes the domain by which CAA records name the authority. */
const authorityOf = (domain: string): Authority => ({
  name: authorityNames[domain] ?? domain,
  domain,
  accountUri: null,
  methods: ['http-01'],
})

/** `Cloudflare=1.1.1.1, 192.0.2.53:5353, local=[2001:db8::53]:53`. */
export const readResolvers = (text: string) => readAll(text, readResolver)

function readResolver(text: string): Resolver | undefined {
  const [, name, endpoint = ''] = /^(?:([\w .-]{1,40})=)?(.+)$/.exec(text) ?? []
  const [, bracketed, bare, port = '53'] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(endpoint) ?? []
  const whole = isAddress(endpoint) ? endpoint : undefined
  const address = whole ?? bracketed ?? bare ?? ''
  const number = whole === undefined ? Number(port) : 53
  if (!isAddress(address) || number < 1 || number > 65535) return undefined
  return { name: name ?? address, address, port: number }
}

export const readAddresses = (text: string) => readAll(text, (one) => (isAddress(one) ? one : undefined))

export const readNetworks = (text: string) =>
  readAll(text, (one) => {
    const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(one) ?? []
    const most = address.includes(':') ? 128 : 32
    return isAddress(address) && Number(bits) <= most ? one : undefined
  })

export const readSuffixes = (text: string) =>
  readAll(text, (one) => (/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(one) ? one : undefined))

export const readAuthorities = (text: string) =>
  readAll(text, (one) => (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(one) ? authorityOf(one) : undefined))

/** Items separated by commas; a single item that cannot be parsed invalidates the whole list. */
function readAll<T>(text: string, read: (item: string) => T | undefined): readonly T[] | undefined {
  const items = text.split(',').map((item) => read(item.trim()))
  return items.some((item) => item === undefined) ? undefined : (items as T[])
}

function isAddress(text: string): boolean {
  if (text.includes(':')) return /^[0-9a-fA-F:.]+$/.test(text) && URL.canParse(`http://[${text}]/`)
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}
