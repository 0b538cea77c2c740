// Shared parts of the operator's commands: each prints text for people, or with --json one object
// for programs, has a database for as long as it runs, and most concern one project. Those that change a project or an account
// name the operator in its audit events.

import type { Command } from 'commander'
import type { Config } from '../program/config.ts'
import { asOperator, openDatabase, type Database, type NamedOperator } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import * as directory from '../projects/directory.io.ts'
import * as queries from '../projects/project-queries.ts'
import { applicationNameOf } from '../program/release.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../projects/scope.io.ts'

/** `user`: who is signed in to the operating system; undefined where there is none, as in a test. */
export type Invocation = () => {
  config: Config
  print: (text: string) => void
  invalid: (why: string) => Error
  user?: string
}

type Named = { as?: string; reason?: string }

/** Options of a command that concerns one project. */
export type OfProject = { project: string; json?: true } & Named

/** For every command that changes a project or an account. */
export function recorded(command: Command, { needsReason = false, hasReason = true } = {}): Command {
  const why = ['--reason <text>', 'why, for the same'] as const
  command.option('--as <name>', 'your name, for the audit events that members see (default: operator:USER)')
  if (!hasReason) return command
  return needsReason ? command.requiredOption(...why) : command.option(...why)
}

export const operatorOf = ({ user = 'unknown' }: { user?: string }, options: Named): NamedOperator => ({
  by: options.as ?? `operator:${user}`,
  reason: options.reason,
})

export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
  operator?: NamedOperator,
): Promise<Result> {
  const database = openDatabase({
    url: config.databaseUrl.reveal(),
    poolMax: 1,
    onError: () => {},
    applicationName: applicationNameOf('command'),
  })
  try {
    return await work(asOperator(database, operator))
  } finally {
    await database.close()
  }
}

/** By its slug or its id; `includesDeleted` finds it even after its erasure. */
export function withProject(
  given: ReturnType<Invocation>,
  options: OfProject,
  work: (database: Database, project: ProjectId) => Promise<void>,
  { includesDeleted = false } = {},
): Promise<void> {
  const { project: named } = options
  const find = includesDeleted ? directory.findStanding : queries.findProject
  const withFound = async (database: Database) => {
    const id = /^\d{1,16}$/.test(named)
      ? (BigInt(named) as ProjectId)
      : await inDirectoryOf(database)((db) => directory.findSlug(db, named))
    const isThere = id !== undefined && (await inProjectOf(database)<unknown>(id, (db) => find(db, id)))
    if (!isThere) throw new Refusal('not_found', `There is no project ${named}.`)
    await work(database, id)
  }
  return withDatabase(given.config, withFound, operatorOf(given, options))
}

/** Aligns cells in columns, each as wide as its widest cell. */
export function columns(lines: readonly (readonly string[])[]): string {
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
