// The buttons of the menus at the top, with and without their menus.

import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { texts } from '../texts/texts.ts'
import type { Touch } from '../ui/late-menu.tsx'

export type MenuProps = { name: string; touch: Touch }
type ButtonOfMenu = Omit<ComponentProps<'button'>, keyof ButtonProps> & ButtonProps & { name: string }

export const PersonButton = ({ name, ...rest }: ButtonOfMenu) => (
  <Button variant="subtle" size="sm" className="person" aria-haspopup="menu" {...rest}>
    {name}
  </Button>
)

export const ProjectButton = ({ name, ...rest }: ButtonOfMenu) => (
  <Button variant="default" size="sm" className="switcher" aria-haspopup="menu" {...rest}>
    {texts.common.opensMenu(name)}
  </Button>
)
