// Removes expired rows, as the table in retention.ts says: each table has a timer of its own, so that one whose rows cannot
// be removed delays no other. Any worker performs them, and two never the same at once.

import type { Context } from '../foundation/context.ts'
import { statement, type Db, type Statement } from '../foundation/postgres/postgres.io.ts'
import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { MINUTE, SECOND } from '../foundation/time.ts'
import { expiredOtherwise, expiredRows, NOW, type ExpiredRows, type RemovalPace } from './retention.ts'

/** Removes at most so many rows, and returns how many. */
type Remove = (atMost: number) => Promise<number>

/** Of rows whose feature removes them. */
export type Removers = Readonly<Record<Exclude<keyof typeof expiredOtherwise, 'idempotency'>, Remove>>

const CLAIM_SECONDS = MINUTE / SECOND
/** One after the other: together they last far less than a claim. */
const BATCHES = 20

export const retentionWork = (context: Pick<Context, 'database' | 'now'>, removers: Removers): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work({ id: table }) {
    const pace = paces[table]
    // An earlier release may have left the timer of a table that is not listed any more.
    if (!pace) return undefined
    const remove = removerOf(context, removers, table)
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if ((await remove(pace.atMost)) < pace.atMost) return pace.everySeconds
    }
    return 1
  },
})

const paces: Readonly<Record<string, RemovalPace>> = { ...expiredRows, ...expiredOtherwise }

function removerOf(
  { database: { run }, now }: Pick<Context, 'database' | 'now'>,
  removers: Removers,
  table: string,
): Remove {
  const counted = (rows: readonly Removed[]) => rows[0]?.removed ?? 0
  const removal = removals.get(table)
  if (removal) {
    const isTimedHere = removal.text.includes(NOW)
    return async (atMost) => counted(await run(removal, atMost, ...(isTimedHere ? [new Date(now())] : [])))
  }
  const byFeature: Readonly<Record<string, Remove>> = removers
  return byFeature[table] ?? (async (atMost) => counted(await run(removeAnswers, atMost)))
}

type Removed = { removed: number }

const removeAnswers = statement<Removed, [atMost: number]>('remove-answers', `select sweep_idempotency($1) as removed`)

type Removal = Statement<Removed, [atMost: number, now?: Date]>

function removalOf(table: string, { key, expired, orderBy, heldBy, isNeverUpdated }: ExpiredRows): Removal {
  const order = orderBy === undefined ? '' : `order by ${orderBy}`
  const kept =
    heldBy === undefined ? '' : `and ${heldBy} not in (select ${heldBy} from slug_directory where held_at is not null)`
  const lock = isNeverUpdated ? '' : 'for update skip locked'
  return {
    name: `sweep-${table.replaceAll('_', '-')}`,
    text: `with removed as (
     delete from ${table}
     where (${key}) in (
       select ${key}
       from ${table}
       where (${expired})
       ${kept}
       ${order}
       limit $1
       ${lock}
     )
     returning 1
   )
   select count(*)::integer as removed
   from removed`,
  }
}

/** The statements, by table. */
export const removals: ReadonlyMap<string, Removal> = new Map(
  Object.entries<ExpiredRows>(expiredRows).map(([table, rows]) => [table, removalOf(table, rows)]),
)

const scheduleRows = statement<never, [tables: readonly string[]]>(
  'schedule-retention',
  `insert into due_directory (kind, project_id, id, due_at)
   select 'retention', 0, unnest($1::text[]), now()
   on conflict (kind, project_id, id) do nothing`,
)

/** At every start: the timers then set themselves, and a later start does not bring them forward. */
export const scheduleRetention = (run: Db) => run(scheduleRows, Object.keys(paces))
