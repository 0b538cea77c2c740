// One version in the list. While it is being built its row follows it, and then the whole
// list is refetched, since another one may have been published.

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query, renew, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Confirm } from '../ui/confirm.tsx'
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
    <tr>
      <th scope="row">
        {words.version(deployment.number)} {deployment.isCurrent && <Badge tone="good">{words.current}</Badge>}
      </th>
      <td data-label={words.columns.state}>
        <div role="status">
          <Badge tone={view.tone}>{view.label}</Badge>
        </div>
        <div className="small site-versions-reason">
          <Reasons reason={deployment.reason} />
        </div>
      </td>
      <td data-label={words.columns.when}>
        <Time at={deployment.createdAt} />
      </td>
      <td data-label={words.columns.who}>
        <Who id={deployment.createdBy} />
      </td>
      <td>
        <div className="row site-versions-actions">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.compareDraftOf(deployment.number)}
            onClick={onCompare}
          >
            {words.compareDraft}
          </Button>
          {mayEdit && deployment.state === 'succeeded' && !deployment.isCurrent && <ShowAgain {...deployment} />}
        </div>
      </td>
    </tr>
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
      <Button size="compact-sm" variant="default" aria-label={words.showAgainOf(number)} onClick={() => setOpen(true)}>
        {words.showAgain}
      </Button>
      <Confirm
        title={words.showAgainAsk(number)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        does={words.showAgain}
        isBusy={rollback.isPending}
        onConfirm={() => rollback.mutate({ project, deploymentId: id })}
      >
        <p className="site-line">{words.showAgainText}</p>
      </Confirm>
    </>
  )
}
