// The environment for tests of domains on a real PostgreSQL: projects, a DNS that the test
// edits as its owner would, and a clock that the test moves. None of our own code is
// replaced: only the content of DNS and the time.

import { randomBytes } from 'node:crypto'
import { setPlan } from '../../src/plans/plans.io.ts'
import { DOMAIN_DUE } from '../../src/domains/advance.io.ts'
import { evidenceOf, letsEncrypt } from '../../../testbed/evidence/evidence.ts'
import type { Evidence, Wanted } from '../../src/domains/observing/evidence.ts'
import * as directory from '../../src/domains/store/directory.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import type { DomainDeps } from '../../src/domains/check.io.ts'
import { listEvents } from '../../src/domains/store/domain-queries.ts'
import type { Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectOf, inProjectsOf, type ProjectId } from '../../src/projects/scope.io.ts'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { createSharedCalls } from '../../src/foundation/load/shared-calls.ts'
import { claimTimersOf } from '../foundation/claim-timers.ts'

export const PLATFORM_HOST = 'petstore.example'
export const ADDRESSES = ['192.0.2.10', '2001:db8::10']

const timerRows = statement<{ id: string; seconds: number; fence: bigint }, [project: bigint]>(
  'test-domain-timers',
  `select id, extract(epoch from due_at - now())::float8 as seconds, fence
   from due_directory
   where kind = 'domain' and project_id = $1`,
)

export type DomainsEnvironment = Awaited<ReturnType<typeof openEnvironment>>
export type DomainOwner = { project: ProjectId; account: AccountId; slug: string; target: string }

export async function openEnvironment({ at = Date.UTC(2027, 0, 1) } = {}) {
  const stored = await cloneDatabase()
  const database: Database = openDatabase({ url: stored.appUrl, poolMax: 10, onError: () => {} })
  const inProject = inProjectOf(database)
  const clock = { now: at }
  /** By hostname: the records as `name TYPE value`, or silence. */
  const zones = new Map<string, readonly string[] | 'silent'>()
  const checks: { hostname: string; isFull: boolean }[] = []

  const observe: DomainDeps['observe'] = async ({ hostname }: Wanted, { now, isFull }): Promise<Evidence> => {
    checks.push({ hostname, isFull })
    const records = zones.get(hostname)
    if (records === undefined) throw new Error(`nobody said what DNS has for ${hostname}`)
    const silence = { kind: 'silence', why: 'timeout' } as const
    const servers = { 'ns1.dns.example': silence, 'ns2.dns.example': silence }
    if (records === 'silent') return evidenceOf({ hostname, records: [], at: now, servers, checked: silence })
    const apex = hostname.split('.').slice(-2).join('.')
    return evidenceOf({ hostname, apex, records, at: now, checked: records })
  }
  const deps: DomainDeps = {
    database,
    inProject,
    inProjects: inProjectsOf(database),
    sharedCalls: createSharedCalls(),
    now: () => clock.now,
    newId,
    randomBytes,
    observe,
    platform: { host: PLATFORM_HOST, addresses: ADDRESSES, formerAddresses: [], authorities: [letsEncrypt] },
    plans: defaultRules,
  }

  return {
    stored,
    database,
    deps,
    clock,
    asked: checks,
    says: (hostname: string, records: readonly string[] | 'silent') => void zones.set(hostname, records),
    async owner(slug: string, plan: 'free' | 'pro' | 'enterprise' = 'pro'): Promise<DomainOwner> {
      const project = await createProject(database, { slug, name: slug })
      if (plan !== 'free') await setPlan({ inProject }, project, plan, 'operator')
      return { project, account: `acc_of_${slug}` as AccountId, slug, target: `${slug}.${PLATFORM_HOST}` }
    },
    /** As the next worker would claim it, whichever worker had it before. */
    claim: async ({ project }: Pick<DomainOwner, 'project'>): Promise<Timer> => {
      const [due] = await database.run(claimTimersOf, 'domain', project)
      if (!due) throw new Error('there is no timer')
      return due
    },
    /** Runs a background check of the one domain of a project. */
    async looks(owner: Pick<DomainOwner, 'project'>): Promise<void> {
      await domainWork(deps).work(await this.claim(owner))
    },
    timers: ({ project }: Pick<DomainOwner, 'project'>) => database.run(timerRows, project),
    history: ({ project }: Pick<DomainOwner, 'project'>, id: string) =>
      inProject(project, async (db) =>
        (await listEvents(db, project, id, 1_000_000, 1000)).map(({ kind }) => kind).toReversed(),
      ),
    holder: async (hostname: string) => (await directory.findHolding(database.run, hostname)).holder,
    close: () => database.close(),
  }
}

export { DOMAIN_DUE }
