// Follows a chain of redirects as a browser with an empty cache would, and records each hop as
// it was served. Certificates are inspected and never trusted: one that a browser would refuse
// does not end the chain, so that what follows is recorded too.
//
// The author of a redirect chooses the server that we request next. Therefore:
//   - names are resolved by our own DNS client and not by the system;
//   - no reserved address is dialled unless the operator named it;
//   - no cookie is kept, and no body of a page is read;
//   - no hop takes longer than its deadline, whatever a server does.

import { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, rootCertificates, type PeerCertificate, type TLSSocket } from 'node:tls'
import { mayContact } from '../../foundation/dns/addresses.ts'
import type { Lookup } from '../../foundation/dns/answer.ts'
import { findAddresses } from '../../foundation/dns/find-addresses.io.ts'
import type { Dns } from '../../foundation/dns/port.ts'
import { HttpFailure, sendHttp, type ResponseHead } from '../../foundation/http/http-client.io.ts'
import { plainText } from '../observing/evidence.ts'
import type { TraceFailure, FailureReason, Hop } from './hop.ts'
import type { ResolveOverride } from './resolve-override.ts'
import { faultsOf, type ServedCertificate } from './trace-certificate.ts'
import { leadsToOf, nextOf } from './trace-diagnosis.ts'

export type TraceDeps = {
  dns: Dns
  allowedNetworks: readonly string[]
  places: readonly ResolveOverride[]
  /** Roots (PEM) to trust in addition to the public ones. */
  roots: string | undefined
  now: () => number
  /** The ports for HTTP and HTTPS; if given, no other port is dialled. */
  ports?: { http: number; https: number }
  deadlineMs?: number
  /** For the whole chain; without it only each hop has its deadline. */
  patienceMs?: number
}

const DEADLINE_MS = 5000
const ADDRESSES_MAX = 4
const SHOWN_MAX = 2000

/** Never throws: a failure is recorded in the last hop. */
export async function traceChain(deps: TraceDeps, url: string): Promise<Hop[]> {
  const hops: Hop[] = []
  const until = performance.now() + (deps.patienceMs ?? Infinity)
  for (let next: string | null = url; next !== null; next = nextOf(hops)) {
    hops.push(await traceHop(deps, next, hops.length + 1, until))
  }
  return hops
}

type Target = { address: string; port: number }
type Found = { places: readonly Target[] } | Unanswered
type Unanswered = { address: string | null; certificate: ServedCertificate | null; failure: TraceFailure }
type Answered = { address: string; certificate: ServedCertificate | null; head: ResponseHead }
type Reply = Unanswered | Answered

async function traceHop(deps: TraceDeps, url: string, number: number, end: number): Promise<Hop> {
  const started = performance.now()
  const until = Math.min(started + (deps.deadlineMs ?? DEADLINE_MS), end)
  const found = await findPlaces(deps, new URL(url), until)
  const replies = 'failure' in found ? [found] : await tryInTurn(deps, new URL(url), found.places, until)
  return hopOf(url, number, replies, Math.round(performance.now() - started))
}

/** Tries addresses in order until one responds, as browsers do; each has its share of the remaining time. */
async function tryInTurn(deps: TraceDeps, url: URL, places: readonly Target[], until: number): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const [index, place] of places.entries()) {
    const share = (until - performance.now()) / (places.length - index)
    const reply = await get(deps, url, place, Math.max(1, Math.round(share)))
    replies.push(reply)
    if ('head' in reply || reply.certificate !== null) break
  }
  return replies
}

function hopOf(url: string, number: number, replies: readonly Reply[], ms: number): Hop {
  const reply = replies.at(-1)
  const silent = replies.slice(0, -1).filter((one) => 'failure' in one && one.failure.why !== 'unreachable')
  const common = {
    number,
    url,
    address: reply?.address ?? null,
    silentAddresses: silent.flatMap(({ address }) => address ?? []),
    certificate: reply?.certificate ?? null,
    ms,
  }
  if (!reply || 'failure' in reply) {
    const nothing = { status: null, location: null, leadsTo: null, server: null }
    const untold = { cacheControl: null, hsts: null, setsCookie: false }
    return { ...common, ...nothing, ...untold, failure: reply?.failure ?? { why: 'no_address', detail: '' } }
  }
  const { status, headers } = reply.head
  const location = headers.location ?? null
  return {
    ...common,
    status,
    location: shownOrNull(headers.location),
    leadsTo: leadsToOf(url, status, location),
    server: shownOrNull(headers.server, 100),
    cacheControl: shownOrNull(headers['cache-control'], 200),
    hsts: shownOrNull(headers['strict-transport-security'], 200),
    setsCookie: headers['set-cookie'] !== undefined,
    failure: null,
  }
}

async function findPlaces(deps: TraceDeps, url: URL, until: number): Promise<Found> {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const named = deps.places.filter((place) => place.port === port && (place.host === host || place.host === '*'))
  if (named.length > 0) return { places: named.map(({ address, toPort }) => ({ address, port: toPort })) }
  const { ports } = deps
  if (ports && url.port !== '') return unanswered(null, { why: 'other_port', detail: '' })
  const found = isIP(host) > 0 ? [host] : await addressesOf(deps, host, until)
  if ('why' in found) return unanswered(null, found)
  const allowed = found.filter((address) => mayContact(address, deps.allowedNetworks))
  if (allowed.length === 0) return unanswered(found[0] ?? null, { why: 'not_allowed', detail: '' })
  const toPort = ports === undefined ? port : url.protocol === 'https:' ? ports.https : ports.http
  return { places: allowed.slice(0, ADDRESSES_MAX).map((address) => ({ address, port: toPort })) }
}

const unanswered = (
  address: string | null,
  failure: TraceFailure,
  certificate: ServedCertificate | null = null,
): Unanswered => ({ address, failure, certificate })

async function addressesOf({ dns }: TraceDeps, name: string, until: number): Promise<readonly string[] | TraceFailure> {
  const { addresses, outcomes, isAlias } = await findAddresses(dns, name, until)
  return addresses.length > 0 ? addresses : missing(outcomes, isAlias)
}

function missing(outcomes: readonly Lookup['outcome'][], isAlias: boolean): TraceFailure {
  const told = outcomes.flatMap((outcome) => (outcome.kind === 'answer' ? [outcome.rcode] : [outcome.why]))
  if (told.includes('NXDOMAIN')) return { why: isAlias ? 'no_address' : 'no_such_name', detail: '' }
  const isSaid = told.length > 0 && told.every((word) => word === 'NOERROR')
  return isSaid ? { why: 'no_address', detail: '' } : { why: 'dns_silent', detail: [...new Set(told)].join(', ') }
}

async function get(deps: TraceDeps, url: URL, { address, port }: Target, timeoutMs: number): Promise<Reply> {
  const isTls = url.protocol === 'https:'
  let certificate = null as ServedCertificate | null
  const inspect = (socket: Socket) => (certificate = certificateOf(socket as TLSSocket, url, deps.now()))
  try {
    const head = await sendHttp({
      options: {
        protocol: url.protocol,
        host: address,
        port,
        path: `${url.pathname}${url.search}`,
        headers: {
          Host: url.host,
          Accept: 'text/html,*/*;q=0.8',
          'User-Agent': 'Mozilla/5.0 (compatible; Petstore-Trace/1)',
          Connection: 'close',
        },
        agent: false,
        ...(isTls && tlsOptions(deps, url)),
      },
      signal: AbortSignal.timeout(timeoutMs),
      bytesMax: 0,
      needsBody: () => false,
      onSocket: (socket) => socket.once('secureConnect', () => inspect(socket)),
    })
    return { address, certificate, head }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return unanswered(address, failureOf(error, isTls && certificate === null), certificate)
  }
}

/** TLS accepts everything here; certificates are judged afterwards, the name separately from the chain. */
const tlsOptions = ({ roots }: TraceDeps, { hostname }: URL) => ({
  rejectUnauthorized: false,
  checkServerIdentity: () => undefined,
  servername: isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? '' : hostname,
  ...(roots === undefined ? {} : { ca: [...rootCertificates, roots] }),
})

function certificateOf(socket: TLSSocket, { hostname }: URL, now: number): ServedCertificate | null {
  const peer = socket.getPeerCertificate(true)
  const certificate = peer.raw === undefined ? undefined : new X509Certificate(peer.raw)
  if (!certificate) return null
  const [validFrom, validUntil] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  // Node returns a code here, whatever its types claim.
  const chainError = (socket.authorizationError as unknown as string | null) ?? null
  const seen = {
    isForHostname: checkServerIdentity(hostname.replace(/\.$/, ''), peer) === undefined,
    validFrom,
    validUntil,
    isSelfIssued: certificate.checkIssued(certificate),
    length: lengthOf(peer),
    chainError,
  }
  return {
    issuer: issuerOf(certificate.issuer),
    names: namesOf(certificate.subjectAltName),
    validFrom: new Date(validFrom).toISOString(),
    validUntil: new Date(validUntil).toISOString(),
    faults: faultsOf(seen, now),
    detail: chainError,
  }
}

function lengthOf(peer: PeerCertificate): number {
  let length = 1
  let here = peer as Partial<{ issuerCertificate: PeerCertificate }> & PeerCertificate
  while (here.issuerCertificate && here.issuerCertificate !== here && length < 10) {
    here = here.issuerCertificate
    length += 1
  }
  return length
}

/** `C=US\nO=Let's Encrypt\nCN=R11` is Let's Encrypt R11. */
function issuerOf(text: string): string {
  const parts = new Map(text.split('\n').map((line) => [line.replace(/=.*$/s, ''), line.replace(/^[^=]*=/, '')]))
  const words = [parts.get('O'), parts.get('CN')].filter((part) => part !== undefined)
  return shown(words.join(' ') || 'an unnamed issuer', 120)
}

const namesOf = (text = ''): string[] =>
  text
    .split(', ')
    .filter((part) => /^(DNS|IP Address):/.test(part))
    .slice(0, 100)
    .map((part) => shown(part.replace(/^[^:]*:/, ''), 255))

/** `isBeforeTls`: the TLS handshake had not completed yet. */
function failureOf(failure: HttpFailure, isBeforeTls: boolean): TraceFailure {
  const { code = '', message } = failure
  // OpenSSL's own word for it, if there is one.
  const { reason } = (failure.cause ?? {}) as { reason?: string }
  const because = (why: FailureReason, detail = code): TraceFailure => ({ why, detail: shown(detail, 200) })
  if (['ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE', 'EACCES', 'EPERM'].includes(code)) return because('unreachable')
  if (failure.why === 'late' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') {
    return because('timeout', '')
  }
  if (code === 'ECONNREFUSED') return because('refused', '')
  if (isBeforeTls)
    return because('tls', code === 'ECONNRESET' ? 'the connection was closed' : (reason ?? alertIn(message)))
  return code.startsWith('HPE_') ? because('not_http') : because('reset', '')
}

/** OpenSSL's reason, out of `write EPROTO …:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:…`. */
const alertIn = (message: string): string => /SSL routines:[^:]*:([^:]+)/.exec(message)?.[1] ?? message

/** Safe to print: truncated, and everything that is not plain as \ddd. */
const shown = (text: string, most = SHOWN_MAX): string => plainText(text, most)
const shownOrNull = (text: string | string[] | undefined, most = SHOWN_MAX) =>
  text === undefined ? null : shown(String(text), most)
