// The timer with which every project is looked after once a day. Pure.

import type { Timer } from '../foundation/postgres/timer-leases.io.ts'

export const UPKEEP_SECONDS = 24 * 3600

export const upkeepTimer = (project: bigint): Pick<Timer, 'kind' | 'project' | 'id'> => ({
  kind: 'project_upkeep',
  project,
  id: 'all',
})
