// Around every page of a project: which project it is, the way to its other pages, search and account.

import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Logo } from '../ui/logo.tsx'
import { Loading, WholeFailure } from '../ui/states.tsx'
import { PersonPlace, ProjectPlace } from './menu-place.tsx'
import { BottomNavigation, SideNavigation } from './navigation.tsx'
import { PlanCard } from './plan-card.tsx'
import { ProjectEventsContext, useProjectEvents } from './project-events.ts'
import { ProjectContext, type Project } from './project-context.ts'
import { SearchPlace } from './search-place.tsx'
import { Brand, SkipLink, usePersonName } from './top-bar.tsx'
import { useCounts } from './use-counts.ts'

export function ProjectShell() {
  const { project: slug } = useParams({ from: '/projects/$project' })
  const project = useQuery(query('getProject', { project: slug }))
  const isHeard = useProjectEvents(slug, project.isSuccess)
  const counts = useCounts(slug)
  return (
    <div className="app">
      <SkipLink />
      <Side slug={slug} project={project.data} counts={counts} />
      <div className="app-page">
        <Top slug={slug} name={project.data?.name ?? slug} />
        <main id="content" tabIndex={-1} className="content">
          {project.data ? (
            <ProjectContext value={project.data}>
              <ProjectEventsContext value={isHeard}>
                {project.data.isSuspended && <Suspended slug={slug} />}
                <Outlet />
              </ProjectEventsContext>
            </ProjectContext>
          ) : project.error ? (
            <WholeFailure error={project.error} onRetry={() => void project.refetch()} />
          ) : (
            <Loading />
          )}
        </main>
      </div>
      <BottomNavigation
        slug={slug}
        counts={counts}
        mayEdit={project.data !== undefined && project.data.role !== 'viewer'}
      />
    </div>
  )
}

/** On every page, since no change is accepted on any of them. */
const Suspended = ({ slug }: { slug: string }) => (
  <div className="note warn stack tight" role="status">
    <strong>{texts.projects.suspended.title}</strong>
    <span>
      {texts.projects.suspended.text}{' '}
      <Link to="/projects/$project/activity" params={{ project: slug }}>
        {texts.projects.suspended.activity}
      </Link>
      .
    </span>
  </div>
)

type SideProps = { slug: string; project: Project | undefined; counts: ReturnType<typeof useCounts> }

const Side = ({ slug, project, counts }: SideProps) => (
  <aside className="side" aria-label={texts.common.nav.store}>
    <Brand />
    <ProjectPlace name={project?.name ?? slug} />
    <SideNavigation slug={slug} counts={counts} />
    <div className="side-foot">
      {project && <PlanCard project={project} counts={counts} />}
      <PersonPlace name={usePersonName()} />
    </div>
  </aside>
)

/** On phones it also says which project this is, since nothing stands beside the page. */
const Top = ({ slug, name }: { slug: string; name: string }) => (
  <header className="top">
    <Link to="/projects/$project" params={{ project: slug }} className="brand top-project">
      <Logo />
      <span className="cut">{name}</span>
    </Link>
    <SearchPlace slug={slug} />
    <div className="top-person">
      <PersonPlace name={usePersonName()} isSmall />
    </div>
  </header>
)
