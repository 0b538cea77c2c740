// The plan rules that projects need. The plans folder is to the right of projects, so its
// rules are passed as an argument.

import type { Limits, PlanName, Usage } from '@petstore-platform/contract/platform/projects'

export type PlanRules = {
  limitsOf(plan: PlanName): Limits
  /** The error if one more exceeds the plan; undefined if it fits. */
  overLimit(plan: PlanName, what: keyof Usage, used: number): Error | undefined
}
