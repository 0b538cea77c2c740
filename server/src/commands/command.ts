// Shared parts of the operator's commands: each prints text for people, or with --json one object
// for programs, has a database for as long as it runs, and most concern one project.

import type { Config } from '../program/config.ts'
import { openDatabase, type Database } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import * as directory from '../projects/directory.io.ts'
import * as queries from '../projects/project-queries.ts'
import { applicationNameOf } from '../program/release.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../projects/scope.io.ts'

export type Invocation = () => { config: Config; print: (text: string) => void; invalid: (why: string) => Error }

/** Options of a command that concerns one project. */
export type OfProject = { project: string; json?: true }

export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({
    url: config.databaseUrl.reveal(),
    poolMax: 1,
    onError: () => {},
    applicationName: applicationNameOf('command'),
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** By its slug or its id. */
export function withProject(
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
