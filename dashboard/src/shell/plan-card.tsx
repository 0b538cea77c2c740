// The plan of the project, at the foot of the navigation: what it is, and how full it is.

import { Link } from '@tanstack/react-router'
import * as texts from '../texts/texts.ts'
import type { Project } from './project-context.ts'
import type { Counts } from './use-counts.ts'

const { plan: words } = texts.common

export const PlanCard = ({ project: { slug, plan }, counts }: { project: Project; counts: Counts | undefined }) => (
  <div className="plan-card">
    <div className="row apart">
      <strong>{words.names[plan]}</strong>
      <Link to="/projects/$project/settings/plan" params={{ project: slug }} aria-label={words.manageLabel}>
        {words.manage}
      </Link>
    </div>
    {counts && <span className="quiet">{counts.animals.says}</span>}
  </div>
)
