// Project settings, Plan: what the project may use and uses, and how it gets more. Plans
// are set by the operator of the installation, so the page watches for it.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { query } from '../api.ts'
import { useAskEvery } from '../shell/project-events.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { PlanCards } from './plan-cards.tsx'
import { AnotherPlan, AskDialog } from './plan-request.tsx'
import { UsageBars } from './usage-bars.tsx'
import { planViews } from './views.ts'
import './projects.css'

const { plan: words } = texts.projects
const AGAIN_MS = 5000

export function PlanPage() {
  const { slug, plan, isOwner } = useProject()
  const [asked, setAsked] = useState<PlanName>()
  const every = useAskEvery(AGAIN_MS)
  const plans = useQuery(query('listPlans'))
  // What it finds is what every page of the project shows.
  useQuery({ ...query('getProject', { project: slug }), refetchInterval: every })
  const requests = useQuery({
    ...query('getPlanRequest', { project: slug }),
    enabled: isOwner,
    refetchInterval: every,
  })
  const mayAsk = requests.data?.canAsk === true && requests.data.latest?.answer !== null
  const requested = requests.data?.latest?.answer === null ? requests.data.latest.plan : undefined
  return (
    <Page title={words.title} lead={words.lead}>
      <Section title={words.current}>
        <div role="status" className="row whole">
          <Glyph of={CreditCard} />
          <div className="grow">
            <strong className="plan-name">{planViews[plan].label}</strong>
            <p className="quiet small plain">{planViews[plan].text}</p>
          </div>
        </div>
        <UsageBars />
      </Section>
      <Loaded from={plans}>
        {(all) => {
          const higher = all.slice(all.findIndex((one) => one.plan === plan) + 1).map((one) => one.plan)
          return (
            <>
              {(higher.length > 0 || requests.data?.latest) && (
                <AnotherPlan requests={requests.data} isOwner={isOwner} />
              )}
              <PlanCards plans={all} askable={mayAsk ? higher : []} requested={requested} onAsk={setAsked} />
            </>
          )
        }}
      </Loaded>
      <AskDialog plan={asked} onClose={() => setAsked(undefined)} />
    </Page>
  )
}
