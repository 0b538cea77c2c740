// Resolves a slug to a project and checks the caller's role there. A caller who is not a
// member learns nothing, not even that the project exists.

import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Person } from '../accounts/sessions/guard.io.ts'
import type { AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import * as directory from './directory.io.ts'
import * as queries from './project-queries.ts'
import type { InProject, ProjectId } from './scope.io.ts'

/** `isSuspended`: the operator has closed the project; it can be read. */
export type Member = { account: AccountId; project: ProjectId; slug: string; role: Role; isSuspended?: boolean }

export async function findMember(
  { run, inProject }: { run: Db; inProject: InProject },
  { account }: Person,
  slug: string,
): Promise<Member | undefined> {
  const found = await directory.findPlace(run, slug)
  if (!found) return undefined
  const { project, isSuspended } = found
  const role = await inProject(project, (db) => queries.findRole(db, project, account))
  return role && { account, project, slug, role, isSuspended }
}
