// A word in the corner: that something was done, or why not. Loaded after the page, which
// can be read without it, and stays when a new version has taken this part away.

import { lazy } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'
import type { Notice } from './toasts-loaded.tsx'

const none = { LoadedNotices: () => null, show: () => {} }
const load = retryWhenOnline(() => import('./toasts-loaded.tsx'))
const loadOrNone = () => load().catch(() => none)

export const Notices = lazy(async () => ({ default: (await loadOrNone()).LoadedNotices }))

export function notify(notice: Notice): void {
  void loadOrNone().then(({ show }) => show(notice))
}
