// The published version, whether the draft differs, and publishing. A running deployment
// is polled until it has ended.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { viewOf, type Deployment } from './deployment-view.ts'
import type { Draft } from './draft.ts'
import { Outcome } from './deployment-result.tsx'
import { differencesOf, draftVersion, versionOf } from './versions.ts'

const words = texts.site
const ASK_AGAIN_MS = 700

export function Publishing({ draft, onSave }: { draft: Draft; onSave: () => Promise<boolean> }) {
  const { slug: project, siteUrl, mayEdit } = useProject()
  const overview = useQuery({
    ...query('getOverview', { project }),
    refetchInterval: ({ state: { data } }) => (isRunning(data?.lastDeployment ?? null) ? ASK_AGAIN_MS : false),
  })
  const deploy = useAction('deploy', { renews: ['getOverview', 'listDeployments', 'getSite'] })
  const last = overview.data?.lastDeployment ?? null
  const start = async () => {
    if (await onSave()) deploy.mutate({ project })
  }
  return (
    <Section
      title={words.publishing}
      actions={
        mayEdit && (
          <Button onClick={() => void start()} loading={deploy.isPending || isRunning(last)}>
            {words.deploy}
          </Button>
        )
      }
    >
      <Loaded from={overview}>
        {({ currentDeployment: current }) => (
          <>
            {current ? (
              <p className="site-line">
                {words.visitorsSee(current.number)} <Time at={current.createdAt} />.{' '}
                <a href={siteUrl} target="_blank" rel="noreferrer" className="site-link">
                  {words.openSite} <span className="visually-hidden">{words.newWindow}</span>
                </a>
              </p>
            ) : (
              <p className="site-line">{words.notPublished}</p>
            )}
            {current && <PublishedStatus project={project} current={current} draft={draft} />}
            <Outcome last={last} isFirst={current === null} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

const isRunning = (deployment: Deployment | null) => deployment !== null && viewOf(deployment).isRunning

/** Whether visitors would see something else if the draft were deployed. */
function PublishedStatus({ project, current, draft }: { project: string; current: Deployment; draft: Draft }) {
  // What a deployment keeps never changes.
  const kept = useQuery({
    ...query('getDeploymentSettings', { project, deploymentId: current.id }),
    staleTime: Infinity,
  })
  const categories = useQuery(query('listCategories', { project }))
  if (!kept.data || !categories.data) return null
  const differences = differencesOf(versionOf(kept.data), draftVersion(draft.base, draft.mine, categories.data))
  return (
    <p className="site-line quiet" role="status">
      {differences.length === 0
        ? words.draftSame
        : words.draftDiffers(differences.map(({ field }) => words.fields[field]).join(', '))}
    </p>
  )
}
