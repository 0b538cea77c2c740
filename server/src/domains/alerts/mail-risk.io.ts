// Whether mail to a person needs the DNS of a domain of their own store: if that breaks, neither an
// alert nor a link to a new password arrives.

import { findAccount, type AccountId } from '../../accounts/account-queries.ts'
import type { Database } from '../../foundation/postgres/postgres.io.ts'
import { projectsOf } from '../../projects/directory.io.ts'
import { inProjectOf } from '../../projects/scope.io.ts'
import { listDomains } from '../store/domain-queries.ts'
import { dependsOn } from './recipients.ts'

/** So many are looked at; a person with more has more than one address to lose. */
const PROJECTS_MAX = 20
const DOMAINS_MAX = 100

export async function isMailAtRisk(
  database: Pick<Database, 'run' | 'transaction'>,
  account: AccountId,
): Promise<boolean> {
  const person = await findAccount(database.run, account)
  if (!person) return false
  for (const project of (await projectsOf(database.run, account)).slice(0, PROJECTS_MAX)) {
    const domains = await inProjectOf(database)(project, (db) => listDomains(db, project, '', DOMAINS_MAX))
    if (domains.some(({ hostname }) => dependsOn(person.email, hostname))) return true
  }
  return false
}
