// The prerequisites of adding a domain, and how to meet them: the plan, or a site that
// was never published. Shown at once, and again with the message of a refusal.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'

const { wayOut: words } = texts.domains

export type MissingPrerequisite = 'plan' | 'deploy'

/** The first prerequisite that the server would reject; undefined if all are met, or not loaded yet. */
export function useLacking(): {
  hasPlan: boolean
  isDeployed: boolean | undefined
  first: MissingPrerequisite | undefined
} {
  const { slug, limits } = useProject()
  const overview = useQuery(query('getOverview', { project: slug }))
  const hasPlan = limits.customDomains !== 0
  const isDeployed = overview.data && overview.data.currentDeployment !== null
  return { hasPlan, isDeployed, first: hasPlan ? (isDeployed === false ? 'deploy' : undefined) : 'plan' }
}

const ways = { plan: PlanLink, deploy: SiteLink } as const

/** `message`: the server's refusal. */
export function WayOut({ lacking, message }: { lacking: MissingPrerequisite; message?: string }) {
  const { title, text } = words[lacking]
  const Way = ways[lacking]
  return (
    <div className="note warn stack tight" role={message === undefined ? undefined : 'alert'}>
      <strong>{title}</strong>
      <span>{message ?? text}</span>
      <span>
        <Way />
      </span>
    </div>
  )
}

export function PlanLink(): ReactNode {
  const { slug } = useProject()
  return (
    <Link to="/projects/$project/settings/plan" params={{ project: slug }}>
      {words.plan.link}
    </Link>
  )
}

function SiteLink(): ReactNode {
  const { slug } = useProject()
  return (
    <Link to="/projects/$project/site" params={{ project: slug }}>
      {words.deploy.link}
    </Link>
  )
}
