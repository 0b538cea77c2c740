// The actions on a domain besides verifying it.

import { Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Route, Share2, Star, Trash2 } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useTouch, type Touch } from '../ui/late-menu.tsx'
import { DomainMenuButton, type DomainMenuProps } from './domain-menu-button.tsx'

const { page: words } = texts.domains

export function DomainMenu({ domain, onOpen, touch, ...rest }: DomainMenuProps & { touch: Touch }) {
  const { slug, mayEdit } = useProject()
  const navigate = useNavigate()
  const touched = useTouch(touch)
  const button = useRef<HTMLButtonElement>(null)
  const makePrimary = useAction('setPrimaryDomain', {
    renews: ['getDomain', 'listDomains', 'getDomainSettings', 'listDomainEvents', 'getProject', 'listProjects'],
    done: words.madePrimary(domain.displayName),
  })
  return (
    <Menu position="bottom-end" {...touched.menu}>
      <Menu.Target>
        <DomainMenuButton ref={button} domain={domain} {...rest} {...touched.button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon of={Star} size={18} />}
          disabled={!mayEdit || domain.isPrimary}
          onClick={() => makePrimary.mutate({ project: slug, body: { hostname: domain.hostname } })}
        >
          {domain.isPrimary ? words.isPrimary : words.makePrimary}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon of={Route} size={18} />}
          onClick={() =>
            void navigate({ to: '/projects/$project/settings/domains/redirects', params: { project: slug } })
          }
        >
          {words.redirects}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon of={Share2} size={18} />}
          disabled={!mayEdit}
          onClick={() => onOpen(domain, 'share', button.current)}
        >
          {words.share}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          data-tone="danger"
          leftSection={<Icon of={Trash2} size={18} />}
          disabled={!mayEdit}
          onClick={() => onOpen(domain, 'remove', button.current)}
        >
          {words.remove}
        </Menu.Item>
        {!mayEdit && <Menu.Label>{texts.common.needsAdmin}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
