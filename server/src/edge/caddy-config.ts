// What Caddy is told that stands in front of an edge: to speak TLS and HTTP/2, and
// nothing else. For every full handshake it asks the edge for the certificate, and it
// hands every request to the edge, which decides. It orders no certificate, keeps no
// ticket that would outlive a removal, and takes no orders itself while it runs.
//
// Three promises to the edge rest on this file. `petstore-server-name` is the name that
// the visitor's handshake named, and is missing on plain HTTP. `petstore-target` is the
// request target as it came, because Caddy writes some bytes of the path anew on the way
// to the edge; in its own place stands `/`. X-Forwarded-Proto, -For and -Host are Caddy's own words. No visitor can
// send any of them: what begins with `petstore-` is taken away first, and ours is set
// after the headers that a visitor's Connection header names are gone.

export type CaddySettings = {
  /** Where visitors come in; none is every address of the machine. */
  addresses: readonly string[]
  httpPort: number
  httpsPort: number
  /** Of the edge, on loopback. */
  requestPort: number
  certificatePort: number
  /** A folder of Caddy's own; nothing of value is ever in it. */
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

/** Caddy counts in nanoseconds. */
const seconds = (count: number) => count * 1_000_000_000
const HEADER_BYTES_MAX = 16_384

/** As text, without the end of its last line. */
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

function tlsServer({ addresses, httpsPort, requestPort }: CaddySettings) {
  return {
    listen: listening(addresses, httpsPort),
    // Not h3: it would open a UDP port of its own.
    protocols: ['h1', 'h2'],
    strict_sni_host: true,
    ...limits,
    automatic_https: { disable_redirects: true },
    tls_connection_policies: [{}],
    routes: routes(requestPort, { [SERVER_NAME_HEADER]: ['{http.request.tls.server_name}'] }),
  }
}

function plainServer({ addresses, httpPort, requestPort }: CaddySettings) {
  return {
    listen: listening(addresses, httpPort),
    protocols: ['h1'],
    ...limits,
    automatic_https: { disable: true },
    routes: routes(requestPort, {}),
  }
}

const limits = {
  read_header_timeout: seconds(5),
  read_timeout: seconds(15),
  write_timeout: seconds(300),
  idle_timeout: seconds(120),
  max_header_bytes: HEADER_BYTES_MAX,
}

const listening = (addresses: readonly string[], port: number): readonly string[] =>
  addresses.length === 0
    ? [`:${port}`]
    : addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`)

type Headers = Readonly<Record<string, readonly string[]>>

const routes = (requestPort: number, ofThisServer: Headers) => [
  {
    handle: [
      { handler: 'headers', request: { delete: ['petstore-*'] } },
      {
        handler: 'reverse_proxy',
        upstreams: [{ dial: `127.0.0.1:${requestPort}` }],
        // The edge reads the header and nothing else; sent twice, a long target would not fit, and odd bytes of a query
        // would be refused before the edge sees them.
        rewrite: { uri: '/?' },
        headers: { request: { set: { [TARGET_HEADER]: ['{http.request.orig_uri}'], ...ofThisServer } } },
        // The edge may be starting again: whoever comes meanwhile waits, and is not refused.
        load_balancing: { try_duration: seconds(2), try_interval: seconds(0.1) },
        transport: {
          protocol: 'http',
          // What the visitor did not ask for compressed must not be compressed and unpacked on the way.
          compression: false,
          versions: ['1.1'],
          dial_timeout: seconds(1),
          response_header_timeout: seconds(15),
          // Shorter than the edge keeps them, so that no request meets a connection that is just being closed.
          keep_alive: { enabled: true, idle_timeout: seconds(30), max_idle_conns_per_host: 512 },
        },
      },
    ],
  },
]

/**
 * Only the edge is asked. Newer Caddy would turn to a certificate authority when the
 * edge says 204, unless somebody refuses that: the address in `ask` is one that the
 * edge never says yes to.
 */
const tlsOf = (edge: string) => ({
  session_tickets: { disabled: true },
  automation: {
    on_demand: { ask: `${edge}/edge/issuance` },
    policies: [{ get_certificate: [{ via: 'http', url: `${edge}/edge/certificate` }], disable_ocsp_stapling: true }],
  },
})

/** Every handshake for a name that is not ours is an error to Caddy; of these a few lines a second are enough. */
const logs = () => ({
  default: { level: 'INFO', exclude: ['tls'] },
  handshakes: { level: 'ERROR', include: ['tls'], sampling: { interval: seconds(1), first: 5, thereafter: 1000 } },
})
