// The page of one domain: as it is now, as it changes, and what can be done about it.

import { Button } from '@mantine/core'
import { useNavigate, useParams, Link } from '@tanstack/react-router'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { ArrowLeft, Share2 } from 'lucide-react'
import { queryClient } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import type { OpenDialog } from './domain-menu-button.tsx'
import { DomainMenu, useDomainDialogs } from './menu-place.tsx'
import { DomainView } from './domain-view.tsx'
import { History } from './history.tsx'
import { KeepsWorking } from './next-steps.tsx'
import { RemovalProgress } from './removal-progress.tsx'
import { ServedHeaders } from './served-headers.tsx'
import { StatusBadges, statusViews } from './status-view.tsx'
import { useDomain } from './use-domain.ts'
import { Verify } from './verify.tsx'
import { PlanLink } from './prerequisites.tsx'

const { page: words } = texts.domains

export function DomainPage() {
  const { hostname } = useParams({ from: '/projects/$project/settings/domains/$hostname' })
  const { slug, mayEdit, defaultSiteUrl } = useProject()
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
      <Page title={title} back={<AllDomains />}>
        <Empty of="search" title={words.removed}>
          <p className="quiet">{words.removedText}</p>
          <RemovalProgress hostname={hostname} />
        </Empty>
      </Page>
    )
  return (
    <Page
      title={title}
      back={<AllDomains />}
      status={<span aria-live="polite">{watched.data && <StatusBadges domain={watched.data} />}</span>}
      lead={watched.data && <Facts domain={watched.data} />}
      actions={watched.data && <Actions domain={watched.data} onOpen={open} mayShare={mayEdit} />}
    >
      {dialogs}
      <Loaded from={watched}>
        {(domain) => (
          <DomainView
            domain={domain}
            verify={<Verify domain={domain} />}
            wayOut={<PlanLink />}
            meanwhile={<KeepsWorking url={defaultSiteUrl} />}
            servedHeaders={<ServedHeaders hostname={domain.hostname} />}
            history={<History hostname={domain.hostname} />}
          />
        )}
      </Loaded>
    </Page>
  )
}

type ActionsProps = { domain: Domain; onOpen: OpenDialog; mayShare: boolean }

const Actions = ({ domain, onOpen, mayShare }: ActionsProps) => (
  <>
    {mayShare && (
      <Button
        variant="default"
        leftSection={<Icon of={Share2} size={18} />}
        onClick={({ currentTarget }) => onOpen(domain, 'share', currentTarget)}
      >
        {words.share}
      </Button>
    )}
    <DomainMenu domain={domain} onOpen={onOpen} />
  </>
)

function AllDomains() {
  const { slug } = useProject()
  return (
    <Link to="/projects/$project/settings/domains" params={{ project: slug }} className="crumb">
      <Icon of={ArrowLeft} size={16} />
      {words.all}
    </Link>
  )
}

const Facts = ({ domain: { hostname, displayName, addedAt, liveAt, status, provider } }: { domain: Domain }) => (
  <>
    {hostname !== displayName && `${words.written(hostname)} `}
    {statusViews[status].isServed && liveAt !== null ? (
      <>
        {words.live} <Time at={liveAt} />.
      </>
    ) : (
      <>
        {words.added} <Time at={addedAt} />.
      </>
    )}
    {provider && ` ${words.dnsAt(provider.name)}`}
  </>
)
