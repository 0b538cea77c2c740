// The plans side by side, with the limits that the server returns.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { Limits, PlanName } from '@petstore-platform/contract/platform/projects'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { amountOf, limitLabels, limitList, planViews } from './views.ts'

const { plan: words } = texts.projects

type CardsProps = {
  plans: Received<'listPlans'>
  /** Those that the person can ask for now. */
  askable: readonly PlanName[]
  /** The one that was asked for and not answered yet. */
  requested: PlanName | undefined
  onAsk: (plan: PlanName) => void
}

export function PlanCards({ plans, askable, requested, onAsk }: CardsProps) {
  const { plan: own } = useProject()
  return (
    <section className="stack" aria-label={words.all}>
      <h2>{words.all}</h2>
      <ul className="plan-cards">
        {plans.map(({ plan, limits }) => (
          <li key={plan} className={plan === own ? 'card stack own' : 'card stack'}>
            <div className="row apart plan-head">
              <h3>{planViews[plan].label}</h3>
              {plan === own && <Badge tone="good">{words.isYours}</Badge>}
              {plan === requested && plan !== own && <Badge tone="wait">{words.isRequested}</Badge>}
            </div>
            <p className="quiet small plain plan-text">{planViews[plan].text}</p>
            <dl className="plan-limits">
              {limitList.map((limit) => (
                <div key={limit}>
                  <dt className="quiet">{limitLabels[limit]}</dt>
                  <dd className={limits[limit] === 0 ? 'quiet' : 'num'}>{limitWords(limit, limits[limit])}</dd>
                </div>
              ))}
            </dl>
            {askable.includes(plan) && (
              <Button
                className="plan-ask"
                {...(plan !== askable[0] && { variant: 'default' })}
                onClick={() => onAsk(plan)}
              >
                {words.askFor(planViews[plan].label)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function limitWords(limit: keyof Limits, most: number): string {
  return most === 0 ? words.none : amountOf(limit, most)
}
