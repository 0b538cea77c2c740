// What is said of a project at a glance, decided from what is there: in which of four
// groups a domain belongs, and which steps of the way to a site on a domain of its own
// are done. Nobody in the dashboard decides it again.

import type { ShownStatus } from '@petstore/contract/platform/domain-shapes'
import { COUNT_MAX, overviewSteps, type BoundedCount, type Overview } from '@petstore/contract/platform/overview'

export type DomainGroup = keyof Overview['domains']

/** By who acts next: nobody, we or time, the owner; and what is at rest. */
const groups: Readonly<Record<ShownStatus, DomainGroup>> = {
  live: 'live',
  verifying: 'waiting',
  waiting: 'waiting',
  issuing: 'waiting',
  pending_dns: 'needAction',
  action_required: 'needAction',
  // Visitors are still served, for as long as it goes well.
  degraded: 'needAction',
  paused: 'others',
  dormant: 'others',
}

export function domainGroups(statuses: readonly ShownStatus[]): Overview['domains'] {
  const counts = { live: 0, waiting: 0, needAction: 0, others: 0 }
  for (const status of statuses) counts[groups[status]] += 1
  return counts
}

/** Of a count that went on to one more than is told. */
export const bounded = (counted: number): BoundedCount => ({
  count: Math.min(counted, COUNT_MAX),
  isMore: counted > COUNT_MAX,
})

export type Reached = {
  hasAnimals: boolean
  isPublished: boolean
  /** Whether the plan includes domains at all. */
  includesDomains: boolean
  domains: readonly ShownStatus[]
}

/** A step that was done is not undone by a trouble: a domain that is degraded has gone live. */
export function stepsOf({ hasAnimals, isPublished, includesDomains, domains }: Reached): Overview['steps'] {
  const done: Readonly<Record<(typeof overviewSteps)[number], boolean>> = {
    animals: hasAnimals,
    publish: isPublished,
    plan: includesDomains,
    domain: domains.length > 0,
    live: domains.some((status) => status === 'live' || status === 'degraded'),
  }
  return overviewSteps.map((step) => ({ step, isDone: done[step] }))
}
