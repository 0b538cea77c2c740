// The button of the menu of a domain, with and without its menu.

import type { ButtonProps } from '@mantine/core'
import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import * as texts from '../texts/texts.ts'
import { IconButton } from '../ui/icon.tsx'

export type DialogName = 'share' | 'remove'
export type OpenDialog = (domain: DomainSummary, name: DialogName, button: HTMLButtonElement | null) => void
export type DomainMenuProps = { domain: DomainSummary; onOpen: OpenDialog; isSmall?: boolean }

type ButtonOfMenu = Omit<ComponentProps<'button'>, keyof ButtonProps> &
  ButtonProps &
  Pick<DomainMenuProps, 'domain' | 'isSmall'>

export const DomainMenuButton = ({ domain, isSmall = false, ...rest }: ButtonOfMenu) => (
  <IconButton
    of={Ellipsis}
    variant={isSmall ? 'subtle' : 'default'}
    aria-haspopup="menu"
    {...rest}
    aria-label={texts.domains.page.menu(domain.displayName)}
  />
)
