// The button of the menu of a domain, with and without its menu.

import { Button, type ButtonProps } from '@mantine/core'
import type { DomainSummary } from '@petstore/contract/platform/domain-shapes'
import type { ComponentProps } from 'react'
import { texts } from '../texts/texts.ts'

export type DialogName = 'share' | 'remove'
export type OpenDialog = (domain: DomainSummary, name: DialogName, button: HTMLButtonElement | null) => void
export type DomainMenuProps = { domain: DomainSummary; onOpen: OpenDialog; isSmall?: boolean }

type ButtonOfMenu = Omit<ComponentProps<'button'>, keyof ButtonProps> &
  ButtonProps &
  Pick<DomainMenuProps, 'domain' | 'isSmall'>

export const DomainMenuButton = ({ domain, isSmall = false, ...rest }: ButtonOfMenu) => (
  <Button
    variant="default"
    aria-haspopup="menu"
    aria-label={texts.domains.page.menu(domain.displayName)}
    {...(isSmall && { size: 'xs' })}
    {...rest}
  >
    {texts.common.opensMenu(texts.common.menu)}
  </Button>
)
