// The published version, whether the draft differs, and publishing. A running deployment
// is polled until it has ended.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Globe, GlobeLock, Rocket } from 'lucide-react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Failure } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { viewOf, type Deployment } from './deployment-view.ts'
import type { Draft } from './draft.ts'
import { Outcome } from './deployment-result.tsx'
import { differencesOf, draftVersion, versionOf } from './versions.ts'

const words = texts.site
const ASK_AGAIN_MS = 700

function useOverview() {
  const { slug: project } = useProject()
  return useQuery({
    ...query('getOverview', { project }),
    refetchInterval: ({ state: { data } }) => (isRunning(data?.lastDeployment ?? null) ? ASK_AGAIN_MS : false),
  })
}

const isRunning = (deployment: Deployment | null) => deployment !== null && viewOf(deployment).isRunning

/** `onSave` saves the input first, and says whether it is saved; undefined until there is a draft. */
export function Publish({ onSave }: { onSave: (() => Promise<boolean>) | undefined }) {
  const { slug: project } = useProject()
  const last = useOverview().data?.lastDeployment ?? null
  const deploy = useAction('deploy', { renews: ['getOverview', 'listDeployments', 'getSite'] })
  const start = async () => {
    if (await onSave?.()) deploy.mutate({ project })
  }
  return (
    <Button
      className="site-publish"
      leftSection={<Icon of={Rocket} size={18} />}
      disabled={!onSave}
      loading={deploy.isPending || isRunning(last)}
      onClick={() => void start()}
    >
      {words.deploy}
    </Button>
  )
}

export function PublishedSite({ draft }: { draft: Draft }) {
  const { slug: project } = useProject()
  const overview = useOverview()
  const current = overview.data?.currentDeployment
  return (
    <div className="stack">
      <section className="card row site-live" aria-label={words.publishing}>
        <Glyph of={current === null ? GlobeLock : Globe} tone={current === null ? 'plain' : 'good'} />
        <div className="grow">
          {current && (
            <p className="plain">
              {words.visitorsSee(current.number)} <Time at={current.createdAt} />.
            </p>
          )}
          {current === null && <p className="plain">{words.notPublished}</p>}
          {current && <PublishedStatus project={project} current={current} draft={draft} />}
          {!overview.data && overview.error && (
            <Failure error={overview.error} onRetry={() => void overview.refetch()} />
          )}
        </div>
        {current && <OpenSite />}
      </section>
      {overview.data && <Outcome last={overview.data.lastDeployment} isFirst={current === null} />}
    </div>
  )
}

function OpenSite() {
  const { siteUrl } = useProject()
  return (
    <a href={siteUrl} target="_blank" rel="noreferrer" className="site-open">
      {words.openSite} <Icon of={ArrowUpRight} size={16} />
      <span className="visually-hidden">{words.newWindow}</span>
    </a>
  )
}

/** Whether visitors would see something else if the draft were deployed. */
function PublishedStatus({ project, current, draft }: { project: string; current: Deployment; draft: Draft }) {
  // What a deployment keeps never changes.
  const kept = useQuery({
    ...query('getDeploymentSettings', { project, deploymentId: current.id }),
    staleTime: Infinity,
  })
  const categories = useQuery(query('listCategories', { project }))
  const isKnown = kept.data !== undefined && categories.data !== undefined
  const differences = isKnown
    ? differencesOf(versionOf(kept.data), draftVersion(draft.base, draft.mine, categories.data))
    : []
  return (
    <p className="plain quiet small site-live-status" role="status">
      {isKnown &&
        (differences.length === 0
          ? words.draftSame
          : words.draftDiffers(differences.map(({ field }) => words.fields[field]).join(', ')))}
    </p>
  )
}
