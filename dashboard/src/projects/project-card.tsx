// One project in the list: what it is called, its plan, what the person may do there, and its site.

import { Link } from '@tanstack/react-router'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { planViews, roleViews, type ListedProject } from './views.ts'

const words = texts.projects

export const ProjectCard = ({ project: { slug, name, plan, role, siteUrl } }: { project: ListedProject }) => (
  <li className="card stack project-card">
    <h2>
      <Link to="/projects/$project" params={{ project: slug }} className="project-link">
        {name}
      </Link>
    </h2>
    <span className="small">
      <a href={siteUrl} target="_blank" rel="noreferrer" className="project-site">
        {siteUrl.replace(/^https?:\/\//, '')} <span className="visually-hidden">{words.newWindow}</span>
      </a>
    </span>
    <div className="row project-facts">
      <Badge tone={planViews[plan].tone}>{words.planOf(planViews[plan].label)}</Badge>
      <span className="quiet small">{words.youAre(roleViews[role].label)}</span>
    </div>
  </li>
)
