// The page of one domain: as it is now, as it changes, and what can be done about it.

import { useNavigate, useParams, Link } from '@tanstack/react-router'
import type { Domain } from '@petstore/contract/platform/domain-shapes'
import { renew, queryClient } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { DomainMenu, useDomainDialogs } from './menu-place.tsx'
import { DomainView } from './domain-view.tsx'
import { History } from './history.tsx'
import { RemovalProgress } from './removal-progress.tsx'
import { ServedHeaders } from './served-headers.tsx'
import { statusViews } from './status-view.tsx'
import { useDomain } from './use-domain.ts'
import { Verify } from './verify.tsx'
import { PlanLink } from './prerequisites.tsx'

const { page: words } = texts.domains

export function DomainPage() {
  const { hostname } = useParams({ from: '/projects/$project/settings/domains/$hostname' })
  const { slug } = useProject()
  const navigate = useNavigate()
  const watched = useDomain(slug, hostname)
  const goToList = () => {
    void renew(queryClient, ['listDomains', 'getDomainSettings', 'getOverview'])
    void navigate({ to: '/projects/$project/settings/domains', params: { project: slug } })
  }
  const { open, dialogs } = useDomainDialogs({ onRemoved: goToList })
  const title = watched.data?.displayName ?? hostname
  if (watched.isRemoved)
    return (
      <Page title={title}>
        <Empty title={words.removed}>
          <p className="quiet">{words.removedText}</p>
          <RemovalProgress hostname={hostname} />
          <AllDomains />
        </Empty>
      </Page>
    )
  return (
    <Page
      title={title}
      lead={watched.data && <Facts domain={watched.data} />}
      actions={
        <>
          <AllDomains />
          {watched.data && <DomainMenu domain={watched.data} onOpen={open} />}
          {dialogs}
        </>
      }
    >
      <Loaded from={watched}>
        {(domain) => (
          <DomainView
            domain={domain}
            verify={<Verify domain={domain} />}
            wayOut={<PlanLink />}
            servedHeaders={<ServedHeaders hostname={domain.hostname} />}
            history={<History hostname={domain.hostname} />}
          />
        )}
      </Loaded>
    </Page>
  )
}

function AllDomains() {
  const { slug } = useProject()
  return (
    <Link to="/projects/$project/settings/domains" params={{ project: slug }}>
      ← {words.all}
    </Link>
  )
}

const Facts = ({ domain: { hostname, displayName, addedAt, liveAt, status } }: { domain: Domain }) => (
  <span className="small">
    {hostname !== displayName && `${words.written(hostname)} `}
    {words.added} <Time at={addedAt} />
    {statusViews[status].isServed && liveAt !== null && (
      <>
        {' · '}
        {words.live} <Time at={liveAt} />
        {' · '}
        <a href={`https://${hostname}/`} target="_blank" rel="noreferrer">
          {words.visit}
        </a>
      </>
    )}
  </span>
)
