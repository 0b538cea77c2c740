// The result of the newest deployment, or its progress.

import { Advice } from '../ui/advice.tsx'
import * as texts from '../texts/texts.ts'
import { viewOf, type Deployment } from './deployment-view.ts'

const words = texts.site
const steps = ['queued', 'building', 'succeeded'] as const

export const Outcome = ({ last, isFirst }: { last: Deployment | null; isFirst: boolean }) => (
  <div role="status" className="site-told">
    {last && resultOf(last, isFirst)}
  </div>
)

function resultOf(last: Deployment, isFirst: boolean) {
  if (viewOf(last).isRunning) return <Running deployment={last} />
  if (last.state === 'failed')
    return (
      <div className="note bad stack">
        <strong>{isFirst ? words.failedFirst(last.number) : words.failed(last.number)}</strong>
        <Reasons reason={last.reason} />
        <span>{words.failedNext}</span>
      </div>
    )
  if (last.reason !== null) return <p className="note warn plain">{last.reason}</p>
  // Visible above; announced to screen readers here.
  return last.isCurrent && <span className="visually-hidden">{words.done(last.number)}</span>
}

const Running = ({ deployment: { number, state } }: { deployment: Deployment }) => (
  <div className="note stack">
    <span>{words.deploying(number)}</span>
    <ol className="site-steps">
      {steps.map((step) => (
        <li key={step} aria-current={step === state ? 'step' : undefined}>
          {words.steps[step]}
        </li>
      ))}
    </ol>
  </div>
)

/** One line each, as the server returns them. */
export const Reasons = ({ reason }: { reason: string | null }) =>
  reason !== null && (
    <ul className="site-reasons">
      {reason.split('\n').map((line) => (
        <li key={line}>
          <Advice text={line} />
        </li>
      ))}
    </ul>
  )
