// The progress of a domain: DNS record, ownership, certificate, live. Each step shows one
// axis as the server returns it; the next step is the first that is not done.

import type { Domain, ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { Check, Ellipsis, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { statusViews } from './status-view.tsx'

type Axes = Domain['axes']
type Mark = 'done' | 'open' | 'busy' | 'warn' | 'stopped'

const { progress } = texts.domains

export const routingMarks: Readonly<Record<Axes['routing'], Mark>> = {
  unknown: 'open',
  missing: 'open',
  wrong: 'stopped',
  conflict: 'stopped',
  propagating: 'busy',
  pointing: 'done',
  drifted: 'warn',
  unreachable: 'busy',
}
export const ownershipMarks: Readonly<Record<Axes['ownership'], Mark>> = {
  unknown: 'open',
  unproven: 'open',
  proven: 'done',
  contested: 'stopped',
  lost: 'stopped',
}
export const certificateMarks: Readonly<Record<Axes['certificate'], Mark>> = {
  none: 'open',
  blocked: 'stopped',
  queued: 'busy',
  validating: 'busy',
  issued: 'busy',
  deployed: 'done',
  renewing: 'done',
  renewal_failing: 'warn',
  expired: 'stopped',
  rate_limited: 'busy',
}
const liveMarks: Readonly<Record<ShownStatus, Mark>> = {
  pending_dns: 'open',
  verifying: 'open',
  action_required: 'open',
  waiting: 'open',
  issuing: 'open',
  live: 'done',
  degraded: 'warn',
  paused: 'stopped',
  dormant: 'stopped',
}
/** The drawing; the text next to it states the same for people who do not see it. */
const signs: Readonly<Record<Mark, LucideIcon | null>> = {
  done: Check,
  open: null,
  busy: Ellipsis,
  warn: TriangleAlert,
  stopped: X,
}

type Step = { name: string; mark: Mark; text: string }

const stepsOf = ({ axes: { routing, ownership, proof, certificate }, status, redirect }: ProgressProps): Step[] => [
  { name: progress.steps.dns, mark: routingMarks[routing], text: progress.routing[routing] },
  {
    name: progress.steps.ownership,
    mark: ownershipMarks[ownership],
    text: ownership === 'proven' && proof !== null ? progress.proofs[proof] : progress.ownership[ownership],
  },
  { name: progress.steps.certificate, mark: certificateMarks[certificate], text: progress.certificate[certificate] },
  {
    name: progress.steps.live,
    mark: liveMarks[status],
    text: redirect?.isActive && statusViews[status].isServed ? progress.redirects : progress.live[status],
  },
]

type ProgressProps = Pick<Domain, 'axes' | 'status' | 'redirect'>

export function Progress(props: ProgressProps) {
  const steps = stepsOf(props)
  const next = steps.findIndex(({ mark }) => mark !== 'done')
  return (
    <ol className="progress-line" aria-label={progress.title}>
      {steps.map(({ name, mark, text }, index) => (
        <li key={name} className={`progress-step ${mark}`} aria-current={index === next ? 'step' : undefined}>
          <span className="progress-sign" aria-hidden>
            <Sign of={signs[mark]} number={index + 1} />
          </span>
          <span className="progress-words">
            <strong>{name}</strong>
            <span className="visually-hidden">{` (${progress.marks[mark]}) `}</span>
            <span className="small">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

const Sign = ({ of, number }: { of: LucideIcon | null; number: number }) =>
  of ? <Icon of={of} size={18} /> : <>{number}</>
