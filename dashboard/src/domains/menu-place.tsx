// The slot of a domain's menu, on its page and in the list. The menu and its dialogs are
// loaded after the page. The dialogs belong to the page, not to the menu, so that one
// outlives the row of a removed domain.

import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { lazy, Suspense, useRef, useState, type ReactNode, type RefObject } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'
import { lateMenu } from '../ui/late-menu.tsx'
import { useLasting } from '../ui/lasting.ts'
import { DomainMenuButton, type DialogName, type DomainMenuProps, type OpenDialog } from './domain-menu-button.tsx'

export const DomainMenu = lateMenu<DomainMenuProps>(
  ({ onOpen: _, ...props }) => <DomainMenuButton {...props} />,
  async () => (await import('./domain-menu.tsx')).DomainMenu,
)

const DomainDialogs = lazy(retryWhenOnline(() => import('./domain-dialogs.tsx')))

type Opening = { domain: DomainSummary; name: DialogName; number: number }

type DialogOptions = {
  /** Where the keyboard is when the row of the domain is gone, with the button of its menu. */
  afterRemoval?: RefObject<HTMLElement | null>
  onRemoved?: () => void
}

/** Opens the dialogs of a menu. `dialogs` is to be put where it stays when a domain is removed. */
export function useDomainDialogs({ afterRemoval, onRemoved }: DialogOptions): {
  open: OpenDialog
  dialogs: ReactNode
} {
  const [opened, setOpened] = useState<Opening>()
  const shown = useLasting(opened)
  const backTo = useRef<HTMLElement>(null)
  const close = () => setOpened(undefined)
  const open: OpenDialog = (domain, name, button) => {
    backTo.current = button
    setOpened({ domain, name, number: (shown?.number ?? 0) + 1 })
  }
  const dialogs = shown && (
    <Suspense>
      <DomainDialogs
        // Each opening starts with fresh state, without that of the previous domain.
        key={shown.number}
        domain={shown.domain}
        name={opened?.name}
        onClose={close}
        onRemoved={() => {
          if (afterRemoval) backTo.current = afterRemoval.current
          close()
          onRemoved?.()
        }}
        backTo={backTo}
      />
    </Suspense>
  )
  return { open, dialogs }
}
