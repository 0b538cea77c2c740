// A real Caddy between test clients and a fake edge. The fake edge issues its certificates
// here and responds to every request with the request as it received it, so a test observes
// both ends of everything that Caddy does.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { startCaddyWith, type Caddy } from './caddy.ts'
import { freePort } from '../../devserver/free-port.ts'
import { caddyConfig, type CaddySettings } from '../../server/src/edge/caddy-config.ts'
import { makeFakeChain } from '../harness/fake-chain.ts'

export type EchoedRequest = { url: string; method: string; headers: IncomingHttpHeaders }
type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type CaddyEnvironment = {
  caddy: Caddy
  /** Roots that clients trust: those of all certificates so far. */
  roots(): string[]
  /** Serves a new certificate for this name from now on. */
  certify(hostname: string): Promise<void>
  revoke(hostname: string): void
  /** Server names for which Caddy has requested certificates, oldest first. */
  requestedNames: string[]
  /** Paths of other requests at that port. */
  otherPaths: string[]
  /** Overrides the response of the certificate endpoint until it is undefined again. */
  endpoint: { answer: Handler | undefined }
  /** Overrides the response of the fake edge, which otherwise echoes the request. */
  edge: { answer: Handler | undefined; port: number; stop(): Promise<void>; start(): Promise<void> }
  close(): Promise<void>
}

type Configuration = ReturnType<typeof caddyConfig>

/** `change` alters the production configuration, for negative controls; `program` is the path of another Caddy. */
export async function startCaddyEnvironment(
  address = '127.0.80.31',
  change: (configuration: Configuration) => object = (usual) => usual,
  program?: string,
): Promise<CaddyEnvironment> {
  const bundles = new Map<string, string>()
  const roots: string[] = []
  const requestedNames: string[] = []
  const otherPaths: string[] = []
  const endpoint: CaddyEnvironment['endpoint'] = { answer: undefined }
  const certificates = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://edge')
    const name = searchParams.get('server_name')
    if (pathname !== '/edge/certificate' || name === null) {
      otherPaths.push(pathname)
      response.writeHead(404).end()
      return
    }
    requestedNames.push(name)
    if (endpoint.answer) return endpoint.answer(request, response)
    const bundle = bundles.get(name)
    if (bundle === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/x-pem-file' }).end(bundle)
  })
  let answer: Handler | undefined
  const respond: Handler = (request, response) => (answer ?? echoRequest)(request, response)
  let upstream = await serve(respond)
  const ports = { requestPort: upstream.port, certificatePort: certificates.port }
  const caddy = await start({ addresses: [address], ...ports }, change, program)
  return {
    caddy,
    roots: () => roots,
    async certify(hostname) {
      const { chainPem, keyPem, rootPem } = await makeFakeChain({ hostnames: [hostname] })
      bundles.set(hostname, chainPem + keyPem)
      roots.push(rootPem)
    },
    revoke: (hostname) => void bundles.delete(hostname),
    requestedNames,
    otherPaths,
    endpoint,
    edge: {
      get answer() {
        return answer
      },
      set answer(other) {
        answer = other
      },
      port: upstream.port,
      stop: () => upstream.close(),
      async start() {
        upstream = await serve(respond, upstream.port)
      },
    },
    async close() {
      await caddy.close()
      await Promise.all([certificates.close(), upstream.close()])
    },
  }
}

/** Retries, because another process may have taken a port in the meantime. */
async function start(
  fixed: Pick<CaddySettings, 'addresses' | 'requestPort' | 'certificatePort'>,
  change: (configuration: Configuration) => object,
  program: string | undefined,
): Promise<Caddy> {
  for (let attempt = 1; ; attempt += 1) {
    const settings = { ...fixed, httpPort: await freePort(), httpsPort: await freePort() }
    try {
      const textFor = (storage: string) => JSON.stringify(change(caddyConfig({ ...settings, storage })))
      return await startCaddyWith(settings, textFor, program)
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

const echoRequest: Handler = ({ url, method, headers }, response) => {
  const body = Buffer.from(JSON.stringify({ url, method, headers }))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

type Running = { port: number; close(): Promise<void> }

async function serve(answer: Handler, port = 0): Promise<Running> {
  const server: Server = createServer({ keepAliveTimeout: 65_000 }, answer)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen({ port, host: '127.0.0.1' })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
