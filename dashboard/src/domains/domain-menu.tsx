// What can be done with a domain besides verifying it: the menu, on the domain's page
// and in the list, and the dialogs that it opens. They are apart, so that a dialog
// outlives the row of a domain that was removed.

import { Button, Menu } from '@mantine/core'
import type { DomainSummary } from '@petstore/contract/platform/domain-shapes'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { useLasting } from '../ui/dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

const { page: words } = texts.domains

type DialogName = 'share' | 'remove'
type Opening = { domain: DomainSummary; name: DialogName; number: number }

export type OpenDialog = (domain: DomainSummary, name: DialogName, button: HTMLButtonElement | null) => void

type DomainMenuProps = { domain: DomainSummary; onOpen: OpenDialog; isSmall?: boolean }

export function DomainMenu({ domain, onOpen, isSmall = false }: DomainMenuProps) {
  const { slug, mayEdit } = useProject()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const makePrimary = useAction('setPrimaryDomain', {
    renews: ['getDomain', 'listDomains', 'getDomainSettings', 'listDomainEvents', 'getProject', 'listProjects'],
    done: words.madePrimary(domain.displayName),
  })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          ref={button}
          variant="default"
          aria-label={words.menu(domain.displayName)}
          {...(isSmall && { size: 'xs' })}
        >
          {texts.common.menu} ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={!mayEdit || domain.isPrimary}
          onClick={() => makePrimary.mutate({ project: slug, body: { hostname: domain.hostname } })}
        >
          {domain.isPrimary ? words.isPrimary : words.makePrimary}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            void navigate({ to: '/projects/$project/settings/domains/redirects', params: { project: slug } })
          }
        >
          {words.redirects}
        </Menu.Item>
        <Menu.Item disabled={!mayEdit} onClick={() => onOpen(domain, 'share', button.current)}>
          {words.share}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" disabled={!mayEdit} onClick={() => onOpen(domain, 'remove', button.current)}>
          {words.remove}
        </Menu.Item>
        {!mayEdit && <Menu.Label>{texts.common.needsAdmin}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

type DialogOptions = {
  /** Where the keyboard is when the row of the domain is gone, with the button of its menu. */
  afterRemoval?: RefObject<HTMLElement | null>
  onRemoved?: () => void
}

/** Opens the dialogs of a menu. `dialogs` is to be put where it stays when a domain is removed. */
export function useDomainDialogs(options: DialogOptions): { open: OpenDialog; dialogs: ReactNode } {
  const [opened, setOpened] = useState<Opening>()
  const shown = useLasting(opened)
  const button = useRef<HTMLElement>(null)
  const close = () => setOpened(undefined)
  const open: OpenDialog = (domain, name, from) => {
    button.current = from
    setOpened({ domain, name, number: (shown?.number ?? 0) + 1 })
  }
  const dialogs = shown && (
    // Each opening begins afresh, and knows nothing of the domain before.
    <div key={shown.number}>
      <ShareDialog domain={shown.domain} isOpen={opened?.name === 'share'} onClose={close} backTo={button} />
      <RemoveDialog
        domain={shown.domain}
        isOpen={opened?.name === 'remove'}
        onClose={close}
        backTo={button}
        onRemoved={() => {
          if (options.afterRemoval) button.current = options.afterRemoval.current
          close()
          options.onRemoved?.()
        }}
      />
    </div>
  )
  return { open, dialogs }
}
