// The email address that a person has typed on one page on the way in, carried to the next one. It is part of the history's
// state, never of the address, which ends up in logs and bookmarks.

import { useLocation } from '@tanstack/react-router'

declare module '@tanstack/history' {
  interface HistoryState {
    email?: string
  }
}

/** Empty if there is none. */
export const useTypedEmail = (): string => useLocation({ select: ({ state }) => state.email ?? '' })
