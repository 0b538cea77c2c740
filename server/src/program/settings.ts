// Every setting of the program: its name, its default, whether it is a secret, and what it is for. `config print`, the
// configuration file and the documentation are checked against this list, and so are the names that `parseConfig` reads.

export type Setting = Readonly<{
  about: string
  /** The value that has the same effect as leaving the setting out. */
  default?: string
  /** What applies if it is left out, where that is no fixed value. */
  otherwise?: string
  /** A secret is never printed. Secrets and documents (PEM) can be read from a file, see `fileNameOf`. */
  kind?: 'secret' | 'document'
  /** Relaxes a rule that must hold where real visitors come: rejected in production. */
  isForTests?: true
}>

const limit = 'requests in a window; each process counts on its own'

export const settings: Readonly<Record<string, Setting>> = {
  SECRETS_DIRECTORY: {
    otherwise: "systemd's CREDENTIALS_DIRECTORY",
    about: 'folder of secrets: each in a file that is named like its setting',
  },
  DATABASE_URL: { kind: 'secret', otherwise: 'required', about: 'PostgreSQL, as petstore_app' },
  DATABASE_OWNER_URL: { kind: 'secret', about: 'PostgreSQL, as petstore_owner; for migrate and start' },
  DATABASE_POOL_MAX: { default: '10', about: 'connections of one process' },
  DATABASE_BYTES_MAX: { otherwise: 'no limit', about: 'bytes that the disk of the database holds' },
  ENVIRONMENT: { default: 'production', about: 'production or staging' },
  BASE_URL: { otherwise: 'loopback', about: 'address of the API in production; ends in /v1' },
  STAGING_URL: { otherwise: 'loopback', about: 'address of the API in staging; ends in /v1' },
  DOCS_URL: { otherwise: 'base address with /docs', about: 'documentation address in response headers' },
  CONTACT_NAME: { default: 'Petstore API', about: 'contact in the OpenAPI documents' },
  CONTACT_URL: { otherwise: 'DOCS_URL', about: 'contact in the OpenAPI documents' },
  CONTACT_EMAIL: { otherwise: 'OPERATOR_EMAIL', about: 'contact in the OpenAPI documents' },
  HOST: { default: '127.0.0.1', about: 'address that serve listens on' },
  PORT: { default: '3000', about: 'port that serve listens on' },
  PROCESSES: { default: '1', about: 'processes that share the port' },
  LOG_LEVEL: { default: 'info', about: 'least level that is logged' },
  TRUSTED_PROXIES: { about: 'addresses or networks whose X-Forwarded-For is trusted' },
  DASHBOARD_ORIGIN: { otherwise: 'origin of the base address', about: 'where people open the dashboard' },
  PLATFORM_HOST: { default: 'petstore.localhost:3080', about: 'parent of the default hosts of sites' },
  SITE_SCHEME: { otherwise: 'as the certificates are', about: 'http or https: how visitors reach sites' },
  PLATFORM_TLS: { default: 'off', about: 'certificates of the default hosts: per-host, wildcard, file or off' },
  DNS_UPDATE_SERVER: { about: 'nameserver that accepts dynamic updates, for PLATFORM_TLS=wildcard' },
  DNS_UPDATE_KEY: { kind: 'secret', about: 'TSIG key of these updates: name:algorithm:secret' },
  DNS_UPDATE_HOOK: { about: 'executable that changes the zone instead' },
  DATA_DIRECTORY: { default: '/var/lib/petstore', about: 'folder in which start keeps what its edge stores' },
  EDGE_HOST: { default: '127.0.0.1', about: 'address that edge listens on' },
  EDGE_PORT: { default: '3080', about: 'port that edge listens on' },
  EDGE_ADDRESSES: { about: 'public addresses of the edges' },
  FORMER_EDGE_ADDRESSES: { about: 'addresses that the edges had before' },
  DNS_RESOLVERS: {
    default: 'Cloudflare=1.1.1.1,Google=8.8.8.8,Quad9=9.9.9.9',
    about: 'validating resolvers of different operators',
  },
  DNS_QUESTIONS_PER_SECOND: { default: '50', about: 'queries per second to one nameserver' },
  CERTIFICATE_AUTHORITIES: { default: 'letsencrypt.org', about: 'authorities as CAA records name them' },
  PROBE_SECRET: { kind: 'secret', about: 'proves that a name reaches this installation' },
  CERTIFICATE_KEYS: { kind: 'secret', about: 'keys that encrypt private keys of certificates' },
  ACME_DIRECTORIES: {
    default: 'letsencrypt.org=https://acme-v02.api.letsencrypt.org/directory',
    about: 'directory of each authority',
  },
  ACME_CONTACT: { otherwise: 'OPERATOR_EMAIL', about: 'where authorities can reach you' },
  ACME_ORDERS_PER_3_HOURS: { default: '300', about: 'rate limit of the authority' },
  ADMIN_HOST: { default: '127.0.0.1', about: 'address of the admin listener: /livez and /readyz' },
  ADMIN_PORT: {
    otherwise: 'start 3900, serve 3901, work 3902, edge 3903, if it is free',
    about: 'port of the admin listener',
  },
  CONTROL_HOST: { default: '127.0.0.1', about: 'address that serve listens on for edges' },
  CONTROL_PORT: { about: 'port that serve listens on for edges' },
  EDGE_KEYS_PER_HOUR: {
    otherwise: 'twice the names, at least 100 and at most 1000',
    about: 'private keys that an edge may receive in an hour',
  },
  EDGE_CONTROL_URL: { about: 'control plane of this edge' },
  EDGE_CONTROL_ROOTS: { kind: 'document', about: 'roots to trust at the control plane' },
  EDGE_TOKEN: { kind: 'secret', about: 'enrolment token of this edge, for its first start' },
  EDGE_KEY: { kind: 'secret', about: 'encrypts the data of this edge' },
  EDGE_DIRECTORY: { about: 'data directory of this edge' },
  EDGE_CERTIFICATE_PORT: { default: '9000', about: 'where Caddy requests certificates, on loopback' },
  EDGE_ISOLATION_HOURS: { default: '72', about: 'how long an edge serves without its control plane' },
  EDGE_PHOTO_BYTES: { default: '2000000000', about: 'bytes of photos on the disk of an edge' },
  PLATFORM_CERTIFICATE: { kind: 'secret', about: 'chain and key (PEM) for the default hosts, with PLATFORM_TLS=file' },
  MEDIA_PROCESSES: { otherwise: 'one per core, at most 2', about: 'photos that work processes at once' },
  MEDIA_STORE: { default: 'database', about: 'database or s3: where photos are stored' },
  MEDIA_BYTES_MAX: { otherwise: '20000000000 with database', about: 'bytes of all photos together' },
  S3_ENDPOINT: { about: 'origin of the S3-compatible store' },
  S3_BUCKET: { about: 'bucket for photos' },
  S3_REGION: { otherwise: 'us-east-1', about: 'region for signatures' },
  S3_PREFIX: { about: 'path in front of all keys' },
  S3_ACCESS_KEY_ID: { about: 'access key of the store' },
  S3_SECRET_ACCESS_KEY: { kind: 'secret', about: 'secret of the access key' },
  SMTP_URL: { kind: 'secret', otherwise: 'no mail', about: 'relay for mail' },
  SMTP_ROOTS: { kind: 'document', about: 'roots that the relay may chain to, besides the public ones' },
  SMTP_CONNECTIONS: { default: '2', about: 'connections to the relay, for notifications' },
  SMTP_PER_SECOND: { default: '10', about: 'mails per second' },
  MAIL_FROM: { otherwise: 'required with SMTP_URL', about: 'sender of mails' },
  MAIL_BOUNCE_ADDRESS: { otherwise: 'MAIL_FROM', about: 'where reports about mails return' },
  MAIL_HOLD: { default: 'false', about: 'queue mails and send none' },
  DKIM_DOMAIN: { about: 'domain that mails are signed for' },
  DKIM_SELECTOR: { about: 'selector of the signature' },
  DKIM_KEY: { kind: 'secret', about: 'private key (PEM) of the signature' },
  SIGN_UP: { otherwise: 'open with mail, otherwise invited', about: 'open, invited or closed' },
  OPERATOR_EMAIL: { about: 'address of the operator' },
  LIMITS: { kind: 'document', about: 'limits that differ from those of docs/limits.md, as JSON' },
  RATE_LIMIT_PER_KEY: { default: '600', about: `of one key: ${limit}` },
  RATE_LIMIT_PER_PROJECT: { default: '6000', about: `of one project: ${limit}` },
  RATE_LIMIT_FAILED_AUTHENTICATIONS: { default: '60', about: `without a valid key, of one address: ${limit}` },
  RATE_LIMIT_PER_ACCOUNT: { default: '1200', about: `of one person: ${limit}` },
  RATE_LIMIT_PER_VISITOR: { default: '120', about: `of one address that is not signed in: ${limit}` },
  RATE_LIMIT_SIGN_INS_PER_ADDRESS: { default: '30', about: 'failed sign-ins in a minute, of one address' },
  RATE_LIMIT_SIGN_INS_PER_ACCOUNT: {
    default: '20',
    about: 'wrong passwords of all new devices in an hour, for one account',
  },
  RATE_LIMIT_RESERVATIONS_PER_ADDRESS: { default: '10', about: 'requests of visitors, of one address' },
  RATE_LIMIT_RESERVATIONS_PER_PROJECT: { default: '60', about: 'requests of visitors, to one project' },
  REQUESTS_PER_ADDRESS: { default: '5', about: 'requests of visitors in a day, of one address, to one project' },
  REQUESTS_PER_NETWORK: { default: '20', about: 'the same of one network: a /24 or a /48' },
  REQUESTS_UNCONFIRMED: { default: '100', about: 'requests of visitors that wait for a confirmation, in one project' },
  VISITOR_DATA_DAYS: {
    default: '90',
    about: 'days after which the data of visitors is erased, once a request has ended without a home; 30 to 3650',
  },
  RATE_LIMIT_WINDOW_SECONDS: { default: '60', about: 'length of the window of these limits' },
  SHUTDOWN_DELAY_SECONDS: { default: '0', about: 'time for which a stopping process still accepts connections' },
  REQUEST_TIMEOUT_MS: { default: '15000', about: 'time to receive a request' },
  HEADERS_TIMEOUT_MS: { default: '10000', about: 'time to receive the headers of a request' },
  GET_PET_DEPRECATED_SINCE: { default: '2025-12-05T00:00:00Z', about: 'date in the Deprecation header' },
  SUNSET_REHEARSAL: { default: 'false', about: 'staging only: a request can move the clock of the contract' },
  DNS_AUTHORITATIVE_PORT: { isForTests: true, default: '53', about: 'port of nameservers' },
  DNS_TEST_NETWORKS: { isForTests: true, about: 'reserved networks that may be contacted' },
  TEST_SUFFIXES: { isForTests: true, about: 'reserved suffixes that may be added' },
  PROBE_PORT: { isForTests: true, default: '80', about: 'port of visitors' },
  PROBE_TLS_PORT: { isForTests: true, default: '443', about: 'port of visitors, with TLS' },
  ACME_TEST_ROOTS: { isForTests: true, kind: 'document', about: 'roots of a test authority' },
}

/** The setting that holds the path of a file with the value of this one; undefined if it takes none. */
export const fileNameOf = (name: string): string | undefined => (settings[name]?.kind ? `${name}_FILE` : undefined)

/** Whether a source may contain this name: a setting, or the path of a file with its value. */
export const isKnown = (name: string): boolean =>
  name in settings || (name.endsWith('_FILE') && settings[name.slice(0, -'_FILE'.length)]?.kind !== undefined)

/** The setting that was probably meant: within two edits, and fewer than one edit in four characters. */
export function probablyMeant(name: string): string | undefined {
  const known = Object.keys(settings).flatMap((one) => [one, ...[fileNameOf(one) ?? []].flat()])
  const close = known.map((one) => ({ one, edits: editsBetween(name, one, EDITS_MAX) }))
  // `HOME` is two edits away from `HOST`, and no mistake.
  const likely = close.filter(({ one, edits }) => edits <= EDITS_MAX && edits * 4 <= one.length)
  return likely.toSorted((a, b) => a.edits - b.edits)[0]?.one
}

const EDITS_MAX = 2

/** Insertions, deletions, replacements and swaps of neighbours; more than `most` may be returned as any larger number. */
function editsBetween(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= from.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
