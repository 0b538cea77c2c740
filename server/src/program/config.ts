// `parseConfig` makes the configuration of the settings. Pure: the same values give the same configuration. Every mistake
// is reported at once, so that an operator can fix them in one go. Secrets are wrapped, and print as [secret] wherever
// they are logged or put into JSON. A new setting is an entry in `settings.ts`, with a usable default.

import type { SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import type { Contact } from '@petstore-platform/contract/printing'
import type { CertificatesConfig } from '../certificates/settings.ts'
import type { DomainsConfig } from '../domains/observing/dns-settings.ts'
import type { EdgeCommon, EdgeConfig } from '../edge/settings.ts'
import { atOnce, type Shutdown } from '../foundation/http/draining.io.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import { Secret } from '../foundation/secret.ts'
import { SECOND } from '../foundation/time.ts'
import { mailOf, type MailConfig } from '../mail/settings.ts'
import { mediaOf, type MediaConfig } from '../photos/settings.ts'
import { limitTableOf } from '../plans/limits-file.ts'
import type { LimitTable } from '../plans/limits.ts'
import { platformNamesOf, serviceNamesIn, type PlatformNamesConfig } from '../platform-names/settings.ts'
import { readValues, settings, type Values } from './settings.ts'

export type { MailConfig }

export type Config = Readonly<{
  environment: Values['ENVIRONMENT']
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
  logLevel: Values['LOG_LEVEL']
  databaseUrl: Secret
  databaseOwnerUrl: Secret | undefined
  databasePoolMax: number
  /** What backups and restores need. */
  backup: Readonly<{
    url: Secret | undefined
    directory: string
    tombstones: string | undefined
    programs: string
  }>
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
  /** Its predecessors, without ports: their addresses redirect. */
  formerPlatformHosts: readonly string[]
  /** How visitors reach sites by default addresses; undefined: by https where there is a certificate. */
  siteScheme: Values['SITE_SCHEME']
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
  certificates: CertificatesConfig | undefined
  domains: DomainsConfig
  /** Undefined if no mail is sent. */
  mail: MailConfig | undefined
  /** Where owners ask for another plan. */
  operatorEmail: string | undefined
  /** What no slug of a new project may contain, besides what is reserved anyway. */
  reservedNames: readonly string[]
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

/** Of the admin listeners: one for each role, so that all of them can run on one machine. */
export const adminPorts = { start: 3900, serve: 3901, work: 3902, edge: 3903 } as const

export const adminPortOf = ({ admin }: Pick<Config, 'admin'>, role: keyof typeof adminPorts): number =>
  admin.port ?? adminPorts[role]

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

/** `found`: mistakes in the sources of the settings, which are reported with the others. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>, found: readonly string[] = []): Config {
  const mistakes = [...found]
  const values = readValues(env, mistakes)
  const config = configOf(values, env['PLATFORM_CERTIFICATE_FILE'] || undefined, mistakes)
  if (!env['DATABASE_URL']) mistakes.push('DATABASE_URL is required (the role petstore_app).')
  for (const [name, { isForTests }] of Object.entries(settings)) {
    if (isForTests && env[name] && config.environment === 'production')
      mistakes.push(`${name} is for tests only and refused in production.`)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(config)
}

/** `certificateFile`: the path of the certificate of the default addresses, which is read again when it changes. */
export function configOf(values: Values, certificateFile: string | undefined, mistakes: string[]): Config {
  const { ENVIRONMENT: environment, OPERATOR_EMAIL: operatorEmail } = values
  const addresses = baseAddresses(values)
  const baseUrl = addresses[environment]
  const docsUrl = values.DOCS_URL ?? baseUrl.replace(/\/v1$/, '/docs')
  const dashboardOrigin = values.DASHBOARD_ORIGIN ?? new URL(baseUrl).origin
  const mail = mailOf(values, mistakes)
  const edgeCommon = edgeCommonOf(values, certificateFile)
  const edge = edgeOf(values, edgeCommon, mistakes)
  const domains = domainsOf(values)
  const certificateSettings = certificatesOf(values)
  if (values.SUNSET_REHEARSAL && environment === 'production') {
    mistakes.push('SUNSET_REHEARSAL moves the clock on request and is refused in production.')
  }
  if (values.HEADERS_TIMEOUT_MS > values.REQUEST_TIMEOUT_MS)
    mistakes.push('HEADERS_TIMEOUT_MS must not exceed REQUEST_TIMEOUT_MS.')
  return {
    environment,
    baseUrl,
    addresses,
    docsUrl,
    contact: contactOf(values, docsUrl),
    host: values.HOST,
    port: values.PORT,
    processes: values.PROCESSES,
    logLevel: values.LOG_LEVEL,
    databaseUrl: values.DATABASE_URL ?? new Secret(''),
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databaseBytesMax: values.DATABASE_BYTES_MAX,
    databasePoolMax: values.DATABASE_POOL_MAX,
    backup: {
      url: values.DATABASE_BACKUP_URL,
      directory: values.BACKUP_DIRECTORY ?? `${values.DATA_DIRECTORY}/backups`,
      tombstones: values.TOMBSTONES_DIRECTORY,
      programs: values.POSTGRESQL_PROGRAMS,
    },
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    limits: limitsOf(values),
    limitTable: limitTableOf(values.LIMITS, mistakes),
    dashboardOrigin,
    platformHost: values.PLATFORM_HOST,
    formerPlatformHosts: values.FORMER_PLATFORM_HOSTS ?? [],
    siteScheme: values.SITE_SCHEME,
    platformNames: platformNamesOf(values, mistakes, {
      services: serviceNamesIn([baseUrl, dashboardOrigin], domains.testSuffixes),
      isOrdering: certificateSettings !== undefined,
      isEdge: edge !== undefined,
      hasCertificate: values.PLATFORM_CERTIFICATE !== undefined,
    }),
    edgeHost: values.EDGE_HOST,
    edgePort: values.EDGE_PORT,
    edge,
    edgeCommon,
    dataDirectory: values.DATA_DIRECTORY,
    admin: { host: values.ADMIN_HOST, port: values.ADMIN_PORT },
    control: values.CONTROL_PORT === undefined ? undefined : { host: values.CONTROL_HOST, port: values.CONTROL_PORT },
    edgeKeysPerHour: values.EDGE_KEYS_PER_HOUR,
    certificates: certificateSettings,
    domains,
    mail,
    operatorEmail,
    reservedNames: values.RESERVED_NAMES,
    signUp: signUpOf(values, mistakes, mail !== undefined),
    probeSecret: values.PROBE_SECRET,
    ...mediaOf(values, mistakes),
    deprecatedSince: values.GET_PET_DEPRECATED_SINCE,
    sunsetRehearsal: values.SUNSET_REHEARSAL,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
    shutdown: { ...atOnce, delayMs: values.SHUTDOWN_DELAY_SECONDS * SECOND },
  }
}

/** An installation with one configured address has no other: its OpenAPI documents must not list a loopback address. */
const baseAddresses = ({ BASE_URL: production, STAGING_URL: staging }: Values): Config['addresses'] => ({
  production: production ?? staging ?? 'http://127.0.0.1:3000/v1',
  staging: staging ?? production ?? 'http://127.0.0.1:3001/v1',
})

function contactOf(values: Values, docsUrl: string): Config['contact'] {
  const email = values.CONTACT_EMAIL ?? values.OPERATOR_EMAIL
  return { name: values.CONTACT_NAME, url: values.CONTACT_URL ?? docsUrl, ...(email !== undefined && { email }) }
}

const certificatesOf = (values: Values): Config['certificates'] =>
  values.CERTIFICATE_KEYS && {
    keys: values.CERTIFICATE_KEYS,
    directories: values.ACME_DIRECTORIES,
    contact: values.ACME_CONTACT ?? values.OPERATOR_EMAIL,
    ordersPerThreeHours: values.ACME_ORDERS_PER_3_HOURS,
    testRoots: values.ACME_TEST_ROOTS,
  }

const edgeCommonOf = (values: Values, platformCertificateFile: string | undefined): EdgeCommon => ({
  certificatePort: values.EDGE_CERTIFICATE_PORT,
  isolationHours: values.EDGE_ISOLATION_HOURS,
  photoBytes: values.EDGE_PHOTO_BYTES,
  platformCertificate: values.PLATFORM_CERTIFICATE === undefined ? undefined : new Secret(values.PLATFORM_CERTIFICATE),
  platformCertificateFile,
})

function edgeOf(values: Values, common: EdgeCommon, mistakes: string[]): EdgeConfig | undefined {
  const { EDGE_CONTROL_URL: controlUrl, EDGE_KEY: key, EDGE_DIRECTORY: directory } = values
  if (controlUrl === undefined) return undefined
  if (key && directory !== undefined) {
    return { ...common, controlUrl, controlRoots: values.EDGE_CONTROL_ROOTS, token: values.EDGE_TOKEN, directory, key }
  }
  mistakes.push('EDGE_CONTROL_URL also requires EDGE_KEY and EDGE_DIRECTORY, and for the first start EDGE_TOKEN.')
  return undefined
}

function signUpOf({ SIGN_UP }: Values, mistakes: string[], sendsMail: boolean): SignUpMode {
  const mode = SIGN_UP ?? (sendsMail ? 'open' : 'invited')
  if (mode === 'open' && !sendsMail) mistakes.push('SIGN_UP=open requires SMTP_URL: a link is mailed to each address.')
  return mode
}

const limitsOf = (values: Values): Config['limits'] => ({
  perKey: values.RATE_LIMIT_PER_KEY,
  perProject: values.RATE_LIMIT_PER_PROJECT,
  perFailedAddress: values.RATE_LIMIT_FAILED_AUTHENTICATIONS,
  perAccount: values.RATE_LIMIT_PER_ACCOUNT,
  perVisitor: values.RATE_LIMIT_PER_VISITOR,
  signInsPerAddress: values.RATE_LIMIT_SIGN_INS_PER_ADDRESS,
  signInsPerAccount: values.RATE_LIMIT_SIGN_INS_PER_ACCOUNT,
  reservationsPerAddress: values.RATE_LIMIT_RESERVATIONS_PER_ADDRESS,
  reservationsPerProject: values.RATE_LIMIT_RESERVATIONS_PER_PROJECT,
  requestsPerAddress: values.REQUESTS_PER_ADDRESS,
  requestsPerNetwork: values.REQUESTS_PER_NETWORK,
  requestsUnconfirmed: values.REQUESTS_UNCONFIRMED,
  visitorDataDays: values.VISITOR_DATA_DAYS,
  windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS,
})

const domainsOf = (values: Values): Config['domains'] => ({
  resolvers: values.DNS_RESOLVERS,
  edgeAddresses: values.EDGE_ADDRESSES ?? [],
  formerEdgeAddresses: values.FORMER_EDGE_ADDRESSES ?? [],
  authorities: values.CERTIFICATE_AUTHORITIES,
  questionsPerSecond: values.DNS_QUESTIONS_PER_SECOND,
  authoritativePort: values.DNS_AUTHORITATIVE_PORT,
  testNetworks: values.DNS_TEST_NETWORKS ?? [],
  testSuffixes: values.TEST_SUFFIXES ?? [],
  probePort: values.PROBE_PORT,
  probeTlsPort: values.PROBE_TLS_PORT,
})
