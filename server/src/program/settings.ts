// Every setting of the program, read once: `config print`, the configuration file and the documentation are checked
// against this list, and `parseConfig` makes the configuration of its values.

import { signUpModes } from '@petstore-platform/contract/platform/sign-up'
import { readDirectories, readKeyRing } from '../certificates/settings.ts'
import {
  readAddresses,
  readAuthorities,
  readNetworks,
  readResolvers,
  readSuffixes,
} from '../domains/observing/dns-settings.ts'
import { anyText, bytes, choice, flag, integer, type Setting, type ValuesOf } from '../foundation/setting.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { mailSettings } from '../mail/settings.ts'
import { mediaSettings } from '../photos/settings.ts'
import { platformNameSettings } from '../platform-names/settings.ts'
import * as values from './setting-values.ts'

const port = integer(0, 65535)
const testPort = integer(1, 65535)
const count = integer(1, 1_000_000_000)
const httpAddress = { parse: values.readHttpAddress, wanted: 'an http(s) address' }
const baseAddress = {
  parse: values.readBaseAddress,
  wanted: 'an http(s) address that ends in /v1, without query',
}
const origin = { parse: values.readOrigin, wanted: 'an http(s) origin without path' }
const email = { parse: values.readEmail, wanted: 'an email address' }
const postgres = { parse: values.readDatabaseUrl, wanted: 'a postgresql:// address' }
const listenAddress = { ...anyText, wanted: 'an address to listen on' }
const addresses = { parse: readAddresses, wanted: 'a list of IP addresses, separated by commas' }
const secret = { parse: values.readSecret, wanted: 'at least 32 characters' }

const folder = { parse: values.readFolder, wanted: 'an absolute path' }

const inWindow = 'requests in a window'

const all = {
  SECRETS_DIRECTORY: {
    ...anyText,
    otherwise: "systemd's CREDENTIALS_DIRECTORY",
    about: 'folder of secrets: each in a file that is named like its setting',
  },
  DATABASE_URL: { ...postgres, kind: 'secret', otherwise: 'required', about: 'PostgreSQL, as petstore_app' },
  DATABASE_OWNER_URL: { ...postgres, kind: 'secret', about: 'PostgreSQL, as petstore_owner; for migrate and start' },
  DATABASE_BACKUP_URL: { ...postgres, kind: 'secret', about: 'PostgreSQL, as petstore_backup; for backup and restore' },
  DATABASE_POOL_MAX: { ...integer(1, 1000), default: '10', about: 'connections of one process' },
  DATABASE_BYTES_MAX: { ...bytes, otherwise: 'no limit', about: 'bytes that the disk of the database holds' },
  ENVIRONMENT: { ...choice(['production', 'staging']), default: 'production', about: 'production or staging' },
  BASE_URL: { ...baseAddress, otherwise: 'loopback', about: 'address of the API in production; ends in /v1' },
  STAGING_URL: { ...baseAddress, otherwise: 'loopback', about: 'address of the API in staging; ends in /v1' },
  DOCS_URL: {
    ...httpAddress,
    otherwise: 'base address with /docs',
    about: 'documentation address in response headers',
  },
  CONTACT_NAME: {
    parse: values.readName,
    wanted: 'one line of 1 to 100 characters',
    default: 'Petstore API',
    about: 'contact in the OpenAPI documents',
  },
  CONTACT_URL: { ...httpAddress, otherwise: 'DOCS_URL', about: 'contact in the OpenAPI documents' },
  CONTACT_EMAIL: { ...email, otherwise: 'OPERATOR_EMAIL', about: 'contact in the OpenAPI documents' },
  HOST: { ...listenAddress, default: '127.0.0.1', about: 'address that serve listens on' },
  PORT: { ...port, default: '3000', about: 'port that serve listens on' },
  PROCESSES: { ...integer(1, 256), default: '1', about: 'processes that share the port' },
  LOG_LEVEL: {
    ...choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    default: 'info',
    about: 'least level that is logged',
  },
  TRUSTED_PROXIES: {
    parse: values.readList,
    wanted: 'a list of addresses, separated by commas',
    about: 'addresses or networks whose X-Forwarded-For is trusted',
  },
  DASHBOARD_ORIGIN: { ...origin, otherwise: 'origin of the base address', about: 'where people open the dashboard' },
  PLATFORM_HOST: {
    parse: values.readHostAndPort,
    wanted: 'a hostname (and a port)',
    default: 'petstore.localhost:3080',
    about: 'parent of the default hosts of sites',
  },
  SITE_SCHEME: {
    ...choice(['http', 'https']),
    otherwise: 'as the certificates are',
    about: 'http or https: how visitors reach sites',
  },
  FORMER_PLATFORM_HOSTS: {
    parse: readSuffixes,
    wanted: 'a list of hostnames such as old-shops.example, separated by commas',
    about: 'parents of default hosts before, which redirect',
  },
  ...platformNameSettings,
  DATA_DIRECTORY: {
    ...folder,
    default: '/var/lib/petstore',
    about: 'folder in which start keeps what its edge stores',
  },
  BACKUP_DIRECTORY: { ...folder, otherwise: 'backups in DATA_DIRECTORY', about: 'folder of backups' },
  TOMBSTONES_DIRECTORY: { ...folder, about: 'folder of what a restore must not revive, on another machine' },
  POSTGRESQL_PROGRAMS: { ...folder, default: '/usr/bin', about: 'folder of pg_dump and pg_restore' },
  EDGE_HOST: { ...listenAddress, default: '127.0.0.1', about: 'address that edge listens on' },
  EDGE_PORT: { ...port, default: '3080', about: 'port that edge listens on' },
  EDGE_ADDRESSES: { ...addresses, about: 'public addresses of the edges' },
  FORMER_EDGE_ADDRESSES: { ...addresses, about: 'addresses that the edges had before' },
  DNS_RESOLVERS: {
    parse: readResolvers,
    wanted: 'a list of resolvers such as name=192.0.2.53:53, separated by commas',
    default: 'Cloudflare=1.1.1.1,Google=8.8.8.8,Quad9=9.9.9.9',
    about: 'validating resolvers of different operators',
  },
  DNS_QUESTIONS_PER_SECOND: { ...integer(1, 100_000), default: '50', about: 'queries per second to one nameserver' },
  CERTIFICATE_AUTHORITIES: {
    parse: readAuthorities,
    wanted: 'a list of domains as CAA records name authorities, separated by commas',
    default: 'letsencrypt.org',
    about: 'authorities as CAA records name them',
  },
  PROBE_SECRET: { ...secret, kind: 'secret', about: 'proves that a name reaches this installation' },
  CERTIFICATE_KEYS: {
    parse: readKeyRing,
    wanted: 'a list of id=key, each key base64 of 32 bytes',
    kind: 'secret',
    about: 'keys that encrypt private keys of certificates',
  },
  ACME_DIRECTORIES: {
    parse: readDirectories,
    wanted: 'a list of authority=https address, separated by commas',
    default: 'letsencrypt.org=https://acme-v02.api.letsencrypt.org/directory',
    about: 'directory of each authority',
  },
  ACME_CONTACT: { ...email, otherwise: 'OPERATOR_EMAIL', about: 'where authorities can reach you' },
  ACME_ORDERS_PER_3_HOURS: { ...integer(1, 1_000_000), default: '300', about: 'rate limit of the authority' },
  ADMIN_HOST: { ...listenAddress, default: '127.0.0.1', about: 'address of the admin listener: /livez and /readyz' },
  ADMIN_PORT: {
    ...port,
    otherwise: 'start 3900, serve 3901, work 3902, edge 3903, if it is free',
    about: 'port of the admin listener',
  },
  CONTROL_HOST: { ...listenAddress, default: '127.0.0.1', about: 'address that serve listens on for edges' },
  CONTROL_PORT: { ...port, about: 'port that serve listens on for edges' },
  EDGE_KEYS_PER_HOUR: {
    ...count,
    otherwise: 'twice the names, at least 100 and at most 1000',
    about: 'private keys that an edge may receive in an hour',
  },
  EDGE_CONTROL_URL: { ...origin, about: 'control plane of this edge' },
  EDGE_CONTROL_ROOTS: { ...anyText, kind: 'document', about: 'roots to trust at the control plane' },
  EDGE_TOKEN: {
    ...secret,
    wanted: 'the token that the command `edges add` has printed',
    kind: 'secret',
    about: 'enrolment token of this edge, for its first start',
  },
  EDGE_KEY: {
    parse: values.readKey,
    wanted: 'base64 of 32 bytes',
    kind: 'secret',
    about: 'encrypts the data of this edge',
  },
  EDGE_DIRECTORY: { ...anyText, about: 'data directory of this edge' },
  EDGE_CERTIFICATE_PORT: { ...port, default: '9000', about: 'where Caddy requests certificates, on loopback' },
  EDGE_ISOLATION_HOURS: {
    ...integer(1, 8760),
    default: '72',
    about: 'how long an edge serves without its control plane',
  },
  EDGE_PHOTO_BYTES: {
    ...integer(0, 10_000_000_000_000),
    default: '2000000000',
    about: 'bytes of photos on the disk of an edge',
  },
  PLATFORM_CERTIFICATE: {
    ...anyText,
    kind: 'secret',
    about: 'chain and key (PEM) for the default hosts, with PLATFORM_TLS=file',
  },
  ...mediaSettings,
  ...mailSettings,
  SIGN_UP: {
    ...choice(signUpModes),
    otherwise: 'open with mail, otherwise invited',
    about: 'open, invited or closed',
  },
  OPERATOR_EMAIL: { parse: readAddress, wanted: 'an email address', about: 'address of the operator' },
  RESERVED_NAMES: {
    parse: values.readNames,
    wanted: 'names of 3 to 63 lower-case letters, digits and hyphens, separated by commas',
    default: '',
    about: 'what no slug of a new project may contain, besides what is reserved anyway',
  },
  LIMITS: { ...anyText, kind: 'document', about: 'limits that differ from those of docs/limits.md, as JSON' },
  RATE_LIMIT_PER_KEY: { ...count, default: '600', about: `of one key: ${inWindow}` },
  RATE_LIMIT_PER_PROJECT: { ...count, default: '6000', about: `of one project: ${inWindow}` },
  RATE_LIMIT_FAILED_AUTHENTICATIONS: {
    ...count,
    default: '60',
    about: `without a valid key, of one address: ${inWindow}`,
  },
  RATE_LIMIT_PER_ACCOUNT: { ...count, default: '1200', about: `of one person: ${inWindow}` },
  RATE_LIMIT_PER_VISITOR: { ...count, default: '120', about: `of one address that is not signed in: ${inWindow}` },
  RATE_LIMIT_SIGN_INS_PER_ADDRESS: { ...count, default: '30', about: 'failed sign-ins in a minute, of one address' },
  RATE_LIMIT_SIGN_INS_PER_ACCOUNT: {
    ...count,
    default: '20',
    about: 'wrong passwords of all new devices in an hour, for one account',
  },
  RATE_LIMIT_RESERVATIONS_PER_ADDRESS: { ...count, default: '10', about: 'requests of visitors, of one address' },
  RATE_LIMIT_RESERVATIONS_PER_PROJECT: { ...count, default: '60', about: 'requests of visitors, to one project' },
  REQUESTS_PER_ADDRESS: {
    ...count,
    default: '5',
    about: 'requests of visitors in a day, of one address, to one project',
  },
  REQUESTS_PER_NETWORK: { ...count, default: '20', about: 'the same of one network: a /24 or a /48' },
  REQUESTS_UNCONFIRMED: {
    ...count,
    default: '100',
    about: 'requests of visitors that wait for a confirmation, in one project',
  },
  VISITOR_DATA_DAYS: {
    ...integer(30, 3650),
    default: '90',
    about: 'days after which the data of visitors is erased, once a request has ended without a home; 30 to 3650',
  },
  RATE_LIMIT_WINDOW_SECONDS: { ...integer(1, 86400), default: '60', about: 'length of the window of these limits' },
  SHUTDOWN_DELAY_SECONDS: {
    ...integer(0, 300),
    default: '0',
    about: 'time for which a stopping process still accepts connections',
  },
  REQUEST_TIMEOUT_MS: { ...integer(100, 600_000), default: '15000', about: 'time to receive a request' },
  HEADERS_TIMEOUT_MS: { ...integer(100, 600_000), default: '10000', about: 'time to receive the headers of a request' },
  // Five years' notice before the date in the API.
  GET_PET_DEPRECATED_SINCE: {
    parse: values.readSeconds,
    wanted: 'an RFC 3339 time before 2030-12-05',
    default: '2025-12-05T00:00:00Z',
    about: 'date in the Deprecation header',
  },
  SUNSET_REHEARSAL: {
    ...flag,
    default: 'false',
    about: 'staging only: a request can move the clock of the contract',
  },
  DNS_AUTHORITATIVE_PORT: { ...testPort, isForTests: true, default: '53', about: 'port of nameservers' },
  DNS_TEST_NETWORKS: {
    parse: readNetworks,
    wanted: 'a list of networks such as 127.0.53.0/24',
    isForTests: true,
    about: 'reserved networks that may be contacted',
  },
  TEST_SUFFIXES: {
    parse: readSuffixes,
    wanted: 'a list of suffixes such as test',
    isForTests: true,
    about: 'reserved suffixes that may be added',
  },
  PROBE_PORT: { ...testPort, isForTests: true, default: '80', about: 'port of visitors' },
  PROBE_TLS_PORT: { ...testPort, isForTests: true, default: '443', about: 'port of visitors, with TLS' },
  ACME_TEST_ROOTS: { ...anyText, isForTests: true, kind: 'document', about: 'roots of a test authority' },
} satisfies Readonly<Record<string, Setting>>

export type Values = ValuesOf<typeof all>

export const settings: Readonly<Record<string, Setting>> = all

/** A value of another form than its setting's is a mistake, and its default used. */
export function readValues(env: Readonly<Record<string, string | undefined>>, mistakes: string[]): Values {
  const read = ([name, { parse, wanted, default: text = '' }]: [string, Setting]) => {
    const given = env[name] || undefined
    const value = given === undefined ? undefined : parse(given)
    if (given !== undefined && value === undefined) mistakes.push(`${name} must be ${wanted}.`)
    return [name, value ?? (text === '' ? undefined : parse(text))]
  }
  return Object.fromEntries(Object.entries(settings).map(read)) as Values
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
