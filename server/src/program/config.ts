// `parseConfig` reads the settings once and completely. Pure: the same values give the same configuration. Every mistake
// is reported at once, so that an operator can fix them in one go. Secrets are wrapped, and print as [secret] wherever
// they are logged or put into JSON. A new setting has a usable default, and an entry in `settings.ts`.

import { signUpModes, type SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import type { Contact } from '@petstore-platform/contract/printing'
import * as certificates from '../certificates/settings.ts'
import * as dns from '../domains/observing/dns-settings.ts'
import type { EdgeCommon, EdgeConfig } from '../edge/settings.ts'
import { atOnce, type Shutdown } from '../foundation/http/shutdown.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import { Secret } from '../foundation/secret.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { SECOND } from '../foundation/time.ts'
import { mailOf, type MailConfig } from '../mail/settings.ts'
import { mediaOf, readBytes, type MediaConfig } from '../photos/settings.ts'
import { limitTableOf } from '../plans/limits-file.ts'
import type { LimitTable } from '../plans/limits.ts'
import { platformNamesOf, serviceNamesIn, type PlatformNamesConfig } from '../platform-names/settings.ts'
import * as values from './setting-values.ts'
import { settings as known } from './settings.ts'

export type { MailConfig }

export type Config = Readonly<{
  environment: 'production' | 'staging'
  /** This installation's own base address; it ends in /v1. Links are built from it, never from Host. */
  baseUrl: string
  addresses: Readonly<{ production: string; staging: string }>
  /** The documentation of the API; response headers link to it. */
  docsUrl: string
  /** The contact for questions about the API, in the OpenAPI documents. */
  contact: Contact
  host: string
  port: number
  /** The number of processes that share the port. */
  processes: number
  logLevel: (typeof logLevels)[number]
  databaseUrl: Secret
  databaseOwnerUrl: Secret | undefined
  databasePoolMax: number
  /** What the disk of the database holds; undefined: no limit. */
  databaseBytesMax: number | undefined
  trustedProxies: readonly string[]
  limits: Readonly<{
    perKey: number
    perProject: number
    perFailedAddress: number
    perAccount: number
    perVisitor: number
    signInsPerAddress: number
    signInsPerAccount: number
    reservationsPerAddress: number
    reservationsPerProject: number
    requestsPerAddress: number
    requestsPerNetwork: number
    requestsUnconfirmed: number
    visitorDataDays: number
    windowSeconds: number
  }>
  /** What plans, accounts and others may have and occupy. */
  limitTable: LimitTable
  /** The origin of the dashboard's pages: the Origin that a browser must send to change anything. */
  dashboardOrigin: string
  /** The parent of all default addresses of sites; may contain a port. */
  platformHost: string
  /** How visitors reach sites by default addresses; undefined: by https where there is a certificate. */
  siteScheme: 'http' | 'https' | undefined
  /** The platform's own names, and how they get certificates. */
  platformNames: PlatformNamesConfig
  edgeHost: string
  edgePort: number
  /** Undefined unless this is an edge with a control plane. */
  edge: EdgeConfig | undefined
  edgeCommon: EdgeCommon
  /** Where `start` stores what its edge must not lose. */
  dataDirectory: string
  /** The listener for the operator's monitoring; without a port it is that of the role, if it is free. */
  admin: Readonly<{ host: string; port: number | undefined }>
  /** The listener for edges; undefined if there is none. */
  control: Readonly<{ host: string; port: number }> | undefined
  /** The private keys that an edge may receive in an hour; undefined: by the number of names. */
  edgeKeysPerHour: number | undefined
  /** Undefined if no certificates are ordered. */
  certificates: certificates.CertificatesConfig | undefined
  domains: dns.DomainsConfig
  /** Undefined if no mail is sent. */
  mail: MailConfig | undefined
  /** Where owners ask for another plan. */
  operatorEmail: string | undefined
  /** Who may create an account. */
  signUp: SignUpMode
  /** The secret with which an edge proves that a name reaches us; without it there are no probes. */
  probeSecret: Secret | undefined
  deprecatedSince: number
  sunsetRehearsal: boolean
  requestTimeoutMs: number
  headersTimeoutMs: number
  shutdown: Shutdown
}> &
  MediaConfig

/** Every mistake in one error; `message` can be shown to an operator. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length} mistake(s):\n${mistakes.map((line) => `  - ${line}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

/** Keys of one installation are not accepted by the other. */
export const kindOf = ({ environment }: Pick<Config, 'environment'>): KeyKind =>
  environment === 'production' ? 'live' : 'test'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** `found`: mistakes in the sources of the settings, which are reported with the others. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>, found: readonly string[] = []): Config {
  const mistakes = [...found]
  const settings = settingsOf(env, mistakes)
  const { read, integer, oneOf, flag, address, databaseUrl: secret } = settings

  const environment = oneOf('ENVIRONMENT', 'production', ['production', 'staging'])
  const addresses = baseAddresses(settings)
  const baseUrl = addresses[environment]

  const databaseUrl = secret('DATABASE_URL')
  if (!env['DATABASE_URL']) mistakes.push('DATABASE_URL is required (the role petstore_app).')

  const sunsetRehearsal = flag('SUNSET_REHEARSAL')
  if (sunsetRehearsal && environment === 'production') {
    mistakes.push('SUNSET_REHEARSAL moves the clock on request and is refused in production.')
  }

  for (const [name, { isForTests }] of Object.entries(known)) {
    if (isForTests && env[name] && environment === 'production')
      mistakes.push(`${name} is for tests only and refused in production.`)
  }
  const control = controlOf(settings)
  const edgeCommon = edgeCommonOf(settings)
  const docsUrl = read('DOCS_URL', baseUrl.replace(/\/v1$/, '/docs'), values.readHttpAddress, 'an http(s) address')

  const mail = mailOf(settings, mistakes)
  const operatorEmail = read('OPERATOR_EMAIL', undefined, readAddress, 'an email address')
  const origin = new URL(baseUrl).origin
  const dashboardOrigin = read('DASHBOARD_ORIGIN', origin, values.readOrigin, 'an http(s) origin without path')
  const edge = edgeOf(settings, edgeCommon, mistakes)
  const domains = domainsOf(settings)
  const certificateSettings = certificatesOf(settings, operatorEmail)
  const config: Config = {
    environment,
    baseUrl,
    addresses,
    docsUrl,
    contact: contactOf(settings, docsUrl, operatorEmail),
    host: address('HOST'),
    port: integer('PORT', 3000, 0, 65535),
    processes: integer('PROCESSES', 1, 1, 256),
    logLevel: oneOf('LOG_LEVEL', 'info', logLevels),
    databaseUrl: databaseUrl ?? new Secret(''),
    databaseOwnerUrl: secret('DATABASE_OWNER_URL'),
    databaseBytesMax: read('DATABASE_BYTES_MAX', undefined, readBytes, 'a number of bytes'),
    databasePoolMax: integer('DATABASE_POOL_MAX', 10, 1, 1000),
    trustedProxies: read('TRUSTED_PROXIES', [], values.readList, 'a list of addresses, separated by commas'),
    limits: limitsOf(settings),
    limitTable: limitTableOf(env['LIMITS'], mistakes),
    dashboardOrigin,
    platformHost: read('PLATFORM_HOST', 'petstore.localhost:3080', values.readHostAndPort, 'a hostname (and a port)'),
    siteScheme: oneOf('SITE_SCHEME', undefined, ['http', 'https'] as const),
    platformNames: platformNamesOf(settings, mistakes, {
      services: serviceNamesIn([baseUrl, dashboardOrigin], domains.testSuffixes),
      isOrdering: certificateSettings !== undefined,
      isEdge: edge !== undefined,
    }),
    edgeHost: address('EDGE_HOST'),
    edgePort: integer('EDGE_PORT', 3080, 0, 65535),
    edge,
    edgeCommon,
    dataDirectory: read('DATA_DIRECTORY', '/var/lib/petstore', values.readFolder, 'an absolute path'),
    admin: { host: address('ADMIN_HOST'), port: optionalInteger(settings, 'ADMIN_PORT', 0, 65535) },
    control,
    edgeKeysPerHour: optionalInteger(settings, 'EDGE_KEYS_PER_HOUR', 1, 1_000_000_000),
    certificates: certificateSettings,
    domains,
    mail,
    operatorEmail,
    signUp: signUpOf(settings, mistakes, mail !== undefined),
    probeSecret: read('PROBE_SECRET', undefined, values.readSecret, 'at least 32 characters'),
    ...mediaOf(settings, mistakes),
    // 5 December 2025: five years' notice before the date in the API.
    deprecatedSince: read(
      'GET_PET_DEPRECATED_SINCE',
      1764892800,
      values.readSeconds,
      'an RFC 3339 time before 2030-12-05',
    ),
    sunsetRehearsal,
    requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 15_000, 100, 600_000),
    headersTimeoutMs: integer('HEADERS_TIMEOUT_MS', 10_000, 100, 600_000),
    shutdown: { ...atOnce, delayMs: integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 300) * SECOND },
  }
  if (config.headersTimeoutMs > config.requestTimeoutMs)
    mistakes.push('HEADERS_TIMEOUT_MS must not exceed REQUEST_TIMEOUT_MS.')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(config)
}

type Settings = ReturnType<typeof settingsOf>

/** Typed access to the environment. A value that cannot be parsed is added to `mistakes`, and its default used. */
function settingsOf(env: Readonly<Record<string, string | undefined>>, mistakes: string[]) {
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, wanted: string): T => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === undefined) mistakes.push(`${name} must be ${wanted}.`)
    return value ?? fallback
  }
  const oneOf = <T extends string, Fallback extends T | undefined>(
    name: string,
    fallback: Fallback,
    values: readonly T[],
  ): T | Fallback =>
    read<T | Fallback>(name, fallback, (text) => values.find((value) => value === text), `one of ${values.join(', ')}`)
  return {
    read,
    oneOf,
    integer: (name: string, fallback: number, least: number, most: number) =>
      read(name, fallback, (text) => values.integerWithin(text, least, most), `an integer from ${least} to ${most}`),
    flag: (name: string) => oneOf(name, 'false', ['true', 'false']) === 'true',
    plain: (name: string) => read<string | undefined>(name, undefined, (text) => text, 'a text'),
    address: (name: string) => read(name, '127.0.0.1', (text) => text, 'an address to listen on'),
    databaseUrl: (name: string) => read(name, undefined, values.readDatabaseUrl, 'a postgresql:// address'),
  }
}

/** An installation with one configured address has no other: its OpenAPI documents must not list a loopback address. */
function baseAddresses({ read }: Settings): Config['addresses'] {
  const baseAddress = (name: string) =>
    read(name, undefined, values.readBaseAddress, 'an http(s) address that ends in /v1, without query')
  const [production, staging] = [baseAddress('BASE_URL'), baseAddress('STAGING_URL')]
  return {
    production: production ?? staging ?? 'http://127.0.0.1:3000/v1',
    staging: staging ?? production ?? 'http://127.0.0.1:3001/v1',
  }
}

function contactOf({ read }: Settings, docsUrl: string, operatorEmail: string | undefined): Config['contact'] {
  const email = read('CONTACT_EMAIL', operatorEmail, values.readEmail, 'an email address')
  return {
    name: read('CONTACT_NAME', 'Petstore API', values.readName, 'one line of 1 to 100 characters'),
    url: read('CONTACT_URL', docsUrl, values.readHttpAddress, 'an http(s) address'),
    ...(email !== undefined && { email }),
  }
}

function certificatesOf({ read, integer, plain }: Settings, operatorEmail: string | undefined): Config['certificates'] {
  const keys = read(
    'CERTIFICATE_KEYS',
    undefined,
    certificates.readKeyRing,
    'a list of id=key, each key base64 of 32 bytes',
  )
  const ordering = {
    directories: read(
      'ACME_DIRECTORIES',
      certificates.defaultDirectories,
      certificates.readDirectories,
      'a list of authority=https address, separated by commas',
    ),
    contact: read('ACME_CONTACT', operatorEmail, values.readEmail, 'an email address'),
    ordersPerThreeHours: integer('ACME_ORDERS_PER_3_HOURS', 300, 1, 1_000_000),
    testRoots: plain('ACME_TEST_ROOTS'),
  }
  return keys && { keys, ...ordering }
}

const optionalInteger = ({ read }: Settings, name: string, min: number, max: number) =>
  read(name, undefined, (text) => values.integerWithin(text, min, max), `an integer from ${min} to ${max}`)

function controlOf(settings: Settings): Config['control'] {
  const port = optionalInteger(settings, 'CONTROL_PORT', 0, 65535)
  return port === undefined ? undefined : { host: settings.address('CONTROL_HOST'), port }
}

function edgeCommonOf({ integer, plain }: Settings): EdgeCommon {
  const platformCertificate = plain('PLATFORM_CERTIFICATE')
  return {
    certificatePort: integer('EDGE_CERTIFICATE_PORT', 9000, 0, 65535),
    isolationHours: integer('EDGE_ISOLATION_HOURS', 72, 1, 8760),
    photoBytes: integer('EDGE_PHOTO_BYTES', 2_000_000_000, 0, 10_000_000_000_000),
    platformCertificate: platformCertificate === undefined ? undefined : new Secret(platformCertificate),
    platformCertificateFile: plain('PLATFORM_CERTIFICATE_FILE'),
  }
}

function edgeOf({ read, plain }: Settings, common: EdgeCommon, mistakes: string[]): EdgeConfig | undefined {
  const controlUrl = read('EDGE_CONTROL_URL', undefined, values.readOrigin, 'an http(s) origin without path')
  const token = read('EDGE_TOKEN', undefined, values.readSecret, 'the token that the command `edges add` has printed')
  const key = read('EDGE_KEY', undefined, values.readKey, 'base64 of 32 bytes')
  const directory = plain('EDGE_DIRECTORY')
  if (controlUrl === undefined) return undefined
  if (key && directory !== undefined) {
    return { ...common, controlUrl, controlRoots: plain('EDGE_CONTROL_ROOTS'), token, directory, key }
  }
  mistakes.push('EDGE_CONTROL_URL also requires EDGE_KEY and EDGE_DIRECTORY, and for the first start EDGE_TOKEN.')
  return undefined
}

function signUpOf({ oneOf }: Pick<Settings, 'oneOf'>, mistakes: string[], sendsMail: boolean): SignUpMode {
  const mode = oneOf('SIGN_UP', sendsMail ? 'open' : 'invited', signUpModes)
  if (mode === 'open' && !sendsMail) mistakes.push('SIGN_UP=open requires SMTP_URL: a link is mailed to each address.')
  return mode
}

const limitsOf = ({ integer }: Settings): Config['limits'] => ({
  perKey: integer('RATE_LIMIT_PER_KEY', 600, 1, 1_000_000_000),
  perProject: integer('RATE_LIMIT_PER_PROJECT', 6000, 1, 1_000_000_000),
  perFailedAddress: integer('RATE_LIMIT_FAILED_AUTHENTICATIONS', 60, 1, 1_000_000_000),
  perAccount: integer('RATE_LIMIT_PER_ACCOUNT', 1200, 1, 1_000_000_000),
  perVisitor: integer('RATE_LIMIT_PER_VISITOR', 120, 1, 1_000_000_000),
  signInsPerAddress: integer('RATE_LIMIT_SIGN_INS_PER_ADDRESS', 30, 1, 1_000_000_000),
  signInsPerAccount: integer('RATE_LIMIT_SIGN_INS_PER_ACCOUNT', 20, 1, 1_000_000_000),
  reservationsPerAddress: integer('RATE_LIMIT_RESERVATIONS_PER_ADDRESS', 10, 1, 1_000_000_000),
  reservationsPerProject: integer('RATE_LIMIT_RESERVATIONS_PER_PROJECT', 60, 1, 1_000_000_000),
  requestsPerAddress: integer('REQUESTS_PER_ADDRESS', 5, 1, 1_000_000_000),
  requestsPerNetwork: integer('REQUESTS_PER_NETWORK', 20, 1, 1_000_000_000),
  requestsUnconfirmed: integer('REQUESTS_UNCONFIRMED', 100, 1, 1_000_000_000),
  visitorDataDays: integer('VISITOR_DATA_DAYS', 90, 30, 3650),
  windowSeconds: integer('RATE_LIMIT_WINDOW_SECONDS', 60, 1, 86400),
})

function domainsOf({ read, integer }: Settings): Config['domains'] {
  const addressesFrom = (name: string) =>
    read(name, [], dns.readAddresses, 'a list of IP addresses, separated by commas')
  return {
    resolvers: read(
      'DNS_RESOLVERS',
      dns.defaultResolvers,
      dns.readResolvers,
      'a list of resolvers such as name=192.0.2.53:53, separated by commas',
    ),
    edgeAddresses: addressesFrom('EDGE_ADDRESSES'),
    formerEdgeAddresses: addressesFrom('FORMER_EDGE_ADDRESSES'),
    authorities: read(
      'CERTIFICATE_AUTHORITIES',
      dns.defaultAuthorities,
      dns.readAuthorities,
      'a list of domains as CAA records name authorities, separated by commas',
    ),
    questionsPerSecond: integer('DNS_QUESTIONS_PER_SECOND', 50, 1, 100_000),
    authoritativePort: integer('DNS_AUTHORITATIVE_PORT', 53, 1, 65535),
    testNetworks: read('DNS_TEST_NETWORKS', [], dns.readNetworks, 'a list of networks such as 127.0.53.0/24'),
    testSuffixes: read('TEST_SUFFIXES', [], dns.readSuffixes, 'a list of suffixes such as test'),
    probePort: integer('PROBE_PORT', 80, 1, 65535),
    probeTlsPort: integer('PROBE_TLS_PORT', 443, 1, 65535),
  }
}
