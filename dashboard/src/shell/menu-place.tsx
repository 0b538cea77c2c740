// The buttons of the top menus, shown until the menus are loaded.

import { lateMenu } from '../ui/late-menu.tsx'
import { PersonButton, ProjectButton } from './menu-buttons.tsx'

export const PersonPlace = lateMenu<{ name: string }>(
  PersonButton,
  async () => (await import('./menus.tsx')).PersonMenu,
)

export const ProjectPlace = lateMenu<{ name: string }>(
  ProjectButton,
  async () => (await import('./menus.tsx')).ProjectMenu,
)
