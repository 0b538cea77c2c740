// Erases the data of visitors whose requests ended without a home, some time after the end. Each project with such
// requests has one timer. It never runs for longer than a week, so that a shorter period takes effect on requests that
// ended before.

import { keepTimer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY, HOUR, SECOND } from '../foundation/time.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as queries from './erasure-queries.ts'
import { isErasedLater } from './lifecycle.ts'
import type { LockedOrder } from './order-queries.ts'

const KIND = 'visitor_erasure'

const CLAIM_SECONDS = 60
const HOUR_SECONDS = HOUR / SECOND
const WEEK_SECONDS = (7 * DAY) / SECOND
/** One short transaction. */
const AT_ONCE = 200

/** Runs in the transaction that ends the request. */
export async function scheduleErasure(db: Db, project: ProjectId, { stage }: Pick<LockedOrder, 'stage'>) {
  if (isErasedLater[stage]) await keepTimer(db, { kind: KIND, project, id: 'all' }, WEEK_SECONDS)
}

/** `days`: after the end of a request. */
export const erasureWork = (
  { inProject, now }: Pick<ProjectContext, 'inProject' | 'now'>,
  days: number,
): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  work: ({ project: of }) => {
    const project = of as ProjectId
    return inProject(project, async (db) => {
      const orders = await queries.lockEnded(db, project, days, AT_ONCE)
      const ids = orders.map(({ id }) => id)
      await queries.eraseVisitors(db, project, ids, days)
      for (const { id, petId } of orders) {
        const detail = { petId: String(petId), days: String(days) }
        await recordAudit(db, project, { actor: 'petstore', action: 'order_erased', subject: String(id), detail })
      }
      if (orders.length >= AT_ONCE) return 1
      const ended = await queries.firstEnd(db, project)
      if (!ended) return undefined
      const seconds = (ended.getTime() + days * DAY - now()) / SECOND
      return Math.min(Math.max(seconds, HOUR_SECONDS), WEEK_SECONDS)
    })
  },
})
