// What waits for workers, for operators and their monitoring.

import { query } from './postgres.io.ts'

/** For how long the oldest due timer of each of these kinds has been waiting; 0 if none waits. One index entry for each kind. */
export const dueLags = query<{ kind: string; seconds: number }, [kinds: readonly string[]]>(
  'due-lags',
  `select wanted.kind, coalesce(extract(epoch from now() - oldest.due_at), 0)::float8 as seconds
   from unnest($1::text[]) as wanted (kind)
   left join lateral (
     select due_at
     from due_directory
     where due_directory.kind = wanted.kind and due_at <= now()
     order by due_at
     limit 1
   ) as oldest on true`,
)

export type KindOfJob = {
  kind: string
  /** For now or later. */
  scheduled: number
  due: number
  oldestDueAt: Date | null
  /** Those whose last run failed. */
  failing: number
  /** How many runs of one of them have failed in a row. */
  failuresMax: number
}

/** Reads all timers. A run that is under way has been counted as an attempt, and has not failed. */
export const listKindsOfJobs = query<KindOfJob, []>(
  'list-kinds-of-jobs',
  `select kind, count(*)::int as scheduled, count(*) filter (where due_at <= now())::int as due,
     min(due_at) filter (where due_at <= now()) as "oldestDueAt",
     count(*) filter (where failures > 0)::int as failing, max(failures)::int as "failuresMax"
   from (
     select kind, due_at, greatest(0, attempts - coalesce(claimed_until > now(), false)::int) as failures
     from due_directory
   ) as timer
   group by kind
   order by kind`,
)
