// A probe requests something from an address over HTTP to which only our edges have the
// response. It shows whether a name behind a proxy reaches us, and if not, what responds
// instead. It proves nothing about the ownership of the name: anyone may put a proxy in front
// of us.
//
// The owner of the name chooses the address, therefore:
//
// - exactly that address is dialled, it is never a reserved one, and DNS is not queried
//   again;
// - a redirect is followed only on the same name and the same address;
// - neither a slow nor an endless response exceeds the limits of time and size below.

import type { IncomingHttpHeaders } from 'node:http'
import { PROBE_PATH, probeProof } from '../../fleet/probe-proof.ts'
import { mayContact } from '../../foundation/dns/addresses.ts'
import { HttpFailure, sendHttp } from '../../foundation/http/http-client.io.ts'
import { plainText, type Probe } from './evidence.ts'
import { wordsIn } from './http-fingerprints.ts'
import { isRedirect, onwardFrom } from './redirect-rules.ts'

/** The settings for requests to an address, whatever is requested. */
export type FetchDeps = {
  /** Port for plain HTTP: 80, except in tests. */
  port: number
  /** Port for HTTPS: 443 by default. */
  tlsPort?: number
  allowedNetworks: readonly string[]
  deadlineMs?: number
}

export type ProbeDeps = FetchDeps & { secret: string; newNonce: () => string }

const DEADLINE_MS = 1500
const BODY_BYTES_MAX = 4096
const SHOWN_MAX = 200
const keptHeaders = ['server', 'cf-ray', 'cf-mitigated', 'via', 'x-cache', 'x-served-by', 'x-cdn', 'x-azure-ref']

type Outcome = Probe['outcome']

/** Never rejects: every failure is an outcome. */
export async function probeAt(deps: ProbeDeps, hostname: string, address: string): Promise<Probe> {
  const nonce = deps.newNonce()
  const proof = probeProof(deps.secret, nonce, hostname)
  const url = urlOf(hostname, `${PROBE_PATH}${nonce}`, deps)
  const { isConnected: _, ...probe } = await fetchAt(deps, url, address, ({ body }) => body.startsWith(proof))
  return probe
}

export const urlOf = (hostname: string, path: string, { port }: Pick<FetchDeps, 'port'>): string =>
  new URL(`http://${hostname}${port === 80 ? '' : `:${port}`}${path}`).href

/** `isConnected`: whether the last connection was accepted, whatever happened afterwards. */
export type Fetched = Probe & { isConnected: boolean }

/** Requests one URL from one address, and stops at a response that `isRight` accepts as ours. */
export async function fetchAt(
  deps: FetchDeps,
  url: string,
  address: string,
  isRight: (reply: Pick<Reply, 'status' | 'body'>) => boolean,
): Promise<Fetched> {
  const started = performance.now()
  const hops = [url]
  let headers: Probe['headers']
  let isConnected = false
  const done = (outcome: Outcome): Fetched => ({
    address,
    url,
    outcome,
    hops,
    ...(headers && { headers }),
    ms: Math.round(performance.now() - started),
    isConnected,
  })
  if (!mayContact(address, deps.allowedNetworks)) return done({ kind: 'silence', why: 'not_allowed' })

  const signal = AbortSignal.timeout(deps.deadlineMs ?? DEADLINE_MS)
  for (;;) {
    const from = hops.at(-1) ?? url
    isConnected = false
    const reply = await get(deps, new URL(from), address, signal, () => (isConnected = true))
    if ('kind' in reply) return done(reply)
    headers = headersOf(reply)
    if (isRight(reply)) return done({ kind: 'ours' })
    const { status, location } = reply
    if (!isRedirect(status) || location === undefined) return done(otherFrom(reply, headers))
    const onward = onwardFrom({ from, status, location, visited: hops, port: deps.port })
    if (onward.kind === 'stop') {
      return done({ kind: 'redirect', status, location: shown(onward.location), refused: onward.refused })
    }
    hops.push(onward.url)
  }
}

type Reply = { status: number; location: string | undefined; raw: IncomingHttpHeaders; body: string }

async function get(
  deps: FetchDeps,
  url: URL,
  address: string,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<Reply | Outcome> {
  const isTls = url.protocol === 'https:'
  try {
    const { status, headers, body } = await sendHttp({
      options: {
        protocol: url.protocol,
        host: address,
        port: isTls ? (deps.tlsPort ?? 443) : deps.port,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.hostname, Accept: '*/*', 'User-Agent': 'Petstore-Probe/1', Connection: 'close' },
        agent: false,
        // An authority does not verify the certificate either: it is about to issue the first one.
        ...(isTls && { servername: url.hostname, rejectUnauthorized: false }),
      },
      signal,
      bytesMax: BODY_BYTES_MAX,
      // A response that has begun counts as a response, however it ends.
      isExcerpt: true,
      onSocket: (socket) => socket.once('connect', onConnected),
    })
    return { status, location: headers.location, raw: headers, body: body.toString('latin1') }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return outcomeOf(error, isTls)
  }
}

function outcomeOf({ why, code = '' }: HttpFailure, isTls: boolean): Outcome {
  // A network failure on our own machine shows nothing about the remote one.
  if (['ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE', 'EACCES', 'EPERM'].includes(code)) {
    return { kind: 'silence', why: 'skipped' }
  }
  if (why === 'late' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') {
    return { kind: 'silence', why: 'timeout' }
  }
  if (isTls) return { kind: 'silence', why: 'tls' }
  if (code === 'ECONNREFUSED') return { kind: 'silence', why: 'refused' }
  // A server responds there, but not with HTTP.
  if (code.startsWith('HPE_')) return { kind: 'other', status: 0, server: '', headers: {}, body: '' }
  return { kind: 'silence', why: 'reset' }
}

const headersOf = ({ raw }: Reply): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keptHeaders.flatMap((name) => (raw[name] === undefined ? [] : [[name, shown(String(raw[name]))] as const])),
  )

const otherFrom = ({ status, body }: Reply, headers: Readonly<Record<string, string>>): Outcome => ({
  kind: 'other',
  status,
  server: headers['server'] ?? '',
  headers,
  body: shown(wordsIn(body)),
})

const shown = (text: string): string => plainText(text, SHOWN_MAX)
