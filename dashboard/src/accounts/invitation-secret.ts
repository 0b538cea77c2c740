// The secret of the invitation that is open in this tab. It is in no address, so that it stays in
// no history; the tab keeps it while the person signs in, or reloads the page.

import { useEffect } from 'react'
import { useLinkSecret } from './link-secret.ts'

export const INVITATION_PATH = '/invitations'
const KEPT = 'petstore-invitation'

/** Empty if there is none. */
export function useInvitationSecret(onOpened: () => void): string {
  const opened = useLinkSecret(INVITATION_PATH, onOpened)
  useEffect(() => {
    if (opened !== '') sessionStorage.setItem(KEPT, opened)
  }, [opened])
  return opened === '' ? (sessionStorage.getItem(KEPT) ?? '') : opened
}

export const forgetInvitation = (): void => sessionStorage.removeItem(KEPT)
