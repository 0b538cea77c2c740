// The limits that apply: those of the table, as numbers, and the refusals that name them. Pure. What every table of the
// database may hold follows from them (caps.ts). An installation can override any of them (limits-file.ts); features receive
// the result as an argument, and none of them knows a number of its own.

import { plans, type PlanName } from '@petstore-platform/contract/platform/projects'
import { Refusal } from '../foundation/refusal.ts'
import type { OtherLimit, PlanLimit, PlanRules } from '../projects/plan-rules.ts'
import { otherTable, planTable, type PerPlan } from './limit-table.ts'

export type LimitTable = Readonly<{
  ofPlan: Readonly<Record<PlanLimit, PerPlan>>
  other: Readonly<Record<OtherLimit, number>>
}>

export const defaultLimits: LimitTable = {
  ofPlan: mapped(planTable, (_, { most }) => most),
  other: mapped(otherTable, (_, { most }) => most),
}

export function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (name: Name, value: From) => To,
): Record<Name, To> {
  const entries = Object.entries(record) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, change(name, value)])) as Record<Name, To>
}

export function planRulesOf({ ofPlan, other }: LimitTable): PlanRules {
  const most = (plan: PlanName, what: PlanLimit): number => ofPlan[what][plan]
  return {
    other,
    most,
    limitsOf: (plan) => ({
      animals: most(plan, 'animals'),
      members: most(plan, 'members'),
      keys: most(plan, 'keys'),
      importRows: most(plan, 'importRows'),
      customDomains: most(plan, 'customDomains'),
      photoBytes: most(plan, 'photoBytes'),
    }),
    overLimit(plan, what, used, more = 1) {
      const limit = most(plan, what)
      return used + more <= limit ? undefined : refusalOf(ofPlan, plan, what, used)
    },
  }
}

/** With the limits that an installation has unless it overrides them. */
export const defaultRules = planRulesOf(defaultLimits)

/** Says which limit it is, how much the plan includes, and what can be done. */
function refusalOf(ofPlan: LimitTable['ofPlan'], plan: PlanName, what: PlanLimit, used: number): Refusal {
  const most = ofPlan[what][plan]
  const [one, several] = planTable[what].words
  const included = most === 0 ? `no ${several}` : `${most} ${most === 1 ? one : several}`
  const inUse = used === 0 ? '' : `; ${used} ${used === 1 ? 'is' : 'are'} in use`
  return new Refusal('plan_required', `The plan '${plan}' includes ${included}${inUse}.`)
}

/** What a larger plan includes is never less. */
export const isOrdered = (limit: PerPlan): boolean =>
  plans.every((plan, index) => index === 0 || limit[plan] >= limit[plans[index - 1] ?? plan])
