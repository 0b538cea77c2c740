// What can be done with a domain besides verifying it.

import { Button, Menu } from '@mantine/core'
import type { Domain } from '@petstore/contract/platform/domain-shapes'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

const { page: words } = texts.domains

export function DomainMenu({ domain, onRemoved }: { domain: Domain; onRemoved: () => void }) {
  const { slug, mayEdit } = useProject()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'share' | 'remove'>()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setDialog(undefined)
  const makePrimary = useAction('setPrimaryDomain', {
    renews: ['getDomain', 'listDomains', 'getDomainSettings', 'listDomainEvents'],
    done: words.madePrimary(domain.displayName),
  })
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button ref={button} variant="default" aria-label={words.menu(domain.displayName)}>
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
          <Menu.Item disabled={!mayEdit} onClick={() => setDialog('share')}>
            {words.share}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" disabled={!mayEdit} onClick={() => setDialog('remove')}>
            {words.remove}
          </Menu.Item>
          {!mayEdit && <Menu.Label>{texts.common.needsAdmin}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      <ShareDialog domain={domain} isOpen={dialog === 'share'} onClose={close} backTo={button} />
      <RemoveDialog
        domain={domain}
        isOpen={dialog === 'remove'}
        onClose={close}
        backTo={button}
        onRemoved={onRemoved}
      />
    </>
  )
}
