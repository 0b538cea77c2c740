// The account menu and the project switcher. They are loaded after the
// page, which is readable without them; until then their buttons are shown.

import { Menu, useMantineColorScheme } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, CircleUser, Layers, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { query, queryClient, useAction } from '../api.ts'
import { endStreamOfAccount } from '../stream.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useTouch } from '../ui/late-menu.tsx'
import { notify } from '../ui/toasts.ts'
import { PersonButton, ProjectButton, type PersonProps, type ProjectProps, type WithTouch } from './menu-buttons.tsx'

const { nav, theme } = texts.common

const schemes = { light: Sun, dark: Moon, auto: Monitor } as const

export function PersonMenu({ name, isSmall = false, touch }: WithTouch<PersonProps>) {
  const since = useTouch(touch)
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = () => {
    queryClient.clear()
    endStreamOfAccount()
    void navigate({ to: '/sign-in' })
  }
  const signOut = useAction('signOut', {
    onDone: leave,
    // The next person at this screen must not see the data, although the cookie can end only at the server.
    onNoAnswer: () => {
      notify({ title: texts.common.notDone, message: texts.common.stillSignedIn, isBad: true })
      leave()
    },
  })
  return (
    <Menu position="bottom-end" {...since.menu}>
      <Menu.Target>
        <PersonButton name={name} isSmall={isSmall} {...since.button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon of={CircleUser} size={18} />} onClick={() => void navigate({ to: '/account' })}>
          {nav.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{theme.label}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            leftSection={<Icon of={schemes[scheme]} size={18} />}
            rightSection={colorScheme === scheme && <Icon of={Check} size={16} />}
          >
            {theme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon of={LogOut} size={18} />} onClick={() => signOut.mutate({})}>
          {nav.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function ProjectMenu({ name, touch }: WithTouch<ProjectProps>) {
  const since = useTouch(touch)
  const projects = useQuery(query('listProjects'))
  const navigate = useNavigate()
  return (
    <Menu position="bottom-start" {...since.menu}>
      <Menu.Target>
        <ProjectButton name={name} {...since.button} />
      </Menu.Target>
      <Menu.Dropdown>
        {(projects.data ?? []).map((project) => (
          <Menu.Item
            key={project.slug}
            onClick={() => void navigate({ to: '/projects/$project', params: { project: project.slug } })}
          >
            {project.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon of={Layers} size={18} />} onClick={() => void navigate({ to: '/projects' })}>
          {nav.projects}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
