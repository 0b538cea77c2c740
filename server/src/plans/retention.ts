// How long rows are kept: of every table whose rows expire, which ones have, how many are removed at a time, and what
// docs/limits.md says about it. The job is retention.io.ts, and upkeep.io.ts for rows of a project. Pure.
//
// A row of a project is visible only to a transaction of that project: no condition here is about such a table. Of a project
// that is held nothing is removed (projects/legal-hold.io.ts).

import { CONFIRM_HOURS, UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import { INVITATION_DAYS } from '@petstore-platform/contract/platform/members'
import { DEVICE_DAYS } from '../accounts/account-limits.ts'
import type { OtherLimit, PlanLimit } from '../projects/plan-rules.ts'

/** What visitors reported about sites: how many are accepted in a day, and for how long they are kept. */
export const REPORTS_PER_DAY = 200
export const REPORT_DAYS = 90

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600

/** The names of hostnames that are gone: an edge that was away for longer resynchronises. */
export const GONE_DAYS = 30

export type RemovalPace = Readonly<{
  /** One statement removes no more, so that no other transaction waits for it. */
  atMost: number
  everySeconds: number
  /** What docs/limits.md says. */
  removed: string
}>

/** Removed by one statement, which is made of this. */
export type ExpiredRows = RemovalPace &
  Readonly<{
    /** The columns of the primary key. */
    key: string
    /** SQL. `now()` is PostgreSQL's clock; NOW is that of the process, for times which a process wrote. */
    expired: string
    /** Of a large table with an index: without an order, a plan for any values would read the whole table. */
    orderBy?: string
    /** The column of the project or slug, of rows that a legal hold keeps. */
    heldBy?: 'project_id' | 'slug'
    /** The program may not update the table, so it may not lock its rows either. */
    isNeverUpdated?: boolean
  }>

/** The second value of the statement. */
export const NOW = '$2::timestamptz'

const olderThan = (column: string, age: string) => `${column} < now() - interval '${age}'`
const minutely = { everySeconds: MINUTE_SECONDS }
const hourly = { everySeconds: HOUR_SECONDS }

export const expiredRows = {
  sessions: {
    ...minutely,
    key: 'id',
    expired: 'expires_at < now() or idle_until < now()',
    atMost: 1000,
    removed: '14 days after its last use',
  },
  known_devices: {
    ...minutely,
    key: 'account_id, digest',
    expired: olderThan('seen_at', `${DEVICE_DAYS} days`),
    atMost: 1000,
    removed: `${DEVICE_DAYS} days after its last use`,
  },
  access_tokens: {
    ...minutely,
    key: 'id',
    expired: olderThan('expires_at', '1 day'),
    atMost: 1000,
    removed: 'a day after it has expired',
  },
  passkey_challenges: {
    ...minutely,
    key: 'id',
    expired: 'expires_at < now()',
    atMost: 10_000,
    removed: '5 minutes later',
  },
  // The mail is too old to be sent then.
  recovery_requests: {
    ...minutely,
    key: 'id',
    expired: olderThan('created_at', '1 hour'),
    atMost: 10_000,
    removed: 'an hour later',
  },
  account_links: {
    ...minutely,
    key: 'digest',
    expired: 'expires_at < now()',
    atMost: 10_000,
    removed: 'when it has expired',
  },
  account_audit: {
    ...minutely,
    key: 'account_id, id',
    expired: olderThan('at', '1 year'),
    atMost: 1000,
    removed: 'a year later',
  },
  email_changes: {
    ...minutely,
    key: 'id',
    expired: `(confirmed_at is null and ${olderThan('requested_at', `${CONFIRM_HOURS} hours`)})
       or ${olderThan('confirmed_at', `${UNDO_DAYS} days`)}`,
    atMost: 1000,
    removed: `${CONFIRM_HOURS} hours later, or ${UNDO_DAYS} days after it was confirmed`,
  },
  former_addresses: {
    ...minutely,
    key: 'id',
    expired: `not exists (
         select 1
         from mail_directory
         where project_id = 0 and id = mail_id and state = 'queued'
       )`,
    atMost: 1000,
    removed: 'when the mail about the deletion has been sent',
  },
  // With their links.
  sign_up_requests: {
    ...minutely,
    key: 'id',
    expired: 'expires_at < now()',
    atMost: 10_000,
    removed: 'a day later, or a week later if the operator invited the person',
  },
  // The failures of an account are kept until its person signs in: an attacker must not be able to wait. This compares with
  // every account.
  sign_in_failures: {
    everySeconds: 15 * MINUTE_SECONDS,
    key: 'digest',
    expired: `${olderThan('failed_at', '1 day')} and digest not in (
         select sha256(convert_to(email_key, 'UTF8'))
         from accounts
       )`,
    atMost: 10_000,
    removed: 'a day later if its address has no account',
  },
  rate_directory: {
    ...minutely,
    key: 'kind, key',
    expired: `ends_at <= ${NOW}`,
    atMost: 10_000,
    removed: 'when the period is over',
  },
  // Every process has read it many times by then.
  revocation_directory: {
    ...minutely,
    key: 'id',
    expired: olderThan('noted_at', '1 hour'),
    isNeverUpdated: true,
    atMost: 10_000,
    removed: 'an hour later',
  },
  tombstone_directory: {
    ...hourly,
    key: 'id',
    expired: olderThan('at', '35 days'),
    isNeverUpdated: true,
    atMost: 10_000,
    removed: '35 days later',
  },
  mail_directory: {
    ...hourly,
    key: 'project_id, id',
    expired: olderThan('ended_at', '30 days'),
    heldBy: 'project_id',
    atMost: 1000,
    removed: '30 days after it has ended',
  },
  mail_counts: {
    ...hourly,
    key: 'recipient, kind, window_start',
    expired: olderThan('window_start', '2 days'),
    atMost: 10_000,
    removed: '2 days later',
  },
  site_reports: {
    ...hourly,
    key: 'id',
    expired: olderThan('reported_at', `${REPORT_DAYS} days`),
    orderBy: 'reported_at',
    isNeverUpdated: true,
    heldBy: 'slug',
    atMost: 500,
    removed: `${REPORT_DAYS} days later`,
  },
  share_directory: {
    ...hourly,
    key: 'digest',
    expired: `expires_at <= ${NOW}`,
    isNeverUpdated: true,
    heldBy: 'project_id',
    atMost: 500,
    removed: '7 days later',
  },
  certificates: {
    ...hourly,
    key: 'hostname, generation',
    expired: `kept_until <= ${NOW}`,
    orderBy: 'kept_until',
    atMost: 500,
    removed: '30 days after a later one replaced it',
  },
  // With their certificates.
  certificate_wishes: {
    ...hourly,
    key: 'hostname',
    expired: `kept_until <= ${NOW}`,
    orderBy: 'kept_until',
    atMost: 500,
    removed: '30 days after the name is gone',
  },
  certificate_orders: {
    ...hourly,
    key: 'id',
    expired: `ended_at <= ${NOW} - interval '30 days'`,
    orderBy: 'ended_at',
    atMost: 500,
    removed: '30 days after it has ended',
  },
  certificate_challenges: {
    ...hourly,
    key: 'token',
    expired: `expires_at <= ${NOW}`,
    orderBy: 'expires_at',
    atMost: 500,
    removed: 'when it has expired',
  },
  authority_uses: {
    ...hourly,
    key: 'authority, scope, slot',
    expired: `slot < ${NOW} - interval '8 days'`,
    orderBy: 'slot',
    atMost: 500,
    removed: '8 days later',
  },
  certificate_clients: {
    ...hourly,
    key: 'client',
    expired: `free_at < ${NOW} - interval '1 hour'`,
    orderBy: 'free_at',
    atMost: 500,
    removed: 'an hour after the client may order again',
  },
} as const satisfies Readonly<Record<string, ExpiredRows>>

/** Removed by other means, which `by` names. */
export const expiredOtherwise = {
  idempotency: {
    ...minutely,
    by: 'sweep_idempotency: a function that sees rows of every project, and only those that have expired',
    atMost: 1000,
    removed: '24 hours later',
  },
  invitations: {
    ...hourly,
    by: 'projects/jobs.io.ts: its entries in two directories go with it',
    atMost: 500,
    removed: `${INVITATION_DAYS} days later`,
  },
  route_directory: {
    ...hourly,
    by: 'fleet/directory.io.ts: the clock of the table moves with it, so that edges know how far they can catch up',
    atMost: 500,
    removed: `${GONE_DAYS} days after the name is gone`,
  },
} as const satisfies Readonly<Record<string, RemovalPace & { by: string }>>

/** Removed once a day by a function of the schema, which gets the project and these limits. */
export type OldRows = Readonly<{
  function: string
  limits: readonly (PlanLimit | OtherLimit)[]
  /** The last argument of the function; undefined if few rows can be too old at once. */
  atMost?: number
  removed: string
}>

/** In this order. */
export const oldRowsOfProjects = {
  audit: { function: 'limit_audit', limits: ['auditDays', 'auditEvents'], atMost: 1000, removed: 'auditDays later' },
  imports: {
    function: 'limit_imports',
    limits: ['endedImports'],
    atMost: 1000,
    removed: 'when there are more than endedImports, 8 days after it has ended',
  },
  orders: {
    function: 'limit_requests',
    limits: ['endedRequests'],
    atMost: 1000,
    removed: 'when there are more than endedRequests; those that ended with an animal handed over are kept',
  },
  api_keys: {
    function: 'limit_ended_keys',
    limits: ['endedKeyDays', 'endedKeys'],
    removed: 'endedKeyDays after it ended, or when endedKeys later ones did',
  },
  // As many as the plan has domains: to add and remove one in a loop would otherwise store without end.
  domains: {
    function: 'forget_removed_domains',
    limits: ['removedDomainDays', 'customDomains'],
    atMost: 1000,
    removed: 'removedDomainDays after its removal, or when as many others were removed after it',
  },
} as const satisfies Readonly<Record<string, OldRows>>

const everyTable: Readonly<Record<string, { removed: string } | undefined>> = {
  ...expiredRows,
  ...expiredOtherwise,
  ...oldRowsOfProjects,
}

/** When a row of the table is removed for its age; undefined if none is. */
export const retentionOf = (table: string): string | undefined => everyTable[table]?.removed
