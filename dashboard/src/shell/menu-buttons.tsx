// The buttons of the account menu and the project switcher, with and without their menus.

import { Button, type ButtonProps } from '@mantine/core'
import { ChevronsUpDown, Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import * as texts from '../texts/texts.ts'
import { Avatar } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Touch } from '../ui/late-menu.tsx'

export type PersonProps = { name: string; isSmall?: boolean }
export type ProjectProps = { name: string }
export type WithTouch<Props> = Props & { touch: Touch }
type OfMenu = Omit<ComponentProps<'button'>, keyof ButtonProps> & ButtonProps

/** A small one shows the initials alone. The class comes last: a menu passes an empty one to its button. */
export const PersonButton = ({ name, isSmall = false, ...rest }: OfMenu & PersonProps) => (
  <Button
    variant="subtle"
    aria-haspopup="menu"
    aria-label={name}
    {...rest}
    className={isSmall ? 'person small-person' : 'person'}
  >
    <Avatar name={name} />
    {!isSmall && (
      <>
        <span className="cut grow">{name}</span>
        <Icon of={Ellipsis} size={18} />
      </>
    )}
  </Button>
)

export const ProjectButton = ({ name, ...rest }: OfMenu & ProjectProps) => (
  <Button
    variant="default"
    aria-haspopup="menu"
    aria-label={texts.common.opensMenu(name)}
    {...rest}
    className="switcher"
  >
    <Avatar name={name} />
    <span className="cut grow">{name}</span>
    <Icon of={ChevronsUpDown} size={16} />
  </Button>
)
