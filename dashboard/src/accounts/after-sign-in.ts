// Runs after signing in or up: clears the cache of an earlier person on this device, and
// navigates to the page that the person wanted.

import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../api.ts'

/** `next` was checked by the router: it is a path of this dashboard. */
export function useEntering(next: string | undefined): () => void {
  const navigate = useNavigate()
  return () => {
    queryClient.clear()
    localStorage.removeItem(REMEMBERED)
    // Replaces the form in the history: going back should not return to it.
    if (next === undefined) void navigate({ to: '/projects', replace: true })
    else void navigate({ href: next, replace: true })
  }
}

const INVITATION = /^\/invitations\/([^/?#]+)$/

/** The secret of the invitation that the person wants to accept. */
export function invitationIn(next: string | undefined): string | undefined {
  const [, secret] = INVITATION.exec(next ?? '') ?? []
  return secret === undefined ? undefined : decodeURIComponent(secret)
}

const REMEMBERED = 'petstore-after-sign-up'

/** The link in the mail opens another tab, which cannot know what the person wanted here. */
export function rememberNext(next: string | undefined): void {
  if (invitationIn(next) === undefined || next === undefined) localStorage.removeItem(REMEMBERED)
  else localStorage.setItem(REMEMBERED, next)
}

/** Only an invitation is remembered, and whatever else is stored there is ignored. */
export function rememberedNext(): string | undefined {
  const next = localStorage.getItem(REMEMBERED) ?? undefined
  return invitationIn(next) === undefined ? undefined : next
}
