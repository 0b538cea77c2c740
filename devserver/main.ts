// `npm run dev`: a running service on a machine with nothing but Node and npm.
// Starts a real PostgreSQL, migrates, creates a store with an owner, a key and a
// site, and prints what to open and what to paste into a terminal. It is a staging
// installation, so its keys are test keys. The demo store is on the Pro plan, so that
// a domain can be added to it.
//
//   --port P       listen there (default 3000)
//   --site-port P  serve the sites there (default 3080)
//   --inbox-port P show the mails that were sent there (default 3025)
//   --ephemeral    throw-away database, no animals, the Free plan, nothing left behind
//   --rehearse     take `Petstore-Now`, to see 5 December 2030 today
//   --json         print one JSON line when ready, and nothing else
//
// Persistent data is in .petstore, or in PETSTORE_DEV_DIRECTORY,
// with the settings for the operator's commands next to it (petstore.env).

import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { tryBuildDashboard } from '../tools/build-dashboard.ts'
import { buildReference } from '../tools/build-reference.ts'
import { findCredentials } from '../server/src/accounts/account-queries.ts'
import { setEmail } from '../server/src/accounts/links/email-change-queries.ts'
import { inviteAccount } from '../server/src/accounts/links/links.io.ts'
import { ConfigError, parseConfig } from '../server/src/program/config.ts'
import { newId } from '../server/src/foundation/ids.io.ts'
import { migrate } from '../server/src/foundation/postgres/migrate.io.ts'
import { place } from '../server/src/orders/advance.io.ts'
import { createKey } from '../server/src/projects/api-keys.io.ts'
import * as directory from '../server/src/projects/directory.io.ts'
import { findProject } from '../server/src/projects/project-queries.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../server/src/projects/scope.io.ts'
import { planChanged } from '../server/src/domains/advance.io.ts'
import { documentDomains } from '../server/src/domains/naming/names.ts'
import { defaultRules } from '../server/src/plans/limits.ts'
import { setPlan } from '../server/src/plans/plans.io.ts'
import { contextOf } from '../server/src/program/context.ts'
import { startService, type Service } from '../server/src/program/serve.ts'
import { startEdge } from '../server/src/program/edge.ts'
import { startWork } from '../server/src/program/work.ts'
import { backdateRow } from './backdate.ts'
import { DEMO_SLUG, demoOwner, makeDemo, type Demo } from './demo.ts'
import type { PlacedRequest } from './demo-requests.ts'
import { dropEarlierDatabase } from './earlier-database.ts'
import { freePort } from './free-port.ts'
import { startInbox } from './inbox.ts'
import { provision, startPostgres, type RunningPostgres } from './postgres.ts'
import { writeSettings } from './settings-file.ts'
import { nextStepText, welcomeText } from './welcome.ts'
import { missingPackages } from './programs.ts'

const root = join(import.meta.dirname, '..')
const assets = join(root, 'server/public/reference')
const dashboardAssets = join(root, 'server/public/dashboard')
const kept = process.env['PETSTORE_DEV_DIRECTORY'] || join(root, '.petstore')

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    'site-port': { type: 'string' },
    'inbox-port': { type: 'string' },
    json: { type: 'boolean', default: false },
    ephemeral: { type: 'boolean', default: false },
    rehearse: { type: 'boolean', default: false },
  },
})

const startedAt = performance.now()
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const tell = (text: string): void => (flags.json ? undefined : say(text))

const stopping: (() => Promise<void>)[] = []
let isStopping = false
async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  for (const end of stopping.toReversed())
    await end().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// A signal to npm ends the shell between npm and us, and does not get here: we notice that our parent is another.
const parent = process.ppid
if (process.env['npm_lifecycle_event']) setInterval(() => process.ppid === parent || void stop(0), 100).unref()

try {
  await run()
} catch (error) {
  // Stopped while starting: resources that startup was about to use are gone.
  if (!isStopping)
    process.stderr.write(`${error instanceof ConfigError || !(error instanceof Error) ? String(error) : error.stack}\n`)
  await stop(1)
}

async function run(): Promise<void> {
  tell('Starting PostgreSQL …')
  const starting = startPostgres({
    directory: flags.ephemeral ? mkdtempSync(join(tmpdir(), 'petstore-dev-')) : join(kept, 'postgres'),
    ephemeral: flags.ephemeral,
  })
  // Also when it is still starting: what has begun to exist must be removed.
  stopping.push(() =>
    starting.then(
      (postgres) => postgres.stop(),
      () => {},
    ),
  )
  const postgres = await starting
  await prepareDatabase(postgres)
  await buildReference(assets)
  await tryBuildDashboard(dashboardAssets)

  const origin = `http://127.0.0.1:${flags.port}`
  const address = `${origin}/v1`
  // A passkey belongs to a name, and an address is none.
  const dashboardOrigin = `http://localhost:${flags.port}`
  const sitePort = flags['site-port'] ?? (flags.ephemeral ? String(await freePort()) : '3080')
  const inbox = await startInbox(Number(flags['inbox-port'] ?? (flags.ephemeral ? 0 : 3025)))
  stopping.push(() => inbox.stop())
  const settings = {
    ENVIRONMENT: 'staging',
    HOST: '127.0.0.1',
    PORT: flags.port,
    BASE_URL: address,
    STAGING_URL: address,
    DASHBOARD_ORIGIN: dashboardOrigin,
    // Browsers and most systems take whatever ends in .localhost for this machine.
    PLATFORM_HOST: `localhost:${sitePort}`,
    SITE_SCHEME: 'http',
    EDGE_HOST: '127.0.0.1',
    EDGE_PORT: sitePort,
    SUNSET_REHEARSAL: String(flags.rehearse),
    DATABASE_URL: postgres.urlOf('petstore_app', 'petstore'),
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    OPERATOR_EMAIL: 'operator@petstore.example',
  }
  const config = parseConfig({
    LOG_LEVEL: 'warn',
    // Domains of documents can be added as an example, although no authority certifies them.
    TEST_SUFFIXES: documentDomains.join(),
    // Limits and the like may be set from outside; what makes this a development server may not.
    ...process.env,
    ...settings,
  })
  // Standard output is for the one line that scripts read; the log goes to standard error. During shutdown,
  // PostgreSQL closes connections that we are closing anyway.
  const stream = { write: (line: string) => void (isStopping || process.stderr.write(line)) }
  const logger = { level: config.logLevel, stream }
  const service = await startService(config, { logger, referenceAssets: assets, dashboardAssets })
  stopping.push(() => service.stop())
  const work = await startWork(config, { onError: ({ stack }) => stream.write(`${stack}\n`), pauseMs: 50 })
  stopping.push(() => work.stop())
  const edge = await startEdge(config, { logger })
  stopping.push(() => edge.stop())

  const platform = `${origin}/platform/v1`
  const projectId = await demoProject(service, {
    platform,
    origin: dashboardOrigin,
    invited: (email) => service.database.transaction({}, (db) => inviteAccount(db, { newId, randomBytes }, email)),
    place: (request) => placed(service, request),
    backdate: (order, hours) => backdated(service, order, hours),
    isEmpty: flags.ephemeral,
    patienceMs: 20_000,
  })
  if (!flags.ephemeral) {
    await verifyOwner(service)
    await atLeastPro(service, projectId)
  }
  const { key: apiKey } = await createKey(contextOf(config, service.database), projectId, { label: 'npm run dev' })
  const api = config.baseUrl
  const docs = config.docsUrl
  const dashboard = `${dashboardOrigin}/`
  const site = `http://${DEMO_SLUG}.${config.platformHost}`
  const { email, password } = demoOwner
  const owner = { email, password }
  const ready = { api, docs, dashboard, platform, site, inbox: inbox.url, owner, projectId: Number(projectId), apiKey }
  if (flags.json) return say(JSON.stringify({ ...ready, pid: process.pid }))
  const seconds = (performance.now() - startedAt) / 1000
  const operator = flags.ephemeral ? undefined : settingsFile(settings)
  say(welcomeText(ready, { seconds, operator, isRehearsing: config.sunsetRehearsal, world: worldText() }))
}

async function prepareDatabase(postgres: RunningPostgres): Promise<void> {
  await provision(postgres.superuserUrl, 'petstore')
  if (!flags.ephemeral && (await dropEarlierDatabase(postgres, 'petstore'))) {
    tell('The database was of a checkout from before the first release. Creating a new one …')
    await provision(postgres.superuserUrl, 'petstore')
  }
  await migrate(postgres.urlOf('petstore_owner', 'petstore'))
}

function findDemo({ database }: Service): Promise<ProjectId | undefined> {
  return inDirectoryOf(database)((db) => directory.findSlug(db, DEMO_SLUG))
}

async function demoProject(service: Service, demo: Demo): Promise<ProjectId> {
  const existing = await findDemo(service)
  if (existing !== undefined) return existing
  await makeDemo(demo)
  return existingDemo(service)
}

async function backdated(service: Service, order: bigint, hours: number): Promise<void> {
  const project = await existingDemo(service)
  await inProjectOf(service.database)(project, (db) => db(backdateRow, project, order, hours))
}

/** Without a mail to the owner about each of them. */
async function placed(service: Service, request: PlacedRequest): Promise<bigint> {
  const project = await existingDemo(service)
  return (await place({ inProject: inProjectOf(service.database) }, project, request)).id
}

async function existingDemo(service: Service): Promise<ProjectId> {
  const project = await findDemo(service)
  if (project === undefined) throw new Error('the demo store is not there')
  return project
}

/** As `petstore accounts verify` does: only then do visitors get mails, and confirm their requests. */
async function verifyOwner({ database }: Service): Promise<void> {
  const account = await findCredentials(database.run, demoOwner.email)
  if (account) await database.transaction({}, (db) => setEmail(db, account.id, demoOwner.email))
}

/** A plan that was enlarged stays as it is. */
async function atLeastPro({ database }: Service, project: ProjectId): Promise<void> {
  const inProject = inProjectOf(database)
  const found = await inProject(project, (db) => findProject(db, project))
  if (found?.plan !== 'free') return
  await setPlan({ inProject }, project, 'pro', 'operator')
  await planChanged({ inProject, now: Date.now, newId, plans: defaultRules }, project, true)
}

/** With which the program finds this installation. */
function settingsFile(settings: Readonly<Record<string, string>>): string {
  const file = join(kept, 'petstore.env')
  writeSettings(file, settings)
  return relative(process.cwd(), file)
}

/** The test internet is for Linux. */
function worldText(): string | undefined {
  return process.platform === 'linux' ? nextStepText(missingPackages('store')) : undefined
}
