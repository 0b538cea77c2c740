// Persistent timers: a row records what is due, for which project, and when. A worker claims due
// rows for a limited time, by the database's clock, and raises their fencing token; work that is
// not finished in time, or that failed, is claimed again. A timer that is set again while its work
// is in progress outlives that work. All timer work must be safe to repeat.

import { workDone } from '../measurements.io.ts'
import { statement, type Db } from './postgres.io.ts'
import { TimerTurns } from './timer-turns.ts'

export type Timer = { kind: string; project: bigint; id: string; fence: bigint; attempts: number }

const setTimerRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'set-timer',
  `insert into due_directory (kind, project_id, id, due_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))
   on conflict (kind, project_id, id) do update
   set due_at = excluded.due_at, claimed_until = null, attempts = 0, fence = due_directory.fence + 1`,
)

/** Runs in the transaction of the change it belongs to: both or neither. */
export const setTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds = 0) =>
  db(setTimerRow, kind, project, id, seconds)

const keepTimerRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'keep-timer',
  `insert into due_directory (kind, project_id, id, due_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))
   on conflict (kind, project_id, id) do update
   set fence = due_directory.fence + 1`,
)

/** Sets the timer unless it is set already. Work that is in progress neither ends nor postpones it. */
export const keepTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds: number) =>
  db(keepTimerRow, kind, project, id, seconds)

const bringForwardRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'bring-timer-forward',
  `update due_directory
   set due_at = least(due_at, now() + make_interval(secs => $4))
   where kind = $1 and project_id = $2 and id = $3 and coalesce(claimed_until < now(), true)`,
)

/** Moves the timer forward if it is due later than that; a worker that is processing it now is not disturbed. */
export const bringForward = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds: number) =>
  db(bringForwardRow, kind, project, id, seconds)

const clearTimerRow = statement<never, [kind: string, project: bigint, id: string]>(
  'clear-timer',
  `delete from due_directory
   where kind = $1 and project_id = $2 and id = $3`,
)

export const clearTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>) =>
  db(clearTimerRow, kind, project, id)

const pendingTimerRows = statement<{ id: string }, [kind: string, project: bigint, ids: readonly string[]]>(
  'pending-timers',
  `select id
   from due_directory
   where kind = $1 and project_id = $2 and id = any ($3::text[])`,
)

/** Those of the given ids for which a timer is set. */
export const pendingTimers = async (db: Db, kind: string, project: bigint, ids: readonly string[]) =>
  new Set((await db(pendingTimerRows, kind, project, ids)).map(({ id }) => id))

const claimTimerRows = statement<Timer, [kind: string, count: number, seconds: number, others: readonly bigint[]]>(
  'claim-timers',
  `with ready as (
     select kind, project_id, id
     from (
       select kind, project_id, id
       from due_directory
       where kind = $1 and due_at <= now() and coalesce(claimed_until < now(), true) and project_id <> all ($4::bigint[])
       order by kind, due_at
       limit 100
       for update skip locked
     ) as oldest
     limit $2
   )
   update due_directory
   set due_at = now() + make_interval(secs => $3), claimed_until = now() + make_interval(secs => $3),
     fence = fence + 1, attempts = attempts + 1
   from ready
   where due_directory.kind = ready.kind and due_directory.project_id = ready.project_id and due_directory.id = ready.id
   returning due_directory.kind, due_directory.project_id as project, due_directory.id, fence, attempts`,
)

/**
 * Claims the oldest unclaimed timers of a kind that are due, at most 100, excluding those of the projects in `except`. A
 * claimed timer is due again when its claim ends, and until then no claim reads its row: with many claimed they would be
 * slow. The limit in numbers is for the planner, which takes a parameter for a tenth of all rows: when most timers are due,
 * as after an outage, it would read all of them for each claim. Only rows that the outer query takes are locked.
 */
export const claimTimers = (run: Db, kind: string, count: number, seconds: number, except: readonly bigint[] = []) =>
  run(claimTimerRows, kind, count, seconds, except)

const readyKinds = statement<{ kind: string }, [kinds: readonly string[]]>(
  'ready-kinds',
  `select wanted.kind
   from unnest($1::text[]) with ordinality as wanted (kind, place)
   where exists (
     select from due_directory
     where due_directory.kind = wanted.kind and due_at <= now() and coalesce(claimed_until < now(), true)
   )
   order by place`,
)

const finishTimerRow = statement<never, [kind: string, project: bigint, id: string, fence: bigint]>(
  'finish-timer',
  `delete from due_directory
   where kind = $1 and project_id = $2 and id = $3 and fence = $4`,
)

const postponeTimerRow = statement<
  never,
  [kind: string, project: bigint, id: string, fence: bigint, seconds: number, attempts: number]
>(
  'postpone-timer',
  `update due_directory
   set due_at = now() + make_interval(secs => $5), claimed_until = null, attempts = $6
   where kind = $1 and project_id = $2 and id = $3 and fence = $4`,
)

const lockTimerRow = statement<
  { id: string },
  [kind: string, project: bigint, id: string, fence: bigint, seconds: number]
>(
  'lock-timer',
  `update due_directory
   set due_at = now() + make_interval(secs => $5), claimed_until = now() + make_interval(secs => $5)
   where kind = $1 and project_id = $2 and id = $3 and fence = $4
   returning id`,
)

/** For long work: extends the claim. False if another worker has claimed it in the meantime. */
export const lockTimer = async (run: Db, { kind, project, id, fence }: Timer, seconds: number): Promise<boolean> =>
  (await run(lockTimerRow, kind, project, id, fence, seconds)).length > 0

export type TimerWork = {
  /** Performs the work; returns the seconds after which it is due again, or nothing if it is finished. */
  work: (due: Timer) => Promise<number | void>
  /** How long a worker that does not extend its claim is assumed to be alive. */
  claimSeconds: number
  /** False while no timer of this kind could be processed, so that none is claimed in vain. */
  mayClaim?: () => boolean
}

export type Worker = { stop(): Promise<void> }

type Options = {
  run: Db
  kinds: Readonly<Record<string, TimerWork>>
  /** Of each kind: none waits for the places of another. */
  atOnce: number
  /** Of each kind and project, where work takes long; otherwise a project alone uses all places. */
  perProject?: number
  pauseMs: number
  onError: (error: Error, due?: Timer) => void
}

/**
 * Processes due timers until stopped; work in progress is then finished. Fair scheduling: each kind has places of its own,
 * and in each kind projects take turns (timer-turns.ts), so a project with thousands of timers, or slow ones, delays itself
 * and hardly any other.
 */
export function runTimers({ run, kinds, atOnce, perProject, pauseMs, onError }: Options): Worker {
  const lanes = Object.entries(kinds).map(([kind, work]) => ({ kind, work, turns: new TimerTurns(atOnce, perProject) }))
  type Lane = (typeof lanes)[number]
  const underWay = new Set<Promise<void>>()
  const state = { isStopping: false, isWoken: false }
  let endPause = () => {}
  const wake = () => {
    state.isWoken = true
    endPause()
  }

  const perform = async (due: Timer, { work }: TimerWork) => {
    const { kind, project, id, fence, attempts } = due
    try {
      const again = await work(due)
      if (again === undefined) await run(finishTimerRow, kind, project, id, fence)
      // Work that succeeded forgets earlier failures.
      else await run(postponeTimerRow, kind, project, id, fence, again, 0)
      workDone.publish({ kind, outcome: 'success' })
    } catch (error) {
      workDone.publish({ kind, outcome: 'failure' })
      onError(error as Error, due)
      await run(postponeTimerRow, kind, project, id, fence, backOff(attempts), attempts).catch(onError)
    }
  }

  const begin = ({ work, turns }: Lane, due: Timer) => {
    turns.begin(due.project)
    const done: Promise<void> = perform(due, work).finally(() => {
      turns.end(due.project)
      underWay.delete(done)
      wake()
    })
    underWay.add(done)
  }

  const claim = async (lane: Lane): Promise<number> => {
    const { kind, work, turns } = lane
    if (work.mayClaim?.() === false) return 0
    for (const except of turns.exceptions()) {
      const claimed = await claimTimers(run, kind, turns.claimable, work.claimSeconds, except)
      for (const due of claimed) begin(lane, due)
      if (claimed.length > 0) return claimed.length
    }
    return 0
  }

  /** In one query, since most of the time nothing is due. */
  const ready = async (): Promise<Lane[]> => {
    const free = lanes.filter(({ turns }) => turns.claimable > 0)
    if (lanes.length === 1 || free.length === 0) return free
    const found = await run(
      readyKinds,
      free.map(({ kind }) => kind),
    )
    const due = new Set(found.map(({ kind }) => kind))
    return free.filter(({ kind }) => due.has(kind))
  }

  const loop = async () => {
    while (!state.isStopping) {
      state.isWoken = false
      let found = 0
      for (const lane of await ready().catch((error: Error) => (onError(error), []))) {
        found += await claim(lane).catch((error: Error) => (onError(error), 0))
      }
      if (found > 0 || state.isWoken) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        endPause = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const looping = loop()

  return {
    async stop() {
      state.isStopping = true
      wake()
      await looping
      await Promise.all(underWay)
    },
  }
}

/** 1 s, 2 s, 4 s … to five minutes. */
const backOff = (attempts: number) => Math.min(300, 2 ** Math.min(attempts - 1, 9))
