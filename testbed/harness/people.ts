// People with a session that began without a sign-in, and projects of theirs, written straight into the database.

import { insertAccount, type AccountId } from '../../server/src/accounts/account-queries.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import { addMember } from '../../server/src/projects/directory.io.ts'
import { insertMember } from '../../server/src/projects/project-queries.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { openSession } from './session.ts'

export type Person = { account: AccountId; email: string; cookie: string }
export type Owner = Person & { slug: string; project: ProjectId }

type NewPerson = {
  email?: string
  name?: string
  /** The stored hash. By default there is no password that has it. */
  password?: string
  isVerified?: boolean
}

export async function newPerson({ run }: Pick<Database, 'run'>, wanted: NewPerson = {}): Promise<Person> {
  const account = newId('acc') as AccountId
  const { email = `${account}@shop.example`, name = 'Mia', password = 'none', isVerified = false } = wanted
  if (!(await insertAccount(run, { id: account, email, name, password, isVerified })))
    throw new Error(`${email} is taken`)
  return { account, email, cookie: (await openSession(run, account, password)).cookie }
}

/** A new person with a new project, on the plan free unless another is given. */
export async function newOwner(database: Database, slug: string, plan?: 'pro' | 'enterprise'): Promise<Owner> {
  const person = await newPerson(database)
  const project = await createProject(database, { slug, name: slug, owner: person.account })
  if (plan) await setPlan({ inProject: inProjectOf(database) }, project, plan, 'operator')
  return { ...person, slug, project }
}

type Role = Parameters<typeof insertMember>[3]

export const joinProject = (database: Database, project: ProjectId, account: AccountId, role: Role): Promise<void> =>
  inProjectOf(database)(project, async (db) => {
    await insertMember(db, project, account, role)
    await addMember(db, account, project)
  })
