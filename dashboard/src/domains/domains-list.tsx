// The domains of a project, how each of them stands, and why.

import type { DomainSummary } from '@petstore/contract/platform/domain-shapes'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../api.ts'
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
  const { hostname, displayName, status, liveAt, cause } = domain
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
          {cause === null ? statusViews[status].sentence : <Why key={cause} domain={domain} />}
        </div>
      </td>
      <td data-label={words.since} className="quiet">
        {liveAt === null ? words.notYet : <Time at={liveAt} />}
      </td>
    </tr>
  )
}

/** The list knows only the code of a cause; its sentence is asked for, and the page of the domain has it then. */
function Why({ domain: { hostname, status, cause } }: { domain: DomainSummary }) {
  const { slug } = useProject()
  const { data } = useQuery(query('getDomain', { project: slug, hostname }))
  const root = data?.rootCause
  return root && root.code === cause ? <Advice text={root.advice} /> : statusViews[status].sentence
}
