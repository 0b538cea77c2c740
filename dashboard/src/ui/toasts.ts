// A word in the corner: that something was done, or why not. Loaded after the page, which
// can be read without it, and stays when a new version has taken this part away.

import { lazy } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'

const none = { LoadedNotices: () => null, show: () => {} }
const load = retryWhenOnline(() => import('./toasts-loaded.tsx'))
const loadOrNone = () => load().catch(() => none)

export const Notices = lazy(async () => ({ default: (await loadOrNone()).LoadedNotices }))

export type Notice = { message: string; title?: string; isBad?: boolean }

export function notify(notice: Notice): void {
  void loadOrNone().then(({ show }) => show(notice))
}
