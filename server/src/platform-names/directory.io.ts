// Statements on the platform's own names, which work across projects. Every name has a timer, and
// what is desired follows from the settings, so that nothing but certificates and timers is stored.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'

/** The client as which the platform's own certificates are ordered. */
export const PLATFORM_CLIENT = 'platform'
/** Settles one name; its id is the hostname. */
export const NAME_DUE = 'platform_name'
/** Visits all names after the settings have changed; its id is the settings. */
export const NAMES_DUE = 'platform_names'

const setTimerRows = statement<never, [kind: string, ids: readonly string[], seconds: readonly number[]]>(
  'set-platform-name-timers',
  `insert into due_directory (kind, project_id, id, due_at)
   select $1, 0, id, now() + make_interval(secs => seconds)
   from unnest($2::text[], $3::float8[]) as given (id, seconds)
   on conflict (kind, project_id, id) do update
   set due_at = least(due_directory.due_at, excluded.due_at)
   where due_directory.claimed_until is null`,
)

/** Those that are due earlier stay so; a worker that is processing one is not disturbed. */
export const setNameTimers = (db: Db, names: readonly { hostname: string; seconds: number }[]) =>
  db(
    setTimerRows,
    NAME_DUE,
    names.map(({ hostname }) => hostname),
    names.map(({ seconds }) => seconds),
  )

const scheduleVisitRow = statement<never, [kind: string, settings: string]>(
  'schedule-platform-names',
  `with former as (
     delete from due_directory
     where kind = $1 and project_id = 0 and id <> $2
   )
   insert into due_directory (kind, project_id, id, due_at)
   values ($1, 0, $2, now())
   on conflict (kind, project_id, id) do nothing`,
)

/** With the settings of the last start nothing happens: the timer of that visit is still there. */
export const scheduleVisit = (db: Db, settings: string) => db(scheduleVisitRow, NAMES_DUE, settings)
