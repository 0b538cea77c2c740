// Open invitations, and how to revoke one. Their links are not shown again.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useRef } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { roleViews, type Invitation } from './views.ts'

const { invitations: words } = texts.projects

export function OpenInvitations({ onRevoked }: { onRevoked: (id: string) => void }) {
  const { slug } = useProject()
  const place = useRef<HTMLDivElement>(null)
  const revoked = (id: string) => {
    onRevoked(id)
    // The button that was pressed goes away with its row.
    place.current?.focus()
  }
  const invitations = useQuery(query('listInvitations', { project: slug }))
  return (
    <Section title={words.open}>
      <div ref={place} tabIndex={-1} className="stack">
        <Loaded from={invitations}>
          {(found) =>
            found.length === 0 ? (
              <p className="quiet plain">{words.none}</p>
            ) : (
              <table className="list people-list">
                <ListHead columns={[words.forWhom, words.role, words.until]} actions={texts.projects.members.actions} />
                <tbody>
                  {found.map((invitation) => (
                    <Row key={invitation.id} invitation={invitation} onRevoked={revoked} />
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </div>
    </Section>
  )
}

type RowProps = { invitation: Invitation; onRevoked: (id: string) => void }

function Row({ invitation: { id, email, note, role, expiresAt }, onRevoked }: RowProps) {
  const { slug } = useProject()
  const revoke = useAction('revokeInvitation', {
    renews: ['listInvitations'],
    done: words.revoked,
    onDone: () => onRevoked(id),
  })
  return (
    <tr>
      <td>
        <div className="person-cell">
          <Glyph of={Mail} tone="wait" />
          <div className="grow">
            <strong>{email}</strong>
            {note !== '' && <p className="quiet small plain">{note}</p>}
          </div>
        </div>
      </td>
      <td data-label={words.role}>{roleViews[role].label}</td>
      <td data-label={words.until}>
        <Time at={expiresAt} />
      </td>
      <td>
        <Button
          size="xs"
          variant="default"
          data-tone="danger"
          aria-label={words.revokeOf(email)}
          loading={revoke.isPending}
          onClick={() => revoke.mutate({ project: slug, invitationId: id })}
        >
          {words.revoke}
        </Button>
      </td>
    </tr>
  )
}
