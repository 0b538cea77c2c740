// `caddyConfig` configures the Caddy in front of an edge: it terminates TLS and HTTP/2, and does
// nothing else. For every full handshake it requests the certificate from the edge, and it forwards
// every request to the edge, which decides. On an edge that also serves dashboard and API, requests
// over TLS for their hostnames go to `serve` instead. Caddy orders no certificate, keeps no session ticket that
// would outlive a removal, and has no admin endpoint while it runs.
//
// The edge relies on these guarantees of this file:
// - `petstore-server-name` is the name in the visitor's handshake, and is missing on plain HTTP;
// - `petstore-target` is the request target as received, because Caddy rewrites some bytes of the
//   path on the way to the edge; the forwarded path itself is `/`;
// - `petstore-request-id` is an id of Caddy's own for this request, which its access log has as well;
// - X-Forwarded-Proto, -For and -Host are set by Caddy itself.
//
// For `serve` the last two hold as well. No visitor can send any of them: headers that begin with `petstore-` are deleted first, and ours
// are set after the headers listed in a visitor's Connection header are gone.

import { REQUEST_ID_HEADER } from '../foundation/http/request-id.ts'

export type CaddySettings = {
  /** The addresses to listen on; empty means every address of the machine. */
  addresses: readonly string[]
  httpPort: number
  httpsPort: number
  /** Ports of the edge, on loopback. */
  requestPort: number
  certificatePort: number
  /** The hostnames of dashboard and API, and the address of `serve`, if this edge serves them. */
  service?: { hosts: readonly string[]; dial: string } | undefined
  /** A folder of Caddy's own; it never contains anything of value. */
  storage: string
}

export const defaultCaddySettings: CaddySettings = {
  addresses: [],
  httpPort: 80,
  httpsPort: 443,
  requestPort: 3080,
  certificatePort: 9000,
  storage: '/var/lib/petstore-edge/caddy',
}

export const SERVER_NAME_HEADER = 'petstore-server-name'
export const TARGET_HEADER = 'petstore-target'

/** Caddy's durations are in nanoseconds. */
const seconds = (count: number) => count * 1_000_000_000
const HEADER_BYTES_MAX = 16_384

/** As text, without a final line break. */
export const caddyConfigText = (settings: CaddySettings): string => JSON.stringify(caddyConfig(settings), undefined, 2)

export function caddyConfig(settings: CaddySettings) {
  const { httpPort, httpsPort, storage, certificatePort } = settings
  return {
    admin: { disabled: true, config: { persist: false } },
    logging: { logs: logs() },
    storage: { module: 'file_system', root: storage },
    apps: {
      http: {
        http_port: httpPort,
        https_port: httpsPort,
        grace_period: seconds(5),
        servers: { tls: tlsServer(settings), plain: plainServer(settings) },
      },
      tls: tlsOf(`http://127.0.0.1:${certificatePort}`),
    },
  }
}

function tlsServer({ addresses, httpsPort, requestPort, service }: CaddySettings) {
  return {
    listen: listening(addresses, httpsPort),
    // Not h3: it would open a UDP port of its own.
    protocols: ['h1', 'h2'],
    strict_sni_host: true,
    ...limits,
    ...(service && uploadLimits),
    automatic_https: {
      disable_redirects: true,
      // Otherwise Caddy would order a certificate for each host that a route names.
      ...(service && { skip_certificates: service.hosts }),
    },
    // What Caddy does anyway, written down: TLS 1.2 and 1.3, the newer one if the visitor has it.
    tls_connection_policies: [{ protocol_min: 'tls1.2' }],
    logs: {},
    routes: [
      ...(service ? [serviceRoute(service)] : []),
      edgeRoute(requestPort, { [SERVER_NAME_HEADER]: ['{http.request.tls.server_name}'] }),
    ],
  }
}

function plainServer({ addresses, httpPort, requestPort }: CaddySettings) {
  return {
    listen: listening(addresses, httpPort),
    protocols: ['h1'],
    ...limits,
    automatic_https: { disable: true },
    logs: {},
    routes: [edgeRoute(requestPort, {})],
  }
}

const limits = {
  // Of a handshake too, which waits while the edge restarts.
  read_header_timeout: seconds(10),
  read_timeout: seconds(15),
  write_timeout: seconds(300),
  idle_timeout: seconds(120),
  max_header_bytes: HEADER_BYTES_MAX,
}

/** Photos take long on a slow line; `serve` and the edge limit the time of each request themselves. */
const uploadLimits = { read_timeout: seconds(600), write_timeout: seconds(600) }

const listening = (addresses: readonly string[], port: number): readonly string[] =>
  addresses.length === 0
    ? [`:${port}`]
    : addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`)

type HeaderLists = Readonly<Record<string, readonly string[]>>

/** First of all handlers: what visitors send under our names is deleted. */
const deleteForged = { handler: 'headers', request: { delete: ['petstore-*'] } }
const requestId: HeaderLists = { [REQUEST_ID_HEADER]: ['{http.request.uuid}'] }

const transport = {
  protocol: 'http',
  // A response that the visitor did not request compressed must not be compressed and
  // decompressed on the way.
  compression: false,
  versions: ['1.1'],
  dial_timeout: seconds(1),
  // Shorter than at the edge and at `serve`, so that no request is sent on a connection that is
  // being closed.
  keep_alive: { enabled: true, idle_timeout: seconds(30), max_idle_conns_per_host: 512 },
}

const edgeRoute = (requestPort: number, ofThisServer: HeaderLists) => ({
  handle: [
    deleteForged,
    {
      handler: 'reverse_proxy',
      upstreams: [{ dial: `127.0.0.1:${requestPort}` }],
      // The edge reads only the header; sent twice, a long target would not fit, and unusual
      // bytes of a query would be rejected before they reach the edge.
      rewrite: { uri: '/?' },
      headers: { request: { set: { [TARGET_HEADER]: ['{http.request.orig_uri}'], ...requestId, ...ofThisServer } } },
      // The edge may be restarting: requests in the meantime wait instead of being rejected.
      load_balancing: { try_duration: seconds(2), try_interval: seconds(0.1) },
      transport: { ...transport, response_header_timeout: seconds(15) },
    },
  ],
})

/** Before the edge's: the first route that matches is the last. */
const serviceRoute = ({ hosts, dial }: NonNullable<CaddySettings['service']>) => ({
  match: [{ host: hosts }],
  terminal: true,
  handle: [
    deleteForged,
    {
      handler: 'reverse_proxy',
      upstreams: [{ dial }],
      headers: { request: { set: requestId } },
      // Where systemd keeps no socket open, requests wait for the next process. There is no health check: while
      // PostgreSQL is unavailable, the process answers better than Caddy can.
      load_balancing: { try_duration: seconds(10), try_interval: seconds(0.1) },
      transport,
    },
  ],
})

/**
 * Only the edge provides certificates. Newer Caddy would turn to a certificate authority when the
 * edge responds with 204, unless that is rejected: `ask` is an address at which the edge never
 * permits it.
 */
const tlsOf = (edge: string) => ({
  session_tickets: { disabled: true },
  automation: {
    on_demand: { ask: `${edge}/edge/issuance` },
    policies: [{ get_certificate: [{ via: 'http', url: `${edge}/edge/certificate` }], disable_ocsp_stapling: true }],
  },
})

/**
 * Caddy logs an error for every handshake with an unknown name; a few of these lines per second are enough. The
 * access log has each request with its id, which is a header of the response (a newer Caddy adds it as `uuid`), and
 * neither the visitor's address nor anything else that the visitor sent, except the Host.
 */
const logs = () => ({
  // When the edge does not respond, Caddy logs an error with the request, whose address may be the secret of a visitor.
  default: {
    level: 'INFO',
    exclude: ['tls', ACCESS_LOG],
    encoder: { format: 'filter', wrap: { format: 'json' }, fields: notLoggedOfRequests },
  },
  handshakes: { level: 'ERROR', include: ['tls'], sampling: { interval: seconds(1), first: 5, thereafter: 1000 } },
  access: { include: [ACCESS_LOG], encoder: { format: 'filter', wrap: { format: 'json' }, fields: notLogged } },
})

const ACCESS_LOG = 'http.log.access'

/** In Caddy's spelling. They are the same for all requests, or they repeat what the visitor sent, or they are secret. */
const responseHeaders = [
  'Accept-Ranges',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Alt-Svc',
  'Cache-Control',
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Content-Security-Policy',
  'Content-Type',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Date',
  'Etag',
  'Keep-Alive',
  'Link',
  'Location',
  'Permissions-Policy',
  'Ratelimit',
  'Ratelimit-Policy',
  'Referrer-Policy',
  'Retry-After',
  'Server',
  'Set-Cookie',
  'Strict-Transport-Security',
  'Vary',
  'Via',
  'X-Content-Type-Options',
]

const deleted = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, { filter: 'delete' }]))

const ofRequest = ['remote_ip', 'remote_port', 'client_ip', 'uri', 'headers', 'tls'].map((name) => `request>${name}`)
const notLoggedOfRequests = deleted(ofRequest)
const notLogged = deleted([...ofRequest, 'user_id', ...responseHeaders.map((name) => `resp_headers>${name}`)])
