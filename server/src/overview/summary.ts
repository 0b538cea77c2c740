// Derives the summary of a project: to which of four groups each domain belongs, which
// steps towards a site on a custom domain are done, and what happened on each day. The
// dashboard never derives it a second time.

import type { ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { firstSettings, type SiteSettings } from '@petstore-platform/contract/platform/site'
import {
  COUNT_MAX,
  HISTORY_DAYS,
  overviewSteps,
  type BoundedCount,
  type Overview,
} from '@petstore-platform/contract/platform/overview'

import type { HistoryRow } from './overview-queries.ts'

export type DomainGroup = keyof Overview['domains']

/** By who acts next: no one, we or time, the owner; and inactive domains. */
const groups: Readonly<Record<ShownStatus, DomainGroup>> = {
  live: 'live',
  verifying: 'waiting',
  waiting: 'waiting',
  issuing: 'waiting',
  pending_dns: 'needAction',
  action_required: 'needAction',
  // Visitors are still served, as long as nothing else fails.
  degraded: 'needAction',
  paused: 'others',
  dormant: 'others',
}

/** True if the domain waits for its owner. */
export const needsAction = (status: ShownStatus): boolean => groups[status] === 'needAction'

/** As many as the largest plan includes. */
export const DOMAINS_MAX = 1000

export function domainGroups(statuses: readonly ShownStatus[]): Overview['domains'] {
  const counts = { live: 0, waiting: 0, needAction: 0, others: 0 }
  for (const status of statuses) counts[groups[status]] += 1
  return counts
}

/** For a count that stopped one above the reported maximum. */
export const bounded = (counted: number): BoundedCount => ({
  count: Math.min(counted, COUNT_MAX),
  isMore: counted > COUNT_MAX,
})

export type Reached = {
  hasAnimals: boolean
  /** The draft, and whether it has a logo. */
  site: Pick<SiteSettings, 'about' | 'contact' | 'look' | 'themeColor'>
  hasLogo: boolean
  isPublished: boolean
  /** True if the plan includes any domains. */
  includesDomains: boolean
  domains: readonly ShownStatus[]
}

/** A trouble does not undo a step: a degraded domain has gone live. Who publishes the look that was there has chosen it. */
export function stepsOf({
  hasAnimals,
  site,
  hasLogo,
  isPublished,
  includesDomains,
  domains,
}: Reached): Overview['steps'] {
  const { look, themeColor } = firstSettings('')
  const done: Readonly<Record<(typeof overviewSteps)[number], boolean>> = {
    animals: hasAnimals,
    contact: Object.values(site.contact).some((value) => value.trim() !== ''),
    about: site.about.trim() !== '',
    look: isPublished || hasLogo || site.look !== look || site.themeColor !== themeColor,
    publish: isPublished,
    plan: includesDomains,
    domain: domains.length > 0,
    live: domains.some((status) => status === 'live' || status === 'degraded'),
  }
  return overviewSteps.map((step) => ({ step, isDone: done[step] }))
}

/** Days without an order are zero. Before the first order there is no history. */
export function historyOf(rows: readonly HistoryRow[]): Overview['history'] {
  const first = Math.max(-1, ...rows.map(({ daysAgo }) => daysAgo))
  const length = Math.min(first + 1, HISTORY_DAYS)
  const byDay = new Map(rows.map((row) => [row.daysAgo, row]))
  const perDay = (what: 'orders' | 'homes') =>
    Array.from({ length }, (_, index) => byDay.get(length - 1 - index)?.[what] ?? 0)
  return { orders: perDay('orders'), homes: perDay('homes') }
}
