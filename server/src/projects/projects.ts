// Making a project: its id, its slug for ever, and its row, or none of them.

import type { Database } from '../foundation/postgres.ts'
import { Refusal } from '../foundation/refusal.ts'
import * as directory from './directory.ts'
import * as queries from './queries.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from './scope.ts'

/** One label of a hostname, since the site is published below it; with a letter, or it could be taken for an id. */
const slugForm = /^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const nameForm = /^.{1,255}$/su

export async function createProject(
  database: Pick<Database, 'transaction'>,
  { slug, name }: { slug: string; name: string },
): Promise<ProjectId> {
  if (!slugForm.test(slug)) {
    throw new Refusal(
      'invalid_field',
      'A slug is 1 to 63 lower-case letters, digits and hyphens, as in a hostname, and at least one of them a letter.',
    )
  }
  if (!nameForm.test(name)) throw new Refusal('invalid_field', 'The name of a project has 1 to 255 characters.')
  const project = await inDirectoryOf(database)(directory.newProjectId)
  await inProjectOf(database)(project, async (db) => {
    if (!(await directory.takeSlug(db, slug, project))) {
      throw new Refusal('invalid_field', `The slug '${slug}' is taken. A slug is never handed out twice.`)
    }
    await queries.insertProject(db, project, { slug, name })
  })
  return project
}
