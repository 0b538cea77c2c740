// Queries with which an operator sees and steers the outbox.

import { query } from '../foundation/postgres/postgres.io.ts'
import type { MailQueue } from './kinds.ts'

export type MailCount = { kind: string; state: string; count: number; oldestQueuedAt: Date | null }

/** Everything queued, and what ended in the last day. */
export const countMails = query<MailCount, []>(
  'count-mails',
  `select kind, state, count(*)::int as count, min(queued_at) filter (where state = 'queued') as "oldestQueuedAt"
   from mail_directory
   where state = 'queued' or ended_at > now() - interval '1 day'
   group by kind, state
   order by kind, state`,
)

export type RelayFailure = { queue: MailQueue; outcome: string; failures: number; failedAt: Date; retryAt: Date }

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
