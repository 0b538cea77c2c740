// The way between the pages of a project: beside them on wide screens, below them on phones.

import { Link } from '@tanstack/react-router'
import { Menu, Plus } from 'lucide-react'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { pages, type ProjectPage } from './pages.ts'
import type { Count, Counts } from './use-counts.ts'

const { nav } = texts.common

type NavigationProps = { slug: string; counts: Counts | undefined }

export const SideNavigation = ({ slug, counts }: NavigationProps) => (
  <nav className="side-nav" aria-label={nav.main}>
    {pages.map((page) => (
      <PageLink key={page.to} page={page} slug={slug} count={page.count && counts?.[page.count]} />
    ))}
  </nav>
)

/** Within reach of a thumb: three pages, what an owner does most often, and the rest. */
export function BottomNavigation({ slug, counts, mayEdit }: NavigationProps & { mayEdit: boolean }) {
  const [home, animals, orders] = pages
  return (
    <nav className="bottom-nav" aria-label={nav.main}>
      {[home, animals].map((page) => page && <PageLink key={page.to} page={page} slug={slug} count={undefined} />)}
      {mayEdit && (
        <Link
          to="/projects/$project/animals"
          params={{ project: slug }}
          search={{ add: true }}
          className="bottom-add"
          aria-label={texts.common.addAnimal}
          activeProps={{}}
        >
          <Icon of={Plus} size={24} />
        </Link>
      )}
      {orders && <PageLink page={orders} slug={slug} count={counts?.orders.isUrgent ? counts.orders : undefined} />}
      <Link to="/projects/$project/more" params={{ project: slug }}>
        <Icon of={Menu} size={24} />
        {nav.more}
      </Link>
    </nav>
  )
}

type PageLinkProps = { page: ProjectPage; slug: string; count: Count | undefined }

/** The number describes the link; its name stays that of the page. None is no number. */
function PageLink({ page: { to, label, icon, isExact }, slug, count: given }: PageLinkProps) {
  const id = useId()
  const count = given?.shown === '0' ? undefined : given
  return (
    <Link
      to={to}
      params={{ project: slug }}
      activeOptions={{ exact: isExact, includeSearch: false }}
      aria-describedby={count && id}
    >
      <Icon of={icon} />
      {label}
      {count && (
        <span className={count.isUrgent ? 'nav-count urgent' : 'nav-count'} aria-hidden>
          {count.shown}
          <span id={id} className="visually-hidden">
            {count.says}
          </span>
        </span>
      )}
    </Link>
  )
}
