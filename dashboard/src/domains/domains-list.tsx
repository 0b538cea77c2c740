// The domains of a project, with the status of each and its reason.

import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Time } from '../ui/time.tsx'
import type { OpenDialog } from './domain-menu-button.tsx'
import { DomainMenu } from './menu-place.tsx'
import { statusIcons } from './status-icons.ts'
import { StatusBadges, sentenceOf, statusViews } from './status-view.tsx'

const { list: words } = texts.domains

type ListProps = { domains: readonly DomainSummary[]; onOpen: OpenDialog }

export const DomainsList = ({ domains, onOpen }: ListProps) => (
  <div className="card flush">
    <ul className="lines domains" aria-label={words.title}>
      {domains.map((domain) => (
        <Line key={domain.id} domain={domain} onOpen={onOpen} />
      ))}
    </ul>
  </div>
)

function Line({ domain, onOpen }: { domain: DomainSummary; onOpen: OpenDialog }) {
  const { slug } = useProject()
  const { hostname, displayName, status, liveAt, rootCause } = domain
  return (
    <li>
      <Glyph of={statusIcons[status]} tone={statusViews[status].tone} />
      <div className="grow domain-line">
        <div className="row tight">
          <Link to="/projects/$project/settings/domains/$hostname" params={{ project: slug, hostname }}>
            {displayName}
          </Link>
          <StatusBadges domain={domain} />
        </div>
        <p className="small quiet domain-why">
          {rootCause === null ? sentenceOf(domain) : <Advice text={rootCause.advice} />}
        </p>
        {liveAt !== null && (
          <p className="tiny quiet plain">
            {words.since} <Time at={liveAt} />
          </p>
        )}
      </div>
      <DomainMenu domain={domain} onOpen={onOpen} isSmall />
    </li>
  )
}
