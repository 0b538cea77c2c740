// The operator's commands for projects, plans and API keys. Each prints a few words
// for people, or with --json one object for programs. A key is printed once,
// by the command that made it, and can never be shown again.

import { scopes as allScopes, type Scope } from '@petstore/contract/operations'
import { plans as allPlans, type Limits, type PlanName } from '@petstore/contract/platform/projects'
import { Command, Option } from 'commander'
import type { Config } from './config.ts'
import { planChanged } from './domains/advance.ts'
import { openDatabase, type Database } from './foundation/postgres.ts'
import { instantFrom } from './foundation/time.ts'
import { Refusal } from './foundation/refusal.ts'
import { limitsOf } from './plans/limits.ts'
import { setPlan } from './plans/plans.ts'
import * as directory from './projects/directory.ts'
import { createKey, OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX, revokeKey, rotateKey } from './projects/keys.ts'
import { createProject } from './projects/projects.ts'
import * as queries from './projects/queries.ts'
import type { KeyRow } from './projects/queries.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from './projects/scope.ts'
import { keyDepsOf } from './serve.ts'

export type Context = () => { config: Config; print: (text: string) => void; invalid: (why: string) => Error }

export function createProjectCommand(context: Context): Command {
  const projects = new Command('projects').description('stores, each the tenant of its own animals, orders and keys')
  projects
    .command('create')
    .description('make a project; its slug never changes and is never handed out again')
    .requiredOption('--slug <slug>', 'lower-case letters, digits and hyphens, as in a hostname')
    .option('--name <name>', 'the name people read (default: the slug)')
    .option('--json', 'print one JSON object')
    .action(async ({ slug, name = slug, json }: { slug: string; name?: string; json?: true }) => {
      const { config, print } = context()
      await withDatabase(config, async (database) => {
        const project = await createProject(database, { slug, name })
        print(
          json ? JSON.stringify({ projectId: Number(project), slug, name }) : `Project ${project} (${slug}) is ready.`,
        )
      })
    })
  return projects
}

export function planCommands(context: Context): Command {
  const plans = new Command('plans').description('what the projects may have')
  plans
    .command('set')
    .description('put a project on a plan; what is there stays there')
    .requiredOption('--project <project>', 'slug or id of the project')
    .requiredOption('--plan <plan>', allPlans.join(', '))
    .option('--json', 'print one JSON object')
    .action(async (options: Options & { plan: string }) => {
      const { config, print, invalid } = context()
      const plan = readPlan(options.plan, invalid)
      await withProject(config, options.project, async (database, project) => {
        const inProject = inProjectOf(database)
        const { slug, from, to } = await setPlan({ inProject }, project, plan, 'operator')
        if (from !== to) await planChanged({ inProject, now: Date.now }, project, limitsOf(to).customDomains !== 0)
        const words = from === to ? `is on the plan ${to} already` : `was on the plan ${from} and is on ${to} now`
        print(
          options.json ? JSON.stringify({ slug, plan: to, before: from, limits: limitsOf(to) }) : `${slug} ${words}.`,
        )
      })
    })

  plans
    .command('show')
    .description('show what each plan includes, or what a project has of its plan')
    .option('--project <project>', 'slug or id of the project')
    .option('--json', 'print one JSON object')
    .action(async ({ project: named, json }: Partial<Options>) => {
      const { config, print } = context()
      if (named === undefined) {
        const all = allPlans.map((plan) => [plan, limitsOf(plan)] as const)
        print(json ? JSON.stringify({ plans: Object.fromEntries(all) }) : columns(all.map(limitCells)))
        return
      }
      await withProject(config, named, async (database, project) => {
        const [found, usage] = await inProjectOf(database)(project, (db) =>
          Promise.all([queries.findProject(db, project), queries.usageOf(db, project)]),
        )
        if (!found) throw new Refusal('not_found', `There is no project ${named}.`)
        const { slug, plan } = found
        const limits = limitsOf(plan)
        print(
          json
            ? JSON.stringify({ slug, plan, limits, usage })
            : `${columns([limitCells([plan, limits])])}\n${slug} has ${usage.members} members and ${usage.keys} keys.`,
        )
      })
    })
  return plans
}

export function keyCommands(context: Context): Command {
  const keys = new Command('keys').description('API keys of a project')
  const ofProject = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .requiredOption('--project <project>', 'slug or id of the project')
      .option('--json', 'print one JSON object')

  ofProject('create', 'make a key; it is shown once')
    .option('--label <label>', 'what the key is for', 'unnamed')
    .addOption(new Option('--scopes <scopes>', `divided by commas, of ${allScopes.join(', ')} (default: all)`))
    .option('--expires-at <time>', 'RFC 3339 time from which the key is refused')
    .action(async (options: Options & { label: string; scopes?: string; expiresAt?: string }) => {
      const { config, print, invalid } = context()
      const scopes = options.scopes === undefined ? undefined : readScopes(options.scopes, invalid)
      const expiresAt = options.expiresAt === undefined ? null : readTime(options.expiresAt, invalid)
      await withProject(config, options.project, async (database, project) => {
        const { key, row } = await createKey(keyDepsOf(config, database), project, {
          label: options.label,
          scopes,
          expiresAt,
        })
        print(
          options.json
            ? JSON.stringify({ ...shown(row), key })
            : `${key}\n\nThis key (${row.id}) is shown once. Keep it now.`,
        )
      })
    })

  ofProject('list', 'list the keys: what they may do, and when they were last used').action(
    async (options: Options) => {
      const { config, print } = context()
      await withProject(config, options.project, async (database, project) => {
        const rows = await inProjectOf(database)(project, (db) => queries.listKeys(db, project))
        print(options.json ? JSON.stringify({ keys: rows.map(shown) }) : table(rows))
      })
    },
  )

  ofProject('rotate', 'make a new key with the same scopes; the old one lives on for the overlap')
    .argument('<key-id>')
    .option('--overlap-seconds <seconds>', `0 to ${OVERLAP_SECONDS_MAX}`, String(OVERLAP_SECONDS_DEFAULT))
    .action(async (id: string, options: Options & { overlapSeconds: string }) => {
      const { config, print, invalid } = context()
      const overlap = /^\d{1,7}$/.test(options.overlapSeconds) ? Number(options.overlapSeconds) : Number.NaN
      if (!(overlap <= OVERLAP_SECONDS_MAX)) throw invalid(`--overlap-seconds must be 0 to ${OVERLAP_SECONDS_MAX}.`)
      await withProject(config, options.project, async (database, project) => {
        const { key, row, old } = await rotateKey(keyDepsOf(config, database), project, id, overlap)
        const until = old.expiresAt?.toISOString()
        print(
          options.json
            ? JSON.stringify({ ...shown(row), key, old: shown(old) })
            : `${key}\n\nThis key (${row.id}) is shown once. ${old.id} is accepted until ${until}.`,
        )
      })
    })

  ofProject('revoke', 'refuse a key everywhere, within a second')
    .argument('<key-id>')
    .action(async (id: string, options: Options) => {
      const { config, print } = context()
      await withProject(config, options.project, async (database, project) => {
        const row = await revokeKey({ inProject: inProjectOf(database) }, project, id)
        print(options.json ? JSON.stringify(shown(row)) : `${row.id} is revoked.`)
      })
    })
  return keys
}

type Options = { project: string; json?: true }

async function withDatabase(config: Config, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 1, onError: () => {} })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

function withProject(
  config: Config,
  named: string,
  work: (database: Database, project: ProjectId) => Promise<void>,
): Promise<void> {
  return withDatabase(config, async (database) => {
    const id = /^\d{1,16}$/.test(named)
      ? (BigInt(named) as ProjectId)
      : await inDirectoryOf(database)((db) => directory.findSlug(db, named))
    const isThere = id !== undefined && (await inProjectOf(database)(id, (db) => queries.findProject(db, id)))
    if (!isThere) throw new Refusal('not_found', `There is no project ${named}.`)
    await work(database, id)
  })
}

function readPlan(text: string, invalid: (why: string) => Error): PlanName {
  const found = allPlans.find((plan) => plan === text)
  if (found === undefined) throw invalid(`--plan takes ${allPlans.join(', ')}.`)
  return found
}

const limitCells = ([plan, limits]: readonly [PlanName, Limits]): string[] => [
  plan,
  ...Object.entries(limits).map(([what, most]) => `${what} ${most ?? 'unlimited'}`),
]

function readScopes(text: string, invalid: (why: string) => Error): Scope[] {
  const found = text.split(',').map((item) => allScopes.find((scope) => scope === item.trim()))
  if (found.some((scope) => scope === undefined)) throw invalid(`--scopes takes ${allScopes.join(', ')}.`)
  return found as Scope[]
}

function readTime(text: string, invalid: (why: string) => Error): Date {
  const instant = instantFrom(text)
  if (instant === undefined) throw invalid('--expires-at takes an RFC 3339 time, such as 2027-01-31T00:00:00Z.')
  return new Date(instant)
}

/** What may be shown of a key, to whomever and however often. */
function shown({ digest: _, ...row }: KeyRow) {
  return row
}

function table(rows: readonly KeyRow[]): string {
  if (rows.length === 0) return 'This project has no keys.'
  const lines = rows.map(({ id, label, displayPrefix, lastFour, scopes, expiresAt, revokedAt, lastUsedAt }) => [
    id,
    `${displayPrefix}…${lastFour}`,
    revokedAt ? `revoked ${day(revokedAt)}` : expiresAt ? `expires ${day(expiresAt)}` : 'active',
    lastUsedAt ? `used ${day(lastUsedAt)}` : 'never used',
    scopes.join(','),
    label,
  ])
  return columns(lines)
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const day = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ')
