#!/usr/bin/env node
// The program. It is the only file that reads arguments, environment and clock, and it passes them
// on. One program, several roles: `serve`, `work`, `edge`, `migrate`, `start`, and the operator's
// commands for projects, accounts, plans, keys, edges, certificates, mail and domains. Loading all of it takes
// longer than most commands run, so each role and each group of commands is loaded on demand.

import { userInfo } from 'node:os'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { adminPortOf, adminPorts, parseConfig, type Config } from './program/config.ts'
import type { LogRole } from './foundation/http/log-lines.io.ts'
import type { Metrics } from './operations/metrics/metrics.io.ts'
import type { FailureLines } from './foundation/failure-log.io.ts'
import { sentenceOf } from './foundation/failure-log.ts'
import { batchLogLines, type LogStream } from './foundation/log.ts'
import { isSupervised, superviseSeveral } from './program/cluster.ts'
import type { Progress } from './commands/backup.ts'
import type { MigrateFlags } from './commands/migrate.ts'
import { secretsIn } from './program/merge-settings.ts'
import { CONFIGURATION_FILE, readSettings } from './program/read-settings.ts'
import { applicationNameOf, release } from './program/release.ts'

const program = new Command('petstore')
  .description('Animals of a shop or shelter: an exact HTTP API, a website, and its own domain.')
  .version(versionText(), '-v, --version', 'print the version, the commit and the version of Node')
  .option('--config <file>', `read settings from this file instead of ${CONFIGURATION_FILE}`)
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError()

program
  .command('serve')
  .description('serve the API, the dashboard and the API reference')
  .action(async () => {
    await runRole('serve', serveIn(config().processes))
  })

program
  .command('work')
  .description('run background jobs: imports, deployments, order expiry, domain checks, certificates, mail')
  .action(() => runRole('work', work))

program
  .command('edge')
  .description('serve the published sites')
  .option('--print-caddy', 'print the Caddy configuration for this edge, then exit')
  .action(async ({ printCaddy }: { printCaddy?: true }) => {
    const isWithoutDatabase = printCaddy || merged().env['EDGE_CONTROL_URL'] !== undefined
    const settings = isWithoutDatabase ? configWithoutDatabase() : config()
    if (printCaddy) print((await import('./program/caddy-text.ts')).caddyTextOf(settings))
    else await runRole('edge', edge, settings)
  })

program
  .command('migrate')
  .description('migrate the database schema (connects with DATABASE_OWNER_URL)')
  .option('--plan', 'show the pending migrations, then exit')
  .option('--contract', 'also remove what older releases need; refused while one of them runs')
  .option('--no-retry', 'fail if a table is in use, instead of trying again')
  .option('--json', 'print one JSON value')
  .action((flags: MigrateFlags) => runMigrations(flags, print))

program
  .command('start')
  .description('migrate, then run every role in one process; for development and small installations')
  .action(async () => {
    // With several processes, one migrates the schema and does everything except serving.
    if (isSupervised()) return runRole('serve', serve)
    await runRole('start', together, config(), () => runMigrations({ retry: true }, () => {}))
  })

program
  .command('health')
  .description('report whether the service on this machine, or its edge, is ready; ends with 0 or 1')
  .addArgument(new Argument('[role]', 'one of several roles on this machine').choices(Object.keys(adminPorts)))
  .action(async (role?: RoleName) => {
    const { healthOf } = await import('./commands/health.ts')
    const { isReady, text } = await healthOf(configWithoutDatabase(), role)
    print(text)
    endWith(isReady ? 0 : 1)
  })

const build = { version: release.version, commit: release.commit ?? 'from source' }
let settings: ReturnType<typeof readSettings> | undefined
let isRole = false
const invalid = (why: string) => new InvalidArgumentError(why)
// With sudo, the person who called it.
const invocation = () => ({ config: config(), print, invalid, user: process.env['SUDO_USER'] ?? userInfo().username })
const contextWithoutDatabase = () => ({ config: configWithoutDatabase(), print, invalid })
const endWith = (code: number) => void (process.exitCode = code)

const groups: Readonly<Record<string, { description: string; load: () => Promise<Command> }>> = {
  projects: {
    description: 'create, list, suspend, hold and erase projects (stores)',
    load: async () => (await import('./commands/projects.ts')).projectCommands(invocation),
  },
  accounts: {
    description: 'invite people, and show, recover, verify and close their accounts',
    load: async () => (await import('./commands/accounts.ts')).accountCommands(invocation),
  },
  keys: {
    description: 'manage the API keys of a project',
    load: async () => (await import('./commands/keys.ts')).keyCommands(invocation),
  },
  plans: {
    description: 'show plans and set the plan of a project',
    load: async () => (await import('./commands/plans.ts')).planCommands(invocation),
  },
  limits: {
    description: 'show the limits of plans, accounts and tables',
    load: async () => (await import('./commands/limits.ts')).limitCommands(contextWithoutDatabase),
  },
  edges: {
    description: 'manage edge hosts and their enrolment',
    load: async () => (await import('./commands/edges.ts')).edgeCommands(invocation),
  },
  certificates: {
    description: 'list certificates and rotate their encryption keys',
    load: async () => (await import('./commands/certificates.ts')).certificateCommands(invocation, endWith),
  },
  mail: {
    description: 'see, check and steer the sending of mail',
    load: async () => (await import('./commands/mail.ts')).mailCommands(invocation, endWith),
  },
  backup: {
    description: 'take a backup of everything in PostgreSQL, or verify one',
    load: async () =>
      (await import('./commands/backup.ts')).backupCommand(invocation, contextWithoutDatabase, progressBar()),
  },
  restore: {
    description: 'restore a backup into an empty database',
    load: async () => (await import('./commands/restore.ts')).restoreCommand(invocation, progressBar(), installation),
  },
  jobs: {
    description: 'see the background jobs',
    load: async () => (await import('./commands/jobs.ts')).jobCommands(invocation),
  },
  config: {
    description: 'show the settings, their values and their origin',
    load: async () => (await import('./commands/config.ts')).configCommands(merged, print, endWith),
  },
  setup: {
    description: 'install on this machine: database, secrets, configuration, Caddy and units; can be run again',
    load: async () => (await import('./commands/setup.ts')).setupCommand(print, invalid),
  },
  upgrade: {
    description: 'upgrade this machine to a release that was downloaded, or go back to the one before',
    load: async () => (await import('./commands/upgrade.ts')).upgradeCommand(installation, program, print, invalid),
  },
  doctor: {
    description: 'check this installation, and print each problem with its remedy',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(installation, print, endWith),
  },
  domains: {
    description: 'diagnose the DNS and redirects of custom domains',
    load: async () => (await import('./commands/domains.ts')).domainCommands(contextWithoutDatabase, endWith),
  },
}
for (const [name, { description, load }] of Object.entries(groups)) {
  // The other groups are only listed by the help.
  const group = process.argv.includes(name) ? await load() : new Command(name)
  program.addCommand(group.description(description))
}

try {
  await program.parseAsync()
} catch (error) {
  // A problem that an operator can fix is reported in a sentence; a bug shows its stack.
  process.stderr.write(`${error instanceof Error ? sentenceOf(error) : String(error)}\n`)
  if (process.env['PETSTORE_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
  // What has begun already, such as work, or the channel to the supervising process, would keep alive a process that serves
  // nothing, and systemd would not start it again.
  if (isRole) process.exit(1)
}

type Logger = { level: string; stream: LogStream }
/** `ended`: the role has ended on its own, with this code. */
type RunningRole = {
  name: string
  port?: number
  sitePort?: number
  certificatePort?: number
  stop: () => Promise<unknown>
  isReady: () => Promise<boolean>
  ended?: Promise<number>
}
type OnError = (error: Error) => void
type RoleName = Exclude<LogRole, 'control'>
type Role = (settings: Config, logger: Logger, onError: OnError) => Promise<RunningRole>

async function serve(settings: Config, logger: Logger): Promise<RunningRole> {
  const { startService } = await import('./program/serve.ts')
  const { port, isReady, stop } = await startService(settings, { logger })
  return { name: 'serving', port, isReady, stop }
}

/** In this process, or in several that this one supervises. */
function serveIn(processes: number): Role {
  if (processes === 1 || isSupervised()) return serve
  return () => Promise.resolve({ name: 'supervising', ...superviseSeveral(processes) })
}

async function work(settings: Config, _: Logger, onError: OnError): Promise<RunningRole> {
  const { startWork } = await import('./program/work.ts')
  return { name: 'working', ...(await startWork(settings, { onError })) }
}

async function edge(settings: Config, logger: Logger): Promise<RunningRole> {
  const { startEdge } = await import('./program/edge.ts')
  return { name: 'serving sites', ...(await startEdge(settings, { logger })) }
}

async function together(settings: Config, logger: Logger, onError: OnError): Promise<RunningRole> {
  const { startTogether } = await import('./program/start.ts')
  const { processes } = settings
  const supervise = processes === 1 ? undefined : () => superviseSeveral(processes)
  const started = await startTogether(settings, { logger, onError }, supervise)
  return { name: supervise ? 'serving sites' : 'serving', ...started }
}

/** Runs the role until a signal ends it, or it ends on its own. `prepare` runs once PostgreSQL answers. */
async function runRole(role: RoleName, begin: Role, settings = config(), prepare?: () => Promise<void>): Promise<void> {
  isRole = true
  const { checkAtStart } = await import('./operations/doctor/at-start.io.ts')
  const { startFailureLog } = await import('./foundation/failure-log.io.ts')
  const { inheritSockets } = await import('./foundation/http/inherited-sockets.io.ts')
  inheritSockets(process.env)
  if (!isSupervised()) checkAtStart(secretsIn(merged()), printWarning)
  const stream = batchLogLines((text) => void process.stdout.write(text))
  process.once('exit', () => stream.flush())
  const log = (level: 'info' | 'warn' | 'error', fields: object) =>
    stream.write(`${JSON.stringify({ level, time: new Date().toISOString(), role, ...fields })}\n`)
  const own: FailureLines = {
    warn: (fields, msg) => log('warn', { ...fields, msg }),
    info: (fields, msg) => log('info', { ...fields, msg }),
  }
  const failures = startFailureLog(own)
  if (!settings.edge) {
    const { untilReachable } = await import('./foundation/postgres/reachable.io.ts')
    const address = { url: settings.databaseUrl.reveal(), applicationName: applicationNameOf(role) }
    const waiting = startFailureLog(own, () => 'reaching PostgreSQL')
    await untilReachable(address, waiting.report)
  }
  await prepare?.()
  const begun = await begin(settings, { level: settings.logLevel, stream }, failures.report)
  const { name, stop, isReady, ended, ...ports } = begun
  const metrics = Promise.withResolvers<Metrics>()
  const admin = isSupervised()
    ? undefined
    : await openAdmin(settings, { role, ...begun }, metrics.promise, (msg) => log('warn', { msg }))
  log('info', { ...ports, ...(admin && { adminPort: admin.port }), msg: name })
  // Only now: the role is ready, and this takes some 50 ms.
  import('./operations/metrics/metrics.io.ts').then(
    ({ startMetrics }) => metrics.resolve(startMetrics({ ...build, role }, settings.processes > 1)),
    failures.report,
  )
  let isStopping = false
  const end = (code: number, why: object) => {
    // Ctrl-C may come twice, from the terminal and from npm; once is enough.
    if (isStopping) return
    isStopping = true
    log('info', { ...why, msg: 'stopping' })
    admin?.beginToStop()
    stop().then(
      () => process.exit(code),
      (error: Error) => {
        log('error', { err: { message: error.message, stack: error.stack }, msg: 'did not stop cleanly' })
        process.exit(1)
      },
    )
    // A role that takes longer than its servers may is cut off.
    const { delayMs, waitMs } = settings.shutdown
    setTimeout(() => process.exit(1), delayMs + waitMs + 5000).unref()
  }
  void ended?.then((code) => end(code, { ended: name }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0, { signal }))
}

/** A port of a setting must be free. Another process may have that of the role, which then runs without the listener. */
async function openAdmin(
  { admin }: Config,
  { role, isReady, stop }: RunningRole & { role: RoleName },
  measured: Promise<Metrics>,
  warn: (text: string) => void,
) {
  const { startAdminListener } = await import('./foundation/http/admin-listener.io.ts')
  const port = adminPortOf({ admin }, role)
  try {
    const version = JSON.stringify({ ...build, role })
    return await startAdminListener({
      host: admin.host,
      port,
      isReady,
      version,
      metrics: async () => (await measured).render(),
    })
  } catch (error) {
    if (admin.port === undefined) {
      warn(`no admin listener, set ADMIN_PORT to have one: ${(error as Error).message}`)
      return undefined
    }
    await stop()
    throw new Error('cannot listen on ADMIN_PORT', { cause: error })
  }
}

async function runMigrations(flags: MigrateFlags, show: (text: string) => void): Promise<void> {
  const { runMigrate } = await import('./commands/migrate.ts')
  await runMigrate(config(), flags, { print: show, warn: (text) => void process.stderr.write(`${text}\n`) })
}

/** From the configuration file, the secrets directory and the environment. */
function merged() {
  if (settings) return settings
  settings = readSettings(process.env, program.opts<{ config?: string }>().config)
  if (!isSupervised()) for (const warning of settings.warnings) printWarning(warning)
  return settings
}

function config() {
  const { env, mistakes } = merged()
  return parseConfig(env, mistakes)
}

/** What `doctor` examines. It reports mistakes in the sources itself; an edge has no database. */
async function installation() {
  const { env } = merged()
  const without = env['EDGE_CONTROL_URL'] === undefined ? {} : { DATABASE_URL: 'postgresql://' }
  const settings = parseConfig({ ...without, ...env })
  return {
    config: settings,
    merged: merged(),
    caddyText: (await import('./program/caddy-text.ts')).caddyTextOf(settings),
  }
}

function versionText(): string {
  return `petstore ${release.version} (${release.commit?.slice(0, 12) ?? 'from source'}, Node ${process.versions.node})`
}

/** For commands that work without a database: an edge with a control plane, a DNS diagnosis. */
function configWithoutDatabase() {
  const { env, mistakes } = merged()
  return parseConfig({ DATABASE_URL: 'postgresql://', ...env }, mistakes)
}

function printWarning(sentence: string): void {
  process.stderr.write(`Warning: ${sentence}\n`)
}

/** On a terminal, a bar that is drawn again in place. */
function progressBar(): Progress {
  if (!process.stderr.isTTY) return undefined
  return (share) => {
    const full = Math.round(share * 40)
    process.stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(40 - full)} ${Math.floor(share * 100)} % \r`)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
