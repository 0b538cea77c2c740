// The plans side by side, with the limits that the server returns.

import { Button } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import type { PlanName } from '@petstore/contract/platform/projects'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/page.tsx'
import { limitLabels, limitList, planViews } from './views.ts'

const { plan: words } = texts.projects

type CardsProps = {
  plans: Received<'listPlans'>
  /** Those that the person can ask for now. */
  askable: readonly PlanName[]
  onAsk: (plan: PlanName) => void
}

export function PlanCards({ plans, askable, onAsk }: CardsProps) {
  const { plan: own } = useProject()
  return (
    <Section title={words.all}>
      <ul className="plan-cards">
        {plans.map(({ plan, limits }) => (
          <li key={plan} className={plan === own ? 'card stack own' : 'card stack'}>
            <div className="row apart">
              <h3>{planViews[plan].label}</h3>
              {plan === own && <Badge tone="good">{words.isYours}</Badge>}
            </div>
            <p className="quiet small plain">{planViews[plan].text}</p>
            <dl className="plan-limits">
              {limitList.map((limit) => (
                <div key={limit}>
                  <dt className="quiet">{limitLabels[limit]}</dt>
                  <dd>{limitWords(limits[limit])}</dd>
                </div>
              ))}
            </dl>
            {askable.includes(plan) && (
              <Button variant="default" className="plan-ask" onClick={() => onAsk(plan)}>
                {words.askFor(planViews[plan].label)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function limitWords(limit: number | null): string {
  if (limit === null) return words.unlimited
  return limit === 0 ? words.none : words.count(limit)
}
