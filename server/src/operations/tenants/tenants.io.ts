// Projects as an operator sees them, even deleted ones: owners, plan, state, usage and the last activity. Each is read inside
// itself; only pages of slugs come from the directory.

import { findAccounts } from '../../accounts/account-queries.ts'
import { query, type Database } from '../../foundation/postgres/postgres.io.ts'
import { findStanding } from '../../projects/directory.io.ts'
import { listMembers } from '../../projects/member-queries.ts'
import { listKeys, newestAuditEvents, usageOf } from '../../projects/project-queries.ts'
import { inProjectOf, type ProjectId } from '../../projects/scope.io.ts'
import { findTenant } from './tenant-queries.ts'

export type TenantFacts = NonNullable<Awaited<ReturnType<typeof readTenant>>>

const listPlaces = query<{ project: ProjectId }, [after: string, count: number], ProjectId[]>(
  'list-slug-places',
  `select project_id as project
   from slug_directory
   where slug > $1
   order by slug
   limit $2`,
  (rows) => rows.map(({ project }) => project),
)

/** In the order of their slugs. */
export async function listTenants(
  database: Pick<Database, 'run' | 'transaction'>,
  after: string,
  count: number,
): Promise<readonly TenantFacts[]> {
  const tenants: TenantFacts[] = []
  for (const project of await listPlaces(database.run, after, count)) {
    const tenant = await readTenant(database, project)
    if (tenant) tenants.push(tenant)
  }
  return tenants
}

/** Undefined if there has never been one. */
export const readTenant = (database: Pick<Database, 'transaction'>, project: ProjectId) =>
  inProjectOf(database)(project, async (db) => {
    const [standing, row, members, usage, keys, [event]] = await Promise.all([
      findStanding(db, project),
      findTenant(db, project),
      listMembers(db, project),
      usageOf(db, project),
      listKeys(db, project),
      newestAuditEvents(db, project, 1),
    ])
    if (!standing) return undefined
    const { slug, suspendedAt, heldAt, erasingAt } = standing
    const owners = await findAccounts(
      db,
      members.filter(({ role }) => role === 'owner').map(({ account }) => account),
    )
    const times = [event?.at, ...keys.map(({ lastUsedAt }) => lastUsedAt)].map((time) => time?.getTime() ?? 0)
    return {
      project,
      slug,
      state: stateOf(row?.deletedAt, erasingAt, suspendedAt),
      suspendedAt,
      heldAt,
      name: row?.name,
      plan: row?.plan,
      createdAt: row?.createdAt,
      deletedAt: row?.deletedAt ?? undefined,
      owners: owners.map(({ email }) => email),
      lastActivityAt: times.some(Boolean) ? new Date(Math.max(...times)) : undefined,
      usage: { ...usage, animals: row?.animals ?? 0, photos: row?.photos ?? 0, storedBytes: row?.bytes ?? 0 },
    }
  })

/** `deletedAt` is undefined once its row is erased. */
function stateOf(deletedAt: Date | null | undefined, erasingAt: Date | null, suspendedAt: Date | null) {
  if (erasingAt) return deletedAt === undefined ? 'erased' : 'erasing'
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'open'
}
