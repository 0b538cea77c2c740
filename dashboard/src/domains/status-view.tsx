// The status of a domain in a few words. Every status of the contract has a view here, or
// it does not compile.

import type { Domain, DomainSummary, ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import * as texts from '../texts/texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

type StatusView = { label: string; tone: Tone; sentence: string; isServed: boolean }

const { statuses } = texts.domains
/** `isServed`: visitors get to the site by this name. */
export const statusViews: Readonly<Record<ShownStatus, StatusView>> = {
  pending_dns: { ...statuses.pending_dns, tone: 'wait', isServed: false },
  verifying: { ...statuses.verifying, tone: 'wait', isServed: false },
  action_required: { ...statuses.action_required, tone: 'bad', isServed: false },
  waiting: { ...statuses.waiting, tone: 'wait', isServed: false },
  issuing: { ...statuses.issuing, tone: 'wait', isServed: false },
  live: { ...statuses.live, tone: 'good', isServed: true },
  degraded: { ...statuses.degraded, tone: 'warn', isServed: true },
  paused: { ...statuses.paused, tone: 'warn', isServed: false },
  dormant: { ...statuses.dormant, tone: 'plain', isServed: false },
}

type Served = Pick<DomainSummary, 'status' | 'redirect'>

/** What the status means for visitors; of a domain that redirects, where they arrive. */
export const sentenceOf = ({ status, redirect }: Served): string => {
  if (!redirect || !statusViews[status].isServed) return statusViews[status].sentence
  return redirect.isActive ? statuses.redirects.active(redirect.to) : statuses.redirects.waits(redirect.to)
}

/** Whether the last check has learned nothing: the records to add may be there already. */
export const isUndetermined = ({ status, records }: Pick<Domain, 'status' | 'records'>): boolean =>
  status === 'waiting' && records.some(({ state, action }) => state === 'unknown' && action === 'add')

export const StatusBadge = ({ status }: { status: ShownStatus }) => (
  <Badge tone={statusViews[status].tone}>{statusViews[status].label}</Badge>
)

/** Status, and what the domain is for. */
export const StatusBadges = ({ domain }: { domain: Pick<DomainSummary, 'status' | 'isPrimary' | 'redirect'> }) => (
  <span className="row domain-badges">
    <StatusBadge status={domain.status} />
    {domain.isPrimary && <Badge tone="plain">{texts.domains.list.primary}</Badge>}
    {domain.redirect && <Badge tone="plain">{texts.domains.list.redirectsTo(domain.redirect.to)}</Badge>}
  </span>
)
