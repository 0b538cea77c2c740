// Project settings, Members: the members, their roles, and invitations.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { Crown, Eye, PencilRuler, type LucideIcon } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { People } from './member-list.tsx'
import { roleList, roleViews } from './views.ts'
import './projects.css'

const { members: words, invitations } = texts.projects

const roleIcons: Readonly<Record<Role, LucideIcon>> = { viewer: Eye, admin: PencilRuler, owner: Crown }

export function MembersPage() {
  const { mayEdit } = useProject()
  return (
    <Page title={words.title} lead={words.lead}>
      <People />
      {mayEdit ? (
        <Invitations beside={<Roles />} />
      ) : (
        <>
          <p className="quiet small plain">{invitations.viewer}</p>
          <Roles />
        </>
      )}
    </Page>
  )
}

const Roles = () => (
  <Section title={words.rolesTitle} isFlush>
    <ul className="lines">
      {roleList.map((role) => (
        <li key={role} className="role-line">
          <Glyph of={roleIcons[role]} tone="plain" />
          <div className="grow">
            <strong>{roleViews[role].label}</strong>
            <p className="quiet small plain">{roleViews[role].text}</p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)
