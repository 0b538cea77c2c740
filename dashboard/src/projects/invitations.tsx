// Inviting somebody, and the invitations that are open. A link that was just made and is
// revoked again is no longer shown.

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
