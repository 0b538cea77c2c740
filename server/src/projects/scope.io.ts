// Database access inside a project. All access to a project's rows comes from here and
// from nowhere else: a transaction in which row-level security shows the rows of that
// project and of no other.

import type { Database, Db } from '../foundation/postgres/postgres.io.ts'

/** A type of its own, so that no animal's id can take its place. */
export type ProjectId = bigint & { readonly of: 'project' }

export type InProject = <T>(project: ProjectId, work: (db: Db) => Promise<T>) => Promise<T>

export const inProjectOf =
  ({ transaction }: Pick<Database, 'transaction'>): InProject =>
  (project, work) =>
    transaction({ 'petstore.projects': `{${project}}` }, work)

/** Work on several projects at once; row-level security shows these and no others. */
export type InProjects = <T>(projects: readonly ProjectId[], work: (db: Db) => Promise<T>) => Promise<T>

export const inProjectsOf =
  ({ transaction }: Pick<Database, 'transaction'>): InProjects =>
  (projects, work) =>
    transaction({ 'petstore.projects': `{${projects.join(',')}}` }, work)

/** Outside every project: only the directories are visible, which contain no project's data. */
export type InDirectory = <T>(work: (db: Db) => Promise<T>) => Promise<T>

export const inDirectoryOf =
  ({ transaction }: Pick<Database, 'transaction'>): InDirectory =>
  (work) =>
    transaction({}, work)
