// The secret of a mailed link, which stands behind the #, where no server sees it. It is removed from the address
// at once, so that it stays neither in the history of the browser nor on the screen.

import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'

/** Empty if the page was not opened by a link. */
export function useLinkSecret(
  to: '/sign-up' | '/sign-in-link' | '/recovery' | '/secure' | '/confirm-email' | '/undo-email' | '/invitations',
  onOpened: () => void,
): string {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [secret, setSecret] = useState(hash)
  const opened = useEffectEvent(onOpened)
  // A link may also be opened in a tab that shows the page already, which does not load it again.
  useEffect(() => {
    if (hash === '') return
    setSecret(hash)
    opened()
    void navigate({ to, hash: '', replace: true })
  }, [hash, navigate, to])
  return secret
}

/** Whether the server refuses the secret itself: it was used, is too old, or a part of it is missing. */
export const isUnusable = ({ code, message }: { code: string; message: string }): boolean =>
  code === 'not_found' || message.startsWith("'secret'")
