// Clients of a Caddy over node:tls, node:https and node:http2. The server name and the Host
// are chosen independently, which no browser allows.

import { once } from 'node:events'
import { request as plainRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { Agent, request as secureRequest } from 'node:https'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { EchoedRequest, CaddyEnvironment } from './caddy-environment.ts'

export type CaddyResponse = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  received: EchoedRequest | undefined
}

const targetOf = ({ caddy }: CaddyEnvironment) => ({ host: caddy.addresses[0] ?? '', port: caddy.httpsPort })

export type Handshake = { ms: number } & ({ socket: TLSSocket } | { failure: string })

/** Performs one full handshake; settles when it has completed or has been rejected. */
export async function handshake(environment: CaddyEnvironment, options: ConnectionOptions): Promise<Handshake> {
  const begin = performance.now()
  const socket = connect({ ...targetOf(environment), ca: environment.roots(), ...options })
  try {
    await once(socket, 'secureConnect')
    return { socket, ms: performance.now() - begin }
  } catch (error) {
    socket.destroy()
    return { failure: (error as NodeJS.ErrnoException).code ?? String(error), ms: performance.now() - begin }
  }
}

/** Serial number of the certificate that a new visitor gets. */
export async function serialOf(environment: CaddyEnvironment, servername: string): Promise<string> {
  const met = await handshake(environment, { servername })
  if (!('socket' in met)) throw new Error(met.failure)
  const { serialNumber } = met.socket.getPeerCertificate()
  met.socket.destroy()
  return serialNumber
}

export type CaddyRequest = {
  path?: string
  host?: string
  headers?: Record<string, string>
  method?: string
  agent?: Agent
}

/** HTTP/1.1 over TLS, on a new connection unless an agent is given. */
export function requestHttps(
  environment: CaddyEnvironment,
  name: string,
  request: CaddyRequest = {},
): Promise<CaddyResponse> {
  const options = { ...targetOf(environment), servername: name, ca: environment.roots(), agent: request.agent ?? false }
  return settle((done) => secureRequest({ ...options, ...common(name, request) }, done))
}

export function requestHttp(
  { caddy }: CaddyEnvironment,
  name: string,
  request: CaddyRequest = {},
): Promise<CaddyResponse> {
  const target = { host: caddy.addresses[0] ?? '', port: caddy.httpPort, agent: false as const }
  return settle((done) => plainRequest({ ...target, ...common(name, request) }, done))
}

const common = (
  name: string,
  { path = '/', host = name, headers = {}, method = 'GET' }: CaddyRequest,
): RequestOptions => ({
  path,
  method,
  setHost: false,
  headers: { Host: host, ...headers },
})

async function settle(send: (done: (response: IncomingMessage) => void) => ReturnType<typeof plainRequest>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send(resolve).on('error', reject).end()
  })
  let body = ''
  for await (const part of response.setEncoding('utf8')) body += String(part)
  return responseOf(response.statusCode ?? 0, response.headers, body)
}

const responseOf = (status: number, headers: IncomingHttpHeaders, body: string): CaddyResponse => ({
  status,
  headers,
  body,
  received: body.startsWith('{') ? (JSON.parse(body) as EchoedRequest) : undefined,
})

export type Http2 = {
  request(path: string, headers?: Record<string, string>): Promise<CaddyResponse>
  isOpen(): boolean
  close(): void
}

/** One HTTP/2 connection that stays open. */
export async function openHttp2(environment: CaddyEnvironment, name: string): Promise<Http2> {
  const socket = () =>
    connect({
      ...targetOf(environment),
      servername: name,
      ca: environment.roots(),
      ALPNProtocols: ['h2'],
      timeout: 10_000,
    })
  const session = connectHttp2(`https://${name}`, { createConnection: socket })
  session.on('error', () => undefined)
  await once(session, 'connect')
  return {
    request: (path, headers = {}) => requestOver(session, { ':path': path, ':authority': name, ...headers }),
    isOpen: () => !session.closed && !session.destroyed,
    close: () => session.destroy(),
  }
}

async function requestOver(session: ClientHttp2Session, headers: Record<string, string>): Promise<CaddyResponse> {
  const stream = session.request(headers)
  const [{ ':status': status, ...rest }] = (await once(stream, 'response')) as [
    IncomingHttpHeaders & { ':status': number },
  ]
  let body = ''
  for await (const part of stream.setEncoding('utf8')) body += String(part)
  return responseOf(status, rest, body)
}
