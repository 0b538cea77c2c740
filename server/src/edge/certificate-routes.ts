// `listenForCertificates` provides certificates to the server that terminates TLS. That server has
// no cache, no deadline and no token of its own, and sends one request per handshake. So the
// response nearly always comes from memory, within two seconds in every case, and is 200 with the
// certificate or 404. Never 204, which it would take for "get one yourself", never a server error,
// never a missing response. Only on loopback: every client gets a private key.

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { HOSTNAME_LENGTH_MAX } from '@petstore-platform/contract/platform/domain-shapes'
import type { Context } from '../foundation/context.ts'
import { portOf, socketFor } from '../foundation/http/inherited-sockets.io.ts'
import type { Certificates } from './certificate-cache.io.ts'

export const CERTIFICATE_PATH = '/edge/certificate'

export type CertificateEndpoint = { port: number; stop(): Promise<void> }

/** A quarter of the two seconds is left for everything but waiting. */
const DEADLINE_MS = 1500
const KEEP_ALIVE_MS = 600_000

/** `isIsolated` is true if the edge has been disconnected for so long that it no longer serves anything. */
export async function listenForCertificates(
  { onError }: Pick<Context, 'onError'>,
  { certificates, isIsolated }: { certificates: Pick<Certificates, 'find'>; isIsolated: () => boolean },
  port: number,
): Promise<CertificateEndpoint> {
  /** Never throws and never rejects: errors are reported separately from the result. */
  const findBundle = (hostname: string): Bundle | Promise<Bundle> => {
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
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 10_000 }, (request, response) => {
    const hostname = request.method === 'GET' ? hostnameIn(request.url ?? '') : undefined
    const found = hostname === undefined || isIsolated() ? undefined : findBundle(hostname)
    if (!(found instanceof Promise)) return answer(response, found)
    void found.then((bundle) => answer(response, bundle))
  })
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  const wanted = { host: '127.0.0.1', port }
  server.listen(socketFor('certificates', wanted))
  await once(server, 'listening')
  return { port: portOf(server, wanted), stop: () => close(server) }
}

type Bundle = Buffer | undefined

function answer(response: ServerResponse, bundle: Bundle): void {
  if (bundle) response.writeHead(200, { 'Content-Type': 'application/x-pem-file', 'Content-Length': bundle.length })
  else response.writeHead(404, { 'Content-Length': 0 })
  response.end(bundle)
}

/** The client also sends its capabilities, which are ignored. */
function hostnameIn(url: string): string | undefined {
  const [path, query = ''] = url.split('?', 2)
  if (path !== CERTIFICATE_PATH) return undefined
  const name = new URLSearchParams(query).get('server_name')
  return name === null || name.length > HOSTNAME_LENGTH_MAX ? undefined : name.toLowerCase()
}

/** By then every request has its response; connections still open were opened in advance, or are abandoned. */
const CLOSE_MS = 2000

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await closed
  clearTimeout(timer)
}
