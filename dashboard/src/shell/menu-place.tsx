// The buttons of the menus at the top, which stand there until the menus are loaded.

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
