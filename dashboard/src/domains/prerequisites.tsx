// What stands in the way of adding a domain, and the way out of it: the plan, or a site
// that was never published. Said at once, and again with the words of a refusal.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'

const { wayOut: words } = texts.domains

export type MissingPrerequisite = 'plan' | 'deploy'

/** What the server would refuse first; undefined if nothing lacks, or nobody knows yet. */
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

/** `message`: what the server said when it refused. */
export function WayOut({ lacking, message }: { lacking: MissingPrerequisite; message?: string }) {
  const { title, text } = words[lacking]
  const Way = ways[lacking]
  return (
    <div className="note warn stack" role={message === undefined ? undefined : 'alert'}>
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
