// What follows when somebody has signed in or up: whatever an earlier person saw on this
// device is forgotten, and the way leads to where the person wanted to go.

import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../api.ts'

/** `next` was checked by the router: it is a path of this dashboard. */
export function useEntering(next: string | undefined): () => void {
  const navigate = useNavigate()
  return () => {
    queryClient.clear()
    // In the place of the form, to which nobody wants to come back.
    if (next === undefined) void navigate({ to: '/projects', replace: true })
    else void navigate({ href: next, replace: true })
  }
}

export const isInvitation = (next: string | undefined): boolean => next?.startsWith('/invitations/') ?? false
