// The domain worker checks domains whose timer is due.

import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { CLAIM_SECONDS } from './advance.io.ts'
import { checkDomain, type DomainDeps } from './check.io.ts'

const RETRY_SECONDS = 5

/** Checks domains whose timer is due. The check itself sets the time of the next one. */
export const domainWork = (deps: DomainDeps): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const job = { project, id: due.id, isAsked: false, actor: 'petstore', due, typed: null }
    // The timer was set in the same transaction as the state. If nothing was written it must not be lost, unless
    // another writer has set it in the meantime.
    return (await checkDomain(deps, job)) === 'late' ? RETRY_SECONDS : undefined
  },
})
