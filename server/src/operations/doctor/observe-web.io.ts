// Observes the way from visitors to this installation: sends the requests that visitors send, at the addresses that DNS
// and the configuration name, and looks at Caddy on this machine.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isDeepStrictEqual, promisify } from 'node:util'
import { PROBE_PATH, serviceProof } from '../../fleet/probe-proof.ts'
import type { Dns } from '../../foundation/dns/port.ts'
import type { Observed } from '../../foundation/finding.ts'
import { sendHttp, type HttpResponse } from '../../foundation/http/http-client.io.ts'
import { DAY } from '../../foundation/time.ts'
import type { CertificateFact, WebFacts } from './judge-web.ts'
import { addressesOf } from './observe-names.io.ts'

export type WebSubject = Readonly<{
  dns: Dns
  /** Undefined for an edge. */
  api: Readonly<{ baseUrl: string; listensOn: string; trustedProxies: readonly string[] }> | undefined
  /** Without a port. */
  platformHost: string
  isHttps: boolean
  edgeAddresses: readonly string[]
  probeSecret: string | undefined
  /** Roots (PEM) of authorities that are not publicly trusted, for tests only. */
  testRoots: string | undefined
  visitorPorts: Readonly<{ http: number; https: number }>
  /** The default host of a published site. */
  publishedHost: string | undefined
  caddy: Readonly<{ path: string; wanted: string; installer: string }>
  listeners: readonly Readonly<{ name: string; host: string; port: number }>[]
}>

const DEADLINE_MS = 5000
const BODY_BYTES_MAX = 65_536

export async function observeWeb(subject: WebSubject): Promise<WebFacts> {
  const { platformHost, edgeAddresses, isHttps, dns } = subject
  const [api, wildcard, defaultHost, ports, caddy, listeners] = await Promise.all([
    subject.api && observeApi(subject, subject.api),
    isLocal(platformHost) || !subject.api ? undefined : addressesOf(dns, `${dns.randomLabel()}.${platformHost}`),
    subject.publishedHost === undefined || !isHttps ? undefined : observeDefaultHost(subject, subject.publishedHost),
    observePorts(subject),
    isHttps ? observeCaddy(subject.caddy) : undefined,
    Promise.all(subject.listeners.map((one) => observeListener(one, edgeAddresses))),
  ])
  return { api, platformHost, edgeAddresses, wildcard, defaultHost, ports, caddy, listeners }
}

const isLocal = (hostname: string) => /(^|\.)localhost$/.test(hostname)

async function observeApi(subject: WebSubject, api: NonNullable<WebSubject['api']>): Promise<WebFacts['api']> {
  const url = new URL(api.baseUrl)
  const [address, why] = await addressFor(subject.dns, url.hostname)
  if (address === undefined) {
    const unknown = { unknown: why }
    return { ...api, reach: unknown, certificate: url.protocol === 'https:' ? unknown : undefined }
  }
  const target = { url, address, ports: subject.visitorPorts }
  const [reach, certificate] = await Promise.all([
    observeReach(target, subject.probeSecret),
    url.protocol === 'https:' ? observeCertificate(target, subject.testRoots) : undefined,
  ])
  return { ...api, reach, certificate }
}

async function addressFor(dns: Dns, hostname: string): Promise<[address: string | undefined, why: string]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) return [literal, '']
  if (isLocal(hostname)) return ['127.0.0.1', '']
  const found = await addressesOf(dns, hostname)
  if ('unknown' in found) return [undefined, found.unknown]
  return [found.value[0], `DNS has no address for ${hostname}`]
}

type Target = { url: URL; address: string; ports: WebSubject['visitorPorts'] }

const portOf = ({ url, ports }: Target) =>
  url.port === '' ? (url.protocol === 'https:' ? ports.https : ports.http) : Number(url.port)

function get(target: Target, path: string, tls: { ca?: string; rejectUnauthorized: boolean }): Promise<HttpResponse> {
  const { url, address } = target
  return sendHttp({
    options: {
      protocol: url.protocol,
      host: address,
      port: portOf(target),
      path,
      headers: { Host: url.host, 'User-Agent': 'Petstore-Doctor/1', Connection: 'close' },
      agent: false,
      ...(url.protocol === 'https:' && { servername: url.hostname, ...tls }),
    },
    signal: AbortSignal.timeout(DEADLINE_MS),
    bytesMax: BODY_BYTES_MAX,
    isExcerpt: true,
  })
}

async function observeReach(
  target: Target,
  secret: string | undefined,
): Promise<NonNullable<WebFacts['api']>['reach']> {
  if (secret === undefined) return { unknown: 'PROBE_SECRET is not set' }
  const nonce = randomBytes(16).toString('base64url')
  return attempt(async () => {
    const { status, body } = await get(target, `${PROBE_PATH}${nonce}`, { rejectUnauthorized: false })
    return { isOurs: body.toString() === serviceProof(secret, nonce, target.url.hostname), status }
  })
}

async function attempt<T>(work: () => Promise<T>): Promise<Observed<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { unknown: (error as Error).message }
  }
}

function observeCertificate(target: Target, roots: string | undefined): Promise<Observed<CertificateFact>> {
  const { url, address } = target
  return new Promise((resolve) => {
    const socket = connectTls({
      host: address,
      port: portOf(target),
      servername: url.hostname,
      rejectUnauthorized: false,
      timeout: DEADLINE_MS,
      ...(roots !== undefined && { ca: roots }),
    })
    const settle = (fact: Observed<CertificateFact>) => {
      resolve(fact)
      socket.destroy()
    }
    socket.on('secureConnect', () => {
      const { valid_to: until } = socket.getPeerCertificate()
      const daysLeft = (Date.parse(until) - Date.now()) / DAY
      const problem = socket.authorized ? undefined : String(socket.authorizationError)
      settle({ value: { problem, daysLeft } })
    })
    socket.on('timeout', () => settle({ unknown: 'no response' }))
    // An alert is how a server refuses a name for which it has no certificate.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(
        error.code?.startsWith('ERR_SSL')
          ? { value: { problem: 'there is none', daysLeft: 0 } }
          : { unknown: error.message },
      ),
    )
  })
}

async function observeDefaultHost(
  { dns, testRoots, visitorPorts }: WebSubject,
  hostname: string,
): Promise<WebFacts['defaultHost']> {
  const [address, why] = await addressFor(dns, hostname)
  if (address === undefined) return { value: { hostname, problem: why } }
  const target = { url: new URL(`https://${hostname}/`), address, ports: visitorPorts }
  const tls = { rejectUnauthorized: true, ...(testRoots !== undefined && { ca: testRoots }) }
  const response = await attempt(() => get(target, '/', tls))
  if ('unknown' in response) return { value: { hostname, problem: response.unknown } }
  const { status } = response.value
  return { value: { hostname, problem: status < 400 ? undefined : `the response has status ${status}` } }
}

/** Plain HTTP shows which server responds; for TLS it is enough that the port is open. */
async function observePorts({ edgeAddresses, visitorPorts, isHttps }: WebSubject): Promise<WebFacts['ports']> {
  if (!isHttps) return []
  const each = edgeAddresses.flatMap((address) => [
    serverAt(address, visitorPorts.http),
    isOpenAt(address, visitorPorts.https).then((isOpen) => ({
      address,
      port: visitorPorts.https,
      isOpen,
      server: undefined,
    })),
  ])
  return Promise.all(each)
}

async function serverAt(address: string, port: number): Promise<WebFacts['ports'][number]> {
  const url = new URL(`http://${address.includes(':') ? `[${address}]` : address}:${port}/`)
  const ports = { http: port, https: port }
  const response = await attempt(() => get({ url, address, ports }, '/', { rejectUnauthorized: false }))
  if ('value' in response) {
    // From 2.10 on, Caddy names itself in Via where it passes on a response.
    const { server, via } = response.value.headers
    return { address, port, isOpen: true, server: String(via ?? server ?? 'an unknown server') }
  }
  return { address, port, isOpen: await isOpenAt(address, port), server: 'an unknown server' }
}

function isOpenAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, timeout: DEADLINE_MS })
    const settle = (isOpen: boolean) => {
      resolve(isOpen)
      socket.destroy()
    }
    socket.on('connect', () => settle(true))
    socket.on('timeout', () => settle(false))
    socket.on('error', () => settle(false))
  })
}

async function observeListener(
  { name, host, port }: WebSubject['listeners'][number],
  addresses: readonly string[],
): Promise<WebFacts['listeners'][number]> {
  const open = await Promise.all(addresses.map((address) => isOpenAt(address, port)))
  return { name, host, port, reachableAt: addresses.filter((_, index) => open[index]) }
}

async function observeCaddy({ path, wanted, installer }: WebSubject['caddy']): Promise<NonNullable<WebFacts['caddy']>> {
  const version = await attempt(async () => (await promisify(execFile)('caddy', ['version'])).stdout.trim())
  const text = await attempt(() => readFile(path, 'utf8'))
  if ('unknown' in text) {
    const isMissing = text.unknown.startsWith('ENOENT')
    return { version, installer, path, file: isMissing ? { value: 'missing' } : { unknown: text.unknown } }
  }
  const isSame = isDeepStrictEqual(jsonIn(text.value), jsonIn(wanted))
  return { version, installer, path, file: { value: isSame ? 'same' : 'different' } }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
