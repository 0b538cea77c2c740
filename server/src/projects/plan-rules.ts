// What projects must know of plans. Plans stand to the right of projects, so
// their rules come as an argument.

import type { Limits, PlanName, Usage } from '@petstore/contract/platform/projects'

export type PlanRules = {
  limitsOf(plan: PlanName): Limits
  /** Why there is no room for one more beside what is in use; undefined if there is. */
  overLimit(plan: PlanName, what: keyof Usage, used: number): Error | undefined
}
