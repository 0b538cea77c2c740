// Project settings, Plan: what the project may use and uses, and how it gets more. Plans
// are set by the operator of the installation, so the page watches for it.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useAskEvery } from '../shell/project-events.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { PlanCards } from './plan-cards.tsx'
import { UsageBars } from './usage-bars.tsx'
import { planViews } from './views.ts'
import './projects.css'

const { plan: words } = texts.projects
const AGAIN_MS = 5000

export function PlanPage() {
  const { slug, plan } = useProject()
  const plans = useQuery(query('listPlans'))
  // What it finds is what every page of the project shows.
  useQuery({ ...query('getProject', { project: slug }), refetchInterval: useAskEvery(AGAIN_MS) })
  return (
    <Page title={words.title} lead={words.lead}>
      <Section title={words.current}>
        <div role="status" className="current-plan">
          <strong className="plan-name">{planViews[plan].label}</strong>
          <span className="quiet">{planViews[plan].text}</span>
        </div>
        <UsageBars />
      </Section>
      <Loaded from={plans}>
        {(all) => {
          const next = all[all.findIndex((one) => one.plan === plan) + 1]
          return (
            <>
              {next && <HowTo plan={next.plan} />}
              <PlanCards plans={all} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function HowTo({ plan }: { plan: keyof typeof planViews }) {
  const { slug, isOwner } = useProject()
  const { label } = planViews[plan]
  return (
    <Section title={words.how(label)}>
      <p className="plain">
        {words.ask(slug, label)} {!isOwner && words.ownersAsk}
      </p>
      <p className="quiet small plain">
        {words.watching} {words.kept}
      </p>
    </Section>
  )
}
