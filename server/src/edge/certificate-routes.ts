// The question of the server that ends TLS: which certificate for this name? It has no
// cache, no deadline and no token of its own, and asks once per handshake. So the answer
// comes from memory nearly always, within two seconds whatever happens, and is 200 with
// the certificate or 404. Never 204, which it would take for "get one yourself", never a
// server error, never silence. Only on loopback: whoever asks gets a private key.

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Certificates } from './certificate-cache.io.ts'

export const CERTIFICATE_PATH = '/edge/certificate'

export type CertificateRoutesDeps = {
  certificates: Pick<Certificates, 'find'>
  /** Cut off for so long that nothing is served any more. */
  isIsolated: () => boolean
  onError: (error: Error) => void
}

export type CertificateEndpoint = { port: number; stop(): Promise<void> }

/** Of the two seconds a quarter is left for everything but waiting. */
const DEADLINE_MS = 1500
/** Who asks keeps few connections and opens many. */
const BACKLOG = 4096
const KEEP_ALIVE_MS = 600_000

export async function listenForCertificates(deps: CertificateRoutesDeps, port: number): Promise<CertificateEndpoint> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 10_000 }, (request, response) => {
    const hostname = request.method === 'GET' ? hostnameIn(request.url ?? '') : undefined
    const found = hostname === undefined || deps.isIsolated() ? undefined : askFor(hostname, deps)
    if (!(found instanceof Promise)) return answer(response, found)
    void found.then((bundle) => answer(response, bundle))
  })
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  server.listen({ host: '127.0.0.1', port, backlog: BACKLOG })
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) }
}

type Bundle = Buffer | undefined

/** Never throws and never rejects: what went wrong is told apart from the answer. */
function askFor(
  hostname: string,
  { certificates, onError, isIsolated }: CertificateRoutesDeps,
): Bundle | Promise<Bundle> {
  try {
    const found = certificates.find(hostname, DEADLINE_MS)
    if (!(found instanceof Promise)) return found
    return found.then(
      (bundle) => (isIsolated() ? undefined : bundle),
      (error: Error) => {
        onError(error)
        return undefined
      },
    )
  } catch (error) {
    onError(error as Error)
    return undefined
  }
}

function answer(response: ServerResponse, bundle: Bundle): void {
  if (bundle) response.writeHead(200, { 'Content-Type': 'application/x-pem-file', 'Content-Length': bundle.length })
  else response.writeHead(404, { 'Content-Length': 0 })
  response.end(bundle)
}

const HOSTNAME_MAX = 253

/** Beside the name, the one who asks says what it can do, which is not looked at. */
function hostnameIn(url: string): string | undefined {
  const [path, query = ''] = url.split('?', 2)
  if (path !== CERTIFICATE_PATH) return undefined
  const name = new URLSearchParams(query).get('server_name')
  return name === null || name.length > HOSTNAME_MAX ? undefined : name.toLowerCase()
}

/** By then everything was answered; what is still open was opened in advance, or is nobody's. */
const CLOSE_MS = 2000

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await closed
  clearTimeout(timer)
}
