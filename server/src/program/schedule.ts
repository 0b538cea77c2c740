// All periodic work of service and workers, with its periods. What keeps a process current, or is cheap to repeat, runs
// in every process that serves; the rest are timers in the database, of whichever worker claims them.

import { CONFIRM_HOURS, UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import { sweepTokens } from '../accounts/account-queries.ts'
import { sweepEvents } from '../accounts/audit-queries.ts'
import { sweepFormer } from '../accounts/deletion-queries.ts'
import { sweepChanges } from '../accounts/links/email-change-queries.ts'
import { sweepLinks } from '../accounts/links/link-queries.ts'
import { sweepRequests } from '../accounts/links/request-queries.ts'
import { sweepSignUps } from '../accounts/links/sign-up-queries.ts'
import { sweepChallenges } from '../accounts/passkeys/passkey-queries.ts'
import { sweepSessions } from '../accounts/sessions/session-queries.ts'
import { sweepFailures } from '../accounts/sign-in/sign-in-failure-queries.ts'
import { DEVICE_DAYS } from '../accounts/sign-in/sign-in.io.ts'
import { sweepWork } from '../certificates/jobs.io.ts'
import { shareSweepWork } from '../domains/jobs.io.ts'
import { fleetSweepWork } from '../fleet/jobs.io.ts'
import type { SharedLimits } from '../foundation/load/rate-limit.io.ts'
import { statement } from '../foundation/postgres/postgres.io.ts'
import { sweepRates } from '../foundation/load/rate-directory.io.ts'
import { sweepRevocations, type Revocations } from '../foundation/postgres/revocations.io.ts'
import type { TimerWork } from '../foundation/postgres/timers.io.ts'
import { MINUTE, SECOND } from '../foundation/time.ts'
import { sweepAnswers } from '../imports/jobs.io.ts'
import { mailSweepWork } from '../mail/jobs.io.ts'
import { photoSweepWork } from '../photos/photo-sweep.io.ts'
import { upkeepWork } from '../plans/upkeep.io.ts'
import { KEY_CACHE_MS } from '../projects/guard.io.ts'
import { invitationSweepWork, type KeyUses } from '../projects/jobs.io.ts'
import { inDirectoryOf } from '../projects/scope.io.ts'
import type { ProgramContext } from './context.ts'

type Periodic = { everyMs: number; run: () => Promise<unknown> }

type ServiceParts = Pick<ProgramContext, 'database' | 'now'> & {
  revocations: Revocations
  keyUses: KeyUses
  quotas: SharedLimits
  keyHeldMs: number | undefined
}

export function serviceSchedule(parts: ServiceParts): readonly Periodic[] {
  const { database, revocations, keyUses, quotas, keyHeldMs = KEY_CACHE_MS, now } = parts
  const { run: db } = database
  return [
    // Often enough that a cached key is hardly ever too old when it is used.
    { everyMs: keyHeldMs / 2, run: () => revocations.check() },
    { everyMs: SECOND, run: () => quotas.exchange() },
    { everyMs: 5 * SECOND, run: () => keyUses.write() },
    { everyMs: MINUTE, run: () => sweepAnswers(inDirectoryOf(database)) },
    { everyMs: MINUTE, run: () => sweepRevocations(db) },
    { everyMs: MINUTE, run: () => sweepSessions(db, DEVICE_DAYS) },
    { everyMs: MINUTE, run: () => sweepTokens(db) },
    { everyMs: MINUTE, run: () => sweepChallenges(db) },
    { everyMs: MINUTE, run: () => sweepRequests(db) },
    { everyMs: MINUTE, run: () => sweepLinks(db) },
    { everyMs: MINUTE, run: () => sweepEvents(db) },
    { everyMs: MINUTE, run: () => sweepChanges(db, CONFIRM_HOURS, UNDO_DAYS) },
    { everyMs: MINUTE, run: () => sweepFormer(db) },
    { everyMs: MINUTE, run: () => sweepSignUps(db) },
    // It compares with every account.
    { everyMs: 15 * MINUTE, run: () => sweepFailures(db) },
    { everyMs: MINUTE, run: () => sweepRates(db, now()) },
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

/** Once an hour, and at once again while more has expired than a sweep takes. */
export const hourlyWork = (context: ProgramContext): Readonly<Record<string, TimerWork>> => ({
  certificate_sweep: sweepWork(context),
  fleet_sweep: fleetSweepWork(context),
  share_sweep: shareSweepWork(context),
  mail_sweep: mailSweepWork(context),
  invitation_sweep: invitationSweepWork(context),
})

/** Of each project: once a day, and once a week. */
export const projectWork = (context: ProgramContext): Readonly<Record<string, TimerWork>> => ({
  project_upkeep: upkeepWork(context),
  photo_sweep: photoSweepWork(context),
})

const scheduleRows = statement<never, [kinds: readonly string[]]>(
  'schedule-sweeps',
  `insert into due_directory (kind, project_id, id, due_at)
   select unnest($1::text[]), 0, 'all', now()
   on conflict (kind, project_id, id) do nothing`,
)

/** At every start: sweeps then reschedule themselves, and a later start does not bring them forward. */
export const scheduleHourlyWork = (context: ProgramContext) =>
  context.database.run(scheduleRows, Object.keys(hourlyWork(context)))
