// Visitors of an environment: each on a connection of its own or on one that stays open, at the
// edge of their choice, trusting only the authority of the environment.

import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { Agent, request as secureRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

export type VisitorTarget = { address: string; port: number; ca?: string }

/** `status` 0: no response, for this reason. */
export type Met = {
  status: number
  why: string
  headers: IncomingHttpHeaders
  body: string
  serial: string | null
  issuer: string | null
  /** The connection resumed an earlier TLS session. */
  isResumed: boolean
}

type Options = {
  path?: string
  agent?: Agent
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs?: number
}

const nothing: Met = { status: 0, why: '', headers: {}, body: '', serial: null, issuer: null, isResumed: false }

/** Over TLS, on a new connection and without an earlier session, unless an agent keeps them. */
export function visit({ address, port, ca }: VisitorTarget, hostname: string, options: Options = {}): Promise<Met> {
  const { agent = new Agent({ maxCachedSessions: 0 }) } = options
  return settled(hostname, options, (wanted) =>
    secureRequest({ ...wanted, host: address, port, servername: hostname, agent, ...(ca !== undefined && { ca }) }),
  )
}

export const visitPlainly = ({ address, port }: VisitorTarget, hostname: string, options: Options = {}): Promise<Met> =>
  settled(hostname, options, (wanted) => plainRequest({ ...wanted, host: address, port, agent: false }))

type Wanted = { path: string; method: string; headers: Record<string, string>; setHost: false }

function settled(
  hostname: string,
  { path = '/', method = 'GET', headers = {}, body: sent, timeoutMs = 10_000 }: Options,
  send: (wanted: Wanted) => ReturnType<typeof plainRequest>,
): Promise<Met> {
  return new Promise((resolve) => {
    const pending = send({ path, method, headers: { Host: hostname, ...headers }, setHost: false })
    const fail = (error: Error) => resolve({ ...nothing, why: (error as NodeJS.ErrnoException).code ?? error.message })
    pending.setTimeout(timeoutMs, () => pending.destroy(new Error('timeout')))
    pending.on('error', fail)
    pending.on('response', (response) => {
      let body = ''
      const socket = response.socket as Partial<TLSSocket>
      const certificate = socket.getPeerCertificate?.()
      const isResumed = socket.isSessionReused?.() ?? false
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('error', fail)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          why: '',
          headers: response.headers,
          body,
          serial: certificate?.serialNumber ?? null,
          issuer: certificate ? String(certificate.issuer.CN) : null,
          isResumed,
        }),
      )
    })
    pending.end(sent)
  })
}

export type OpenVisit = {
  /** The status; 0 if the connection is closed. */
  ask(path?: string): Promise<number>
  close(): void
}

/** Over one HTTP/2 connection that stays open. */
export async function openVisit({ address, port, ca }: VisitorTarget, hostname: string): Promise<OpenVisit> {
  const session: ClientHttp2Session = connectHttp2(`https://${hostname}:${port}`, {
    host: address,
    servername: hostname,
    ...(ca !== undefined && { ca }),
  })
  // The next request detects it.
  session.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    session.once('connect', () => resolve())
    session.once('error', reject)
  })
  return {
    ask: (path = '/') =>
      new Promise((resolve) => {
        if (session.closed || session.destroyed) return resolve(0)
        const stream = session.request({ ':path': path, ':authority': hostname })
        stream.once('response', (headers) => {
          resolve(Number(headers[':status']))
          stream.resume()
        })
        stream.once('error', () => resolve(0))
        stream.once('close', () => resolve(0))
        stream.end()
      }),
    close: () => session.destroy(),
  }
}
