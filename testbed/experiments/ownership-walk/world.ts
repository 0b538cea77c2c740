// A small environment for tests of ownership: projects that may have domains, and a scripted
// DNS. Everything else is real: the judging, the SQL and PostgreSQL. A hostname that is not
// scripted gets the answer "no such name".

import { randomBytes } from 'node:crypto'
import type { AccountId } from '../../../server/src/accounts/account-queries.ts'
import { forgetProject } from '../../../server/src/domains/advance.io.ts'
import { evidenceOf } from '../../evidence/evidence.ts'
import type { Evidence } from '../../../server/src/domains/observing/evidence.ts'
import type { DomainDeps } from '../../../server/src/domains/check.io.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import type { Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../../server/src/plans/plans.io.ts'
import { defaultRules } from '../../../server/src/plans/limits.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import { createProject, deleteProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, inProjectsOf } from '../../../server/src/projects/scope.io.ts'
import { createSharedCalls } from '../../../server/src/foundation/load/shared-calls.ts'

export const PLATFORM_HOST = 'petstore.example'
export const EDGE_ADDRESS = '192.0.2.10'

export const hostOf = (slug: string) => `${slug}.${PLATFORM_HOST}`

/** `name TYPE value` for each existing record. */
export type Records = (hostname: string) => readonly string[]

export function domainDepsOf(database: Database, recordsOf: Records, now: () => number = Date.now): DomainDeps {
  return {
    database,
    inProject: inProjectOf(database),
    inProjects: inProjectsOf(database),
    sharedCalls: createSharedCalls(),
    now,
    newId,
    randomBytes,
    platform: { host: PLATFORM_HOST, addresses: [EDGE_ADDRESS], formerAddresses: [], authorities: [] },
    plans: defaultRules,
    observe: (wanted, { now: at }) => Promise.resolve(seen(wanted.hostname, recordsOf(wanted.hostname), at)),
  }
}

/** The answers of one nameserver that ownership depends on; anything else would only be stored. */
function seen(hostname: string, records: readonly string[], at: number): Evidence {
  const evidence = evidenceOf({ hostname, records, at, delegated: ['ns1.dns.example'] })
  const names = [hostname, `_petstore.${hostname}`]
  return { ...evidence, looks: evidence.looks.filter(({ name }) => names.includes(name)) }
}

/** A project with a plan that includes domains. */
export async function openShop(database: Database, slug: string): Promise<Member> {
  const project = await createProject(database, { slug, name: slug })
  await setPlan({ inProject: inProjectOf(database) }, project, 'pro', 'operator')
  return { project, slug, account: 'acc_of_a_test' as AccountId, role: 'owner' }
}

/** As the platform does it: the project is deleted, and releases all that it held. */
export async function closeShop(deps: DomainDeps, shop: Member): Promise<void> {
  await deleteProject(deps.inProject, shop)
  await forgetProject(deps, shop.project, shop.account)
}
