// Runs after signing in or up: clears the cache of an earlier person on this device, and
// navigates to the page that the person wanted; without one, `/` leads on.

import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../api.ts'
import { endStreamOfAccount } from '../stream.ts'

/** `next` was checked by the router: it is a path of this dashboard. */
export function useEntering(next: string | undefined): () => void {
  const navigate = useNavigate()
  return () => {
    queryClient.clear()
    endStreamOfAccount()
    // Replaces the form in the history: going back should not return to it.
    void navigate({ href: next ?? '/', replace: true })
  }
}
