// All versions of the site: author and time, result, differences, and rollback.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePages } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { Compare, DRAFT, type Chosen } from './compare.tsx'
import { VersionRow } from './version-row.tsx'
import './history.css'
import './site.css'

const words = texts.site

export function HistoryPage() {
  const { slug } = useProject()
  const pages = usePages('listDeployments', { project: slug })
  return (
    <Page
      title={words.history}
      lead={words.historyLead}
      back={
        <Link to="/projects/$project/site" className="crumb" params={{ project: slug }}>
          <Icon of={ArrowLeft} size={16} />
          {words.toSite}
        </Link>
      }
    >
      <Loaded from={pages}>
        {(data) => <Versions deployments={data.pages.flatMap(({ items }) => items)} pages={pages} />}
      </Loaded>
    </Page>
  )
}

type Pages = ReturnType<typeof usePages<'listDeployments'>>
type Deployments = NonNullable<Pages['data']>['pages'][number]['items']

function Versions({ deployments, pages }: { deployments: Deployments; pages: Pages }) {
  const current = deployments.find(({ isCurrent }) => isCurrent) ?? deployments[0]
  const [chosen, setChosen] = useState<Chosen>({ before: current?.id ?? DRAFT, after: DRAFT })
  const comparison = useRef<HTMLDivElement>(null)
  if (deployments.length === 0)
    return (
      <Empty of="animals" title={words.noHistory}>
        <p>{words.noHistoryText}</p>
      </Empty>
    )
  const compare = (before: string) => {
    setChosen({ before, after: DRAFT })
    comparison.current?.focus()
  }
  return (
    <>
      <section className="card flush" aria-label={words.history}>
        <ul className="lines site-versions">
          {deployments.map((deployment) => (
            <VersionRow key={deployment.id} deployment={deployment} onCompare={() => compare(deployment.id)} />
          ))}
        </ul>
        {pages.hasNextPage && (
          <div className="site-versions-more">
            <Button variant="default" onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
              {texts.common.more}
            </Button>
          </div>
        )}
      </section>
      <div ref={comparison} tabIndex={-1} className="site-versions-compare">
        <Section title={words.compare}>
          <Compare deployments={deployments} chosen={chosen} onChoose={setChosen} />
        </Section>
      </div>
    </>
  )
}
