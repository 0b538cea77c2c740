// Domains of one project: SQL. Only `advance.io.ts` writes their state.

import type { DomainEventKind } from '@petstore-platform/contract/platform/domain-shapes'
import { statement, query, queryFirst, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { Instant } from '../../foundation/time.ts'
import type { PlanRules } from '../../projects/plan-rules.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Attention } from '../lifecycle/attention.ts'
import type { DomainEvent, Reported } from '../lifecycle/history-events.ts'
import type { LifecycleState } from '../lifecycle/states.ts'
import { limitEvents } from './limit-events.io.ts'

export type DomainRow = LifecycleState &
  Reported &
  Attention & {
    hostname: string
    /** The generation of the hostname under which this project holds it; null if it does not. */
    generation: bigint | null
    token: string
    tokenGeneration: bigint
    wasTokenSeen: boolean
    staleTokens: readonly string[]
    fullyCheckedAt: Instant | null
  }

type Stored = {
  [Name in keyof DomainRow]: Name extends
    | `${string}At`
    | 'driftSince'
    | 'watchedUntil'
    | 'causeUntil'
    | 'problemSince'
    | 'downSince'
    ? null extends DomainRow[Name]
      ? Date | null
      : Date
    : DomainRow[Name]
}

const columns = `id, hostname, ownership, proof, routing, certificate, rest, generation, token,
     token_generation as "tokenGeneration", was_token_seen as "wasTokenSeen", stale_tokens as "staleTokens",
     drift_looks as "driftChecks", drift_since as "driftSince", added_at as "addedAt", asked_at as "askedAt",
     watched_until as "watchedUntil", looked_at as "checkedAt", fully_looked_at as "fullyCheckedAt", cause,
     cause_severity as "severity", cause_until as "causeUntil", next_look_at as "nextCheckAt", live_at as "liveAt",
     removed_at as "removedAt", told_serial as "reportedSerial", was_expiry_told as "wasExpiryReported",
     told_refusal as "reportedRefusal", problem, problem_since as "problemSince", problem_checks as "problemChecks",
     is_problem_mailed as "isProblemMailed", down_since as "downSince", was_alerted as "wasAlerted", reminders,
     renewal_serial as "renewalSerial", renewal_stage as "renewalStage"`

const rowOf = (stored: Stored): DomainRow =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, value instanceof Date ? value.getTime() : value]),
  ) as DomainRow

export const findDomain = query<Stored, [project: ProjectId, hostname: string], DomainRow | undefined>(
  'find-domain',
  `select ${columns}
   from domains
   where project_id = $1 and hostname = $2 and removed_at is null`,
  (rows) => rows.map(rowOf)[0],
)

export const findDomainById = query<Stored, [project: ProjectId, id: string], DomainRow | undefined>(
  'find-domain-by-id',
  `select ${columns}
   from domains
   where project_id = $1 and id = $2 and removed_at is null`,
  (rows) => rows.map(rowOf)[0],
)

/** Undefined if it was removed. */
export const lockDomain = query<Stored, [project: ProjectId, id: string], DomainRow | undefined>(
  'lock-domain',
  `select ${columns}
   from domains
   where project_id = $1 and id = $2 and removed_at is null
   for update`,
  (rows) => rows.map(rowOf)[0],
)

/** Sorted by hostname, after a given one. */
export const listDomains = query<Stored, [project: ProjectId, after: string, count: number], DomainRow[]>(
  'list-domains',
  `select ${columns}
   from domains
   where project_id = $1 and hostname > $2 and removed_at is null
   order by hostname
   limit $3`,
  (rows) => rows.map(rowOf),
)

/** Those that were not removed, sorted by hostname. */
export const listDomainsById = query<Stored, [project: ProjectId, ids: readonly string[]], DomainRow[]>(
  'list-domains-by-id',
  `select ${columns}
   from domains
   where project_id = $1 and id = any ($2::text[]) and removed_at is null
   order by hostname`,
  (rows) => rows.map(rowOf),
)

export const countDomains = query<{ count: number }, [project: ProjectId], number>(
  'count-domains',
  `select count(*)::integer as count
   from domains
   where project_id = $1 and removed_at is null`,
  ([row]) => row?.count ?? 0,
)

export type KeptToken = Pick<DomainRow, 'token' | 'tokenGeneration' | 'staleTokens'>

/** The token of the project's last domain with this hostname, removed or not. */
export const lastToken = queryFirst<KeptToken, [project: ProjectId, hostname: string]>(
  'last-token',
  `select token, token_generation as "tokenGeneration", stale_tokens as "staleTokens"
   from domains
   where project_id = $1 and hostname = $2
   order by added_at desc, id
   limit 1`,
)

type Inserted = [
  project: ProjectId,
  id: string,
  hostname: string,
  token: string,
  tokenGeneration: bigint,
  staleTokens: readonly string[],
  now: Date,
]

const insertDomainRow = statement<{ id: string }, Inserted>(
  'insert-domain',
  `insert into domains (project_id, id, hostname, token, token_generation, stale_tokens, added_at, asked_at, next_look_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $7)
   on conflict (project_id, hostname) where removed_at is null do nothing
   returning id`,
)

/** False if the project has this hostname already. */
export const insertDomain = async (
  db: Db,
  project: ProjectId,
  { id, hostname, addedAt }: Pick<DomainRow, 'id' | 'hostname' | 'addedAt'>,
  { token, tokenGeneration, staleTokens }: KeptToken,
): Promise<boolean> => {
  const row = await db(insertDomainRow, project, id, hostname, token, tokenGeneration, staleTokens, new Date(addedAt))
  return row.length > 0
}

type Saved = [
  project: ProjectId,
  id: string,
  ownership: string,
  proof: string | null,
  routing: string,
  certificate: string,
  rest: string | null,
  generation: bigint | null,
  wasTokenSeen: boolean,
  driftChecks: number,
  driftSince: Date | null,
  askedAt: Date,
  watchedUntil: Date | null,
  checkedAt: Date | null,
  fullyCheckedAt: Date | null,
  cause: string | null,
  severity: string | null,
  causeUntil: Date | null,
  nextCheckAt: Date | null,
  liveAt: Date | null,
  removedAt: Date | null,
  reportedSerial: string | null,
  wasExpiryReported: boolean,
  reportedRefusal: string | null,
]

const saveDomainRow = statement<never, Saved>(
  'save-domain',
  `update domains
   set ownership = $3, proof = $4, routing = $5, certificate = $6, rest = $7, generation = $8, was_token_seen = $9,
     drift_looks = $10, drift_since = $11, asked_at = $12, watched_until = $13, looked_at = $14, fully_looked_at = $15,
     cause = $16, cause_severity = $17, cause_until = $18, next_look_at = $19, live_at = $20, removed_at = $21,
     told_serial = $22, was_expiry_told = $23, told_refusal = $24
   where project_id = $1 and id = $2`,
)

export const saveDomain = (db: Db, project: ProjectId, row: DomainRow) =>
  db(
    saveDomainRow,
    project,
    row.id,
    row.ownership,
    row.proof,
    row.routing,
    row.certificate,
    row.rest,
    row.generation,
    row.wasTokenSeen,
    row.driftChecks,
    dateOf(row.driftSince),
    new Date(row.askedAt),
    dateOf(row.watchedUntil),
    dateOf(row.checkedAt),
    dateOf(row.fullyCheckedAt),
    row.cause,
    row.severity,
    dateOf(row.causeUntil),
    dateOf(row.nextCheckAt),
    dateOf(row.liveAt),
    dateOf(row.removedAt),
    row.reportedSerial,
    row.wasExpiryReported,
    row.reportedRefusal,
  )

const dateOf = (at: Instant | null) => (at === null ? null : new Date(at))

const watchRow = statement<{ id: string }, [project: ProjectId, hostname: string, until: Date, lookAt: Date]>(
  'watch-domain',
  `update domains
   set watched_until = $3, next_look_at = least(next_look_at, $4)
   where project_id = $1 and hostname = $2 and removed_at is null
   returning id`,
)

/** Marks it as watched until then, and brings its next check forward. Returns its id. */
export const watch = async (
  db: Db,
  project: ProjectId,
  hostname: string,
  { until, lookAt }: { until: Instant; lookAt: Instant },
): Promise<string | undefined> => (await db(watchRow, project, hostname, new Date(until), new Date(lookAt)))[0]?.id

const saveTokenRow = statement<
  never,
  [project: ProjectId, id: string, token: string, tokenGeneration: bigint, staleTokens: readonly string[]]
>(
  'save-token',
  `update domains
   set token = $3, token_generation = $4, stale_tokens = $5, was_token_seen = false
   where project_id = $1 and id = $2`,
)

export const saveToken = (db: Db, project: ProjectId, id: string, { token, tokenGeneration, staleTokens }: KeptToken) =>
  db(saveTokenRow, project, id, token, tokenGeneration, staleTokens)

const insertEventRow = statement<
  never,
  [project: ProjectId, id: string, at: Date, kind: string, code: string | null, detail: string]
>(
  'insert-domain-event',
  `insert into domain_events (project_id, domain_id, number, at, kind, code, detail)
   select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6
   from domain_events
   where project_id = $1 and domain_id = $2`,
)

/** When an event happened, and how many are kept. */
export type History = { now: Instant; plans: Pick<PlanRules, 'other'> }

/**
 * Inserts an event under the next number; the oldest makes room for it. The caller has locked the domain, or two events
 * could get the same number.
 */
export const insertEvent = async (
  db: Db,
  project: ProjectId,
  id: string,
  { kind, code, detail = {} }: DomainEvent & { detail?: object },
  { now, plans }: History,
) => {
  await db(insertEventRow, project, id, new Date(now), kind, code, JSON.stringify(detail))
  await limitEvents(db, project, id, plans.other.domainEvents)
}

export type EventRow = { number: number; at: Date; kind: DomainEventKind; code: string | null; detail: string }

/** Newest first, below a given number. */
export const listEvents = query<EventRow, [project: ProjectId, id: string, before: number, count: number]>(
  'list-domain-events',
  `select number, at, kind, code, detail
   from domain_events
   where project_id = $1 and domain_id = $2 and number < $3
   order by number desc
   limit $4`,
)

const dropRedirectRows = statement<never, [project: ProjectId, id: string]>(
  'drop-redirects-of-domain',
  `delete from redirects
   where project_id = $1 and (from_id = $2 or to_id = $2)`,
)

/** When this project last removed the hostname, if ever. */
export const lastRemoval = query<{ removedAt: Date }, [project: ProjectId, hostname: string], Instant | undefined>(
  'last-removal',
  `select removed_at as "removedAt"
   from domains
   where project_id = $1 and hostname = $2 and removed_at is not null
   order by removed_at desc
   limit 1`,
  ([row]) => row?.removedAt.getTime(),
)

const listLeadingRows = statement<{ id: string }, [project: ProjectId, id: string]>(
  'list-domains-leading-here',
  `select from_id as id
   from redirects
   where project_id = $1 and to_id = $2`,
)

/** Ids of the domains that redirect to this one. */
export const listLeading = async (db: Db, project: ProjectId, id: string): Promise<string[]> =>
  (await db(listLeadingRows, project, id)).map((row) => row.id)

const dropPrimaryRow = statement<never, [project: ProjectId, id: string]>(
  'drop-primary-domain',
  `update domain_settings
   set primary_id = null, version = version + 1
   where project_id = $1 and primary_id = $2`,
)

/** Deletes the redirects and the primary setting of a removed domain. */
export const dropSettingsOf = async (db: Db, project: ProjectId, id: string): Promise<void> => {
  await db(dropRedirectRows, project, id)
  await db(dropPrimaryRow, project, id)
}
