// The domains of a project, with the status of each and its reason.

import type { DomainSummary } from '@petstore/contract/platform/domain-shapes'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Advice } from '../ui/advice.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Time } from '../ui/time.tsx'
import type { OpenDialog } from './domain-menu-button.tsx'
import { DomainMenu } from './menu-place.tsx'
import { StatusBadges, sentenceOf } from './status-view.tsx'

const { list: words } = texts.domains

type ListProps = { domains: readonly DomainSummary[]; onOpen: OpenDialog }

export const DomainsList = ({ domains, onOpen }: ListProps) => (
  <div className="card">
    <table className="list domains">
      <ListHead columns={[words.hostname, words.status, words.since]} actions={words.actions} />
      <tbody>
        {domains.map((domain) => (
          <Row key={domain.id} domain={domain} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({ domain, onOpen }: { domain: DomainSummary; onOpen: OpenDialog }) {
  const { slug } = useProject()
  const { hostname, displayName, liveAt, rootCause } = domain
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
          {rootCause === null ? sentenceOf(domain) : <Advice text={rootCause.advice} />}
        </div>
      </td>
      <td data-label={words.since} className="quiet">
        {liveAt === null ? words.notYet : <Time at={liveAt} />}
      </td>
      <td>
        <DomainMenu domain={domain} onOpen={onOpen} isSmall />
      </td>
    </tr>
  )
}
