// Queries for projects and their API keys, inside one project. Every query takes the
// project as its second argument and names it in its `where`.

import type { Scope } from '@petstore-platform/contract/operations'
import type { AuditAction } from '@petstore-platform/contract/platform/audit'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { PlanName, ProjectKind, Usage } from '@petstore-platform/contract/platform/projects'
import type { AccountId } from '../accounts/account-queries.ts'
import { notify, statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../foundation/postgres/revocations.io.ts'
import type { ProjectId } from './scope.io.ts'

const insertProjectRow = statement<
  never,
  [project: ProjectId, slug: string, name: string, kind: ProjectKind | undefined]
>(
  'insert-project',
  `insert into projects (project_id, slug, name, kind)
   values ($1, $2, $3, $4)`,
)

export type NewProject = { slug: string; name: string; kind?: ProjectKind | undefined }

export const insertProject = (db: Db, project: ProjectId, { slug, name, kind }: NewProject) =>
  db(insertProjectRow, project, slug, name, kind)

/** `kind` is null until the owner chooses one. */
export type ProjectRow = { slug: string; name: string; kind: ProjectKind | null; plan: PlanName; createdAt: Date }

export const findProject = queryFirst<ProjectRow, [project: ProjectId]>(
  'find-project',
  `select slug, name, kind, plan, created_at as "createdAt"
   from projects
   where project_id = $1 and deleted_at is null`,
)

/**
 * Locks the project for callers that count before adding, or delete it: one at a time, and none after its
 * deletion.
 */
export const lockProject = queryFirst<ProjectRow, [project: ProjectId]>(
  'lock-project',
  `select slug, name, kind, plan, created_at as "createdAt"
   from projects
   where project_id = $1 and deleted_at is null
   for update`,
)

export const renameProject = query<never, [project: ProjectId, name: string]>(
  'rename-project',
  `update projects
   set name = $2
   where project_id = $1`,
)

export const setKind = query<never, [project: ProjectId, kind: ProjectKind]>(
  'set-project-kind',
  `update projects
   set kind = $2
   where project_id = $1`,
)

export const setPlan = query<never, [project: ProjectId, plan: PlanName]>(
  'set-plan',
  `update projects
   set plan = $2
   where project_id = $1`,
)

/** The row stays, because the slug is never assigned again; no query finds it any longer. */
export const deleteProject = query<never, [project: ProjectId]>(
  'delete-project',
  `update projects
   set deleted_at = now()
   where project_id = $1 and deleted_at is null`,
)

/** The name of a project, even of one that was deleted, for those who had it. */
export const findFormerName = query<{ name: string }, [project: ProjectId], string | undefined>(
  'find-former-name',
  `select name
   from projects
   where project_id = $1`,
  ([row]) => row?.name,
)

// Bytes as float8, which JavaScript reads as a number: exact up to 2^53.
const countUsage = statement<Usage, [project: ProjectId]>(
  'count-usage',
  `select (select count(*)::integer from members where project_id = $1) as members,
     (select count(*)::integer from api_keys
      where project_id = $1 and revoked_at is null and coalesce(expires_at > now(), true)) as keys,
     (select coalesce(sum(photo_bytes), 0)::float8 from project_usage where project_id = $1) as "photoBytes"`,
)

/** The number that counts against the plan. */
export const usageOf = async (db: Db, project: ProjectId): Promise<Usage> => {
  const [usage] = await db(countUsage, project)
  if (!usage) throw new Error('a count gave no row')
  return usage
}

/** The stored fields of a key: everything but the key. */
export type KeyRow = {
  id: string
  label: string
  displayPrefix: string
  lastFour: string
  digest: Buffer
  scopes: Scope[]
  /** Null: the operator. */
  createdBy: AccountId | null
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  deprecatedCalls: number
}

// The count as float8, which JavaScript reads as a number: it is a figure for people, and exact up to 2^53.
const keyColumns = `id, label, display_prefix as "displayPrefix", last_four as "lastFour", digest, scopes,
     created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
     deprecated_calls::float8 as "deprecatedCalls"`

export type NewKey = Omit<KeyRow, 'createdAt' | 'revokedAt' | 'lastUsedAt' | 'deprecatedCalls'>

const insertKeyRow = statement<
  KeyRow,
  [
    project: ProjectId,
    id: string,
    label: string,
    displayPrefix: string,
    lastFour: string,
    digest: Buffer,
    scopes: Scope[],
    expiresAt: Date | null,
    createdBy: AccountId | null,
  ]
>(
  'insert-key',
  `insert into api_keys (project_id, id, label, display_prefix, last_four, digest, scopes, expires_at, created_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   returning ${keyColumns}`,
)

export const insertKey = async (db: Db, project: ProjectId, key: NewKey): Promise<KeyRow> => {
  const { id, label, displayPrefix, lastFour, digest, scopes, expiresAt, createdBy } = key
  const shown = [label, displayPrefix, lastFour] as const
  const [row] = await db(insertKeyRow, project, id, ...shown, digest, scopes, expiresAt, createdBy)
  if (!row) throw new Error('an insert gave no row')
  return row
}

export const findKey = queryFirst<KeyRow, [project: ProjectId, id: string]>(
  'find-key',
  `select ${keyColumns}
   from api_keys
   where project_id = $1 and id = $2`,
)

export const listKeys = query<KeyRow, [project: ProjectId]>(
  'list-keys',
  `select ${keyColumns}
   from api_keys
   where project_id = $1
   order by created_at desc, id`,
)

/** So that no accepted key is left out, however many there were before. */
export const listKeysLivingFirst = query<KeyRow, [project: ProjectId, most: number]>(
  'list-keys-living-first',
  `select ${keyColumns}
   from api_keys
   where project_id = $1
   order by (revoked_at is null and coalesce(expires_at > now(), true)) desc, created_at desc, id
   limit $2`,
)

/** The keys that the person created and that are accepted. */
export const activeKeysOf = query<{ id: string }, [project: ProjectId, creator: AccountId], string[]>(
  'list-active-keys-of',
  `select id
   from api_keys
   where project_id = $1 and created_by = $2 and revoked_at is null and coalesce(expires_at > now(), true)
   order by id`,
  (rows) => rows.map(({ id }) => id),
)

/** Keys that will still be accepted after that time. */
export const countLastingKeys = query<{ keys: number }, [project: ProjectId, seconds: number], number>(
  'count-lasting-keys',
  `select count(*)::integer as keys
   from api_keys
   where project_id = $1 and revoked_at is null
     and coalesce(expires_at > now() + make_interval(secs => $2), true)`,
  ([row]) => row?.keys ?? 0,
)

const expireKeyRow = statement<KeyRow, [project: ProjectId, id: string, overlapSeconds: number]>(
  'expire-key',
  `update api_keys
   set expires_at = least(expires_at, now() + make_interval(secs => $3))
   where project_id = $1 and id = $2 and revoked_at is null and coalesce(expires_at > now(), true)
   returning ${keyColumns}`,
)

/** Keeps a valid key valid for the overlap, never longer than it would have been. */
export const expireKey = async (db: Db, project: ProjectId, id: string, overlapSeconds: number) => {
  const [key] = await db(expireKeyRow, project, id, overlapSeconds)
  if (key) await notifyRevocation(db)
  return key
}

const revokeKeyRow = statement<KeyRow & { isNews: boolean }, [project: ProjectId, id: string]>(
  'revoke-key',
  `update api_keys
   set revoked_at = coalesce(revoked_at, now())
   where project_id = $1 and id = $2
   returning ${keyColumns}, revoked_at = now() as "isNews"`,
)

/** `isNews` unless it was revoked before: the time is that of this transaction. */
export const revokeKey = async (db: Db, project: ProjectId, id: string) => {
  const [key] = await db(revokeKeyRow, project, id)
  if (key) await notifyRevocation(db)
  return key
}

const revokeKeyRows = statement<never, [project: ProjectId]>(
  'revoke-all-keys',
  `update api_keys
   set revoked_at = now()
   where project_id = $1 and revoked_at is null`,
)

export const revokeAllKeys = async (db: Db, project: ProjectId): Promise<void> => {
  await db(revokeKeyRows, project)
  await notifyRevocation(db)
}

export type TouchRequest = { project: ProjectId; id: string; usedAt: Date }

const touchKeyRows = statement<never, [projects: bigint[], ids: string[], times: Date[]]>(
  'touch-keys',
  `update api_keys
   set last_used_at = asked.used_at
   from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as asked (project, id, used_at)
   where project_id = asked.project and api_keys.id = asked.id
     and coalesce(last_used_at <= asked.used_at - interval '1 minute', true)`,
)

/** At most once a minute per key, however many processes report it. To be run where those projects are allowed. */
export const touchKeys = (run: Db, asks: readonly TouchRequest[]) =>
  run(
    touchKeyRows,
    asks.map(({ project }) => project),
    asks.map(({ id }) => id),
    asks.map(({ usedAt }) => usedAt),
  )

export type CallsRequest = { project: ProjectId; id: string; calls: number }

const addDeprecatedCallRows = statement<never, [projects: bigint[], ids: string[], calls: number[]]>(
  'add-deprecated-calls',
  `update api_keys
   set deprecated_calls = deprecated_calls + asked.calls
   from unnest($1::bigint[], $2::text[], $3::bigint[]) as asked (project, id, calls)
   where project_id = asked.project and api_keys.id = asked.id`,
)

/** Each key at most once. To be run where those projects are allowed. */
export const addDeprecatedCalls = (run: Db, asks: readonly CallsRequest[]) =>
  run(
    addDeprecatedCallRows,
    asks.map(({ project }) => project),
    asks.map(({ id }) => id),
    asks.map(({ calls }) => calls),
  )

/** The role of the account in the project, and its plan; undefined if it is not a member, or the project is deleted. */
export const findStanding = queryFirst<{ role: Role; plan: PlanName }, [project: ProjectId, account: AccountId]>(
  'find-role',
  `select members.role, projects.plan
   from members
   join projects on projects.project_id = members.project_id
   where members.project_id = $1 and projects.project_id = $1 and account_id = $2 and deleted_at is null`,
)

export const findRole = async (db: Db, project: ProjectId, account: AccountId) =>
  (await findStanding(db, project, account))?.role

export const insertMember = query<never, [project: ProjectId, account: AccountId, role: Role]>(
  'insert-member',
  `insert into members (project_id, account_id, role)
   values ($1, $2, $3)
   on conflict (project_id, account_id) do nothing`,
)

/** Notifies subscribers of the project in which something was done. */
export const AUDIT_CHANNEL = 'petstore_deeds'

const insertAuditRow = statement<
  never,
  [project: ProjectId, actor: string, action: string, subject: string, detail: string]
>(
  'insert-audit',
  `insert into audit (project_id, actor, action, subject, detail)
   values ($1, $2, $3, $4, $5::jsonb || named_operator())`,
)

/** An audit event. `actor` is an account's id, or `visitor`, `operator` or `petstore`. */
export type AuditEvent = {
  actor: string
  action: AuditAction
  subject: string
  detail?: Readonly<Record<string, unknown>>
}

/** In the transaction of the change: both or neither. Wakes the event streams of the project. */
export const recordAudit = async (db: Db, project: ProjectId, { actor, action, subject, detail = {} }: AuditEvent) => {
  await db(insertAuditRow, project, actor, action, subject, JSON.stringify(detail))
  await notify(db, AUDIT_CHANNEL, String(project))
}

export type AuditRow = { id: bigint; at: Date; actor: string; action: string; subject: string; detail: string }

// Indented, the detail contains no object that begins like a row of a page, which is how pages are split; and
// as text its numbers keep their digits.
export const listAudit = query<AuditRow, [project: ProjectId, before: bigint, count: number]>(
  'list-audit',
  `select id, at, actor, action, subject, jsonb_pretty(detail) as detail
   from audit
   where project_id = $1 and id < $2
   order by id desc
   limit $3`,
)

export type AuditEventRow = { id: bigint; action: string; at: Date }

export const newestAuditEvents = query<AuditEventRow, [project: ProjectId, count: number]>(
  'newest-audit-events',
  `select id, action, at
   from audit
   where project_id = $1
   order by id desc
   limit $2`,
)
