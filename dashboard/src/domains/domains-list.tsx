// The domains of a project, how each of them stands, and why.

import type { DomainSummary } from '@petstore/contract/platform/domain-shapes'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { Time } from '../ui/time.tsx'
import { StatusBadges, statusViews } from './status-view.tsx'

const { list: words } = texts.domains

export const DomainsList = ({ domains }: { domains: readonly DomainSummary[] }) => (
  <div className="card">
    <table className="list domains">
      <thead>
        <tr>
          <th scope="col">{words.hostname}</th>
          <th scope="col">{words.status}</th>
          <th scope="col">{words.since}</th>
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <Row key={domain.id} domain={domain} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({ domain }: { domain: DomainSummary }) {
  const { slug } = useProject()
  const { hostname, displayName, status, liveAt, rootCause } = domain
  return (
    <tr>
      <td>
        <Link
          to="/projects/$project/settings/domains/$hostname"
          params={{ project: slug, hostname }}
          className="domain-link"
        >
          {displayName}
        </Link>
      </td>
      <td>
        <StatusBadges domain={domain} />
        <div className="small quiet domain-why">
          {rootCause === null ? statusViews[status].sentence : <Advice text={rootCause.advice} />}
        </div>
      </td>
      <td data-label={words.since} className="quiet">
        {liveAt === null ? words.notYet : <Time at={liveAt} />}
      </td>
    </tr>
  )
}
