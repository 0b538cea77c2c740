// The operator's commands for projects. Those that change one name the operator in its audit events; to suspend or to erase
// one takes a reason, and an erasure its slug once more.

import { Command } from 'commander'
import { createInterface } from 'node:readline/promises'
import { columns, operatorOf, recorded, withDatabase, withProject, type Invocation, type OfProject } from './command.ts'
import { findCredentials } from '../accounts/account-queries.ts'
import { setSuspended } from '../fleet/suspension.io.ts'
import type { Database, NamedOperator } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { timeText } from '../foundation/time.ts'
import { beginErasure } from '../operations/tenants/erasure.io.ts'
import { listTenants, readTenant, type TenantFacts } from '../operations/tenants/tenants.io.ts'
import { siteDeleted } from '../platform-names/advance.io.ts'
import type { Config } from '../program/config.ts'
import { contextOf } from '../program/context.ts'
import { domainDepsOf } from '../program/domains.ts'
import { queueMail } from '../program/mail-kinds.ts'
import { platformSettingsOf } from '../program/platform-names.ts'
import { findStanding } from '../projects/directory.io.ts'
import { setHeld } from '../projects/legal-hold.io.ts'
import { addOwner } from '../projects/members.io.ts'
import { listAudit, type AuditRow } from '../projects/project-queries.ts'
import { createProject } from '../projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../projects/scope.io.ts'

export function projectCommands(invocation: Invocation): Command {
  const projects = new Command('projects')
  createCommand(projects, invocation)
  readCommands(projects, invocation)
  addOwnerCommand(projects, invocation)
  stateCommands(projects, invocation)
  eraseCommand(projects, invocation)
  return projects
}

const ofProject = (projects: Command, name: string, description: string) =>
  projects
    .command(name)
    .description(description)
    .requiredOption('--project <project>', 'slug or id of the project')
    .option('--json', 'print one JSON object')

function createCommand(projects: Command, invocation: Invocation): void {
  recorded(projects.command('create'))
    .description('create a project; its slug can never be changed or reused')
    .requiredOption('--slug <slug>', 'lower-case letters, digits and hyphens, as in a hostname')
    .option('--name <name>', 'display name (default: the slug)')
    .option('--json', 'print one JSON object')
    .action(
      async ({ slug, name = slug, json, ...named }: Omit<OfProject, 'project'> & { slug: string; name?: string }) => {
        const given = invocation()
        const create = async (database: Database) => {
          const project = await createProject(database, { slug, name })
          given.print(
            json
              ? JSON.stringify({ projectId: Number(project), slug, name })
              : `Project ${project} (${slug}) is ready.`,
          )
        }
        await withDatabase(given.config, create, operatorOf(given, named))
      },
    )
}

const COUNT_MAX = 500
const EVENTS = 10

function readCommands(projects: Command, invocation: Invocation): void {
  projects
    .command('list')
    .description('list projects by their slugs: state, plan, owners, usage and last activity; deleted ones too')
    .option('--after <slug>', 'continue after this one', '')
    .option('--count <count>', `at most so many, up to ${COUNT_MAX}`, '100')
    .option('--json', 'print one JSON object')
    .action(async ({ after, count, json }: { after: string; count: string; json?: true }) => {
      const { config, print, invalid } = invocation()
      const most = /^\d{1,3}$/.test(count) ? Number(count) : 0
      if (most < 1 || most > COUNT_MAX) throw invalid(`--count takes 1 to ${COUNT_MAX}.`)
      await withDatabase(config, async (database) => {
        const found = await listTenants(database, after, most)
        const next = found.length === most ? found.at(-1)?.slug : undefined
        if (json) return print(jsonOf({ projects: found, next }))
        print(found.length === 0 ? 'There is no project.' : columns(found.map(tenantCells)))
        if (next !== undefined) print(`\nContinue with --after ${next}.`)
      })
    })

  ofProject(
    projects,
    'show',
    'show owners, plan, state, usage and the last events of a project, even of an erased one',
  ).action(async (options: OfProject) => {
    const given = invocation()
    const show = async (database: Database, project: ProjectId) => {
      const tenant = (await readTenant(database, project))!
      const events = await inProjectOf(database)(project, (db) => listAudit(db, project, NEWEST, EVENTS))
      given.print(options.json ? jsonOf({ ...tenant, events: events.map(shownEvent) }) : tenantText(tenant, events))
    }
    await withProject(given, options, show, { includesDeleted: true })
  })
}

/** Greater than every id of an event. */
const NEWEST = 2n ** 63n - 1n

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))

const shownEvent = ({ detail, ...event }: AuditRow) => ({ ...event, detail: JSON.parse(detail) as unknown })

const stateText = ({ state, heldAt }: Pick<TenantFacts, 'state' | 'heldAt'>) =>
  `${state}${heldAt ? ', on legal hold' : ''}`
const time = (at: Date | undefined) => (at ? timeText(at) : '')

const tenantCells = (one: TenantFacts): string[] => [
  one.slug,
  stateText(one),
  one.plan ?? '',
  `${one.usage.animals} animals`,
  `${one.usage.photoBytes + one.usage.storedBytes} bytes`,
  time(one.lastActivityAt),
  one.owners.join(', '),
]

function tenantText(one: TenantFacts, events: readonly AuditRow[]): string {
  const facts = columns([
    ['project', `${one.slug} (${one.project})`],
    ['name', one.name ?? ''],
    ['state', stateText(one)],
    ['plan', one.plan ?? ''],
    ['owners', one.owners.join(', ')],
    ['created', time(one.createdAt)],
    ['last activity', time(one.lastActivityAt)],
    ...Object.entries(one.usage).map(([what, used]) => [what, String(used)]),
  ])
  const lines = events.map(({ at, action, actor, subject, detail }) => {
    const { by = actor, reason = '' } = JSON.parse(detail) as { by?: string; reason?: string }
    return [timeText(at), action, subject, by, reason]
  })
  return `${facts}\n\n${columns(lines)}`
}

function addOwnerCommand(projects: Command, invocation: Invocation): void {
  recorded(ofProject(projects, 'add-owner', 'make an account an owner of a project, as when its owners are gone'))
    .requiredOption('--email <address>', 'address of the account')
    .action(async (options: OfProject & { email: string }) => {
      const given = invocation()
      const { email, json } = options
      await withProject(given, options, async (database, project) => {
        const account = await findCredentials(database.run, email)
        if (!account) throw new Refusal('not_found', `There is no account with the address ${email}.`)
        const deps = { inProject: inProjectOf(database), queueMail: given.config.mail && queueMail }
        const { slug } = await addOwner(deps, project, account.id)
        given.print(
          json ? JSON.stringify({ slug, account: account.id, role: 'owner' }) : `${email} is an owner of ${slug}.`,
        )
      })
    })
}

type SetState = (database: Database, project: ProjectId, by: NamedOperator, config: Config) => Promise<string>
type StateCommand = { name: string; state: string; description: string; needsReason?: true; set: SetState }

const suspending =
  (isSuspended: boolean): SetState =>
  (database, project, { by, reason = '' }, config) =>
    setSuspended(inProjectOf(database), project, { isSuspended, by, reason }, config.mail && queueMail)
const holding =
  (isHeld: boolean): SetState =>
  (database, project) =>
    setHeld(inProjectOf(database), project, isHeld)

const states: readonly StateCommand[] = [
  {
    name: 'suspend',
    state: 'suspended',
    description: 'close the API and the sites of a project within a second, and changes in the dashboard',
    needsReason: true,
    set: suspending(true),
  },
  {
    name: 'resume',
    state: 'open',
    description: 'open a suspended project again',
    needsReason: true,
    set: suspending(false),
  },
  {
    name: 'hold',
    state: 'held',
    description: 'put a project on legal hold: nothing of it is removed for its age, and it cannot be erased',
    needsReason: true,
    set: holding(true),
  },
  {
    name: 'release',
    state: 'released',
    description: 'end the legal hold of a project',
    needsReason: true,
    set: holding(false),
  },
]

function stateCommands(projects: Command, invocation: Invocation): void {
  for (const { name, state, description, needsReason = false, set } of states) {
    recorded(ofProject(projects, name, description), { needsReason }).action(async (options: OfProject) => {
      const given = invocation()
      const change = async (database: Database, project: ProjectId) => {
        const slug = await set(database, project, operatorOf(given, options), given.config)
        given.print(options.json ? JSON.stringify({ slug, state }) : `${slug} is ${state}.`)
      }
      await withProject(given, options, change, { includesDeleted: true })
    })
  }
}

function eraseCommand(projects: Command, invocation: Invocation): void {
  const description = 'close a project for ever, and erase everything that it stores but its slug'
  recorded(ofProject(projects, 'erase', description), { needsReason: true })
    .option('--yes', 'do not ask for the slug once more')
    .action(async (options: OfProject & { yes?: true }) => {
      const given = invocation()
      const { config, print, invalid } = given
      const erase = async (database: Database, project: ProjectId) => {
        const { slug } = (await inProjectOf(database)(project, (db) => findStanding(db, project)))!
        if (!options.yes && (await typed(`Type the slug of the project to erase it: `)) !== slug)
          throw invalid(`That is not ${slug}: nothing was erased.`)
        await siteDeleted(database.run, platformSettingsOf(config), slug)
        await beginErasure(domainDepsOf({ ...contextOf(config, database), queueMail: undefined }), project)
        const text = `${slug} is closed. \`work\` erases what it stores in some minutes; \`projects show\` says what was erased.`
        print(options.json ? JSON.stringify({ slug, state: 'erasing' }) : text)
      }
      await withProject(given, options, erase, { includesDeleted: true })
    })
}

async function typed(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await reader.question(question)).trim()
  } finally {
    reader.close()
  }
}
