// Project settings, and the way between them.

import { Link, Outlet } from '@tanstack/react-router'
import * as texts from '../texts/texts.ts'
import { useProject } from './project-context.ts'

const { nav } = texts.common
const pages = [
  { to: '/projects/$project/settings', label: nav.general, isExact: true },
  { to: '/projects/$project/settings/domains', label: nav.domains, isExact: false },
  { to: '/projects/$project/settings/plan', label: nav.plan, isExact: false },
  { to: '/projects/$project/settings/members', label: nav.members, isExact: false },
  { to: '/projects/$project/settings/requests', label: nav.requests, isExact: false },
  { to: '/projects/$project/settings/notifications', label: nav.notifications, isExact: false },
  { to: '/projects/$project/settings/keys', label: nav.keys, isExact: false },
] as const

export function SettingsShell() {
  const { slug } = useProject()
  return (
    <div className="stack">
      <nav className="settings-nav" aria-label={nav.settings}>
        <span className="quiet small">{nav.settings}</span>
        <div className="tabs" data-scrolls>
          {pages.map(({ to, label, isExact }) => (
            <Link key={to} to={to} params={{ project: slug }} activeOptions={{ exact: isExact }}>
              {label}
            </Link>
          ))}
        </div>
      </nav>
      <Outlet />
    </div>
  )
}
