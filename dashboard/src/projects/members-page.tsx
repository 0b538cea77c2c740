// Project settings, Members: the members, their roles, and invitations.

import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page, Section } from '../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { People } from './member-list.tsx'
import { roleList, roleViews } from './views.ts'
import './projects.css'

const { members: words, invitations } = texts.projects

export function MembersPage() {
  const { mayEdit } = useProject()
  return (
    <Page title={words.title} lead={words.lead}>
      <People />
      {mayEdit ? <Invitations /> : <p className="quiet small plain">{invitations.viewer}</p>}
      <Section title={words.rolesTitle}>
        <dl className="role-words">
          {roleList.map((role) => (
            <div key={role}>
              <dt>{roleViews[role].label}</dt>
              <dd className="quiet small">{roleViews[role].text}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </Page>
  )
}
