// A word in the corner: that something was done, or why not. Loaded after the page, which
// can be read without it.

import { lazy } from 'react'

const load = () => import('./notices-loaded.tsx')

export const Notices = lazy(async () => ({ default: (await load()).LoadedNotices }))

export type Notice = { message: string; title?: string; isBad?: boolean }

export function notify(notice: Notice): void {
  void load().then(({ show }) => show(notice))
}
