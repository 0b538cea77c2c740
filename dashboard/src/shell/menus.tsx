// The top menus: the account menu and the project switcher. They are loaded after the
// page, which is readable without them; until then their buttons are shown.

import { Menu, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { query, queryClient, useAction } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { useTouch } from '../ui/late-menu.tsx'
import { PersonButton, ProjectButton, type MenuProps } from './menu-buttons.tsx'

const { nav, theme } = texts.common

export function PersonMenu({ name, touch }: MenuProps) {
  const since = useTouch(touch)
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useAction('signOut', {
    onDone: () => {
      queryClient.clear()
      void navigate({ to: '/sign-in' })
    },
  })
  return (
    <Menu position="bottom-end" withinPortal {...since.menu}>
      <Menu.Target>
        <PersonButton name={name} {...since.button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to: '/account' })}>{nav.account}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{theme.label}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} aria-current={colorScheme === scheme}>
            {colorScheme === scheme ? `✓ ${theme[scheme]}` : theme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => signOut.mutate({})}>{nav.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function ProjectMenu({ name, touch }: MenuProps) {
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
        <Menu.Item onClick={() => void navigate({ to: '/projects' })}>{nav.projects}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
