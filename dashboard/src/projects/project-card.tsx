// One project in the list: what it is called, its site, its plan, and what the person may do there.

import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Avatar } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { planViews, roleViews, type ListedProject } from './views.ts'

const words = texts.projects

export const ProjectCard = ({ project: { slug, name, plan, role, siteUrl } }: { project: ListedProject }) => (
  <li className="card project-card">
    <Avatar name={name} />
    <div className="grow">
      <h2>
        <Link to="/projects/$project" params={{ project: slug }} className="project-link">
          {name}
        </Link>
      </h2>
      <a href={siteUrl} target="_blank" rel="noreferrer" className="project-site small">
        {new URL(siteUrl).host} <span className="visually-hidden">{words.newWindow}</span>
      </a>
      <div className="row tight project-facts">
        <Badge tone={planViews[plan].tone}>{words.planOf(planViews[plan].label)}</Badge>
        <span className="quiet small">{words.youAre(roleViews[role].label)}</span>
      </div>
    </div>
    <Icon of={ChevronRight} className="quiet" />
  </li>
)
