// Around every page of a project: which project it is, and the way to its other pages.

import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatch, useParams } from '@tanstack/react-router'
import { query } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { ProjectEventsContext, useProjectEvents } from './project-events.ts'
import { ProjectContext } from './project-context.ts'
import { TopBar } from './top-bar.tsx'

const { nav } = texts.common
const pages = [
  { to: '/projects/$project', label: nav.start, isExact: true },
  { to: '/projects/$project/animals', label: nav.animals, isExact: false },
  { to: '/projects/$project/orders', label: nav.orders, isExact: false },
  { to: '/projects/$project/site', label: nav.site, isExact: false },
  { to: '/projects/$project/activity', label: nav.activity, isExact: false },
  { to: '/projects/$project/settings', label: nav.settings, isExact: false },
] as const

export function ProjectShell() {
  const { project: slug } = useParams({ from: '/projects/$project' })
  const project = useQuery(query('getProject', { project: slug }))
  // A domain has a stream of its own.
  const atDomain = useMatch({ from: '/projects/$project/settings/domains/$hostname', shouldThrow: false })
  const isHeard = useProjectEvents(slug, project.isSuccess && !atDomain)
  return (
    <>
      <TopBar project={project.data?.name ?? slug} />
      <div className="project">
        <nav className="project-nav" aria-label={project.data?.name ?? slug}>
          {pages.map(({ to, label, isExact }) => (
            <Link key={to} to={to} params={{ project: slug }} activeOptions={{ exact: isExact }}>
              {label}
            </Link>
          ))}
        </nav>
        <main id="content" tabIndex={-1} className="content">
          {project.data ? (
            <ProjectContext value={project.data}>
              <ProjectEventsContext value={isHeard}>
                <Outlet />
              </ProjectEventsContext>
            </ProjectContext>
          ) : project.error ? (
            <Failure error={project.error} onRetry={() => void project.refetch()} />
          ) : (
            <Loading />
          )}
        </main>
      </div>
    </>
  )
}
