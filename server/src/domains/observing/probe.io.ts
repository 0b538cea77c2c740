// Asks an address over HTTP for something that only we can answer, so that a name
// behind a proxy is known to reach us, and one that does not is told what answers
// instead. It proves nothing about who owns the name: anybody may put a proxy in
// front of us.
//
// The owner of a name chooses the address, so: exactly that address is dialled, it
// is never a reserved one, DNS is not asked again, a redirect is followed only at
// the same name and the same address, and neither a slow nor an endless answer
// takes longer or more than is told here.

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PROBE_PATH, probeProof } from '../../fleet/probe-proof.ts'
import { mayContact } from '../../foundation/dns/addresses.ts'
import type { Probe } from './evidence.ts'
import { wordsIn } from './http-fingerprints.ts'
import { plainText } from './plain-text.ts'
import { isRedirect, onwardFrom } from './redirect-rules.ts'

/** How an address is asked, whatever it is asked for. */
export type FetchDeps = {
  /** Where plain HTTP is spoken: 80, except in tests. */
  port: number
  /** Where HTTPS is spoken: 443 if it is not told. */
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

/** Never fails: whatever goes wrong is the outcome. */
export async function probeAt(deps: ProbeDeps, hostname: string, address: string): Promise<Probe> {
  const nonce = deps.newNonce()
  const proof = probeProof(deps.secret, nonce, hostname)
  const url = urlOf(hostname, `${PROBE_PATH}${nonce}`, deps)
  const { isConnected: _, ...probe } = await fetchAt(deps, url, address, ({ body }) => body.startsWith(proof))
  return probe
}

export const urlOf = (hostname: string, path: string, { port }: Pick<FetchDeps, 'port'>): string =>
  new URL(`http://${hostname}${port === 80 ? '' : `:${port}`}${path}`).href

/** `isConnected`: whether somebody took the last connection, whatever came of it then. */
export type Fetched = Probe & { isConnected: boolean }

/** Asks one address for one URL, and is content with what `isRight` takes for our own answer. */
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

function get(
  deps: FetchDeps,
  url: URL,
  address: string,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<Reply | Outcome> {
  const isTls = url.protocol === 'https:'
  const send = isTls ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    // Who has begun to answer has answered, however it ends.
    let hasBegun = false
    const request = send(
      {
        host: address,
        port: isTls ? (deps.tlsPort ?? 443) : deps.port,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.hostname, Accept: '*/*', 'User-Agent': 'Petstore-Probe/1', Connection: 'close' },
        agent: false,
        signal,
        // An authority does not look at the certificate either: it comes to bring the first one.
        ...(isTls && { servername: url.hostname, rejectUnauthorized: false }),
      },
      (response) => {
        hasBegun = true
        readBody(response, (body) => {
          const { statusCode = 0, headers: raw } = response
          resolve({ status: statusCode, location: raw.location, raw, body })
          request.destroy()
        })
      },
    )
    request.on('socket', (socket) => socket.once('connect', onConnected))
    request.on('error', (error) => hasBegun || resolve(outcomeOf(error, isTls)))
    request.end()
  })
}

/** As much as is kept; what comes after it, or never comes, is not waited for. */
function readBody(response: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => done(Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString('latin1'))
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= BODY_BYTES_MAX) finish()
  })
  response.on('end', finish)
  response.on('error', finish)
  response.on('close', finish)
}

function outcomeOf(error: Error & { code?: string }, isTls: boolean): Outcome {
  const { code = '', name } = error
  // No way out of our own machine says nothing about theirs.
  if (['ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE', 'EACCES', 'EPERM'].includes(code)) {
    return { kind: 'silence', why: 'skipped' }
  }
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') {
    return { kind: 'silence', why: 'timeout' }
  }
  if (isTls) return { kind: 'silence', why: 'tls' }
  if (code === 'ECONNREFUSED') return { kind: 'silence', why: 'refused' }
  // Somebody answers there, and what they say is no HTTP.
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
