// The actions on a domain. Verify is among them in the list, where no button stands beside the menu.

import { Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { RefreshCw, Route, Share2, Star, Trash2 } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useTouch, type Touch } from '../ui/late-menu.tsx'
import { notify } from '../ui/toasts.ts'
import { DomainMenuButton, type DomainMenuProps } from './domain-menu-button.tsx'
import { keepDomain } from './use-domain.ts'
import { resultWords, verifyLabel } from './verify-result.ts'

const { page: words } = texts.domains

export function DomainMenu({ domain, onOpen, touch, ...rest }: DomainMenuProps & { touch: Touch }) {
  const { slug, mayEdit } = useProject()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const touched = useTouch(touch)
  const button = useRef<HTMLButtonElement>(null)
  const makePrimary = useAction('setPrimaryDomain', {
    renews: ['getDomain', 'listDomains', 'getDomainSettings', 'listDomainEvents', 'getProject', 'listProjects'],
    done: words.madePrimary(domain.displayName),
  })
  const verify = useAction('verifyDomain', {
    renews: ['listDomains'],
    onDone(seen) {
      keepDomain(cache, slug, seen)
      notify({ message: texts.domains.verify.resultOf(seen.displayName, resultWords(seen)) })
    },
  })
  return (
    <Menu position="bottom-end" {...touched.menu}>
      <Menu.Target>
        <DomainMenuButton ref={button} domain={domain} {...rest} {...touched.button} />
      </Menu.Target>
      <Menu.Dropdown>
        {rest.isSmall === true && (
          <Menu.Item
            leftSection={<Icon of={RefreshCw} size={18} />}
            disabled={!mayEdit || verify.isPending}
            onClick={() => verify.mutate({ project: slug, hostname: domain.hostname })}
          >
            {verifyLabel(domain)}
          </Menu.Item>
        )}
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
