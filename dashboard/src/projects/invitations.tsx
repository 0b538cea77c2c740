// Invites people, and lists the open invitations. A new link that is revoked is no longer
// shown.

import type { Received } from '@petstore-platform/contract/platform/client'
import { useState, type ReactNode } from 'react'
import { Invite } from './invite.tsx'
import { OpenInvitations } from './open-invitations.tsx'

/** `beside`: what helps to choose a role for the invitation. */
export function Invitations({ beside }: { beside: ReactNode }) {
  const [fresh, setFresh] = useState<Received<'createInvitation'>>()
  return (
    <>
      <div className="beside">
        <Invite fresh={fresh} onMade={setFresh} />
        {beside}
      </div>
      <OpenInvitations onRevoked={(id) => setFresh((made) => (made?.id === id ? undefined : made))} />
    </>
  )
}
