// One version in the list. While it is being built its row follows it, and then the whole
// list is refetched, since another one may have been published.

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { GitCompareArrows, Rocket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { query, useAction } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Time } from '../ui/time.tsx'
import { viewOf, type Deployment } from './deployment-view.ts'
import { Reasons } from './deployment-result.tsx'

const words = texts.site
const ASK_AGAIN_MS = 700

export function VersionRow({ deployment: listed, onCompare }: { deployment: Deployment; onCompare: () => void }) {
  const { mayEdit } = useProject()
  const deployment = useFollowed(listed)
  const view = viewOf(deployment)
  return (
    <li>
      <Glyph of={view.icon} tone={deployment.isCurrent ? 'good' : view.tone} />
      <div className="grow">
        <div className="row tight">
          <h2 className="site-versions-name">{words.version(deployment.number)}</h2>
          <span role="status">
            {deployment.isCurrent ? (
              <Badge tone="good">{words.current}</Badge>
            ) : (
              <Badge tone={view.tone}>{view.label}</Badge>
            )}
          </span>
        </div>
        <p className="plain small quiet">
          <Who id={deployment.createdBy} /> · <Time at={deployment.createdAt} />
        </p>
        <div className="small quiet site-versions-reason">
          <Reasons reason={deployment.reason} />
        </div>
      </div>
      <div className="row tight site-versions-actions">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon of={GitCompareArrows} size={16} />}
          aria-label={words.compareDraftOf(deployment.number)}
          onClick={onCompare}
        >
          {words.compareDraft}
        </Button>
        {mayEdit && deployment.state === 'succeeded' && !deployment.isCurrent && <ShowAgain {...deployment} />}
      </div>
    </li>
  )
}

/** The current state, while it is being built. */
function useFollowed(listed: Deployment): Deployment {
  const { slug: project } = useProject()
  const cache = useQueryClient()
  const isListedRunning = viewOf(listed).isRunning
  const { data } = useQuery({
    ...query('getDeployment', { project, deploymentId: listed.id }),
    enabled: isListedRunning,
    refetchInterval: ASK_AGAIN_MS,
  })
  const isOver = isListedRunning && data !== undefined && !viewOf(data).isRunning
  useEffect(() => {
    if (isOver) void renew(cache, ['listDeployments', 'getOverview'])
  }, [cache, isOver])
  return isListedRunning ? (data ?? listed) : listed
}

function Who({ id }: { id: string }) {
  const { slug } = useProject()
  const { data } = useQuery(query('listMembers', { project: slug }))
  return data && (data.find((member) => member.id === id)?.name ?? words.formerMember)
}

function ShowAgain({ id, number }: Deployment) {
  const { slug: project } = useProject()
  const [isOpen, setOpen] = useState(false)
  const rollback = useAction('rollback', {
    renews: ['listDeployments', 'getOverview'],
    done: words.shownAgain(number),
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon of={Rocket} size={16} />}
        aria-label={words.showAgainOf(number)}
        onClick={() => setOpen(true)}
      >
        {words.showAgain}
      </Button>
      <Confirm
        title={words.showAgainAsk(number)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action={words.showAgain}
        isBusy={rollback.isPending}
        onConfirm={() => rollback.mutate({ project, deploymentId: id })}
      >
        <p className="plain">{words.showAgainText}</p>
      </Confirm>
    </>
  )
}
