// The first page of a project: the next step, and the status of everything. It is polled
// while it is open, so that it stays up to date.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Checklist } from './checklist.tsx'
import { DomainHealth, LastOrders, Publishing } from './summary-cards.tsx'
import { Numbers } from './numbers.tsx'
import './start.css'

const AGAIN_MS = 5000

export function StartPage() {
  const { slug, name, siteUrl } = useProject()
  const overview = useQuery({ ...query('getOverview', { project: slug }), refetchInterval: AGAIN_MS })
  const isPublished = overview.data !== undefined && overview.data.currentDeployment !== null
  return (
    <Page
      title={name}
      lead={
        <>
          {texts.start.site}:{' '}
          {isPublished ? (
            <a href={siteUrl} target="_blank" rel="noreferrer">
              {siteUrl} <span className="visually-hidden">{texts.start.newWindow}</span>
            </a>
          ) : (
            siteUrl
          )}
        </>
      }
    >
      <Loaded from={overview}>
        {(data) => (
          <>
            <Checklist steps={data.steps} />
            <Numbers overview={data} />
            <div className="glances">
              <LastOrders orders={data.lastOrders} />
              <div className="stack">
                <Publishing overview={data} />
                <DomainHealth domains={data.domains} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}
