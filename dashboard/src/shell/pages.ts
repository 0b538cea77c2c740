// The pages of a project, as every navigation lists them.

import { Activity, House, Inbox, LayoutTemplate, PawPrint, Settings, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import type { Counts } from './use-counts.ts'

const { nav } = texts.common

type ProjectPath =
  | '/projects/$project'
  | '/projects/$project/animals'
  | '/projects/$project/requests'
  | '/projects/$project/site'
  | '/projects/$project/activity'
  | '/projects/$project/settings'

export type ProjectPage = {
  to: ProjectPath
  label: string
  icon: LucideIcon
  /** The page itself alone, not those below it. */
  isExact: boolean
  count?: keyof Counts
}

export const pages: readonly ProjectPage[] = [
  { to: '/projects/$project', label: nav.start, icon: House, isExact: true },
  { to: '/projects/$project/animals', label: nav.animals, icon: PawPrint, isExact: false, count: 'animals' },
  { to: '/projects/$project/requests', label: nav.orders, icon: Inbox, isExact: false, count: 'orders' },
  { to: '/projects/$project/site', label: nav.site, icon: LayoutTemplate, isExact: false },
  { to: '/projects/$project/activity', label: nav.activity, icon: Activity, isExact: false },
  { to: '/projects/$project/settings', label: nav.settings, icon: Settings, isExact: false },
]
