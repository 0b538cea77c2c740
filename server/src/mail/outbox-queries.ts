// Queries for the outbox. Every statement names the project that caused the mail, 0 for none: a
// mail lies in the database of its cause.

import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { MailQueue } from './kinds.ts'

/** Ids by name; never a text of people. */
export type MailSubject = Readonly<Record<string, string>>

type MailKey = { project: bigint; id: string }

export type NewMailRow = MailKey & { kind: string; recipient: string; subject: MailSubject; validSeconds: number }

const insertMailRow = statement<
  { id: string },
  [project: bigint, id: string, kind: string, recipient: string, subject: string, validSeconds: number]
>(
  'insert-mail',
  `insert into mail_directory (project_id, id, kind, recipient, subject, valid_until)
   values ($1, $2, $3, $4, $5::jsonb, now() + make_interval(secs => $6))
   on conflict (project_id, recipient) where kind = 'digest' and state = 'queued' and not is_closed do nothing
   returning id`,
)

/** False if it is a digest, and the recipient has one that waits already. */
export const insertMail = async (
  db: Db,
  { project, id, kind, recipient, subject, validSeconds }: NewMailRow,
): Promise<boolean> =>
  (await db(insertMailRow, project, id, kind, recipient, JSON.stringify(subject), validSeconds)).length > 0

export type MailRow = MailKey & {
  kind: string
  recipient: string
  subject: MailSubject
  isCounted: boolean
  attempts: number
  queuedAt: Date
  isTooOld: boolean
}

const findQueuedRow = statement<MailRow, [project: bigint, id: string]>(
  'find-queued-mail',
  `select project_id as project, id, kind, recipient, subject, is_counted as "isCounted", attempts,
     queued_at as "queuedAt", valid_until <= now() as "isTooOld"
   from mail_directory
   where project_id = $1 and id = $2 and state = 'queued'`,
)

/** Undefined if it was sent or has ended otherwise. */
export const findQueued = async (db: Db, { project, id }: MailKey): Promise<MailRow | undefined> =>
  (await db(findQueuedRow, project, id))[0]

const endMailRow = statement<
  never,
  [project: bigint, id: string, state: string, outcome: string, addressDigest: Buffer | null]
>(
  'end-mail',
  `update mail_directory
   set state = $3, outcome = $4, ended_at = now(), address_digest = $5,
     attempts = attempts + case $3 when 'dropped' then 0 else 1 end
   where project_id = $1 and id = $2 and state = 'queued'`,
)

export type MailEnd = 'sent' | 'bounced' | 'dropped'

/** With the digest of the address, if it was sent to one. */
export const endMail = (
  db: Db,
  { project, id }: MailKey,
  state: MailEnd,
  outcome: string,
  addressDigest: Buffer | null = null,
) => db(endMailRow, project, id, state, outcome, addressDigest)

export type ReportedMail = MailKey & { addressDigest: Buffer }

// By its id alone: a report does not know which project caused the mail.
/** Undefined if no mail with this id was handed to the relay. */
export const findReported = queryFirst<ReportedMail, [id: string]>(
  'find-reported-mail',
  `select project_id as project, id, address_digest as "addressDigest"
   from mail_directory
   where id = $1 and address_digest is not null`,
)

const noteReportRow = statement<never, [project: bigint, id: string, outcome: string, isFinal: boolean]>(
  'note-mail-report',
  `update mail_directory
   set outcome = $3, state = case when $4 then 'bounced' else state end
   where project_id = $1 and id = $2 and state in ('sent', 'bounced')`,
)

/** `isFinal`: it has not arrived and will not. */
export const noteReport = (db: Db, { project, id }: MailKey, outcome: string, isFinal: boolean) =>
  db(noteReportRow, project, id, outcome, isFinal)

const noteFailureRow = statement<never, [project: bigint, id: string, outcome: string, added: number]>(
  'note-mail-failure',
  `update mail_directory
   set outcome = $3, attempts = attempts + $4
   where project_id = $1 and id = $2 and state = 'queued'`,
)

export const noteFailure = (db: Db, { project, id }: MailKey, outcome: string, isCounted: boolean) =>
  db(noteFailureRow, project, id, outcome, isCounted ? 1 : 0)

const markCountedRow = statement<never, [project: bigint, id: string]>(
  'mark-mail-counted',
  `update mail_directory
   set is_counted = true
   where project_id = $1 and id = $2`,
)

export const markCounted = (db: Db, { project, id }: MailKey) => db(markCountedRow, project, id)

const closeDigestRow = statement<never, [project: bigint, id: string]>(
  'close-digest',
  `update mail_directory
   set is_closed = true
   where project_id = $1 and id = $2`,
)

/** From now on, what would go into it begins another one. */
export const closeDigest = (db: Db, { project, id }: MailKey) => db(closeDigestRow, project, id)

const countMailRow = statement<
  { count: number },
  [recipient: string, kind: string, windowSeconds: number, most: number]
>(
  'count-mail',
  `insert into mail_counts (recipient, kind, window_start, count)
   values ($1, $2, date_bin(make_interval(secs => $3), now(), timestamptz 'epoch'), 1)
   on conflict (recipient, kind, window_start) do update
   set count = mail_counts.count + 1
   where mail_counts.count < $4
   returning count`,
)

/** False if the recipient has had the most for this window; it is then not counted. */
export const countMail = async (
  db: Db,
  { recipient, kind }: Pick<MailRow, 'recipient' | 'kind'>,
  { most, windowSeconds }: { most: number; windowSeconds: number },
): Promise<boolean> => (await db(countMailRow, recipient, kind, windowSeconds, most)).length > 0

export const noteRelayFailure = query<never, [queue: MailQueue, outcome: string, failures: number, seconds: number]>(
  'note-relay-failure',
  `insert into mail_relay_failures (queue, outcome, failures, retry_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))
   on conflict (queue) do update
   set outcome = excluded.outcome, failures = excluded.failures, failed_at = now(), retry_at = excluded.retry_at`,
)

export const clearRelayFailure = query<never, [queue: MailQueue]>(
  'clear-relay-failure',
  `delete from mail_relay_failures
   where queue = $1`,
)

// What an operator sees and steers.

type MailCount = { kind: string; state: string; count: number; oldestQueuedAt: Date | null }

/** Everything queued, and what ended in the last day. */
export const countMails = query<MailCount, []>(
  'count-mails',
  `select kind, state, count(*)::int as count, min(queued_at) filter (where state = 'queued') as "oldestQueuedAt"
   from mail_directory
   where state = 'queued' or ended_at > now() - interval '1 day'
   group by kind, state
   order by kind, state`,
)

type RelayFailure = { queue: MailQueue; outcome: string; failures: number; failedAt: Date; retryAt: Date }

export const listRelayFailures = query<RelayFailure, []>(
  'list-relay-failures',
  `select queue, outcome, failures, failed_at as "failedAt", retry_at as "retryAt"
   from mail_relay_failures
   order by queue`,
)

/** Makes every queued mail due now; returns how many were waiting for a later attempt. */
export const retryMails = query<{ id: string }, [], number>(
  'retry-mails',
  `update due_directory
   set due_at = least(due_at, now())
   where kind in ('mail', 'mail_urgent') and due_at > now() and coalesce(claimed_until < now(), true)
   returning id`,
  (rows) => rows.length,
)

/** Ends queued mails without sending them; returns how many. Their timers find nothing left to do. */
export const dropMails = query<{ id: string }, [before: Date], number>(
  'drop-mails',
  `update mail_directory
   set state = 'dropped', outcome = 'operator', ended_at = now()
   where state = 'queued' and queued_at < $1
   returning id`,
  (rows) => rows.length,
)
