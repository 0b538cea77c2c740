// Persistent timers: a row records what is due, for which project, and when. A worker claims due
// rows for a limited time, by the database's clock, and raises their fencing token; work that is
// not finished in time, or that failed, is claimed again. A timer that is set again while its work
// is in progress outlives that work. All timer work must be safe to repeat.

import { statement, type Db } from './postgres.io.ts'

export type Timer = { kind: string; project: bigint; id: string; fence: bigint; attempts: number }

const setDueRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'set-due',
  `insert into due_directory (kind, project_id, id, due_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))
   on conflict (kind, project_id, id) do update
   set due_at = excluded.due_at, claimed_until = null, attempts = 0, fence = due_directory.fence + 1`,
)

/** Runs in the transaction of the change it belongs to: both or neither. */
export const setTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds = 0) =>
  db(setDueRow, kind, project, id, seconds)

const keepDueRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'keep-due',
  `insert into due_directory (kind, project_id, id, due_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))
   on conflict (kind, project_id, id) do update
   set fence = due_directory.fence + 1`,
)

/** Sets the timer unless it is set already. Work that is in progress neither ends nor postpones it. */
export const keepTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds: number) =>
  db(keepDueRow, kind, project, id, seconds)

const bringForwardRow = statement<never, [kind: string, project: bigint, id: string, seconds: number]>(
  'hurry-due',
  `update due_directory
   set due_at = least(due_at, now() + make_interval(secs => $4))
   where kind = $1 and project_id = $2 and id = $3 and coalesce(claimed_until < now(), true)`,
)

/** Moves the timer forward if it is due later than that; a worker that is processing it now is not disturbed. */
export const bringForward = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>, seconds: number) =>
  db(bringForwardRow, kind, project, id, seconds)

const clearDueRow = statement<never, [kind: string, project: bigint, id: string]>(
  'clear-due',
  `delete from due_directory
   where kind = $1 and project_id = $2 and id = $3`,
)

export const clearTimer = (db: Db, { kind, project, id }: Pick<Timer, 'kind' | 'project' | 'id'>) =>
  db(clearDueRow, kind, project, id)

const pendingDueRows = statement<{ id: string }, [kind: string, project: bigint, ids: readonly string[]]>(
  'pending-due',
  `select id
   from due_directory
   where kind = $1 and project_id = $2 and id = any ($3::text[])`,
)

/** Those of the given ids for which a timer is set. */
export const pendingTimers = async (db: Db, kind: string, project: bigint, ids: readonly string[]) =>
  new Set((await db(pendingDueRows, kind, project, ids)).map(({ id }) => id))

const claimDueRows = statement<Timer, [kind: string, count: number, seconds: number, others: readonly bigint[]]>(
  'claim-due',
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
  run(claimDueRows, kind, count, seconds, except)

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

const finishDueRow = statement<never, [kind: string, project: bigint, id: string, fence: bigint]>(
  'finish-due',
  `delete from due_directory
   where kind = $1 and project_id = $2 and id = $3 and fence = $4`,
)

const postponeDueRow = statement<never, [kind: string, project: bigint, id: string, fence: bigint, seconds: number]>(
  'postpone-due',
  `update due_directory
   set due_at = now() + make_interval(secs => $5), claimed_until = null
   where kind = $1 and project_id = $2 and id = $3 and fence = $4`,
)

const extendClaimRow = statement<
  { id: string },
  [kind: string, project: bigint, id: string, fence: bigint, seconds: number]
>(
  'hold-due',
  `update due_directory
   set due_at = now() + make_interval(secs => $5), claimed_until = now() + make_interval(secs => $5)
   where kind = $1 and project_id = $2 and id = $3 and fence = $4
   returning id`,
)

/** For long work: extends the claim. False if another worker has claimed it in the meantime. */
export const lockTimer = async (run: Db, { kind, project, id, fence }: Timer, seconds: number): Promise<boolean> =>
  (await run(extendClaimRow, kind, project, id, fence, seconds)).length > 0

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
  atOnce: number
  /** Where little is done at once: each project has its turn before one has its next. */
  takesTurns?: true
  pauseMs: number
  onError: (error: Error, due?: Timer) => void
}

/** Projects that occur at least so often; timers without a project count for none. */
function projectsWith(least: number, projects: Iterable<bigint>): bigint[] {
  const counts = new Map<bigint, number>()
  for (const project of projects) counts.set(project, (counts.get(project) ?? 0) + 1)
  return [...counts].filter(([project, count]) => project !== 0n && count >= least).map(([project]) => project)
}

/**
 * Processes due timers until stopped; work in progress is then finished. Fair scheduling: projects
 * whose work is already in progress come after all others, so a project with thousands of timers,
 * or slow ones, delays itself and hardly any other. With turns that also holds for several such
 * projects, which would otherwise share all that is done at once.
 */
export function runTimers({ run, kinds, atOnce, takesTurns, pauseMs, onError }: Options): Worker {
  const underWay = new Map<Promise<void>, bigint>()
  const busyFrom = Math.max(1, Math.floor(atOnce / 8))
  const state = { isStopping: false }
  let wake = () => {}

  const perform = async (due: Timer, { work }: TimerWork) => {
    const { kind, project, id, fence, attempts } = due
    try {
      const again = await work(due)
      if (again === undefined) await run(finishDueRow, kind, project, id, fence)
      else await run(postponeDueRow, kind, project, id, fence, again)
    } catch (error) {
      onError(error as Error, due)
      await run(postponeDueRow, kind, project, id, fence, backOff(attempts)).catch(onError)
    }
  }

  const busy = (): bigint[] => projectsWith(busyFrom, underWay.values())

  /** Projects that have had their turn since all of them had. */
  const served = new Set<bigint>()

  const begin = (claimed: readonly Timer[], work: TimerWork): number => {
    for (const due of claimed) {
      if (takesTurns) served.add(due.project)
      const done: Promise<void> = perform(due, work).finally(() => {
        underWay.delete(done)
        wake()
      })
      underWay.set(done, due.project)
    }
    return claimed.length
  }

  const claim = async (kind: string, work: TimerWork) => {
    const free = () => atOnce - underWay.size
    if (free() <= 0 || work.mayClaim?.() === false) return 0
    const claimExcept = async (except: readonly bigint[]) =>
      begin(await claimTimers(run, kind, free(), work.claimSeconds, except), work)
    let found = 0
    if (served.size > 0) {
      found = await claimExcept([...served, ...busy()])
      if (found === 0) served.clear()
      if (free() <= 0) return found
    }
    const except = busy()
    found += await claimExcept(except)
    return except.length === 0 || free() <= 0 ? found : found + (await claimExcept([]))
  }

  /** In one query, since most of the time nothing is due. */
  const ready = async (): Promise<string[]> => {
    const all = Object.keys(kinds)
    if (underWay.size >= atOnce) return []
    return all.length === 1 ? all : (await run(readyKinds, all)).map(({ kind }) => kind)
  }

  const loop = async () => {
    while (!state.isStopping) {
      let found = 0
      for (const kind of await ready().catch((error: Error) => (onError(error), []))) {
        const work = kinds[kind]
        if (work) found += await claim(kind, work).catch((error: Error) => (onError(error), 0))
      }
      if (found > 0 && underWay.size < atOnce) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        wake = () => {
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
      await Promise.all(underWay.keys())
    },
  }
}

/** 1 s, 2 s, 4 s … to five minutes. */
const backOff = (attempts: number) => Math.min(300, 2 ** Math.min(attempts - 1, 9))
