// `petstore setup` installs Petstore on one machine: database, secrets, configuration, Caddy and units. It can be run
// again at any time, and then adds what is missing.

import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Command } from 'commander'
import { readAddresses } from '../domains/observing/dns-settings.ts'
import { judgeVersion } from '../foundation/postgres/judge-server.ts'
import { newId } from '../foundation/ids.io.ts'
import { migrate } from '../foundation/postgres/migrate.io.ts'
import { askSettings } from '../edge/control-client.io.ts'
import type { SharedSettings } from '../fleet/protocol.ts'
import { addEdge } from '../fleet/edge-tokens.io.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { isLocalHost } from '../operations/doctor/judge-program.ts'
import { reportText } from '../operations/doctor/judge.ts'
import { openAdmin } from '../operations/setup/database-admin.io.ts'
import {
  APP,
  BACKUP,
  DATABASE,
  databaseSql,
  nothingYet,
  OWNER,
  type Password,
} from '../operations/setup/database-sql.ts'
import { envFileOf, type EnvFile } from '../operations/setup/env-file.ts'
import { observeMachine, publicAddresses, unitsOf, userOf } from '../operations/setup/observe-machine.io.ts'
import { asUser, perform } from '../operations/setup/perform.io.ts'
import {
  linksTo,
  pathsBelow,
  planSetup,
  stepText,
  unitSteps,
  type SetupFacts,
  type SetupPaths,
  type SetupStep,
} from '../operations/setup/plan.ts'
import { leftToDo } from '../operations/setup/remaining.ts'
import { edgeSteps, formOf, type MachineForm } from '../operations/setup/roles.ts'
import { caddyTextOf } from '../program/caddy-text.ts'
import { parseConfig, type Config } from '../program/config.ts'
import { readSettings } from '../program/read-settings.ts'
import { applicationNameOf, release } from '../program/release.ts'
import { isKnown, settings } from '../program/settings.ts'
import { diskKeyOf, localEdgeName } from '../program/start.ts'
import { withDatabase } from './command.ts'
import { examine } from './doctor.ts'

type Options = {
  address?: string
  sites?: string
  contact?: string
  addresses?: string
  databaseAdmin?: string
  databaseHost: string
  printSql?: true
  root: string
  roles?: string
  set: readonly string[]
  dryRun?: true
  /** In place of address, sites and contact, on an edge host. */
  edge?: true
  control?: string
  token?: string
}

type Print = (text: string) => void
type Invalid = (why: string) => Error

export function setupCommand(print: Print, invalid: Invalid): Command {
  return new Command('setup')
    .option('--address <hostname>', 'where the dashboard and the API are reached, such as app.shop.example')
    .option('--sites <hostname>', 'the parent of the default hosts of sites, such as shops.example')
    .option('--contact <address>', 'an email address at which you can be reached')
    .option('--edge', 'make this machine an edge host instead, without a database, by --control and --token')
    .option('--control <origin>', 'where serve listens for edges, such as http://control.internal:3090')
    .option('--token <token>', 'what `petstore edges add` has printed')
    .option('--addresses <list>', 'the public addresses of this machine, separated by commas; detected if left out')
    .option('--database-admin <url>', 'connect to PostgreSQL as this administrator instead of through the local socket')
    .option('--database-host <host:port>', 'where the program finds PostgreSQL', '127.0.0.1:5432')
    .option('--print-sql', 'print the SQL for an administrator of PostgreSQL instead of running it')
    .option(
      '--set <name=value>',
      'add this setting; a secret becomes a file of its own; can be repeated',
      collected,
      [],
    )
    .option('--roles <list>', 'run these roles from now on: serve,work,edge or some of them; start for all in one')
    .option('--root <folder>', 'install below this folder, without users and running units', '')
    .option('--dry-run', 'print the plan, and change nothing')
    .addHelpText('after', '\nIt can be run again: secrets and settings that exist are never changed.')
    .action((options: Options) => setUp(options, print, invalid))
}

const collected = (one: string, before: readonly string[]) => [...before, one]

const releaseFolder = join(import.meta.dirname, '../..')

/** The units of an edge host. */
const edgeForm: MachineForm = { on: ['petstore-edge', 'caddy'], off: [], hasEdge: false }
const ofEdge = /\/petstore-(?:edge|listen)\.[a-z]+$/

/** `shared`: what an edge has in common with all others. Its control plane says it, once the rest is there. */
async function setUp(options: Options, print: Print, invalid: Invalid, shared?: SharedSettings): Promise<void> {
  const { root, edge: isEdge = false } = options
  if (root === '' && process.getuid?.() !== 0 && !options.dryRun) throw invalid('setup must be run as root.')
  const form = options.roles === undefined ? undefined : formOf(options.roles)
  if (options.roles !== undefined && form === undefined)
    throw invalid('--roles takes start, or some of serve,work,edge; edge only together with serve.')
  const paths = pathsBelow(root)
  // A token that an earlier edge enrolled with is of no use.
  if (options.token !== undefined && !options.dryRun) rmSync(`${paths.secrets}/EDGE_TOKEN`, { force: true })
  const machine = observeMachine(paths, [])
  const requested = Object.entries({ ...shared, ...requestedSettings(options, paths, invalid) })
  const isSecret = ([name]: readonly [string, string]) => settings[name]?.kind !== undefined
  const env = envFile(Object.fromEntries(requested.filter((one) => !isSecret(one))), machine, paths)
  const secrets = secretsFor(options, machine, paths, requested.filter(isSecret))
  const config = parseConfig({
    ...(isEdge && { DATABASE_URL: 'postgresql://' }),
    ...parseEnv(env.text),
    ...secrets.values,
  })
  const caddy = caddyTextOf(config)
  const storage = root === '' ? storageIn(caddy) : undefined

  if (isEdge && !config.edge) throw invalid('--edge takes --control and --token, as printed by `petstore edges add`.')
  const admin = options.printSql || isEdge ? undefined : await openAdmin(options.databaseAdmin)
  try {
    const state = admin ? await admin.state() : nothingYet
    const [tooOld] = judgeVersion(state.versionNumber)
    if (tooOld) throw new Error(`${tooOld.sentence} ${tooOld.remedy}`)
    const sql = secrets.passwords ? databaseSql(state, secrets.passwords) : []
    if (options.printSql) print(sql.map(({ text }) => `${text};`).join('\n'))
    const wanted = {
      paths,
      needsUser: root === '',
      sql: admin ? sql : [],
      env: env.text,
      secrets: secrets.values,
      caddy: { text: caddy, storage },
      units: unitsFor(config),
      links: linksTo(paths, releaseFolder, existsSync(join(releaseFolder, 'bin/petstore'))),
    }
    const facts = storage === undefined ? machine : observeMachine(paths, [storage])
    const steps = planSetup(wanted, facts)
    print(steps.length === 0 ? 'Nothing is missing.' : steps.map((step) => `- ${stepText(step)}`).join('\n'))
    if (options.dryRun) return
    await perform(steps, admin, root === '')
  } finally {
    await admin?.close()
  }
  const { edge } = config
  if (isEdge && edge && !shared) {
    const user = root === '' ? userOf('petstore') : undefined
    const { token: _, ...again } = options
    return setUp(again, print, invalid, await asUser(user, () => askSettings(edge)))
  }
  if (isEdge) await changeForm(edgeForm, { print, config, paths, root })
  await finish(options, { print, config, env, machine, paths, caddy })
  if (form) await changeForm(form, { print, config, paths, root })
}

/** The edge of this machine enrols again, with the key of its disk. */
async function changeForm(
  form: MachineForm,
  { print, config, paths, root }: Pick<Finishing, 'print' | 'config' | 'paths'> & { root: string },
): Promise<void> {
  const { certificates, control, dataDirectory } = config
  const steps: SetupStep[] = []
  if (form.hasEdge && certificates && control) {
    const { token } = await withDatabase(config, ({ run }) =>
      addEdge({ run, newId, randomBytes }, localEdgeName(hostname()), { servesApi: true, takesOver: true }),
    )
    const key = diskKeyOf(certificates).reveal()
    steps.push(...edgeSteps(paths, { token, key, controlPort: control.port, dataDirectory }))
  }
  steps.push({ kind: 'reload' }, { kind: 'form', ...form })
  print(steps.map((step) => `- ${stepText(step)}`).join('\n'))
  await perform(steps, undefined, root === '')
}

type Finishing = {
  print: Print
  config: Config
  env: EnvFile
  machine: SetupFacts
  paths: SetupPaths
  caddy: string
}

/** What makes the units that `setup` has installed those of this release. */
export function renewUnits(config: Config): readonly SetupStep[] {
  const paths = pathsBelow('')
  const facts = observeMachine(paths, [])
  const units = unitsFor(config)
  const isInstalled = Object.keys(units).some((name) => facts.files.has(`${paths.units}/${name}`))
  const names = Object.keys(settings).filter((name) => facts.files.has(`${paths.secrets}/${name}`))
  const secrets = Object.fromEntries(names.map((name) => [name, '']))
  return isInstalled ? unitSteps({ paths, units, secrets }, facts) : []
}

const unitsFor = (config: Config) =>
  withAddresses(unitsOf(join(releaseFolder, 'units'), config.edge ? ofEdge : /^/), config)

/** The addresses of the settings in place of the usual ones. */
function withAddresses(units: Readonly<Record<string, string>>, config: Config): Readonly<Record<string, string>> {
  const { host, port, edgeHost, edgePort, edgeCommon } = config
  const at = (address: string, of: number) => `ListenStream=${address.includes(':') ? `[${address}]` : address}:${of}\n`
  const loopback = '127.0.0.1'
  const usual = at(loopback, 3000) + at(loopback, 3080) + at(loopback, 9000)
  const ip = (name: string) => (name === 'localhost' ? loopback : name)
  const wanted = at(ip(host), port) + at(ip(edgeHost), edgePort) + at(loopback, edgeCommon.certificatePort)
  return Object.fromEntries(Object.entries(units).map(([name, text]) => [name, text.replace(usual, () => wanted)]))
}

/** Migrates, checks what can be checked before the first start, and prints what is left for the operator. */
async function finish(options: Options, { print, config, env, machine, paths, caddy }: Finishing): Promise<void> {
  if (options.printSql) {
    print('\nRun this SQL as an administrator of PostgreSQL. Then run: petstore migrate')
  } else {
    if (!options.edge) {
      const { applied } = await migrate(config.databaseOwnerUrl?.reveal() ?? '', {
        applicationName: applicationNameOf('migrate'),
        version: release.version,
      })
      print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length} migrations.`)
    }
    const merged = readSettings({}, paths.env)
    const findings = await examine({ config, merged, caddyText: caddy, caddyFile: paths.caddy }, { isStarted: false })
    print(reportText(findings))
  }
  print(
    leftToDo({
      isEdge: options.edge ?? false,
      names: [...(options.edge ? [] : [new URL(config.baseUrl).hostname]), `*.${config.platformHost}`],
      edgeAddresses: config.domains.edgeAddresses,
      secretsFolder: paths.secrets,
      kept: env.kept,
      hasSystemd: machine.hasSystemd,
    }),
  )
}

function requestedSettings(options: Options, paths: SetupPaths, invalid: Invalid): Readonly<Record<string, string>> {
  const { addresses, root, set, control, token } = options
  if (addresses !== undefined && readAddresses(addresses) === undefined)
    throw invalid('--addresses takes a list of IP addresses, separated by commas.')
  const edges = addresses ?? publicAddresses().join(',')
  const added = set.map((one) => {
    const [, name = '', value = ''] = /^([A-Z0-9_]+)=([^]*)$/.exec(one) ?? []
    if (!isKnown(name)) throw invalid(`--set takes a setting, such as SMTP_URL=smtps://…: ${name || one} is none.`)
    return [name, value] as const
  })
  return {
    ...(!options.edge && serviceSettings(options, invalid)),
    ...(options.edge && { EDGE_DIRECTORY: paths.data }),
    ...(control !== undefined && { EDGE_CONTROL_URL: control }),
    ...(token !== undefined && { EDGE_TOKEN: token }),
    SECRETS_DIRECTORY: paths.secrets,
    ...(edges !== '' && { EDGE_ADDRESSES: edges }),
    ...(root !== '' && { DATA_DIRECTORY: paths.data }),
    ...Object.fromEntries(added),
  }
}

function serviceSettings({ address = '', sites = '', contact = '', roles }: Options, invalid: Invalid) {
  for (const [option, name] of Object.entries({ address, sites })) {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/.test(name))
      throw invalid(`--${option} takes a hostname, such as app.shop.example.`)
  }
  if (readAddress(contact) === undefined) throw invalid('--contact takes an address such as ops@shop.example.')
  return {
    BASE_URL: `https://${address}/v1`,
    DASHBOARD_ORIGIN: `https://${address}`,
    PLATFORM_HOST: sites,
    PLATFORM_TLS: 'per-host',
    OPERATOR_EMAIL: contact,
    SIGN_UP: 'invited',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    ...(roles?.includes('edge') && { CONTROL_PORT: '3090' }),
  }
}

function envFile(requested: Readonly<Record<string, string>>, { files }: SetupFacts, paths: SetupPaths): EnvFile {
  const text = files.get(paths.env)
  return envFileOf(text === undefined ? undefined : { text, values: parseEnv(text) }, requested)
}

/** Existing secrets, and new ones where there are none. */
function secretsFor(
  { databaseAdmin, databaseHost, edge: isEdge }: Options,
  { files }: SetupFacts,
  paths: SetupPaths,
  requested: readonly (readonly [name: string, text: string])[],
) {
  const { host, hostname, searchParams } = new URL(databaseAdmin ?? `postgresql://${databaseHost}`)
  const sslmode = searchParams.get('sslmode') ?? (isLocalHost(hostname) ? undefined : 'require')
  const parameters = sslmode === undefined ? '' : `?sslmode=${sslmode}`
  const existing = (name: string) => files.get(`${paths.secrets}/${name}`)?.trim()
  const wanted = Object.fromEntries(requested)
  const present = (name: string, fresh: () => string) => existing(name) ?? wanted[name] ?? fresh()
  const urlFor = (role: string) =>
    `postgresql://${role}:${randomBytes(24).toString('base64url')}@${host}/${DATABASE}${parameters}`
  // Others that an operator has put there belong to the configuration as well.
  const others = Object.keys(settings).flatMap((name) => {
    const text = settings[name]?.kind ? existing(name) : undefined
    return text === undefined ? [] : [[name, text] as const]
  })
  const given = { ...wanted, ...Object.fromEntries(others) }
  if (isEdge) return { values: { ...given, EDGE_KEY: present('EDGE_KEY', () => randomBytes(32).toString('base64')) } }
  const values = {
    DATABASE_URL: present('DATABASE_URL', () => urlFor(APP)),
    DATABASE_OWNER_URL: present('DATABASE_OWNER_URL', () => urlFor(OWNER)),
    DATABASE_BACKUP_URL: present('DATABASE_BACKUP_URL', () => urlFor(BACKUP)),
    CERTIFICATE_KEYS: present(
      'CERTIFICATE_KEYS',
      () => `${new Date().getUTCFullYear()}=${randomBytes(32).toString('base64')}`,
    ),
    PROBE_SECRET: present('PROBE_SECRET', () => randomBytes(32).toString('base64url')),
  }
  const passwordOf = (name: 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_BACKUP_URL'): Password => ({
    text: decodeURIComponent(new URL(values[name]).password),
    isNew: existing(name) === undefined,
  })
  return {
    values: { ...given, ...values },
    passwords: {
      owner: passwordOf('DATABASE_OWNER_URL'),
      app: passwordOf('DATABASE_URL'),
      backup: passwordOf('DATABASE_BACKUP_URL'),
    },
  }
}

/** Caddy's own folder, which must exist and be writable for it. */
function storageIn(caddy: string): string | undefined {
  const { storage } = JSON.parse(caddy) as { storage?: { root?: string } }
  return storage?.root
}
