// The primary domain and the redirects of a project: SQL inside one project. A transaction that
// changes them locks the row of settings until it ends. Every read leaves out removed domains,
// so nothing leads to one.

import type { RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { statement, query, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { CertificateState, LifecycleState, OwnershipState } from '../lifecycle/states.ts'
import { isServed } from '../lifecycle/status.ts'

export type SettingsRow = { version: number; primary: string | null; primaryId: string | null }

export const findSettings = query<SettingsRow, [project: ProjectId], SettingsRow>(
  'find-domain-settings',
  `select domain_settings.version, domains.hostname as primary, domains.id as "primaryId"
   from domain_settings
   left join domains on domains.project_id = $1 and domains.id = domain_settings.primary_id
     and domains.removed_at is null
   where domain_settings.project_id = $1`,
  ([row]) => row ?? { version: 0, primary: null, primaryId: null },
)

const findPrimaryRow = statement<{ hostname: string } & Served, [project: ProjectId]>(
  'find-primary-domain',
  `select domains.hostname, domains.ownership, domains.certificate, domains.rest
   from domain_settings
   join domains on domains.project_id = $1 and domains.id = domain_settings.primary_id and domains.removed_at is null
   where domain_settings.project_id = $1`,
)

/** The address of a project's site: its primary domain while that is live, otherwise its default address. */
export const siteOrigin = async (db: Db, project: ProjectId, defaultOrigin: string): Promise<string> => {
  const [primary] = await db(findPrimaryRow, project)
  return primary && isServed(primary) ? `https://${primary.hostname}` : defaultOrigin
}

const openSettingsRow = statement<never, [project: ProjectId]>(
  'open-domain-settings',
  `insert into domain_settings (project_id)
   values ($1)
   on conflict (project_id) do nothing`,
)

const lockSettingsRow = statement<{ version: number }, [project: ProjectId]>(
  'lock-domain-settings',
  `select version
   from domain_settings
   where project_id = $1
   for update`,
)

/** Locks the settings: no other transaction changes them until this one ends. */
export const lockSettings = async (db: Db, project: ProjectId): Promise<SettingsRow> => {
  await db(openSettingsRow, project)
  await db(lockSettingsRow, project)
  return findSettings(db, project)
}

/** The caller has locked the settings. */
export const choosePrimary = query<never, [project: ProjectId, id: string]>(
  'choose-primary-domain',
  `update domain_settings
   set primary_id = $2, version = version + 1
   where project_id = $1`,
)

/** The caller has locked the settings. */
export const raiseSettings = query<never, [project: ProjectId]>(
  'raise-domain-settings',
  `update domain_settings
   set version = version + 1
   where project_id = $1`,
)

export type RedirectRow = {
  from: string
  to: string
  status: RedirectStatus
  /** Whether the target is live: visitors are redirected only then. */
  isActive: boolean
}

type StoredRedirect = Omit<RedirectRow, 'isActive'> & Served

export const listRedirects = query<StoredRedirect, [project: ProjectId], RedirectRow[]>(
  'list-redirects',
  `select source.hostname as "from", target.hostname as "to", redirects.status, target.ownership, target.certificate,
     target.rest
   from redirects
   join domains source on source.project_id = $1 and source.id = redirects.from_id and source.removed_at is null
   join domains target on target.project_id = $1 and target.id = redirects.to_id and target.removed_at is null
   where redirects.project_id = $1
   order by source.hostname`,
  (rows) => rows.map(({ from, to, status, ...target }) => ({ from, to, status, isActive: isServed(target) })),
)

const dropRedirectRows = statement<never, [project: ProjectId]>(
  'drop-redirects',
  `delete from redirects
   where project_id = $1`,
)

const insertRedirectRows = statement<never, [project: ProjectId, from: string[], to: string[], statuses: number[]]>(
  'insert-redirects',
  `insert into redirects (project_id, from_id, to_id, status)
   select $1, unnest($2::text[]), unnest($3::text[]), unnest($4::smallint[])`,
)

export type NewRedirect = { from: string; to: string; status: RedirectStatus }

/** By ids of domains. The caller has locked the settings. */
export const replaceRedirects = async (db: Db, project: ProjectId, redirects: readonly NewRedirect[]) => {
  await db(dropRedirectRows, project)
  const columns = [redirects.map(({ from }) => from), redirects.map(({ to }) => to)] as const
  await db(
    insertRedirectRows,
    project,
    ...columns,
    redirects.map(({ status }) => status),
  )
}

export type PrimaryRow = { id: string; hostname: string } & Served
type Served = { ownership: OwnershipState; certificate: CertificateState; rest: LifecycleState['rest'] }

/**
 * Locks every domain that is not removed; with what decides whether it is served. Call it before locking the
 * settings.
 */
export const lockPlaces = query<PrimaryRow, [project: ProjectId]>(
  'lock-domain-places',
  `select id, hostname, ownership, certificate, rest
   from domains
   where project_id = $1 and removed_at is null
   order by id
   for update`,
)

export type LeadRow = Served & {
  id: string
  hostname: string
  generation: bigint | null
  status: RedirectStatus | null
  target: string | null
  targetOwnership: OwnershipState | null
  targetCertificate: CertificateState | null
  targetRest: LifecycleState['rest']
}

/** The routes of these domains, and of those that redirect to them. */
export const listLeads = query<LeadRow, [project: ProjectId, ids: readonly string[]]>(
  'list-domain-leads',
  `select domains.id, domains.hostname, domains.ownership, domains.certificate, domains.rest, domains.generation,
     redirects.status, target.hostname as target, target.ownership as "targetOwnership",
     target.certificate as "targetCertificate", target.rest as "targetRest"
   from domains
   left join redirects on redirects.project_id = $1 and redirects.from_id = domains.id
   left join domains target on target.project_id = $1 and target.id = redirects.to_id and target.removed_at is null
   where domains.project_id = $1 and domains.removed_at is null
     and (domains.id = any ($2::text[]) or redirects.to_id = any ($2::text[]))
   order by domains.id`,
)

const verifiedRows = statement<{ id: string; at: Date }, [project: ProjectId, ids: string[]]>(
  'verified-domains',
  `select domain_id as id, max(at) as at
   from domain_events
   where project_id = $1 and domain_id = any ($2::text[]) and kind = 'domain.verified'
   group by domain_id`,
)

/** When each of these domains was last verified, if ever. */
export const verifiedAt = async (db: Db, project: ProjectId, ids: readonly string[]): Promise<Map<string, Date>> =>
  new Map((await db(verifiedRows, project, [...ids])).map(({ id, at }) => [id, at]))
