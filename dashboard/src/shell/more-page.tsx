// The rest of a project, on phones, where the bar at the bottom has room for three pages: everything that the
// navigation of wide screens lists beside the page.

import { useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  ChevronRight,
  CreditCard,
  Globe,
  KeyRound,
  LayoutTemplate,
  Monitor,
  Moon,
  Settings,
  Sun,
  Users,
} from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Avatar, Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useProject } from './project-context.ts'

const { nav, theme, plan, everythingElse: words } = texts.common

const rest = [
  { to: '/projects/$project/site', label: nav.site, says: words.site, icon: LayoutTemplate },
  { to: '/projects/$project/settings/domains', label: nav.domains, says: words.domains, icon: Globe },
  { to: '/projects/$project/settings/members', label: nav.members, says: words.members, icon: Users },
  { to: '/projects/$project/activity', label: nav.activity, says: words.activity, icon: Activity },
  { to: '/projects/$project/settings/plan', label: nav.plan, says: words.plan, icon: CreditCard },
  { to: '/projects/$project/settings/notifications', label: nav.notifications, says: words.notifications, icon: Bell },
  { to: '/projects/$project/settings/keys', label: nav.keys, says: words.keys, icon: KeyRound },
  { to: '/projects/$project/settings', label: nav.settings, says: words.settings, icon: Settings },
] as const

const schemes = {
  light: { label: theme.light, icon: Sun },
  dark: { label: theme.dark, icon: Moon },
  auto: { label: theme.auto, icon: Monitor },
}

export function MorePage() {
  const { slug, name, plan: planName } = useProject()
  return (
    <Page title={nav.more}>
      <section className="card row whole" aria-label={nav.projects}>
        <Avatar name={name} />
        <span className="grow">
          <strong>{name}</strong>
          <span className="quiet small more-says">{plan.names[planName]}</span>
        </span>
        <Link to="/projects">{words.switchProject}</Link>
      </section>
      <ul className="card flush lines">
        {rest.map(({ to, label, says, icon }) => (
          <li key={to} className="more-line">
            <Glyph of={icon} />
            <span className="grow">
              <Link to={to} params={{ project: slug }} className="more-link">
                {label}
              </Link>
              <span className="quiet small more-says">{says}</span>
            </span>
            <Icon of={ChevronRight} className="quiet" />
          </li>
        ))}
      </ul>
      <Appearance />
    </Page>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title={theme.label}>
      <Segmented label={theme.label} choices={schemes} chosen={colorScheme} onChoose={setColorScheme} />
    </Section>
  )
}
