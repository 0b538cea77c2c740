// All periodic work of service and workers, with its periods. What keeps a process current, or is cheap to repeat, runs
// in every process that serves; the rest are timers in the database, of whichever worker claims them.

import { forgetGone } from '../fleet/directory.io.ts'
import type { SharedLimits } from '../foundation/load/rate-limit.io.ts'
import type { Revocations } from '../foundation/postgres/revocations.io.ts'
import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { SECOND } from '../foundation/time.ts'
import { photoSweepWork } from '../photos/photo-sweep.io.ts'
import { GONE_DAYS } from '../plans/retention.ts'
import { retentionWork, type Removers } from '../plans/retention.io.ts'
import { upkeepWork } from '../plans/upkeep.io.ts'
import { KEY_CACHE_MS } from '../projects/guard.io.ts'
import { unlessHeld } from '../projects/legal-hold.io.ts'
import { removeExpiredInvitations, type KeyUses } from '../projects/jobs.io.ts'
import type { ProgramContext } from './context.ts'

type Periodic = { everyMs: number; run: () => Promise<unknown> }

type ServiceParts = {
  revocations: Revocations
  keyUses: KeyUses
  quotas: SharedLimits
  keyHeldMs: number | undefined
}

export function serviceSchedule(parts: ServiceParts): readonly Periodic[] {
  const { revocations, keyUses, quotas, keyHeldMs = KEY_CACHE_MS } = parts
  return [
    // Often enough that a cached key is hardly ever too old when it is used.
    { everyMs: keyHeldMs / 2, run: () => revocations.check() },
    { everyMs: SECOND, run: () => quotas.exchange() },
    { everyMs: 5 * SECOND, run: () => keyUses.write() },
  ]
}

/** A run that is still in progress is not started a second time. Returns the function that ends it. */
export function startSchedule(schedule: readonly Periodic[], report: (error: Error) => void): () => void {
  const timers = schedule.map(({ everyMs, run }) => {
    let isRunning = false
    return setInterval(() => {
      if (isRunning) return
      isRunning = true
      run()
        .catch(report)
        .finally(() => (isRunning = false))
    }, everyMs)
  })
  return () => timers.forEach(clearInterval)
}

/** Of the installation: each table as often as plans/retention.ts says, and at once again while more has expired. */
export const installationWork = (context: ProgramContext): Readonly<Record<string, TimerWork>> => ({
  retention: retentionWork(context, removersOf(context)),
})

/** Of tables from which more than one statement removes. */
export const removersOf = (context: Pick<ProgramContext, 'database' | 'inProject'>): Removers => ({
  invitations: (atMost) => removeExpiredInvitations(context, atMost),
  route_directory: (atMost) => forgetGone(context.database.run, GONE_DAYS, atMost),
})

/** Of each project: once a day, and once a week. */
export const projectWork = (context: ProgramContext): Readonly<Record<string, TimerWork>> => ({
  project_upkeep: upkeepWork(context),
  photo_sweep: unlessHeld(context, photoSweepWork(context)),
})
