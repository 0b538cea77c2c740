// The buttons of the menus, shown until the menus are loaded.

import { lateMenu } from '../ui/late-menu.tsx'
import { PersonButton, ProjectButton, type PersonProps, type ProjectProps } from './menu-buttons.tsx'

export const PersonPlace = lateMenu<PersonProps>(PersonButton, async () => (await import('./menus.tsx')).PersonMenu)

export const ProjectPlace = lateMenu<ProjectProps>(ProjectButton, async () => (await import('./menus.tsx')).ProjectMenu)
