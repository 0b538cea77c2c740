// Invites people, and lists the open invitations. A new link that is revoked is no longer
// shown.

import type { Received } from '@petstore/contract/platform/client'
import { useState } from 'react'
import { Invite } from './invite.tsx'
import { OpenInvitations } from './open-invitations.tsx'

export function Invitations() {
  const [fresh, setFresh] = useState<Received<'createInvitation'>>()
  return (
    <>
      <Invite fresh={fresh} onMade={setFresh} />
      <OpenInvitations onRevoked={(id) => setFresh((made) => (made?.id === id ? undefined : made))} />
    </>
  )
}
